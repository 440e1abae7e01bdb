"""The places that a question names: "What does Article 17(1) say?", "rent under Section 6.1 of the Lease", "RFC 9000 section 4.1".

1. What a question says is read off it by the grammar of references (`asked_words`), as people type it (`typed`).
2. A document whose whole name stands behind the place ("Section 6.1 of Guide to Mills (GM)") is where it is looked up; what else stands
   with it ("of the Lease") is resolved like any container. Else the other words may name documents: their titles, aliases, numbers and
   file names. Then the place is looked up in those, and nowhere else.
3. A question that names no document may mean each one that has such a place. One word that is a name for a paper and an
   ordinary word too ("notice") tells several of these apart, and never keeps the only one out.
4. A paper right beside a place that is not on the shelf sends nobody elsewhere. Papers that are named side by side are all meant.
5. One place is sure. Of two or three all are given, with a word that says so, for a question that asks for nothing else; of
   more, and where nothing is called so, none: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from deref.references.asked_words import LONGEST_NAME, NO_PLACES, WORD, Said, as_document, said_in
from deref.references.documents import BY_NAME, BY_NUMBER
from deref.references.find import find_in
from deref.references.outcome import resolution, whole
from deref.references.resolve import Resolver
from deref.references.typed import typed
from deref.text.labels import split_sub
from deref.values import (
    AskedPlace,
    Place,
    Reference,
    Resolution,
    Status,
    Target,
)

if TYPE_CHECKING:
    from deref.ports import Shelf

MOST_READ = 24
"""Documents in which a place is looked up that no document is named for."""
MOST_GIVEN = 3
"""Places of one name that are all given."""
MOST_TOLD = 3
_LABEL = re.compile(
    r"\d|(?<![^\W_])[A-Z]{1,5}(?![^\W_])|\b(?:annex|appendix|attachment|exhibit|part|schedule|article|section|clause|rule|chapter) [a-z]+\b"
)
"""What a label has: without any the question is not read for places, which would take some milliseconds the first time."""
_BACK = re.compile(r"(?i)(?:it|them|this|that|these|those)(?: \w+)?$")

_SIDE_BY_SIDE = re.compile(r"(?i)\b(?:and|or|versus|vs|with|from)\b")


class _Named(NamedTuple):
    """The documents that the other words of a question name: for certain, and by a word that may mean something else.

    `each` says that every one of the certain ones is meant: it has a name of its own beside the others.
    """

    surely: Collection[str]
    perhaps: Collection[str]
    each: bool


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
    found = said_in(spelled.text, shelf, resolver) if _LABEL.search(question) else ()
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


def _named(question: str, found: Sequence[Said], resolver: Resolver, titled: Collection[str]) -> _Named:
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


def _phrases(question: str, found: Sequence[Said]) -> Iterator[str]:
    """Yield the runs of words of a question outside of its places; of two letters at the least."""
    text = question
    for one in found:
        start, end = one.reference.at.char_start, one.end
        text = f"{text[:start]}{';' * (end - start)}{text[end:]}"
    for part in re.split(r"[;?!]+", text):
        words = list(WORD.finditer(part))
        for n, first in enumerate(words):
            for last in words[n : n + LONGEST_NAME]:
                phrase = part[first.start() : last.end()]
                if len(phrase) > 1:
                    yield phrase


class _Asked:
    """A pointer of a question with one label, looked up."""

    def __init__(
        self, said: Said, label: str, shelf: Shelf, resolver: Resolver, admits: Callable[[Target], bool]
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
            lines = as_document(container, self._home.language).lines
            inside = next(iter(find_in(lines, language=self._home.language)), None)
            if inside is None or not inside.labels or inside.kind in NO_PLACES:
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
