"""Titles: a question that names a document is answered from that document, if it is there.

The names of the shelf that are most like the phrase are looked up, and those that *satisfy* what was named are kept:
the kind of paper stands in a name of the document, every number too, and more than half of the qualifying words. Of
several that satisfy, those that do so best: most words; a name that *is* such a paper and not one about it ("Notes on
the Lease"); the phrase in one piece; the number to its end. What is still equal counts equally.

`reserve` puts the best passages of the named documents for this question behind the pool, so that one that no leg
brought in is there; `promote` is a stable partition that sets the passages of the named documents first. Where no
name satisfies, both return what they were given: another paper of the same kind is never put forward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from deref.errors import DerefError
from deref.ports import Embedder
from deref.retrieve.fuse import fuse
from deref.retrieve.intent import kinds, of_no_matter, papers, singular, words_of
from deref.retrieve.legs import PassagesOf, RankLexical, VectorsOf
from deref.retrieve.stage import Stage
from deref.text.trigrams import likeness, name_words, trigrams
from deref.trace.events import Degraded
from deref.trace.sinks import Sink
from deref.values import Arrival, Candidate, Candidates, Hit, NamedTitle, Query, Scope, TitleHit, TitleIntent

if TYPE_CHECKING:
    from deref.values.filters import Filter

Titles = Callable[[str, int, Scope, "Filter | None"], Sequence[TitleHit]]
Named = Callable[[Query], Sequence[TitleHit]]
"""The documents that a question names, the most alike first; none when it names none that is there."""
Extents = Callable[[Query, str], Sequence[Hit]]
"""The passages of a document that are best for a question, best first."""

LOOKED_UP = 200
"""Documents whose names are compared with what was said."""

RESERVED = 3
"""Documents whose best passages are added; a question that names more is of a kind and not of one paper."""

OF_EACH = 4
"""Passages that are added of a document; `_READ` are ranked for it."""
_READ = 8
_SLIP = 0.6
"""Likeness from which two words are one with a slip in it: "kingsbrok", "kingsbrook"."""
_GLUED = 12
_RUN_SHORT = 3
_REVISION = words_of("rev revision revised v ver version")
_ABOUT = words_of("to on of under for in regarding concerning about zu zum zur uber sur sobre su")
_BEHIND_NAME = _ABOUT | words_of(
    "by and or with between among dated from as r no mit zwischen entre avec con de du des del vom von the"
)
_ARTICLES = words_of("the a an of")


class NamedDocuments:
    """Looks up the documents that a question names; one question is looked up once, however often it is asked here."""

    def __init__(self, titles: Titles, *, emit: Sink) -> None:
        """Take the search over names, and where it is told when that fails."""
        self._titles = titles
        self._emit = emit
        self._last: tuple[TitleIntent, Scope, Filter | None, Sequence[TitleHit]] | None = None

    def __call__(self, query: Query) -> Sequence[TitleHit]:
        """Return the documents that the question names, the most alike first."""
        if query.intent is None:
            return ()
        if self._last is None or self._last[:3] != (query.intent, query.scope, query.filter):
            try:
                found = satisfying(
                    query.intent, lambda phrase: self._titles(phrase, LOOKED_UP, query.scope, query.filter)
                )
            except DerefError as error:
                self._emit(Degraded(what=f"the title leg failed and was left out: {error}"))
                found = ()
            self._last = (query.intent, query.scope, query.filter, found)
        return self._last[3]


def satisfying(intent: TitleIntent, titles: Callable[[str], Sequence[TitleHit]]) -> tuple[TitleHit, ...]:
    """Return the documents that an intent names. Of papers named side by side all must be there, else none is returned."""
    found: dict[str, TitleHit] = {}
    for title in intent.titles:
        ranked = [
            (rank, hit) for hit in titles(title.phrase) if (rank := standing(title, hit.names)) is not None
        ]
        if not ranked:
            return ()
        best = max(rank for rank, _ in ranked)
        found |= {hit.doc: hit for rank, hit in ranked if rank == best}
    return tuple(found.values())


def reserve(named: Named, extents: Extents) -> Stage:
    """Return the stage that adds, behind all others, the best passages of the documents that the question names."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        added = [
            Candidate(chunk=hit.chunk, arrivals=(Arrival(by="title", rank=rank, score=title.score),))
            for rank, title in enumerate(named(query)[:RESERVED])
            for hit in extents(query, title.doc)
        ]
        return candidates.with_added(added)

    return Stage("reserve titles", run)


