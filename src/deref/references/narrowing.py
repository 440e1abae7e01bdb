"""From a section or table to the lines that are meant: sub-paragraphs "(2)(b)", rows and columns, "second paragraph".

A sub-paragraph begins at a line that starts with its mark, "(b)", "b)" or "2.", and ends where the next mark of its
series begins, never outside the part it belongs to. Where several lines start so, it is the one of the outermost list
(`text.marks`): 4(i) is not the "(i)" below (a). A mark in the middle of a line gives that line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from deref.references.paragraphs import nth_paragraph
from deref.references.words import ORDINALS
from deref.text.labels import expand_range, is_roman, normalize_label, roman_value, to_roman
from deref.text.lazy import lazy
from deref.text.marks import Marks, Open, ahead_of, take_all
from deref.values import Document, Item, Line, Span

_LEAD = r"^[\s#>*_\[–—•-]*"
_TAG = lazy(r"\([\w.+-]{1,6}\)|[“\"‘'][^”\"’']+[”\"’']|[\w.+-]+\+?")
_BRACKETED = r"\((?P<in>[a-z]{1,5}|[A-Z]{1,4}|\d{1,3})\)"
_FIRST_MARK = lazy(rf"{_LEAD}(?:{_BRACKETED}|(?P<out>[A-Za-z]|[ivx]{{1,5}}|\d{{1,3}})[.)](?!\d))\s*")
_FURTHER_MARK = lazy(rf"{_BRACKETED}\s*")
_EITHER = frozenset("hiuvwx")
"""Marks with which a list of letters and one of roman numbers may be taken for each other, or which stand before such."""
_ROW_WORD = lazy(
    r"(?P<word>rows?|columns?|lines?|entry|entries|cells?|items?|\w{3,14}(?=\s+\())\s+(?P<tags>.+)$",
    re.IGNORECASE,
)
_ORDINAL = lazy(r"(?P<nth>\w+) (?P<piece>[\w-]+?)s?$")


class Narrowed(NamedTuple):
    """The lines picked out, the header that belongs to them, and what was not found, in words."""

    focus: tuple[Span, ...] = ()
    header: Span | None = None
    missing: str = ""


def sub_paragraph(
    document: Document, span: Span, parts: Sequence[str], *, bracketed: bool = False
) -> Span | None:
    """Return the lines of a sub-paragraph of the lines `span` ("2", "b" for "(2)(b)"), or None when no one place is it.

    `bracketed` takes only marks in brackets, "(2)", for such.
    """
    found = sub_paragraphs(document, span, parts, bracketed=bracketed)
    return found[0] if len(found) == 1 else None


def sub_paragraphs(
    document: Document,
    span: Span,
    parts: Sequence[str],
    *,
    bracketed: bool = False,
    own: Callable[[int], bool] | None = None,
) -> list[Span]:
    """Return the places in `span` that may be a sub-paragraph, in order; several where nothing tells which is meant.

    `own` tells of a line that begins with the first part whether that is counted in these lines, and in no unit inside.
    """
    inside = [span]
    for part in parts:
        inside = _marked(document, inside[0], part, bracketed, own) if len(inside) == 1 else []
        own = None
    return inside


def _marked(
    document: Document, span: Span, part: str, bracketed: bool, own: Callable[[int], bool] | None
) -> list[Span]:
    lines = document.lines
    texts = [line.text for line in lines[span.start : span.end]]
    texts[:1] = [_behind_number(document, span.start)] if texts else []
    at = [n for n in _beginning_with(_mark(part, bracketed), span, texts) if own is None or own(n)]
    at = [n for n in at if n in _beginning_with(_mark(part, True), span, texts)] or at
    if len(at) > 1:
        at = [n for n in at if n == span.start or _begins(lines[n - 1], lines[n])] or at
    if len(at) > 1 or (at and part.casefold() in _EITHER):
        counted = _outermost(span, texts, part, at)
        if counted:
            return counted
    if at:
        following = (
            n for f in _next(part) for n in _beginning_with(_mark(f, bracketed), span, texts) if n > at[0]
        )
        whole = Span(doc=span.doc, start=at[0], end=min(following, default=span.end))
        return [whole, *(Span(doc=span.doc, start=n, end=n + 1) for n in at[1:])]
    inline = re.compile(
        rf"(?<![\w)])(?<!aragraph )(?<!lause )(?<!oint )(?<!oints )(?<!aragraphs )\({re.escape(part)}\)(?=\s|\()"
    )
    inside = (n for n, text in enumerate(texts, span.start) if inline.search(text))
    within = next((n for n in inside if own is None or own(n)), None)
    return [] if within is None else [Span(doc=span.doc, start=within, end=within + 1)]


def _beginning_with(mark: re.Pattern[str], span: Span, texts: Sequence[str]) -> list[int]:
    return [n for n, text in enumerate(texts, span.start) if mark.match(text)]


def _behind_number(document: Document, line: int) -> str:
    """The text of a line behind the number of the section that begins there: of "1. Fees" the 1 is no part of it."""
    text = document.lines[line].text
    at = bisect_left(document.sections, line, key=lambda s: s.lines.start)
    section = document.sections[at] if at < len(document.sections) else None
    if section is None or section.lines.start != line or not section.label:
        return text
    last = section.label.rpartition("(")[2].rstrip(")")
    number = re.match(
        rf"[^\w(]*(?:[^\W\d_]+\.? ?)??(?:{re.escape(section.label)}|\(?{re.escape(last)}(?=[.)]))[.:)]?(?!\w)",
        text,
    )
    return text[number.end() :] if number else text


def _begins(before: Line, line: Line) -> bool:
    """Whether a line begins anew, and does not carry on a sentence that may have wrapped before a mark."""
    ended = before.text.rstrip()
    return (
        line.starts_block or line.page != before.page or ended.endswith((".", ";", ":", ",", " and", " or"))
    )


def _outermost(span: Span, texts: Sequence[str], part: str, at: Collection[int]) -> list[Span]:
    """The parts of this mark in the outermost of the lists in which lines `at` are counted; none where they are in no list."""
    rows = [(n, marks) for n, text in enumerate(texts, span.start) if (marks := _marks(text))]
    stack: list[Open] = []
    counted: list[tuple[int, int, str]] = []
    for (n, marks), ahead in zip(rows, ahead_of([marks for _, marks in rows]), strict=True):
        counted += [(n, len(opened), opened[-1].text) for opened in take_all(stack, marks, ahead)]
    own = [(n, depth) for n, depth, text in counted if text == part and n in at]
    top = min((depth for _, depth in own), default=0)
    return [
        Span(
            doc=span.doc,
            start=n,
            end=next((m for m, depth, _ in counted if m > n and depth <= top), span.end),
        )
        for n, depth in own
        if depth == top
    ]


def _marks(text: str) -> Marks | None:
    """The marks that a line begins with, or None."""
    match = _FIRST_MARK.match(text)
    if match is None:
        return None
    texts, shapes = [match["in"] or match["out"]], ["(" if match["in"] else "."]
    while match := _FURTHER_MARK.match(text, match.end()):
        texts.append(match["in"])
        shapes.append("(")
    return Marks(tuple(texts), tuple(shapes))


def marked_lines(document: Document, span: Span, part: str) -> list[int]:
    """Return the lines of a span that begin with a mark."""
    mark = _mark(part, bracketed=False)
    return [n for n in range(span.start, span.end) if mark.match(document.lines[n].text)]


def _mark(part: str, bracketed: bool) -> re.Pattern[str]:
    p = re.escape(part)
    dotted = rf"|{p}\.(?!\d)|{p}\)" if not bracketed and (part.isdigit() or len(part) == 1) else ""
    return re.compile(
        rf"{_LEAD}(?:(?:\d{{1,3}}\.|\w{{1,3}}\)|\([A-Za-z\d]{{1,4}}\)) ?)?(?:\({p}\){dotted}|§ ?{p}\b)"
    )


def _next(part: str) -> tuple[str, ...]:
    out: list[str] = []
    if part.isdigit():
        return (str(int(part) + 1),)
    if len(part) == 1 and part.isalpha() and part.lower() != "z":
        out.append(chr(ord(part) + 1))
    if is_roman(part) and roman_value(part) < 60:
        roman = to_roman(roman_value(part) + 1)
        out.append(roman if part.isupper() else roman.lower())
    return tuple(out)


def select(document: Document, span: Span, item: Item | None, selector: str) -> Narrowed:
    """Return what a selector picks in an item or a section."""
    row = _ROW_WORD.match(selector.strip())
    if (
        row is not None
        and item is not None
        and (item.selectors or row.group("word").lower()[:3] in ("row", "col"))
    ):
        return _rows(item, row.group("word").lower(), row.group("tags"), selector)
    ordinal = _ORDINAL.match(selector.strip())
    if ordinal is not None:
        picked = _nth(document, span, item, ordinal.group("nth").lower(), ordinal.group("piece").lower())
        return (
            Narrowed(focus=(picked,), header=item.header if item is not None else None)
            if picked
            else Narrowed(missing=f"its {selector} could not be told apart")
        )
    parts = re.findall(r"\(([\w]{1,5})\)", selector)
    found = [s for s in (sub_paragraph(document, span, (p,)) for p in parts) if s]
    if parts and len(found) == len(parts):
        return Narrowed(focus=tuple(found))
    return Narrowed(missing=f"{selector} was not found in it")


def _rows(item: Item, word: str, tags: str, selector: str) -> Narrowed:
    kind = "column" if word.startswith("col") else "row"
    wanted = [t.strip("“”\"‘’' ") for t in _TAG.findall(re.sub(r"\b(?:and|or)\b|,", " ", tags))]
    if re.search(r"–| to ", tags) and len(wanted) >= 2:
        ends = [normalize_label(w) for w in wanted if w != "to"]
        wanted = list(expand_range(ends[0], ends[-1]))
    focus: list[Span] = []
    missing: list[str] = []
    for tag in wanted:
        label = normalize_label(tag).casefold()
        hits = [s for s in item.selectors if s.kind == kind and s.tag.casefold() == label]
        if not hits and kind == "column" and label.isdigit():
            columns = [s for s in item.selectors if s.kind == "column"]
            hits = columns[int(label) - 1 : int(label)] if int(label) else []
        focus += [h.lines for h in hits]
        if not hits:
            missing.append(tag)
    why = f"no {kind} {', '.join(missing)} was found in it" if missing or not wanted else ""
    return Narrowed(
        focus=tuple(dict.fromkeys(focus)),
        header=item.header,
        missing=why or ("" if focus else f"{selector} was not found in it"),
    )


def _nth(document: Document, span: Span, item: Item | None, nth: str, piece: str) -> Span | None:
    if nth in ORDINALS:
        number = -1 if nth == "last" else ORDINALS.index(nth)
    elif nth[:1].isdigit() and int(re.sub(r"\D", "", nth)):
        number = int(re.sub(r"\D", "", nth)) - 1
    else:
        return None
    if piece in ("row", "column") and item is not None:
        rows = [s for s in item.selectors if s.kind == piece]
        return rows[number].lines if rows and number < len(rows) else None
    if piece not in ("paragraph", "subparagraph", "sub-paragraph"):
        return None
    return nth_paragraph(document, span, item, number, sub=piece != "paragraph")
