"""The places that a question names: "What does Article 17(1) say?", "rent under Section 6.1 of the Lease", "RFC 9000 section 4.1".

1. A question is read by the grammar of references like a line of a document, in English and in the languages of the shelf,
   as people type it: "art 33", "exhibit b", "section 4 of the lease" (`typed`).
2. A document whose whole name stands behind the place ("Section 6.1 of Guide to Mills (GM)") is where it is looked up; what else stands
   with it ("of the Lease") is resolved like any container. Else the other words may name documents: their titles, aliases, numbers and
   file names. Then the place is looked up in those, and nowhere else.
3. A question that names no document may mean each one that has such a place. One word that is a name for a paper and an
   ordinary word too ("notice") tells several of these apart, and never keeps the only one out.
4. Places side by side, each narrower than the one before, are one ("Schedule 2, Part 1, para 3"): the last one, in the others. What stands
   behind "and" after the name of a paper ("Section 4 of RFC 9000 and of RFC 9001") is another paper to look in. A paper right beside a
   place that is not on the shelf sends nobody elsewhere.
5. One place is sure. Of two or three all are given, with a word that says so, for a question that asks for nothing else; of
   more, and where nothing is called so, none: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from deref.references.documents import BY_NAME, BY_NUMBER
from deref.references.find import find_in
from deref.references.outcome import resolution, whole
from deref.references.resolve import Resolver
from deref.references.typed import typed
from deref.text.labels import split_sub
from deref.values import (
    AskedPlace,
    Document,
    Line,
    Place,
    Reference,
    ReferenceKind,
    Resolution,
    Status,
    Target,
)

if TYPE_CHECKING:
    from deref.ports import Shelf
    from deref.references.documents import Names

MOST_READ = 24
"""Documents in which a place is looked up that no document is named for."""
MOST_GIVEN = 3
"""Places of one name that are all given."""
MOST_TOLD = 3
_LONGEST_NAME = 16
"""Words."""
_LABEL = re.compile(
    r"\d|(?<![^\W_])[A-Z]{1,5}(?![^\W_])|\b(?:annex|appendix|attachment|exhibit|part|schedule|article|section|clause|rule|chapter) [a-z]+\b"
)
"""What a label has: without any the question is not read for places, which would take some milliseconds the first time."""
_JOINT = re.compile(r",? (?:of|in|under|from|at) (?:the )?")
_ALSO = re.compile(r",? (?:and|or|&|with|versus|vs\.?) (?:(?:of|in|under|from) )?(?:the )?")
_BACK = re.compile(r"(?i)(?:it|them|this|that|these|those)(?: \w+)?$")
_WORD = re.compile(r"[^\W_]+(?:[-./&'’][^\W_]+)*")
_NO_PLACES = frozenset(
    {
        ReferenceKind.DOCUMENT, ReferenceKind.DEFINITION, ReferenceKind.EXTERNAL, ReferenceKind.RELATIVE, ReferenceKind.LINK,
        ReferenceKind.BIBLIOGRAPHY, ReferenceKind.PAGE,
    }
)  # fmt: skip

_SIDE_BY_SIDE = re.compile(r"(?i)\b(?:and|or|versus|vs|with|from)\b")
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


class _Named(NamedTuple):
    """The documents that the other words of a question name: for certain, and by a word that may mean something else.

    `each` says that every one of the certain ones is meant: it has a name of its own beside the others.
    """

    surely: Collection[str]
    perhaps: Collection[str]
    each: bool


class _Said(NamedTuple):
    """A pointer at places in a question, the question as a document of its language, the papers whose name stands behind it, and its end;
    `inside` is the place that is said to hold it, before it or in front of the name of its paper; `beside` a paper right beside it.
    """

    reference: Reference
    home: Document
    papers: Sequence[str]
    end: int
    inside: str = ""
    beside: Reference | None = None


def asked_places(
    question: str,
    shelf: Shelf,
    resolver: Resolver,
    *,
    titled: Callable[[], Collection[str]] = tuple,
    admits: Callable[[Target], bool] = lambda _target: True,
) -> tuple[AskedPlace, ...]:
    """Return the places that a question names, in order, each with where it is or why that is not known.

    `resolver` is one of that shelf; `titled` gives documents that the question is known to name; `admits` tells of a place
    whether the question may be answered from it: what it may not does not count.
    """
    spelled = typed(question)
    found = _said(spelled.text, shelf, resolver) if _LABEL.search(question) else ()
    if not found:
        return ()
    named = _named(spelled.text, found, resolver, titled())
    every = (
        replace(
            _Asked(one, label, shelf, resolver, admits).within(named),
            said=spelled.said(one.reference.at.char_start, one.end),
        )
        for one in found
        for label in one.reference.labels
    )
    return tuple(dict.fromkeys(every))


def _said(text: str, shelf: Shelf, resolver: Resolver) -> list[_Said]:
    """Return the pointers at places in a question, in order."""
    spoken = {card.language.partition(",")[0] for card in shelf.cards()}
    found: list[_Said] = []
    papers: list[Reference] = []
    for language in ("en", *sorted(spoken - {"en"})):
        home = _as_document(text, language)
        for reference in find_in(home.lines, language=language):
            start, end = reference.at.char_start, reference.at.char_end
            if reference.kind is ReferenceKind.DOCUMENT:
                papers.append(reference)
            meets = any(start < one.end and one.reference.at.char_start < end for one in found)
            if reference.labels and reference.kind not in _NO_PLACES and not meets:
                found.append(_Said(reference, home, (), end))
    found = _nested(text, sorted(found, key=lambda one: one.reference.at.char_start))
    found = [one._replace(beside=_paper_beside(text, one.reference, papers)) for one in found]
    stops = (*(one.reference.at.char_start for one in found[1:]), len(text))
    return [
        said
        for one, stop in zip(found, stops, strict=False)
        for said in _with_papers(text[:stop], one, resolver.names)
    ]


def _nested(text: str, found: Sequence[_Said]) -> list[_Said]:
    """Return the pointers, those of a row of ever narrower places made one: "Schedule 2, Part 1, para 3 of the Lease"."""
    joined: list[_Said] = []
    for one in found:
        reference = one.reference
        if reference.container and reference.text.endswith(reference.container):
            head = _as_document(reference.text.removesuffix(reference.container), one.home.language)
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


def _with_papers(text: str, said: _Said, names: Names) -> Iterator[_Said]:
    """Yield a pointer with the papers behind it, and once more with each paper that "and" adds. `text` ends where the next place begins."""
    papers, end = _papers_behind(text, said.reference, names)
    yield said._replace(papers=papers, end=end)
    while (papers or said.reference.container) and (also := _ALSO.match(text, end)):
        papers, end = _called(text, also.end(), names, one_word=True)
        is_a_word = text[also.end() : end].isalpha() and text[end:].strip(" ?.!") != ""
        if not papers or is_a_word:
            return
        one = replace(said.reference, text=text[said.reference.at.char_start : end])
        yield _Said(one, said.home, papers, end)


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
    words = list(_WORD.finditer(text, begin))[:_LONGEST_NAME]
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


def _as_document(text: str, language: str) -> Document:
    line = Line(doc="", n=0, page=1, row=1, text=text, starts_block=True)
    return Document(
        id="", name="", title="", aliases=(), lines=(line,), sections=(), items=(), links=(), fingerprint="", language=language,
    )  # fmt: skip


def _named(question: str, found: Sequence[_Said], resolver: Resolver, titled: Collection[str]) -> _Named:
    surely: dict[str, None] = dict.fromkeys(titled)
    perhaps: dict[str, None] = {}
    alone = set(titled) if len(titled) == 1 else set()
    names = resolver.names
    for phrase in _phrases(question, found):
        docs = names.file(phrase)
        how = BY_NAME
        if not docs:
            docs, how = names.named(phrase, whole=True)
        if not docs and phrase.isupper():
            docs, how = names.house(phrase), BY_NAME
        one_word = " " not in phrase and phrase.isalpha() and not (phrase.isupper() and len(phrase) > 1)
        sure = how in (BY_NAME, BY_NUMBER) and not one_word
        (surely if sure else perhaps).update(dict.fromkeys(docs))
        if len(docs) == 1:
            alone.update(docs)
    return _Named(
        surely, perhaps, each=alone.issuperset(surely) and _SIDE_BY_SIDE.search(question) is not None
    )


def _phrases(question: str, found: Sequence[_Said]) -> Iterator[str]:
    """Yield the runs of words of a question outside of its places; of two letters at the least."""
    text = question
    for one in found:
        start, end = one.reference.at.char_start, one.end
        text = f"{text[:start]}{';' * (end - start)}{text[end:]}"
    for part in re.split(r"[;?!]+", text):
        words = list(_WORD.finditer(part))
        for n, first in enumerate(words):
            for last in words[n : n + _LONGEST_NAME]:
                phrase = part[first.start() : last.end()]
                if len(phrase) > 1:
                    yield phrase


class _Asked:
    """A pointer of a question with one label, looked up."""

    def __init__(
        self, said: _Said, label: str, shelf: Shelf, resolver: Resolver, admits: Callable[[Target], bool]
    ) -> None:
        told = said.papers or _BACK.match(said.reference.container or "")
        container = None if told else said.reference.container
        if said.inside:
            container = f"{said.inside} of the {container}" if container else said.inside
        self._reference = replace(said.reference, labels=(label,), container=container)
        self._papers = said.papers
        self._beside = said.beside
        self._home = said.home
        self._shelf = shelf
        self._resolver = resolver
        self._admits = admits
        self._cards = {card.id: card for card in shelf.cards()}

    def within(self, named: _Named) -> AskedPlace:
        """Return where it is."""
        reference = self._reference
        if self._papers:
            return self._told([self._in(doc) for doc in sorted(self._papers, key=self._name)])
        around = self._places_around()
        if (around[-1] if around else reference).container is not None:
            return self._told(self._in_container())
        if named.surely:
            told = self._told([self._in(doc) for doc in sorted(named.surely, key=self._name)])
            everywhere = {t.lines.doc for t in told.targets} == set(named.surely)
            return replace(told, why="") if named.each and everywhere else told
        if self._beside is not None:
            paper = self._resolver(self._beside, self._home)
            if paper.status is not Status.RESOLVED:
                return AskedPlace(said=reference.text, targets=(), why=paper.why.rstrip("."))
        there = self._having_it()
        if len(there) > 1 and (narrowed := [doc for doc in there if doc in named.perhaps]):
            there = narrowed
        if not there:  # It may be a file of its own: "Exhibit B".
            apart = [whole(d) for doc in self._called_so() if (d := self._shelf.document(doc)) is not None]
            return self._told([resolution(reference, Status.RESOLVED, "", targets=(t,)) for t in apart])
        if len(there) > MOST_READ:
            shown = ", ".join(self._name(doc) for doc in there[:MOST_TOLD])
            return AskedPlace(
                said=reference.text,
                targets=(),
                why=_name_one(reference.text, f"more than {MOST_READ}", f"{shown}, …"),
            )
        return self._told([self._in(doc) for doc in there])

    def _places_around(self) -> list[Reference]:
        """Return the places that a place is said to be in, the widest last: "Part 2" and "Schedule 2" of "Part 2 of Schedule 2 to the Lease"."""
        around: list[Reference] = []
        container = self._reference.container
        while container:
            lines = _as_document(container, self._home.language).lines
            inside = next(iter(find_in(lines, language=self._home.language)), None)
            if inside is None or not inside.labels or inside.kind in _NO_PLACES:
                break
            around.append(inside)
            container = inside.container
        return around

    def _in_container(self) -> list[Resolution]:
        """Return where a place is in the paper that is said to hold it; in each when several are called so."""
        outcome = self._resolver(self._reference, self._home)
        papers = [t.lines.doc for t in outcome.targets if t.kind == "document"]
        if outcome.status is not Status.AMBIGUOUS or len(papers) < len(outcome.targets):
            return [outcome]
        around = self._places_around()
        inside = around[-1].text.removesuffix(around[-1].container or "") if around else None
        self._reference = replace(self._reference, container=inside)
        return [self._in(doc) for doc in papers]

    def _having_it(self) -> list[str]:
        """Return the documents that have a place with the label, or with what that is a part of, by name; not many more than `MOST_READ`.
        What a place is in has to be there: "point (f) of Article 6(1)".

        One may number a part as a section of its own, and another one only print its mark: both have it.
        """
        around = self._places_around()
        label = around[-1].labels[0] if around else self._reference.labels[0]
        held: dict[str, list[Place]] = {}
        for one in (label, split_sub(label)[0]):
            for place in self._shelf.labelled(one):
                held.setdefault(place.doc, []).append(place)
        docs = sorted(held, key=self._name)
        if len(docs) <= MOST_READ:
            return docs
        admitted = (doc for doc in docs if any(self._admits(target_of(place)) for place in held[doc]))
        return list(islice(admitted, MOST_READ + 1))

    def _called_so(self) -> Sequence[str]:
        docs, how = self._resolver.names.named(self._reference.text, whole=True)
        return docs if how == BY_NAME else ()

    def _in(self, doc: str) -> Resolution:
        document = self._shelf.document(doc)
        assert document is not None
        return self._resolver.within(self._reference, document, self._home)

    def _name(self, doc: str) -> str:
        card = self._cards.get(doc)
        return card.name if card is not None else doc

    def _told(self, outcomes: Sequence[Resolution]) -> AskedPlace:
        said = self._reference.text
        sure: list[tuple[Target, ...]] = []
        for one in outcomes:
            there = tuple(t for t in one.targets if self._admits(t))
            if there and (
                one.status is Status.RESOLVED or (one.status is Status.AMBIGUOUS and len(there) == 1)
            ):
                sure.append(there)
        places = {tuple((t.lines, t.focus) for t in there): there for there in sure}
        targets = tuple({(t.lines, t.focus): t for there in sure for t in there}.values())
        if len(places) == 1:
            return AskedPlace(said=said, targets=targets)
        if sure:
            docs = list(dict.fromkeys(t.lines.doc for t in targets))
            return self._several(docs, targets if len(docs) <= MOST_GIVEN else ())
        unsure = next((one for one in outcomes if one.status is Status.AMBIGUOUS), None)
        given = tuple(t for t in unsure.targets if self._admits(t)) if unsure is not None else ()
        if unsure is not None and given:
            shown = given if len(given) <= MOST_GIVEN else ()
            return AskedPlace(said=said, targets=shown, why=unsure.why.rstrip("."))
        # Of a place that is there and may not answer nothing is told.
        told = dict.fromkeys(one.why.rstrip(".") for one in outcomes if not one.targets)
        return AskedPlace(
            said=said, targets=(), why="; ".join(list(told)[:MOST_TOLD]) or self._nobody_has_it()
        )

    def _nobody_has_it(self) -> str:
        what = f"{self._reference.kind.value} {self._reference.labels[0]}"
        return f"no document on this shelf has a place called {what}"

    def _several(self, docs: Sequence[str], targets: Sequence[Target] = ()) -> AskedPlace:
        shown = ", ".join(self._name(doc) for doc in docs[:MOST_TOLD])
        more = f" and {len(docs) - MOST_TOLD} more" if len(docs) > MOST_TOLD else ""
        why = _name_one(self._reference.text, str(len(docs)), f"{shown}{more}")
        return AskedPlace(said=self._reference.text, targets=tuple(targets), why=why)


def _name_one(said: str, count: str, shown: str) -> str:
    return f"“{said}” stands in {count} documents of this shelf ({shown}); name the one you mean"


def target_of(place: Place) -> Target:
    """Return a place as something to point at."""
    return Target(lines=place.lines, kind=place.kind, label=place.label, title=place.title)
