"""Pointers that a model names, matched by place to the references that really stand in the evidence.

A named pointer is looked for in the passage it is said to stand in, then in the others:

1. a reference that was found there and is written so;
2. references whose words stand in what is named, or that have a label of it and its word: "Sections 7.2 and 7.4" is two
   pointers, wherever the text keeps them;
3. the very words in the lines, which the grammar does not know as a pointer ("the framework introduced above"): that is a
   relative reference, found by the model, and only a model can resolve it.

What stands nowhere is not a pointer, and is told. A reference with several labels is split where each label is written out,
so that each is followed, or accounted for, by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from deref.answer.evidence import Evidence, Piece
from deref.answer.ground import Level, ground, point_of, skeleton_of
from deref.answer.pointers import ReferencesIn
from deref.answer.schema import NamedPointer
from deref.text.clean import join_lines, verbatim
from deref.text.hidden import on_one_line
from deref.text.labels import normalize_label
from deref.text.lazy import lazy
from deref.values import Document, FoundBy, Reference, ReferenceKind

_LABEL = lazy(r"(?<![\w.])(?:\(?[^\W_]*\d[\w.\-]*(?:\([\w]+\))*|[A-Z]{1,3}(?:-\d+)?|[IVXLC]+)(?![\w])")
_WORD = lazy(r"[^\W\d_]{3,}")
_DIGIT = lazy(r"\d")
_SHORTEST_WORDS = 8
"""Letters of a relative phrase at the least: "above" alone is everywhere."""
_MOST_WORDS = 12
"""Words of one at the most: a whole sentence points nowhere."""


def references_named(
    named: Sequence[NamedPointer], evidence: Evidence, references_in: ReferencesIn
) -> tuple[list[Reference], list[str]]:
    """Return the references that were meant, each once, in the order of their naming, and what is said of those that are none."""
    found: dict[tuple[str, int, int], Reference] = {}
    problems: list[str] = []
    for one in named:
        own = evidence.get(one.evidence)
        pieces = [p for p in (own, *(e for e in evidence if e is not own)) if p is not None]
        meant = next((refs for p in pieces if (refs := _in_piece(one.text, p, references_in))), [])
        if not meant:
            problems.append(
                f"the model names a pointer that stands nowhere in the evidence: “{on_one_line(one.text, 80)}”"
            )
        for reference in meant:
            found.setdefault(reference.at.begins, reference)
    return list(found.values()), problems


def _in_piece(named: str, piece: Piece, references_in: ReferencesIn) -> list[Reference]:
    document = piece.document
    standing = [
        part
        for r in references_in(document, piece.lines)
        if r.at.line in piece.lines
        for part in split_by_labels(r, document)
    ]
    wanted = skeleton_of(named)
    if not wanted:
        return []
    same = [r for r in standing if skeleton_of(r.text) == wanted]
    if same:
        return same[:1]
    whole = [r for r in references_in(document, piece.lines) if skeleton_of(r.text) == wanted]
    if whole:
        return [part for r in whole[:1] for part in split_by_labels(r, document)]
    within = [r for r in standing if _WORD.search(r.text) and _holds_words(named, r.text)]
    covered = {label.casefold() for r in within for label in r.labels}
    labelled = [r for r in standing if _has_a_label_of(r, named, covered)]
    return list(_first_of_each([*within, *labelled])) or _relative(named, piece)


def _first_of_each(references: Iterable[Reference]) -> Iterator[Reference]:
    seen: set[tuple[object, ...]] = set()
    for r in references:
        key = (r.kind, r.labels, r.selector, r.container)
        if key not in seen:
            seen.add(key)
            yield r


def _holds_words(named: str, text: str) -> bool:
    """Tell whether a pointer's words stand in a longer one, from the start of a word to the end of one."""
    inner = r"\W+".join(re.escape(w) for w in re.findall(r"\w+", text.casefold()))
    return bool(inner) and re.search(rf"(?<!\w){inner}(?![\w.]*\d)(?!\w)", named.casefold()) is not None


def _has_a_label_of(reference: Reference, named: str, covered: set[str]) -> bool:
    """Tell whether what is named has a label of the reference, none of those `covered`, and the word that says its kind."""
    labels = {normalize_label(label).casefold() for label in _LABEL.findall(named)} - covered
    if not labels & {label.casefold() for label in reference.labels}:
        return False
    kind = reference.kind.value
    said = named.casefold()
    return kind in said or any(w in said for w in _WORD.findall(reference.text.casefold()))


def _relative(named: str, piece: Piece) -> list[Reference]:
    if len(skeleton_of(named)) < _SHORTEST_WORDS or len(named.split()) > _MOST_WORDS:
        return []
    found = ground(named, piece.document, [piece.lines])
    if len(found) != 1 or found[0].level is Level.FUZZY:
        return []
    at = point_of(named, piece.document, found[0].lines)
    if at is None:
        return []
    text = verbatim(piece.document.lines, at)
    return [Reference(text=text, kind=ReferenceKind.RELATIVE, labels=(), at=at, found_by=FoundBy.MODEL)]


def split_by_labels(reference: Reference, document: Document) -> tuple[Reference, ...]:
    """Return a reference for each of its labels, in order; the reference itself when not every label is written out.

    "Sections 7.2 and 7.4 of the Lease" gives "Sections 7.2" and "7.4 of the Lease", both of them of the Lease. Labels
    without a digit ("points (d) and (e)") stay together: what such a mark is counted in, only the whole pointer says.
    """
    if (
        len(reference.labels) < 2
        or reference.selector is not None
        or not all(map(_DIGIT.search, reference.labels))
    ):
        return (reference,)
    at = reference.at
    joined = join_lines(document.lines[at.line : at.last_line + 1])
    begin = next(
        (n for n in range(len(joined.text)) if joined.locate(n) == (document.lines[at.line], at.char_start)),
        -1,
    )
    ends = []
    where = begin
    stop = begin + len(reference.text)
    for label in reference.labels:
        pattern = r"\s*".join(re.escape(c) for c in label)
        written = lazy(rf"(?<![\w.]){pattern}(?![\w]|\.\w)", re.IGNORECASE)
        found = written.search(joined.text, where, stop) if begin >= 0 else None
        if found is None:
            return (reference,)
        where = found.end()
        ends.append((found.start(), found.end()))
    parts = []
    for n, (label, (start, end)) in enumerate(zip(reference.labels, ends, strict=True)):
        first = begin if n == 0 else start
        last = stop if n == len(ends) - 1 else end
        place = joined.point(first, last)
        parts.append(replace(reference, text=joined.text[first:last], labels=(label,), at=place))
    return tuple(parts)
