"""How deep a heading stands, as a rank: a heading closes all that have its rank or a higher one.

A mark's level is its rank. A number found by its look takes the rank that its family and depth have elsewhere in the
file, else one by depth below a shallower one of its family, else the place of its family: inside each exhibit, schedule or
appendix, families are ordered by which stands right above which, then large units before the rest, then by how often
they start over and by first appearance. A number that starts over under a mark of another family stands below that
mark, whatever rank its family has elsewhere: "1." under "Part 1". An unnumbered heading takes the rank of numbered headings that look like it, else one by size.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cmp_to_key

from deref.structure.headings import Heading
from deref.structure.look import Look
from deref.structure.numbering import CONTAINERS, DIVISIONS, STEP, Number

Rank = tuple[int, float]

_ENCLOSED = CONTAINERS - {"appendix"}
_OVER_ALL: Rank = (0, 0.0)
_TOP: Rank = (1, 0.0)
_BY_FAMILY = 100
_BY_SIZE = 300
_FEWEST_ROUND = 2


def rank_headings(look: Look, headings: Sequence[Heading], *, legal: bool) -> list[Rank]:
    """Return a rank for each heading, in their order.

    In law, what is attached (exhibit, schedule, annex) holds everything up to the next one, whatever its level.
    """
    headings = _alike(headings)
    levels = _levels(headings)
    anew = _counted_anew(headings, levels)
    known = _known(headings)
    places = _places(look, headings)
    ranks: list[Rank | None] = []
    over = _StartedOver()
    for n, heading in enumerate(headings):
        if levels[n] is not None:
            over.mark(levels[n] or 1, heading.number)
        if legal and heading.number is not None and heading.number.word in _ENCLOSED:
            ranks.append(_OVER_ALL)
        elif levels[n] is not None:
            ranks.append((levels[n] or 1, 1.0 if n in anew else 0.0))
        elif heading.number is not None:
            ranks.append(over.rank(heading.number, _numbered(heading.number, known, places[n])))
        else:
            ranks.append(None)
    styles: dict[tuple[float, bool, bool], Counter[Rank]] = defaultdict(Counter)
    for heading, rank in zip(headings, ranks, strict=True):
        if rank is not None and rank != _OVER_ALL:
            styles[look.style(heading.line)][rank] += 1
    top = min((r for r in ranks if r is not None and r != _OVER_ALL), default=(_BY_SIZE, 0.0))
    usual = {style: counts.most_common(1)[0][0] for style, counts in styles.items()}
    return [
        rank if rank is not None else _by_style(look, heading.line, usual, top)
        for heading, rank in zip(headings, ranks, strict=True)
    ]


def _alike(headings: Sequence[Heading]) -> Sequence[Heading]:
    """The headings with "3.0" counted as 3, where the file numbers so what holds "3.1", and "A" like 3 where there is an "A.1"."""
    keys = [
        h.number.key for h in headings if h.number and h.number.word is None and h.number.family == "decimal"
    ]
    rounded = sum(key[1:] == (0,) for key in keys) >= _FEWEST_ROUND and all(len(key) > 1 for key in keys)
    firsts = {key[:1] for key in keys if key[1:] == (STEP,)}
    return [
        replace(h, number=_as_whole(h.number, rounded=rounded, firsts=firsts)) if h.number else h
        for h in headings
    ]


def _as_whole(number: Number, *, rounded: bool, firsts: Collection[tuple[int, ...]]) -> Number:
    if rounded and number.family == "decimal" and number.key[1:] == (0,):
        return replace(number, key=number.key[:1])
    if number.family == "letter" and number.word is None and number.key in firsts:
        return replace(number, family="decimal")
    return number


class _StartedOver:
    """Numbers found by their look that start over under a mark of another family, and go on from there."""

    def __init__(self) -> None:
        self._mark: tuple[int, Number] | None = None
        self._latest: dict[tuple[str, int], Number] = {}

    def mark(self, level: int, number: Number | None) -> None:
        """Take the next heading that the file marks: what was counted under the one before is over."""
        self._mark = None if number is None else (level, number)
        self._latest = {}

    def rank(self, number: Number, usual: Rank) -> Rank:
        """Return the rank of a number whose rank elsewhere is `usual`: one below the mark that it would close."""
        if self._mark is None or usual > (self._mark[0], 0.0):
            return usual
        level, marked = self._mark
        family, depth = number.family, number.depth
        before = self._latest.get((family, depth))
        begins = (depth == 1 or (family, depth - 1) in self._latest) and number.key[-1] == STEP
        goes_on = before is not None and _next_sibling(before, number)
        if family == marked.family or family in CONTAINERS or not (begins or goes_on):
            return usual
        self._latest[family, depth] = number
        return level, float(number.depth)


def _levels(headings: Sequence[Heading]) -> list[int | None]:
    """The levels of the marks; one that makes "4." a child of its sibling "3." is raised to that of the sibling."""
    last: dict[tuple[str, int], tuple[Number, int]] = {}
    out: list[int | None] = []
    for heading in headings:
        level, number = heading.level, heading.number
        if level is not None:
            if number is not None:
                before = last.get((number.family, number.depth))
                if before is not None and before[1] < level and _next_sibling(before[0], number):
                    level = before[1]
            inside = number is not None and number.family in CONTAINERS
            last = {kind: entry for kind, entry in last.items() if entry[1] <= level - inside}
            if number is not None:
                last[number.family, number.depth] = (number, level)
        out.append(level)
    return out


def _counted_anew(headings: Sequence[Heading], levels: Sequence[int | None]) -> set[int]:
    """The places of marks that count anew in an annex or the like of their own level, and go on from there."""
    seen: set[tuple[str, tuple[int, ...]]] = set()
    annex: int | None = None
    before: Number | None = None
    anew: set[int] = set()
    for n, (heading, level) in enumerate(zip(headings, levels, strict=True)):
        number = heading.number
        if level is not None and number is not None and number.word in CONTAINERS:
            annex, before = level, None
        elif level is not None and annex is not None and level <= annex:
            starts = number is not None and number.key == (STEP,) and (number.family, number.key) in seen
            if level == annex and number and (starts if before is None else _next_sibling(before, number)):
                anew.add(n)
                before = number
            else:
                annex = None
        if number is not None:
            seen.add((number.family, number.key))
    return anew


def _next_sibling(a: Number, b: Number) -> bool:
    return a.key[:-1] == b.key[:-1] and b.key[-1] == (a.key[-1] // STEP + 1) * STEP


def _known(headings: Sequence[Heading]) -> dict[tuple[str, int], Rank]:
    seen: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
    for heading in headings:
        if heading.level is not None and heading.number is not None:
            seen[_kind(heading.number), heading.number.depth][heading.level] += 1
    return {kind: (counts.most_common(1)[0][0], 0.0) for kind, counts in seen.items()}


def _kind(number: Number) -> str:
    return "container" if number.family in CONTAINERS else number.family


def _numbered(number: Number, known: dict[tuple[str, int], Rank], places: dict[str, int]) -> Rank:
    kind, depth = _kind(number), number.depth
    if (kind, depth) in known:
        return known[kind, depth]
    if kind == "container":
        return _TOP
    for shallower in range(depth - 1, 0, -1):
        if (kind, shallower) in known:
            level, within = known[kind, shallower]
            return level, within + depth - shallower
    # "Chapter 2" that the outline leaves out stands right above "2.1" that it has.
    kin = "decimal" if kind in DIVISIONS else kind
    for deeper in range(depth + 1, depth + 4):
        if (kin, deeper) in known and known[kin, deeper][0] > deeper - depth:
            return known[kin, deeper][0] - (deeper - depth), 0.0
    return _BY_FAMILY, places[number.family] * 10.0 + depth


def _places(look: Look, headings: Sequence[Heading]) -> list[dict[str, int]]:
    """The place of each family in the exhibit (or the body) that each heading stands in."""
    out: list[dict[str, int]] = []
    start = 0
    borders = [n for n, h in enumerate(headings) if h.number and h.number.family in CONTAINERS]
    for end in [*borders, len(headings)]:
        order = _order(look, headings[start:end])
        out.extend([order] * (end - start))
        start = end
    return out


def _order(look: Look, headings: Sequence[Heading]) -> dict[str, int]:
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    restarts: Counter[str] = Counter()
    stacked: Counter[tuple[str, str]] = Counter()
    before: Heading | None = None
    for n, heading in enumerate(headings):
        if heading.number is None:
            before = None
            continue
        family = heading.number.family
        first.setdefault(family, n)
        last[family] = n
        if heading.number.depth == 1 and heading.number.key[0] % (1000 * STEP) == STEP:
            restarts[family] += 1
        if before is not None and before.number is not None and _stands_right_above(look, before, heading):
            stacked[before.number.family, family] += 1
        before = heading

    def outer_first(a: str, b: str) -> int:
        """A heading that stands right above another one holds it; then large units; then what starts over less."""
        held = stacked[b, a] - stacked[a, b]
        return (
            held
            or (b in DIVISIONS) - (a in DIVISIONS)
            or max(1, restarts[a]) - max(1, restarts[b])
            or first[a] - first[b]
        )

    ordered = sorted(first, key=cmp_to_key(outer_first))
    places: dict[str, int] = {}
    place = 0
    for n, family in enumerate(ordered):
        above = ordered[n - 1] if n else None
        # Recitals "A. B. C." that are over before "1." starts do not hold it.
        peers = (
            above is not None
            and above not in DIVISIONS
            and not stacked[above, family]
            and last[above] < first[family]
        )
        place += 0 if peers or n == 0 else 1
        places[family] = place
    return places


def _stands_right_above(look: Look, a: Heading, b: Heading) -> bool:
    """Whether nothing comes between two headings, and the first is a title and no clause with text."""
    text = look.texts[a.line]
    return a.end == b.line and len(text) <= 120 and not (text.endswith(".") and len(text) > 40)


def _by_style(look: Look, line: int, usual: dict[tuple[float, bool, bool], Rank], top: Rank) -> Rank:
    style = look.style(line)
    size, bold, capitals = style
    if not look.has_sizes and not (capitals and style in usual):
        return top
    if style in usual:
        return usual[style]
    smaller = [(s, rank) for (s, b, _), rank in usual.items() if s <= size and (bold or not b)]
    if smaller:
        return min(smaller, key=lambda pair: (-pair[0], pair[1]))[1]
    return _BY_SIZE, -size * 2 - bold
