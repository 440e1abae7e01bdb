"""Where the links of Markdown stand in its source.

markdown-it says what a link is and where it goes, but not at which character. Its own rules know, so they are
wrapped: each notes where in the inline source it began and ended. Offsets in the inline source then go back to
source rows, whose markers and indentation the inline source lacks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, autolink, html_inline, link
from markdown_it.token import Token

Rule = Callable[[StateInline, bool], bool]
_HREF = re.compile(r"""<a\b[^<>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_NAME = re.compile(
    r"""<[a-z][a-z0-9]*\b[^<>]*?\b(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE
)
_BARE = re.compile(r"https?://[^\s<>\[\]|`\"]+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A link at characters `start`..`end` of source row `row`, ending on `end_row`."""

    row: int
    start: int
    end_row: int
    end: int
    href: str


def placing_parser() -> MarkdownIt:
    """Return a CommonMark parser with tables whose links and inline HTML know where they stand."""
    parser = MarkdownIt("commonmark").enable("table")
    for name, rule in (("link", link), ("autolink", autolink), ("html_inline", html_inline)):
        parser.inline.ruler.at(name, _placing(rule))
    return parser


def _placing(rule: Rule) -> Rule:
    def placed(state: StateInline, silent: bool) -> bool:
        start, before = state.pos, len(state.tokens)
        if not rule(state, silent):
            return False
        for token in state.tokens[before:]:
            if not silent and token.type in ("link_open", "html_inline") and "start" not in token.meta:
                token.meta |= {"start": start, "end": state.pos}
                break
        return True

    return placed


def inline_links(token: Token, rows: Sequence[str], cursor: int = 0) -> Iterator[Found]:
    """Yield the links of an inline token in order; `cursor` is the character of its first row to look from."""
    assert token.map is not None
    places = list(_rows_of(token, rows, cursor))
    raw: tuple[int, str] | None = None
    for child in token.children or ():
        if "start" not in child.meta:
            continue
        start, end = int(child.meta["start"]), int(child.meta["end"])
        if child.type == "html_inline":
            if match := _HREF.match(child.content):
                raw = (end, str(next(g for g in match.groups() if g is not None)))
            elif raw and child.content.lower().startswith("</a"):
                yield from _found(places, token, rows, raw[0], start, raw[1])
                raw = None
        elif not token.content.startswith("[^", start):
            yield from _found(places, token, rows, start, end, str(child.attrs.get("href", "")))


def _rows_of(token: Token, rows: Sequence[str], cursor: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield (offset in the inline source, length, source row, character) for each row of an inline token."""
    offset = 0
    first = token.map[0] if token.map else 0
    for n, part in enumerate(token.content.split("\n")):
        row = first + n
        if row < len(rows):
            at = rows[row].find(part.strip(), cursor if n == 0 else 0)
            yield offset, len(part), row, at - (len(part) - len(part.lstrip())) if at >= 0 else -1
        offset += len(part) + 1


def _found(
    places: Sequence[tuple[int, int, int, int]],
    token: Token,
    rows: Sequence[str],
    start: int,
    end: int,
    href: str,
) -> Iterator[Found]:
    ends = [_place(places, offset) for offset in (start, end - 1)]
    if not href or not ends[0] or not ends[1] or end <= start:
        return
    (row, a), (end_row, b) = ends[0], ends[1]
    if a < 0 or b < 0:
        # Tabs were turned into spaces on the way: the link itself still stands in the row as it is.
        source = token.content[start:end]
        a = rows[row].find(source)
        b = a + len(source) - 1
        if row != end_row or a < 0:
            return
    if b < len(rows[end_row]) and (row < end_row or a <= b):
        yield Found(row=row, start=a, end_row=end_row, end=b + 1, href=href)


def _place(places: Sequence[tuple[int, int, int, int]], offset: int) -> tuple[int, int] | None:
    """Return (row, character) of an offset; the character is -1 where the row did not survive as it was."""
    at = bisect_right(places, offset, key=itemgetter(0)) - 1
    if at < 0:
        return None
    begin, length, row, char = places[at]
    if offset > begin + length:
        return None
    return row, char + offset - begin if char >= 0 else -1


def names_in(html: str) -> list[str]:
    """Return the ids and names that a piece of HTML gives, in order."""
    return [next(g for g in m.groups() if g is not None) for m in _NAME.finditer(html)]


def html_links(html: str, row: int) -> Iterator[Found]:
    """Yield the links of one row of an HTML block."""
    small = html.lower()
    for match in _HREF.finditer(html):
        start = html.find(">", match.end()) + 1
        end = small.find("</a", start)
        if end < 0:
            return
        if 0 < start < end:
            href = next(g for g in match.groups() if g is not None)
            yield Found(row=row, start=start, end_row=row, end=end, href=href)


def bare_links(text: str, row: int, taken: Sequence[Found]) -> Iterator[Found]:
    """Yield the web addresses written out in a row that stand in no other link; `taken` are those that begin in it."""
    ends: list[int] = []
    starts = sorted((f.start, f.end) for f in taken)
    for _, end in starts:
        ends.append(max(end, ends[-1] if ends else 0))
    for match in _BARE.finditer(text):
        url = match.group().rstrip(".,;:!?*_'")
        url = url.rstrip(")") if url.count("(") < url.count(")") else url
        before = bisect_right(starts, match.start(), key=itemgetter(0))
        if not before or ends[before - 1] <= match.start():
            yield Found(row=row, start=match.start(), end_row=row, end=match.start() + len(url), href=url)
