"""Findings as one HTML page that needs nothing else: no script, no font, no picture from anywhere; light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from deref.cli.check_text import place, summary
from deref.references.check_rules import RULES
from deref.values import Finding

if TYPE_CHECKING:
    from deref.cli.check import Tally

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1c1e; --soft: #5b5b62; --paper: #fdfdfb; --line: #dcdcd6;
  --error: #a1260d; --warning: #7a5200; --note: #1d5a8a; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e9ea; --soft: #a3a3ab; --paper: #17181a; --line: #35363a;
  --error: #ff9a85; --warning: #f0c060; --note: #8cc4f0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 2.25rem 0 0; padding-bottom: .4rem; border-bottom: 2px solid var(--line); overflow-wrap: anywhere; }
p.sum { color: var(--soft); margin: .25rem 0 0; }
ul { list-style: none; margin: 0; padding: 0; }
li { display: grid; grid-template-columns: 8.5rem 5.5rem 1fr; gap: .25rem 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
.at { color: var(--soft); font-variant-numeric: tabular-nums; }
.error, .warning, .note { font-weight: 650; }
.error { color: var(--error); } .warning { color: var(--warning); } .note { color: var(--note); }
q { font-weight: 600; quotes: "“" "”"; }
code { color: var(--soft); font-size: .85em; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; color: var(--soft); font-size: .9rem; }
dt { font-family: ui-monospace, monospace; } dd { margin: 0; }
@media (max-width: 40rem) { li { grid-template-columns: auto 1fr; } li > span:last-child { grid-column: 1 / -1; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; } }
@media print { body { max-width: none; padding: 0; } li { break-inside: avoid; } }
"""


def as_page(findings: Sequence[Finding], tally: Tally, path: Path) -> str:
    """Return the page: a summary, the findings by document, and what the rules that found something mean."""
    used = {f.rule for f in findings}
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
        f"<title>Cross-references of {escape(path.resolve().name)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n",
        f"<h1>Cross-references of {escape(path.resolve().name)}</h1>\n",
        f'<p class="sum">{escape(summary(findings, tally))}</p>\n',
    ]
    for source, mine in groupby(findings, key=lambda f: f.source):
        parts.append(f"<section>\n<h2>{escape(source)}</h2>\n<ul>\n")
        parts += [_item(f) for f in mine]
        parts.append("</ul>\n</section>\n")
    if used:
        parts.append("<section>\n<h2>What the rules say</h2>\n<dl>\n")
        parts += [f"<dt>{r.name}</dt><dd>{escape(r.says)}</dd>\n" for r in RULES if r.name in used]
        parts.append("</dl>\n</section>\n")
    return "".join([*parts, "</body>\n</html>\n"])


def _item(finding: Finding) -> str:
    return (
        f'<li id="f-{finding.fingerprint}"><span class="at">{place(finding)}</span> '
        f'<span class="{finding.severity.value}">{finding.severity.value}</span> '
        f"<span><q>{escape(finding.text)}</q> {escape(finding.message)} <code>{finding.rule}</code></span></li>\n"
    )
