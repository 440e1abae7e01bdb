"""Small documents by hand: a text with marks, so that a test shows its whole document.

# 4.2 Fees            a section (level = number of #)
## [article 9] Title  a section whose heading carries a word
@table 3 Results      an item, over the following lines up to a blank line or the next heading
= (E) cells           a row of the item, with its tag
A blank line starts a new block.
"""

from __future__ import annotations

import re

from deref.values import Document, Item, ItemKind, Line, Link, LinkSource, Point, Section, Selector, Span

_HEAD = re.compile(r"(#+) (?:\[(\w+) (\S+)\] ?|((?:\d+|[A-Z])(?:[.-]\d+)*(?:-\d+)?) )?(.*)$")
_ITEM = re.compile(r"@(\w+) (\S+) ?(.*)$")


def document(
    text: str,
    name: str = "home.txt",
    title: str = "",
    aliases: tuple[str, ...] = (),
    pages: dict[int, int] | None = None,
) -> Document:
    doc = name
    lines: list[Line] = []
    heads: list[tuple[int, int, str | None, str | None, str]] = []
    items: list[tuple[int, int, ItemKind, str, str, list[Selector]]] = []
    begins = True
    for raw in text.strip("\n").split("\n"):
        n = len(lines)
        if not raw.strip():
            begins = True
            items = [(a, n if b < 0 else b, k, x, c, s) for a, b, k, x, c, s in items]
            continue
        shown = raw
        if head := _HEAD.match(raw):
            marks, word, worded, label, rest = head.groups()
            heads.append((n, len(marks), worded or label, word, rest))
            shown = " ".join(p for p in ((word or "").capitalize(), worded or label or "", rest) if p)
            begins = True
            items = [(a, n if b < 0 else b, k, x, c, s) for a, b, k, x, c, s in items]
        elif item := _ITEM.match(raw):
            kind, label, caption = item.groups()
            items.append((n, -1, ItemKind(kind), label.replace("_", " "), caption, []))
            shown = (
                f"[{label}] {caption}"
                if kind == "bibliography"
                else f"{kind.capitalize()} {label}: {caption}"
            )
            begins = True
        elif raw.startswith("= "):
            shown = raw[2:]
            tag = shown.split()[0].strip("()")
            items[-1][5].append(Selector(kind="row", tag=tag, lines=Span(doc=doc, start=n, end=n + 1)))
            begins = True
        lines.append(
            Line(doc=doc, n=n, page=(pages or {}).get(n, 1), row=n + 1, text=shown, starts_block=begins)
        )
        begins = False
    sections: list[Section] = []
    open_: list[Section] = []
    for at, (n, level, label, word, rest) in enumerate(heads):
        end = next((m for m, other, *_ in heads[at + 1 :] if other <= level), len(lines))
        while open_ and open_[-1].level >= level:
            open_.pop()
        section = Section(
            id=f"s{at}", label=label, title=rest, level=level, lines=Span(doc=doc, start=n, end=end),
            parent=open_[-1].id if open_ else None, word=word,
        )  # fmt: skip
        open_.append(section)
        sections.append(section)
    made = [
        Item(id=f"i{n}", kind=k, label=x, caption=c, lines=Span(doc=doc, start=a, end=len(lines) if b < 0 else b), selectors=tuple(s))
        for n, (a, b, k, x, c, s) in enumerate(items)
    ]  # fmt: skip
    return Document(
        id=doc, name=name, title=title, aliases=aliases, lines=tuple(lines), sections=tuple(sections), items=tuple(made),
        links=(), fingerprint="", pages=max((line.page for line in lines), default=1),
    )  # fmt: skip


def link(home: Document, words: str, target: Span | str) -> Link:
    """A link under the first place where these words stand."""
    for line in home.lines:
        at = line.text.find(words)
        if at >= 0:
            point = Point(doc=home.id, line=line.n, char_start=at, char_end=at + len(words))
            return Link(at=point, target=target, source=LinkSource.ANCHOR)
    raise AssertionError(f"{words!r} is not in {home.name}")
