"""Plain text as pages and rows, the shape in which the rules for plain text read it.

A form feed ends a page. One that stands alone on its row is no row of either page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BREAK = re.compile("\r\n|[\n\r\v\x1c\x1d\x1e\x85\u2028\u2029]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a page as it stands: `page` and `row` are 1-based; `start` its offset in the whole text."""

    page: int
    row: int
    text: str
    start: int

    @property
    def blank(self) -> bool:
        """Whether there is nothing to read."""
        return not self.text or self.text.isspace()

    @property
    def indent(self) -> int:
        """The number of columns before the first character; a tab goes to the next multiple of eight."""
        text = self.text.expandtabs(8)
        return len(text) - len(text.lstrip())


def rows_of(text: str) -> tuple[list[Row], int]:
    """Return all rows of a text in order, blank ones included, and the number of pages."""
    rows: list[Row] = []
    pages = text.split("\f")
    at = 0
    page = 0
    for number, content in enumerate(pages):
        if number and number == len(pages) - 1 and not content.strip():
            break
        page += 1
        start = at
        if (
            number
            and (alone := _BREAK.match(content))
            and (not rows or not pages[number - 1].strip(" \t") or pages[number - 1][-1:] in "\n\r")
        ):
            start += alone.end()
        rows += _page(text, start, at + len(content), page)
        at += len(content) + 1
    return rows, max(1, page)


def _page(text: str, start: int, end: int, page: int) -> list[Row]:
    out: list[Row] = []
    at = start
    for match in _BREAK.finditer(text, start, end):
        out.append(Row(page=page, row=len(out) + 1, text=text[at : match.start()], start=at))
        at = match.end()
    if at < end:
        out.append(Row(page=page, row=len(out) + 1, text=text[at:end], start=at))
    return out
