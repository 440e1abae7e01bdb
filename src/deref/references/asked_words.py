"""The pointers at places that a question holds, as it says them: which labels, in what, of which papers.

1. The grammar of references reads the question like a line of a document, in English and in the languages of the shelf.
2. Places side by side, each narrower than the one before, are one ("Schedule 2, Part 1, para 3"): the last one, in the others.
3. A document whose whole name stands behind a place is its paper, the longest name that fits; what stands behind "and" after it ("Section 4
   of RFC 9000 and of RFC 9001") is another one. A paper right beside a place is kept, it may not be on the shelf.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from deref.references.documents import BY_NAME, BY_NUMBER
from deref.references.find import find_in
from deref.values import Document, Line, Reference, ReferenceKind

if TYPE_CHECKING:
    from deref.ports import Shelf
    from deref.references.documents import Names
    from deref.references.resolve import Resolver

LONGEST_NAME = 16
"""Words."""
_JOINT = re.compile(r",? (?:of|in|under|from|at) (?:the )?")
_ALSO = re.compile(r",? (?:and|or|&|with|versus|vs\.?) (?:(?:of|in|under|from) )?(?:the )?")
WORD = re.compile(r"[^\W_]+(?:[-./&'’][^\W_]+)*")
NO_PLACES = frozenset(
    {
        ReferenceKind.DOCUMENT, ReferenceKind.DEFINITION, ReferenceKind.EXTERNAL, ReferenceKind.RELATIVE, ReferenceKind.LINK,
        ReferenceKind.BIBLIOGRAPHY, ReferenceKind.PAGE,
    }
)  # fmt: skip
_BESIDE = re.compile(r"[,:]? ?")
_IN_IT = re.compile(r"[,:]? ?| (?:says?|states?|provides?) (?:in|under|at) ")
"""Between a paper and a place in it."""
_WIDTH = {
    kind: width
    for width, kinds in enumerate(
        (
            (ReferenceKind.EXHIBIT, ReferenceKind.SCHEDULE, ReferenceKind.ANNEX, ReferenceKind.APPENDIX),
            (ReferenceKind.CHAPTER, ReferenceKind.PART),
            (ReferenceKind.ARTICLE,),
            (ReferenceKind.SECTION, ReferenceKind.CLAUSE, ReferenceKind.RULE),
            (ReferenceKind.PARAGRAPH,),
        )
    )
    for kind in kinds
}
"""Places that hold others, the widest first."""


class Said(NamedTuple):
    """A pointer at places in a question, the question as a document of its language, the papers whose name stands behind it, and its end;
    `inside` is the place that is said to hold it, before it or in front of the name of its paper; `beside` a paper right beside it.
    """

    reference: Reference
    home: Document
    papers: Sequence[str]
    end: int
    inside: str = ""
    beside: Reference | None = None


def said_in(text: str, shelf: Shelf, resolver: Resolver) -> list[Said]:
    """Return the pointers at places in a question, in order."""
    spoken = {card.language.partition(",")[0] for card in shelf.cards()}
    found: list[Said] = []
    papers: list[Reference] = []
    for language in ("en", *sorted(spoken - {"en"})):
        home = as_document(text, language)
        for reference in find_in(home.lines, language=language):
            start, end = reference.at.char_start, reference.at.char_end
            if reference.kind is ReferenceKind.DOCUMENT:
                papers.append(reference)
            meets = any(start < one.end and one.reference.at.char_start < end for one in found)
            if reference.labels and reference.kind not in NO_PLACES and not meets:
                found.append(Said(reference, home, (), end))
    found = _nested(text, sorted(found, key=lambda one: one.reference.at.char_start))
    found = [one._replace(beside=_paper_beside(text, one.reference, papers)) for one in found]
    stops = (*(one.reference.at.char_start for one in found[1:]), len(text))
    return [
        said
        for one, stop in zip(found, stops, strict=False)
        for said in _with_papers(text[:stop], one, resolver.names)
    ]


def _nested(text: str, found: Sequence[Said]) -> list[Said]:
    """Return the pointers, those of a row of ever narrower places made one: "Schedule 2, Part 1, para 3 of the Lease"."""
    joined: list[Said] = []
    for one in found:
        reference = one.reference
        if reference.container and reference.text.endswith(reference.container):
            head = as_document(reference.text.removesuffix(reference.container), one.home.language)
            first = next(iter(find_in(head.lines, language=one.home.language)), None)
            if first is not None and first.container and first.labels == reference.labels:
                one = one._replace(inside=first.container)
        if joined and _holds(text, joined[-1].reference, reference):
            wide = joined.pop()
            at = replace(reference.at, char_start=wide.reference.at.char_start)
            inside = f"{one.inside} of {wide.reference.text}" if one.inside else wide.reference.text
            reference = replace(reference, text=text[at.char_start : at.char_end], at=at)
            one = one._replace(reference=reference, inside=inside)
        joined.append(one)
    return joined


def _paper_beside(text: str, place: Reference, papers: Sequence[Reference]) -> Reference | None:
    for paper in papers:
        first, last = sorted((place.at, paper.at), key=lambda at: at.char_start)
        if _IN_IT.fullmatch(text[first.char_end : last.char_start]):
            return paper
    return None


def _holds(text: str, wide: Reference, narrow: Reference) -> bool:
    between = text[wide.at.char_end : narrow.at.char_start]
    known = wide.kind in _WIDTH and narrow.kind in _WIDTH
    return (
        known
        and _WIDTH[wide.kind] < _WIDTH[narrow.kind]
        and _BESIDE.fullmatch(between) is not None
        and len(wide.labels) == 1
    )


def _with_papers(text: str, said: Said, names: Names) -> Iterator[Said]:
    """Yield a pointer with the papers behind it, and once more with each paper that "and" adds. `text` ends where the next place begins."""
    papers, end = _papers_behind(text, said.reference, names)
    yield said._replace(papers=papers, end=end)
    while (papers or said.reference.container) and (also := _ALSO.match(text, end)):
        papers, end = _called(text, also.end(), names, one_word=True)
        is_a_word = text[also.end() : end].isalpha() and text[end:].strip(" ?.!") != ""
        if not papers or is_a_word:
            return
        one = replace(said.reference, text=text[said.reference.at.char_start : end])
        yield Said(one, said.home, papers, end)


def _papers_behind(text: str, reference: Reference, names: Names) -> tuple[Sequence[str], int]:
    """Return the documents whose whole name stands behind a place, and where what is said of it ends: "Section 4 of Guide to Mills (GM)"."""
    at = reference.at
    begin = at.char_end
    if reference.container is not None:
        if not reference.text.endswith(reference.container):
            return (), at.char_end
        begin -= len(reference.container)
    elif joint := _JOINT.match(text, begin):
        begin = joint.end()
    docs, end = _called(text, begin, names, one_word=reference.container is not None)
    return (docs, end) if docs else ((), at.char_end)


def _called(text: str, begin: int, names: Names, *, one_word: bool = False) -> tuple[Sequence[str], int]:
    """Return the documents whose name begins there, the longest one, and its end. `one_word` says whether it may be all that is left."""
    words = list(WORD.finditer(text, begin))[:LONGEST_NAME]
    found: tuple[Sequence[str], int] = ((), begin)
    for last in reversed(words if one_word or len(words) > 1 else ()):
        end = last.end() + text.startswith(")", last.end())
        docs, how = names.named(text[begin:end], whole=True)
        if docs and how == BY_NAME and found[0] in ((), docs):
            return docs, end
        # Words behind a number change nothing: it ends where fewer words mean another paper.
        if docs and how == BY_NUMBER and found[0] in ((), docs):
            found = docs, end
    return found


def as_document(text: str, language: str) -> Document:
    """Return words of a question as a document of one line."""
    line = Line(doc="", n=0, page=1, row=1, text=text, starts_block=True)
    return Document(
        id="", name="", title="", aliases=(), lines=(line,), sections=(), items=(), links=(), fingerprint="", language=language,
    )  # fmt: skip
