"""The extent of a captioned table, its header, and the rows and columns that a reference can pick out.

Extent: the body is taken below the caption or above it, wherever lines look like rows: lines that the parser calls
rows, and lines between them that are no prose; where the table is set in small type, all that is. Prose, a heading,
another caption or a new page ends it. Where both sides have rows, the side that most captions of the file use wins.

Rows: "(E)" or the first cell tags a row. A tag that stands alone, or before rows without a first cell of their own, covers
them all: where boxes tell, a tag that is set half-way down its rows covers those above it too.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise
from math import inf

from deref.structure.look import Look
from deref.text.labels import normalize_label
from deref.values import Line, Selector, Span

_FIGURE = re.compile(
    r"^[(\[<>≤≥±+\-–−~≈$€£]*\d[\d.,:/%×x±+\-–−KMGk]*[)\]%*†‡]*$|^(?:[-–—✓✗✔✘]{1,3}|n/?a|N/?A)$"
)
_TAG = re.compile(r"^\(([A-Za-z]{1,2}\d{0,3}|\d{1,3}|[ivx]{1,5})\)(?=\s|$)")
_CELLS = re.compile(r"\s\|\s|\t+| {2,}")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_ROWS = 5000
_MOST_ROWS_ABOVE = 200
_MOST_HEADER_ROWS = 4
_MOST_HEADER_LINES = 10
_LONGEST_TAG = 60


def body_below(look: Look, start: int, stops: Collection[int]) -> int:
    """Return where the rows that start at line `start` end (half-open); `start` when there are none.

    `start` is the line after the caption; `stops` are lines at which something else begins: headings, captions.
    """
    end, n, loose = start, start, 0
    page = look.lines[start - 1].page
    small = look.lines[start].size_pt if start < len(look.lines) and look.small(start) else None
    while n < min(start + _MOST_ROWS, len(look.lines)) and n not in stops:
        line = look.lines[n]
        in_small_type = small is not None and (line.size_pt or 0.0) <= small + 0.3
        if line.page != page and n not in look.tabular and not in_small_type:
            break
        if n in look.tabular or in_small_type:
            end, loose = n + 1, 0
        elif is_prose(look, n):
            if not _rows_again(look, n, page):
                break
        else:
            loose += 1
            if look.has_sizes and (row_like(look, n) or loose <= 3):
                end = n + 1 if row_like(look, n) else end
            elif loose > 3:
                break
        page = line.page
        n += 1
    return end


def body_above(look: Look, caption: int, stops: Collection[int]) -> int:
    """Return where the rows that end right above the caption start; `caption` when there are none."""
    start, n, loose = caption, caption - 1, 0
    while n >= max(0, caption - _MOST_ROWS_ABOVE) and n not in stops:
        if look.lines[n].page != look.lines[caption].page:
            break
        if n in look.tabular or (look.has_sizes and row_like(look, n)):
            start, loose = n, 0
        elif is_prose(look, n) or loose > 3:
            break
        else:
            loose += 1
        n -= 1
    return start


def is_prose(look: Look, n: int) -> bool:
    """Whether a line reads as running text: as wide as the column, nine words or more, few figures."""
    if n in look.tabular:
        return False
    text = look.texts[n]
    words = text.split()
    if len(words) < 9:
        return False
    if sum(bool(_FIGURE.match(w)) for w in words) > 0.25 * len(words):
        return False
    box = look.lines[n].box
    return box is None or box.x1 - box.x0 >= 0.8 * look.width


def row_like(look: Look, n: int) -> bool:
    """Whether a line looks like a row without the parser saying so: a tag, two figures, or short and no sentence."""
    text = look.texts[n]
    if n in look.tabular or _TAG.match(text):
        return True
    words = text.split()
    figures = sum(bool(_FIGURE.match(w)) for w in words)
    if figures >= 2 or (figures == 1 and len(words) <= 4):
        return True
    box = look.lines[n].box
    short = box is not None and box.x1 - box.x0 < 0.6 * look.width
    return short and len(words) <= 8 and text[-1:] not in ".;:"


def _rows_again(look: Look, n: int, page: int) -> bool:
    """Whether rows go on within three lines of a line that looks like prose: a wide cell."""
    ahead = range(n + 1, min(n + 4, len(look.lines)))
    return any(i in look.tabular and look.lines[i].page == page for i in ahead) and look.lines[n].page == page


def header_of(look: Look, start: int, end: int) -> tuple[int, int] | None:
    """Return the header rows of a body, half-open, or None when the first row is data."""
    inside = next((n for n in range(start, end) if n in look.tabular), start)
    said = [n for n in range(start, min(end, start + _MOST_HEADER_ROWS + 1)) if n in look.header_rows]
    first_data = start
    while first_data < min(end, start + _MOST_HEADER_ROWS + 1) and not _is_data(look.texts[first_data]):
        first_data += 1
    found = first_data if first_data < min(end, start + _MOST_HEADER_ROWS + 1) else start
    if said:
        last = said[0]
        while last + 1 in look.header_rows and last + 1 < min(end, said[0] + _MOST_HEADER_LINES):
            last += 1
        found = max(last + 1, found) if look.has_sizes else last + 1
        found = _rest_of_header(look, found, min(end, start + _MOST_HEADER_ROWS + 2))
    elif start < inside <= start + _MOST_HEADER_ROWS and not any(map(_is_row, look.texts[start:inside])):
        found = max(found, inside)
    elif not look.has_sizes and found == start and end - start > 2 and start not in look.tabular:
        return None
    return (start, found) if found > start else None


def _rest_of_header(look: Look, start: int, limit: int) -> int:
    """Where the header ends that starts above `start`: pieces of its cells come as lines that are no rows."""
    n = start
    while n < limit and n not in look.tabular and not _is_row(look.texts[n]):
        n += 1
    return n if n < limit and n in look.tabular else start


def _is_row(text: str) -> bool:
    words = text.split()
    figures = sum(bool(_FIGURE.match(w)) for w in words)
    return bool(_TAG.match(text)) or (figures >= 2 and figures > 0.4 * len(words))


def _is_data(text: str) -> bool:
    words = _CELLS.sub(" ", text).split()
    figures = sum(bool(_FIGURE.match(w)) for w in words)
    return bool(_TAG.match(text)) or figures >= 2 or (figures == 1 and len(words) <= 3)


def selectors_of(
    look: Look, doc: str, start: int, end: int, header: tuple[int, int] | None
) -> tuple[Selector, ...]:
    """Return the tagged rows and named columns of the body `start`..`end`, rows first, in order."""
    first = header[1] if header else start
    rows = [n for n in range(first, end) if look.texts[n]]
    out = [*_tag_groups(look, doc, rows), *_first_cells(look, doc, rows)]
    out.sort(key=lambda s: (s.lines.start, s.lines.end))
    return (*out, *_columns(look, doc, header))


def _tag_groups(look: Look, doc: str, rows: list[int]) -> list[Selector]:
    tags = [(i, m.group(1)) for i, n in enumerate(rows) if (m := _TAG.match(look.texts[n]))]
    out: list[Selector] = []
    free = 0
    for at, (i, tag) in enumerate(tags):
        following = tags[at + 1][0] if at + 1 < len(tags) else len(rows)
        low = i
        while low > free and _is_untagged(look, rows[low - 1], rows[i]):
            low -= 1
        high = i
        while high + 1 < following and _is_untagged(look, rows[high + 1], rows[i]):
            high += 1
        first, last = _centred(look, [rows[k] for k in range(low, high + 1)], rows[i])
        free = rows.index(last) + 1
        out.append(
            Selector(kind="row", tag=normalize_label(tag), lines=Span(doc=doc, start=first, end=last + 1))
        )
    return out


def _is_untagged(look: Look, n: int, tag: int) -> bool:
    """Whether row n has no first cell of its own, seen from the row that carries a tag."""
    box, own = look.lines[n].box, look.lines[tag].box
    if box is not None and own is not None:
        return box.x0 > own.x0 + 4 and look.lines[n].page == look.lines[tag].page
    text = look.lines[n].text
    return text[:1] in " \t|" or bool(_FIGURE.match(text.split()[0]))


def _centred(look: Look, rows: list[int], tag: int) -> tuple[int, int]:
    """The first and last row of the group of a tag; rows above it belong to it only when it is set half-way down."""
    if rows[0] == tag:
        return tag, rows[-1]
    ups = [_top(look.lines[n]) for n in rows]
    best, span = inf, (tag, rows[-1])
    for k, n in enumerate(rows):
        if n >= tag:
            off = abs((ups[0] + ups[k]) / 2 - _top(look.lines[tag]))
            if off < best:
                best, span = off, (rows[0], n)
    return span if best < 8.0 else (tag, rows[-1])


def _top(line: Line) -> float:
    return line.box.top if line.box is not None else float(line.n)


def _first_cells(look: Look, doc: str, rows: list[int]) -> list[Selector]:
    edges = [look.lines[n].box for n in rows]
    left = min((b.x0 for b in edges if b is not None), default=None)
    cells: list[tuple[int, str]] = []
    for n, box in zip(rows, edges, strict=True):
        if box is not None and left is not None and box.x0 > left + 4:
            continue
        cell = _first_cell(look.texts[n])
        if normalize_label(cell) and not _TAG.match(look.texts[n]):
            cells.append((n, cell))
    out = []
    for (n, cell), (following, _) in pairwise([*cells, (rows[-1] + 1 if rows else 0, "")]):
        end = n + 1
        while end < following and end in look.inner_rows:
            end += 1
        out.append(Selector(kind="row", tag=normalize_label(cell), lines=Span(doc=doc, start=n, end=end)))
    return out


def _first_cell(text: str) -> str:
    parts = [p for p in _CELLS.split(text.strip(" |")) if p.strip(" -=+|")]
    if len(parts) > 1:
        return parts[0].strip() if len(parts[0]) <= _LONGEST_TAG else ""
    words = text.split()
    lead: list[str] = []
    for word in words:
        if lead and _FIGURE.match(word):
            break
        lead.append(word)
        if _FIGURE.match(word):
            break
    cell = " ".join(lead)
    return cell if len(cell) <= _LONGEST_TAG and len(lead) < len(words) else ""


def _columns(look: Look, doc: str, header: tuple[int, int] | None) -> list[Selector]:
    if header is None:
        return []
    out: list[Selector] = []
    seen: set[str] = set()
    for n in range(*header):
        row = look.lines[n].text.strip()
        cells = [c.strip(" |") for c in _CELLS.split(row if "\t" in row else look.texts[n])]
        if len(cells) < 2:
            cells = [w for w in cells[0].split() if len(w) > 1] if look.has_sizes and cells else []
        for cell in cells:
            tag = normalize_label(cell)
            if tag and _WORD.search(cell) and tag.casefold() not in seen and len(cell) <= _LONGEST_TAG:
                seen.add(tag.casefold())
                out.append(
                    Selector(kind="column", tag=tag, lines=Span(doc=doc, start=header[0], end=header[1]))
                )
    return out