def promote(named: Named) -> Stage:
    """Return the stage that sets the passages of the documents that the question names before all others."""

    def run(query: Query, candidates: Candidates) -> Candidates:
        documents = {title.doc for title in named(query)}
        return candidates.promoted(lambda c: c.chunk.lines.doc in documents) if documents else candidates

    return Stage("promote titles", run)


def best_extents(
    *, lexical: RankLexical, passages: PassagesOf, vectors: VectorsOf, embedder: Embedder | None
) -> Extents:
    """Return what ranks the passages of one document by words and, with an embedder, by meaning.

    The same passages are ranked whichever vectors are there already, so a question gives the same ones each time.
    """

    def run(query: Query, doc: str) -> Sequence[Hit]:
        scope = Scope(documents=frozenset([doc]), collections=query.scope.collections)
        ranking = lexical(query.text, _READ, scope, query.filter)
        read = passages([one for one, _ in ranking], scope) if ranking else {}
        hits = [Hit(chunk=read[one], score=score) for one, score in ranking if one in read]
        legs = {"lexical": hits}
        if embedder is not None and hits:
            chunks = [hit.chunk for hit in hits]
            scores = vectors(chunks, embedder) @ embedder.query(query.text)
            order = sorted(range(len(chunks)), key=lambda n: (-float(scores[n]), chunks[n].id))
            legs["dense"] = [Hit(chunk=chunks[n], score=float(scores[n])) for n in order]
        return [Hit(chunk=c.chunk, score=0.0) for c in fuse(legs).top(OF_EACH)]

    return run


Standing = tuple[float, bool, bool, bool]
"""How well a document satisfies a title: share of the words, is such a paper, phrase in one piece, number to its end."""


@lru_cache(maxsize=20 * LOOKED_UP)
def standing(title: NamedTitle, names: tuple[str, ...]) -> Standing | None:
    """Return how well a document with these names satisfies what was named, or None when it does not."""
    known = [_folded(name) for name in names]
    numbers, words, phrase = _parts_of(title)
    if not all(any(_places(number, name) for name in known) for number in numbers):
        return None
    is_one = _is_such_a_paper(title, known)
    if is_one is None:
        if not _is_called(title, names):
            return None
        is_one = True
    matched = len(numbers) + len(_matched(words, known))
    wanted = len(numbers) + len(words)
    if matched * 2 <= wanted and wanted:
        return None
    whole = any(_places(phrase, name) for name in known)
    to_end = all(any(_ends(number, name) for name in known) for number in numbers)
    return (matched / wanted if wanted else 1.0, is_one, whole, to_end)


class _PartsOf(NamedTuple):
    """The numbers among the qualifiers, word by word; the other qualifiers, and the words of the phrase, in the singular."""

    numbers: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    phrase: tuple[str, ...]


@lru_cache(maxsize=64)
def _parts_of(title: NamedTitle) -> _PartsOf:
    numbers = [q for q in title.qualifiers if q[-1].isdigit() or q[0].isdigit()]
    return _PartsOf(
        numbers=tuple(tuple(q.split()) for q in numbers),
        words=tuple(singular(q) for q in title.qualifiers if q not in numbers),
        phrase=tuple(singular(w) for w in title.phrase.split()),
    )


@cache
def _folded(name: str) -> tuple[str, ...]:
    return tuple("r" if w in _REVISION else singular(w) for w in name_words(name))


def _places(part: Sequence[str], whole: Sequence[str]) -> list[int]:
    """Return where a run of words begins in others."""
    size, wanted = len(part), tuple(part)
    if wanted[0] not in whole:
        return []
    return [n for n in range(len(whole) - size + 1) if tuple(whole[n : n + size]) == wanted]


