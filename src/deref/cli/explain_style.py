"""The style of the page that explains an answer: light and dark, wide and narrow, on paper. No font, picture or script from anywhere."""

STYLE = """
:root { color-scheme: light dark; --ink: #1d1d1f; --soft: #5c5c63; --paper: #fcfcfa; --card: #ffffff; --line: #dededa;
  --accent: #1d5a8a; --good: #1e6b3c; --open: #8a5a00; --bad: #a1260d; --mark: #ffe27a; --sheet: 1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --soft: #a4a4ac; --paper: #17181a; --card: #1f2023; --line: #37383d;
  --accent: #8cc4f0; --good: #7fd3a0; --open: #f0c060; --bad: #ff9a85; --mark: #6b5710; --sheet: .86; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 54rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.55rem; line-height: 1.25; margin: .15rem 0 .6rem; text-wrap: balance; }
h2 { font-size: 1.1rem; margin: 2.6rem 0 .8rem; padding-bottom: .35rem; border-bottom: 2px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .3rem; font-weight: 600; } h3 .at { font-weight: 400; margin-left: .3rem; }
p { margin: .4rem 0; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .15em; }
.over, .meta, figcaption, .why, .at, footer, summary, th { color: var(--soft); font-size: .875rem; }
.over { margin: 0; letter-spacing: .02em; }
.meta { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; align-items: center; padding: 0; margin: 0; list-style: none; }
.badge { display: inline-block; padding: .05rem .55rem; border: 1.5px solid currentColor; border-radius: 1rem; font-size: .8rem;
  font-weight: 650; white-space: nowrap; color: var(--soft); }
.complete, .resolved, .ship { color: var(--good); } .partial, .ambiguous, .unresolved, .conflict, .references_unresolved, .resolve { color: var(--open); }
.not_found, .dangling, .stop_partial { color: var(--bad); } .external { color: var(--accent); }
.answer { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: .4rem;
  padding: .7rem 1.1rem; font-size: 1.05rem; }
.answer p { white-space: pre-line; }
.cite { font-variant-numeric: tabular-nums; font-weight: 600; text-decoration: none; }
ul.plain, ol.plain { list-style: none; margin: 0; padding: 0; }
ul.plain > li, ol.plain > li { padding: .55rem 0; border-bottom: 1px solid var(--line); }
ul.plain > li:last-child, ol.plain > li:last-child { border-bottom: 0; }
ol.plain p { font-size: .95rem; }
q, b, .at { unicode-bidi: isolate; } q { quotes: "“" "”"; } .pointer { font-weight: 600; }
blockquote { margin: .45rem 0; padding: .1rem 0 .1rem .9rem; border-left: 3px solid var(--mark); white-space: pre-wrap; }
article { padding: .9rem 0; border-bottom: 1px solid var(--line); }
article:last-of-type { border-bottom: 0; }
.n { font-weight: 700; color: var(--accent); margin-right: .35rem; font-variant-numeric: tabular-nums; }
figure { margin: 0 0 1.6rem; }
figcaption { display: flex; flex-wrap: wrap; gap: .1rem .8rem; margin-bottom: .4rem; }
figcaption b { color: var(--ink); }
.window { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; background: #fff; }
.view { position: relative; overflow: hidden; min-width: 36rem; aspect-ratio: var(--w) / var(--band); }
.sheet { position: absolute; left: 0; top: calc(-100% * var(--y) / var(--band)); width: 100%; aspect-ratio: var(--w) / var(--h);
  filter: brightness(var(--sheet)); }
.sheet img { display: block; width: 100%; height: 100%; }
.sheet i { position: absolute; mix-blend-mode: multiply; background: #ffe27a; border-radius: 2px; }
.sheet i.from { background: none; border-bottom: 2px solid #2b7bbf; }
details.whole { margin: .3rem 0 0; } details.whole summary { cursor: pointer; width: max-content; }
figure:has(> details.whole[open]) .view { aspect-ratio: var(--w) / var(--h); }
figure:has(> details.whole[open]) .sheet { top: 0; }
ol.lines { list-style: none; margin: 0; padding: .5rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--card); font: .85rem/1.5 ui-monospace, monospace; }
ol.lines li { display: grid; grid-template-columns: 3.2rem 1fr; padding: 0 .8rem 0 0; white-space: pre-wrap; }
ol.lines li::before { content: attr(data-row); color: var(--soft); text-align: right; padding-right: .8rem; user-select: none; }
ol.lines li.lit { background: var(--mark); } ol.lines li.from { box-shadow: inset 4px 0 #2b7bbf; }
ol.lines li.gap { color: var(--soft); } ol.lines li.gap::before { content: "⋯"; }
.key { display: inline-block; width: .9rem; height: .7rem; border-radius: 2px; background: #ffe27a; vertical-align: -.05rem; }
.key.from { background: none; border-bottom: 2px solid #2b7bbf; border-radius: 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } .table { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line); }
td.num, th.num { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.pass { border: 1px solid var(--line); border-radius: .4rem; background: var(--card); padding: .7rem 1rem; margin: .7rem 0; }
.hop { display: grid; grid-template-columns: 1.4rem 1fr; gap: 0 .3rem; }
.hop > .sign { font-weight: 700; } .yes { color: var(--good); } .no { color: var(--bad); }
details > summary { cursor: pointer; }
details.more { margin: .8rem 0; } details.more > summary { padding: .2rem 0; font-size: .95rem; color: var(--ink); font-weight: 600; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .8rem; }
:target { outline: 2px solid var(--accent); outline-offset: .4rem; border-radius: .3rem; }
@media (max-width: 40rem) { body { padding: 1.25rem .9rem 3rem; } h1 { font-size: 1.3rem; } .answer { padding: .5rem .8rem; font-size: 1rem; }
  ol.lines li { grid-template-columns: 2.4rem 1fr; } }
@media print { :root { --paper: #fff; --card: #fff; --ink: #000; --sheet: 1; } body { max-width: none; padding: 0; font-size: 11pt; }
  h2, h3, figcaption, summary { break-after: avoid; } figure, article, .pass, .plain > li { break-inside: avoid; } .window { overflow: hidden; } .view { min-width: 0; } details.whole { display: none; }
  .sheet i, ol.lines li.lit, ol.lines li.from { print-color-adjust: exact; -webkit-print-color-adjust: exact; } a { color: inherit; } }
"""
