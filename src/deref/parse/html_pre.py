"""A page that is one long <pre>: an RFC, a court filing, a contract as it was typed.

Its text is put together with the line breaks and form feeds that it has, read as plain text is (`plain`), and the
links and anchors, counted in characters of that text, follow their rows to the lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from deref.parse import html_roles as roles
from deref.parse.flow import Flow
from deref.parse.plain import Plain, read_plain
from deref.values import LinkSource, MarkKind

_MOST = 0.9
_FEWEST_WORDS = 200
_PROSE = 0.72


def is_preformatted(top: Any) -> bool:
    """Tell whether most of the text stands in <pre> and reads as prose."""
    inside = "".join("".join(pre.itertext()) for pre in top.iter("pre"))
    if len(inside.split()) < _FEWEST_WORDS or any(top.find(f".//h{n}") is not None for n in range(1, 7)):
        return False
    whole = sum(len(t) for t in _texts(top))
    dense = "".join(re.sub(r"[.\-_=]{3,}", "", inside).split())
    letters = sum(1 for c in dense if c.isalpha())
    return len(inside) >= _MOST * whole and letters >= _PROSE * len(dense)


def _texts(top: Any) -> Iterator[str]:
    for element in top.iter():
        if isinstance(element.tag, str) and element.tag not in roles.DROPPED and element.text:
            yield element.text
        if element.tail:
            yield element.tail


@dataclass(slots=True)
class _Reader:
    parts: list[str] = field(default_factory=list)
    size: int = 0
    links: list[tuple[int, int, str]] = field(default_factory=list)
    anchors: list[tuple[int, str]] = field(default_factory=list)

    def put(self, text: str) -> None:
        self.parts.append(text)
        self.size += len(text)

    def read(self, top: Any) -> None:
        """Read the tree under `top`; an explicit stack, since markup may nest deeper than calls may."""
        stack: list[tuple[Any, Iterator[Any], int]] = [(top, iter(top), self._begin(top))]
        pre = int(top.tag == "pre")
        while stack:
            element, children, start = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                pre -= element.tag == "pre"
                self._end(element, start)
                self._text(element.tail if stack else None, pre > 0)
            elif (
                isinstance(child.tag, str) and child.tag not in roles.DROPPED and child.get("hidden") is None
            ):
                pre += child.tag == "pre"
                start = self._begin(child)
                self._text(child.text, pre > 0)
                stack.append((child, iter(child), start))
            else:
                self._text(child.tail, pre > 0)

    def _begin(self, element: Any) -> int:
        tag = element.tag
        if tag == "pre" and "newpage" in roles.tokens(element):
            self.put("\n\f")
        elif tag in roles.BLOCKS or tag == "br":
            self.put("\n")
        for key in ("id", "name"):
            if element.get(key) and (key == "id" or tag == "a"):
                self.anchors.append((self.size, element.get(key)))
        return self.size

    def _end(self, element: Any, start: int) -> None:
        href = (element.get("href") or "").strip() if element.tag == "a" else ""
        if href and self.size > start and not href.lower().startswith("javascript:"):
            self.links.append((start, self.size, href))
        if element.tag in roles.BLOCKS:
            self.put("\n")

    def _text(self, text: str | None, in_pre: bool) -> None:
        if text:
            self.put(text.replace("\r\n", "\n") if in_pre else re.sub(r"\s+", " ", text))


def read_preformatted(top: Any, flow: Flow) -> Plain:
    """Read the page into the flow and return it as the plain text that it is."""
    reader = _Reader()
    reader.read(top)
    text = "".join(reader.parts)
    plain = read_plain(text, doc=flow.doc)
    flow.lines += plain.lines
    flow.marks += plain.marks
    starts = [row.start for row in plain.rows]
    following = _following(plain)
    for offset, name in reader.anchors:
        row = max(0, bisect_right(starts, offset) - 1)
        if starts and starts[row] + len(plain.rows[row].text) <= offset:
            row += 1
        flow.anchors.setdefault(name, min(following[row], max(0, len(plain.lines) - 1)))
    listed = {n for m in plain.marks if m.kind is MarkKind.CONTENTS for n in range(m.start, m.end)}
    for start, end, href in reader.links:
        first = end - len(text[start:end].lstrip())
        last = start + len(text[start:end].rstrip())
        if first < last:
            _link(flow, plain, starts, (first, last, href), listed)
    return plain


def _link(flow: Flow, plain: Plain, starts: list[int], link: tuple[int, int, str], listed: set[int]) -> None:
    start, end, href = link
    first, last = (max(0, bisect_right(starts, offset) - 1) for offset in (start, end - 1))
    line, last_line = plain.line_of[first], plain.line_of[last]
    if line is None:
        return
    a = start - starts[first]
    if last_line is None or last_line == line:
        last_line, b = line, min(end - starts[first], len(plain.lines[line].text))
    else:
        b = end - starts[last]
    source = LinkSource.CONTENTS if line in listed else LinkSource.ANCHOR
    flow.add_link(line, a, b, href, source, last_line)


def _following(plain: Plain) -> list[int]:
    """Return for each row its line, or that of the next row which has one; and behind them the number of lines."""
    found = [len(plain.lines)]
    for line in reversed(plain.line_of):
        found.append(found[-1] if line is None else line)
    return found[::-1]
