"""Works cited by author and year: "(Peters et al., 2018a; Radford et al., 2018)", "Parikh and Seo (2016)", "Le (2014, 2015b)".

Only the document's own list of references tells a citation from any name before a year: the first author's name with
the year must be the label of one of its entries. Each year is one reference; a further year after a citation has the
same authors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from deref.references.effects import effect_of
from deref.references.scan import Passage, passages
from deref.text.authors import author_label
from deref.text.lazy import lazy
from deref.values import Document, ItemKind, Line, Reference, ReferenceKind

_LABEL = lazy(r"[^\W\d_][\w-]*?(?:19|20)\d\d[a-z]?")
_YEAR = lazy(r"(?<![\w.:/-])(?:19|20)\d\d[a-z]?(?![\w/-])")
_ACCENT = "¨´`ˇ˘˜ˆ¸˚¯"
_NAME = rf"[A-Z{_ACCENT}\u00c0-\u017f](?:[\w{_ACCENT}-]|[’'](?!s?(?!\w)))*(?: ?[{_ACCENT}] ?\w+)*"
_PARTICLE = r"(?:[Vv]an|[Vv]on|[Dd]en?|[Dd]er|[Dd]el|[Dd]i|[Dd]a|[Dd]os|[Dd]u|[Ll]a|[Ll]e|[Tt]en|[Tt]er)"
_WHOLE = rf"(?:{_PARTICLE} ){{0,2}}{_NAME}"
_AUTHORS = lazy(
    rf"(?<![\w’'-])(?:{_PARTICLE} ){{0,2}}(?P<first>{_NAME})"
    rf"(?:,? et al\.?|(?:, {_WHOLE}){{0,3}},? (?:and|&) {_WHOLE}(?: {_NAME}){{0,2}})?(?:['’]s?)?,? ?[(\[]?$"
)
_SAME = lazy(r"(?:,|;|,? and|,? &) ?$")
_BACK = 120


def author_labels(document: Document) -> frozenset[str]:
    """Return the labels of the entries that are called by author and year, casefolded."""
    return frozenset(
        item.label.casefold()
        for item in document.items
        if item.kind is ItemKind.BIBLIOGRAPHY and item.label and _LABEL.fullmatch(item.label)
    )


def cited_works(
    lines: Sequence[Line], skip: Sequence[bool] | None, known: frozenset[str], listed: Collection[int]
) -> Iterator[Reference]:
    """Yield the citations by author and year in consecutive lines. `known` are the document's `author_labels`.

    `listed` are the lines of its list of references, in which no work is cited.
    """
    if not known:
        return
    for passage in passages(lines, skip=skip, wanted=_YEAR):
        for at in _cited(passage, known):
            if (skip is not None and skip[at.at.line - lines[0].n]) or at.at.line in listed:
                continue
            yield at


def _cited(passage: Passage, known: frozenset[str]) -> Iterator[Reference]:
    text = passage.text
    floor, latest = 0, ""
    for year in _YEAR.finditer(text):
        begin = year.start()
        before = _AUTHORS.search(text, max(floor, begin - _BACK), begin)
        if before is not None and author_label(before["first"], year.group()).casefold() in known:
            latest, begin = before["first"], before.start()
        elif not (latest and _SAME.fullmatch(text, floor, begin)):
            continue
        label = author_label(latest, year.group())
        if label.casefold() not in known:
            continue
        end = year.end()
        if (
            text[year.start() - 1 : year.start()] == "("
            and begin < year.start() - 1
            and text[end : end + 1] == ")"
        ):
            end += 1
        point = passage.point(begin, end)
        yield Reference(text=passage.verbatim(point), kind=ReferenceKind.BIBLIOGRAPHY, labels=(label,), at=point,
                        effect=effect_of(text, begin, end))  # fmt: skip
        floor = year.end()
