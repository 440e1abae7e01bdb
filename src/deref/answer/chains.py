"""Chains: the pointers that were followed, what each is worth to the question, and how much of what it leads to is quoted.

    worth   of its sentence, as the pointers of a question are weighed, by words and by meaning; of one that the question did not
            find, by words alone; and LEADS for the share of what is asked that its target tells. What followed text hands on to
            is worth HANDED of the chain that it comes from, at the least.

A chain that is worth little beside the best one, or beside the best text that the question found itself, tells nothing of the
question: it is not quoted, and neither is the sentence that points. The first WIDE chains are quoted wide, the others by a few words
of theirs, and from LATER of the best on, where they have more than a few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from deref.answer.pointers import SAID, sentence_lines
from deref.answer.rank import Ranking, asked_stems
from deref.answer.units import Unit
from deref.text.tokens import count_tokens
from deref.values import Document, Passage, Point, Span

BESIDE_BEST = 0.4
"""A chain is quoted when it is worth at least this share of the best one."""
BESIDE_OWN = 0.4
"""And at least this share of the best text that the question found."""
LEADS = 0.3
"""What it is worth that a target tells all that is asked."""
HANDED = 0.8
"""Share of the worth of a chain that goes to what it hands on to."""
WIDE = 2
"""Chains of which wide parts are quoted at the least, and one more than the question asks things side by side."""
WIDE_WORDS = 220
"""Words. A followed place up to this size is quoted whole, and about as much of each part of a longer one."""
NARROW_WORDS = 60
"""The same for further chains."""
LATER = 0.55
"""A further chain that leads to more words than that is worth at least this share of the best one."""

Begins = tuple[str, int, int]


class Chain(NamedTuple):
    """The passages that one pointer led to, in their order; what it is worth; how many words of a place are quoted."""

    passages: tuple[Passage, ...]
    worth: float
    words: int

    @property
    def at(self) -> Point:
        """Where the pointer is written."""
        return _at(self.passages)

    @property
    def wide(self) -> bool:
        """Whether wide parts are quoted."""
        return self.words == WIDE_WORDS


def chains_of(
    passages: Iterable[Passage],
    units: Sequence[Unit],
    known: Mapping[Begins, float],
    least: float,
    ranking: Ranking,
    core: Ranking,
    read: Callable[[str], Document],
    parts: int,
) -> list[Chain]:
    """Return the chains that tell of the question, those that are worth most first.

    `units` are those of the followed passages; `known` the worth of the pointers that the question found, by where they begin,
    `least` what the best text that it found is worth; `ranking` weighs all words of the question, `core` those that ask; `parts` are
    the things that it asks side by side.
    """
    groups: dict[Begins, list[Passage]] = {}
    for passage in passages:
        if passage.resolution is not None:
            groups.setdefault(passage.resolution.reference.at.begins, []).append(passage)
    worth: dict[Begins, float] = {}
    for begins, group in groups.items():
        at = _at(group)
        told = frozenset(s for u in units if any(u.passage is p for p in group) for s in u.stems)
        own = known.get(begins)
        if own is None:
            document = read(at.doc)
            own = SAID * ranking.coverage(asked_stems(document.text(sentence_lines(document, at))))
        worth[begins] = own + LEADS * core.coverage(told)
        if begins not in known:
            before = [worth[b] for b in worth if b != begins and holds((p.lines for p in groups[b]), at)]
            worth[begins] = max([worth[begins], *(HANDED * w for w in before[:1])])
    best = max(worth.values(), default=0.0)
    floor = max(BESIDE_BEST * best, BESIDE_OWN * least)
    order = sorted((b for b in groups if worth[b] >= floor), key=lambda b: -worth[b])
    wide = max(WIDE, 1 + parts)
    return [
        *(Chain(tuple(groups[b]), worth[b], WIDE_WORDS) for b in order[:wide]),
        *(
            Chain(tuple(groups[b]), worth[b], NARROW_WORDS)
            for b in order[wide:]
            if worth[b] >= LATER * best or _is_short(groups[b], read)
        ),
    ]


def holds(places: Iterable[Span], at: Point) -> bool:
    """Tell whether a pointer is written in one of these places."""
    return any(at.doc == lines.doc and at.line in lines for lines in places)


def _at(passages: Sequence[Passage]) -> Point:
    resolution = passages[0].resolution
    assert resolution is not None
    return resolution.reference.at


def _is_short(passages: Sequence[Passage], read: Callable[[str], Document]) -> bool:
    """Tell whether what a pointer leads to has few words: it costs little to quote it."""
    spans = [span for p in passages for span in (p.focus or (p.lines,))]
    return sum(count_tokens(read(span.doc).text(span)) for span in spans) <= NARROW_WORDS
