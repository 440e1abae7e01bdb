"""Parts of works that are cited by author and year: "(Peters and Seo 2018, Chapter 6)", "Table 4 in Parikh (2016)".

A label that stands right behind the year, or right before the authors and joined to them, is counted in the work, not at
home. Behind a year in brackets of its own a sentence may go on ("Following Le (2014), Section 3 shows it"): there the
label is the work's only where the clause ends behind it. "Their Theorem 2" is of the work that was cited last, up to three
lines before, and a page behind such a label is one of the work. A label in an entry of the list of references is a part of what
the entry names ("Journal of Berths, Part A"), and points nowhere.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import replace

from deref.references.scan import as_read
from deref.text.lazy import lazy
from deref.values import Line, Point, Reference, ReferenceKind

_NOT_COUNTED = frozenset(
    {
        ReferenceKind.BIBLIOGRAPHY,
        ReferenceKind.DOCUMENT,
        ReferenceKind.EXTERNAL,
        ReferenceKind.DEFINITION,
        ReferenceKind.RELATIVE,
        ReferenceKind.LINK,
        ReferenceKind.FOOTNOTE,
    }
)
_OPEN = lazy(r", ?")
_PAGE = lazy(r",? \(?(?:on )?")
_CLOSED = lazy(r"[)\]]?,? ")
_CLAUSE_ENDS = lazy(r" ?(?:[;)\]]|\.(?:\s|$))|\s*$")
_JOINED = lazy(r",? (?:of|in|from|by) (?:the (?:book|paper|article|thesis|report|work) (?:of|by) )?[(\[]?")
_JOINED_AT_END = lazy(r",? (?:of|in|from|by) ?$")
_THEIRS = lazy(r"\b(?:their|his|her) $")
_CLOSE = 3
_LONGEST = 60


def counted_in_works(
    lines: Sequence[Line], found: Sequence[Reference], works: Sequence[Reference], listed: Collection[int]
) -> list[Reference]:
    """Return the references with the tag of a cited work for a container where they are counted in it.

    `found` and `works`, the citations by author and year in the same lines, are each in order of place. `listed` are the
    lines of the document's list of references.
    """
    found = [r for r in found if r.at.line not in listed or r.container or r.kind in _NOT_COUNTED]
    if not works:
        return found
    begins = [_begin(w.at) for w in works]
    out: list[Reference] = []
    for reference in found:
        counted = _counted(lines, reference, works, begins)
        if out and _is_page_of(lines, out[-1], counted):
            counted = replace(counted, container=out[-1].container)
        out.append(counted)
    return out


def _is_page_of(lines: Sequence[Line], before: Reference, page: Reference) -> bool:
    """Whether a page stands right behind a label that is counted in a work: "(Le 2014, Table 3, p. 7)"."""
    return (
        page.kind is ReferenceKind.PAGE
        and page.container is None
        and (before.container or "").startswith("[")
        and _PAGE.fullmatch(_between(lines, before.at, page.at)) is not None
    )


def _counted(
    lines: Sequence[Line], reference: Reference, works: Sequence[Reference], begins: Sequence[tuple[int, int]]
) -> Reference:
    if reference.kind in _NOT_COUNTED or not reference.labels:
        return reference
    n = bisect_left(begins, _begin(reference.at))
    if n and reference.container is None and _is_behind(lines, works[n - 1].at, reference.at):
        return replace(reference, container=f"[{works[n - 1].labels[0]}]")
    if n and reference.container is None and _is_theirs(lines, works[n - 1].at, reference.at):
        return replace(reference, container=f"[{works[n - 1].labels[0]}]")
    work = works[n] if n < len(works) else None
    if work is not None and reference.container is not None and reference.at.overlaps(work.at):
        return _before_a_name(lines, reference, work)
    if (
        work is not None
        and reference.container is None
        and _JOINED.fullmatch(_between(lines, reference.at, work.at))
    ):
        return replace(reference, container=f"[{work.labels[0]}]")
    return reference


def _is_behind(lines: Sequence[Line], work: Point, label: Point) -> bool:
    between = _between(lines, work, label)
    if not between:
        return False
    year_ends = lines[work.last_line - lines[0].n].text[work.char_end - 1]
    if year_ends != ")" and _OPEN.fullmatch(between):
        return True
    after = lines[label.last_line - lines[0].n].text[label.char_end :]
    return _CLOSED.fullmatch(between) is not None and _CLAUSE_ENDS.match(after) is not None


def _is_theirs(lines: Sequence[Line], work: Point, label: Point) -> bool:
    """Whether a label is said to be of those who wrote the work before it: "in their Theorem 2"."""
    n = label.line - lines[0].n
    before = lines[n].text[: label.char_start]
    if not before.strip() and n:
        before = f"{lines[n - 1].text} "
    return label.line - work.last_line <= _CLOSE and _THEIRS.search(before) is not None


def _before_a_name(lines: Sequence[Line], reference: Reference, work: Reference) -> Reference:
    """The label alone, where what was read for its container is of the citation: "Table 4 in | Parikh (2016)"."""
    at = reference.at
    text = lines[at.line - lines[0].n].text
    end = work.at.char_start if work.at.line == at.line else len(text)
    label = _JOINED_AT_END.sub("", text[at.char_start : end])
    if work.at.line > at.line + 1 or at.char_start + len(label) == end:
        return reference
    at = replace(at, char_end=at.char_start + len(label), end_line=None)
    return replace(reference, text=as_read(lines, at), at=at, container=f"[{work.labels[0]}]")


def _begin(at: Point) -> tuple[int, int]:
    return at.line, at.char_start


def _between(lines: Sequence[Line], a: Point, b: Point) -> str:
    """The words from the end of one place to the begin of another on its line or the next; "" when they are further apart."""
    base = lines[0].n
    if a.last_line == b.line:
        between = lines[b.line - base].text[a.char_end : b.char_start]
    elif a.last_line + 1 == b.line:
        rest = lines[a.last_line - base].text[a.char_end :].rstrip()
        between = f"{rest} {lines[b.line - base].text[: b.char_start].lstrip()}"
    else:
        return ""
    return between if len(between) <= _LONGEST else ""