def _ends(number: Sequence[str], name: Sequence[str]) -> bool:
    """Whether a number stands in a name and does not go on: "800 63" goes on in "800 63 b", and does not in "800 63 r 3"."""
    for n in _places(number, name):
        behind = name[n + len(number)] if n + len(number) < len(name) else ""
        if not behind.isdigit() and (len(behind) != 1 or behind == "r"):
            return True
    return False


@lru_cache(maxsize=64)
def _called(instrument: str) -> Sequence[tuple[str, ...]]:
    """Return what a kind of paper is called, in the singular, word by word."""
    said = tuple(singular(w) for w in instrument.split())
    kind = kinds(said[0]).get(said)
    return kind.others if kind else (said,)


@cache
def _behind_name() -> frozenset[str]:
    return frozenset(_BEHIND_NAME) | of_no_matter()


def _is_such_a_paper(title: NamedTitle, names: Sequence[tuple[str, ...]]) -> bool | None:
    """Return whether a name is one of such a paper; False when a name only holds the kind, None when none does."""
    found = None
    for variant in _called(title.instrument):
        for name in names:
            for n in _places(variant, name):
                end = n + len(variant)
                closed = end == len(name) or name[end].isdigit() or name[end] in _behind_name()
                if closed and not _ABOUT.intersection(name[:n]):
                    return True
                found = False
    return found


def _is_called(title: NamedTitle, names: Sequence[str]) -> bool:
    """Whether a paper of any kind is called by the other words alone: "the microtype manual" is "The microtype package"."""
    if title.instrument.split()[-1] not in papers() or not title.qualifiers:
        return False
    wanted = [singular(w) for q in title.qualifiers for w in q.split()]
    parts = (part for name in names for part in (name, *_parts(name)))
    return any([w for w in _folded(part) if w not in _ARTICLES] == wanted for part in parts)


def _parts(name: str) -> list[str]:
    for sign in (":", " - ", "–", "—", "·"):
        if sign in name:
            return name.split(sign)
    return []


def _matched(words: Sequence[str], names: Sequence[tuple[str, ...]]) -> set[int]:
    """Return which of the qualifying words the names have: as words, with a slip, in a glued word, or as initials."""
    every = {word for name in names for word in name}
    if every.issuperset(words):
        return set(range(len(words)))
    alike: dict[str, list[str]] = {word[0]: [] for word in words}
    for word in every:
        if word[0] in alike:
            alike[word[0]].append(word)
    found = {n for n, word in enumerate(words) if word in every or _with_a_slip(word, alike[word[0]])}
    for n in range(len(words)):
        near = alike[words[n][0]]
        for end in range(n + 1, len(words) + 1) if near else ():
            run = "".join(words[n:end])
            if len(run) > _RUN_SHORT and any(word.startswith(run) and _ends_so(run, word) for word in near):
                found.update(range(n, end))
    initials = ["".join(w[0] for w in name) for name in names]
    for n, word in enumerate(words):
        if len(word) >= _RUN_SHORT and any(word in letters for letters in initials):
            found.add(n)
        for end in range(n + _RUN_SHORT, len(words) + 1):
            if "".join(w[0] for w in words[n:end]) in every:
                found.update(range(n, end))
    return found


def _ends_so(run: str, glued: str) -> bool:
    """Whether a word that begins with some is those and more, written as one: "niceltd", "gooseheadinsurance"."""
    return len(glued) >= _GLUED or glued == run or glued[len(run) :] in of_no_matter()


def _with_a_slip(word: str, begun_alike: Iterable[str]) -> bool:
    return len(word) >= 6 and any(_is_slip(word, w) for w in begun_alike if abs(len(w) - len(word)) < 3)


@lru_cache(maxsize=10_000)
def _is_slip(word: str, other: str) -> bool:
    one, two = trigrams((word,)), trigrams((other,))
    return likeness(len(one & two), len(one), len(two)) >= _SLIP
