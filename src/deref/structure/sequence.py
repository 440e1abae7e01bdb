"""The judge of numbers: of all lines that could be headings, the heaviest run that counts upwards.

Each candidate carries a weight, its look. Within one epoch (between two headings at which numbering may begin anew) the
chosen candidates must rise in the order of their keys ("2.4" < "3" < "3.1"). A candidate that is exactly what comes
next after one that was chosen gains; one that jumps loses, little among siblings, much elsewhere. So a list item "4." between
3.2 and 3.3 is outweighed by what it would cut off, and a plain line enters only where it fits.

Each epoch is solved exactly in O(n log n) with a prefix maximum over ranks.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from types import MappingProxyType

from deref.quick_dataclass import dataclass
from deref.structure.numbering import STEP, Number, is_first, successors

_NEXT = 1.0
_SIBLING_JUMP = -0.6
_JUMP = -1.6
_COLD_START = -1.6
_BY_MARK = 4.0

Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that could be a heading: how its number reads, and how much its look speaks for it."""

    line: int
    number: Number
    weight: float


def heaviest(
    candidates: Sequence[Candidate],
    expected: Iterable[Key],
    behind: Mapping[Key, Key] = MappingProxyType({}),
    taken: Container[Key] = frozenset(),
) -> list[Candidate]:
    """Return the heaviest rising run of one family in one epoch, in order of lines.

    `expected` are keys that continue what stands before the epoch, `behind` the last key there by what it has in common
    with its siblings, `taken` all that were chosen there. Candidates are in order of lines.
    """
    ranks = {key: n + 1 for n, key in enumerate(sorted({c.number.key for c in candidates}))}
    highest = _PrefixMaximum(len(ranks))
    siblings: dict[Key, tuple[float, int]] = {}
    after: dict[Key, tuple[float, int]] = {}
    fresh = set(expected)
    scores: list[float] = []
    before: list[int] = []
    for n, candidate in enumerate(candidates):
        key = candidate.number.key
        start = _NEXT if key in fresh else 0.0 if is_first(key) else _COLD_START
        if len(key) > 1 and key[:-1] in behind and behind[key[:-1]] < key:
            start = max(start, _SIBLING_JUMP)
        elif len(key) > 1 and key not in taken and all(part == STEP for part in key[1:]):
            start = max(start, _SIBLING_JUMP)  # "2.1": the first of a parent that is not to be seen
        options = [(start, -1)]
        exact = after.get(key)
        if exact:
            options.append((exact[0] + _NEXT, exact[1]))
        sibling = siblings.get(key[:-1])
        if sibling and candidates[sibling[1]].number.key < key:
            options.append((sibling[0] + _SIBLING_JUMP, sibling[1]))
        score, at = highest.below(ranks[key])
        if at >= 0:
            options.append((score + (_NEXT if key in fresh else _JUMP), at))
        best, previous = max(options, key=lambda option: option[0])
        best += candidate.weight
        scores.append(best)
        before.append(previous)
        if best <= 0:
            continue
        highest.put(ranks[key], best, n)
        if best > siblings.get(key[:-1], (0.0, 0))[0]:
            siblings[key[:-1]] = (best, n)
        for following in successors(key):
            if best > after.get(following, (0.0, 0))[0]:
                after[following] = (best, n)
    if not scores:
        return []
    at = max(range(len(scores)), key=scores.__getitem__)
    chosen: list[Candidate] = []
    while at >= 0 and scores[at] > 0:
        chosen.append(candidates[at])
        at = before[at]
    if len(chosen) == 1 and _stands_alone(chosen[0], fresh):
        return []
    return chosen[::-1]


def _stands_alone(only: Candidate, fresh: set[Key]) -> bool:
    """Whether the one number of an epoch is a figure from nowhere: "7 days", with no 6 and no 8."""
    key = only.number.key
    return len(key) == 1 and only.weight < _BY_MARK and key not in fresh and not is_first(key)


class _PrefixMaximum:
    """The best (score, index) among ranks below a given one: a Fenwick tree of maxima."""

    def __init__(self, size: int) -> None:
        self._tree = [(0.0, -1)] * (size + 1)

    def below(self, rank: int) -> tuple[float, int]:
        best = (0.0, -1)
        at = rank - 1
        while at > 0:
            best = max(best, self._tree[at])
            at -= at & -at
        return best

    def put(self, rank: int, score: float, index: int) -> None:
        at = rank
        while at < len(self._tree):
            if score > self._tree[at][0]:
                self._tree[at] = (score, index)
            at += at & -at
