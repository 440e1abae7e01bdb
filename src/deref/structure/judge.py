"""Which candidates are headings: large units first, then each family of numbers, epoch by epoch.

At each part, chapter, article or exhibit numbering may begin anew: they cut the document into epochs. Within one, `heaviest`
chooses; from one to the next a sequence may go on or start over. Letters and roman numbers come last, inside what
the others have cut; a letter alone is a heading where it is set like one and the next heading is its first part ("A", "A.1").
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from deref.structure.candidates import MARKED
from deref.structure.look import Look
from deref.structure.numbering import CONTAINERS, DIVISIONS, STEP, Number, successors
from deref.structure.sequence import Candidate, heaviest
from deref.structure.weigh import RUN_IN

_SIGNS = frozenset({"letter", "roman"})


def judge(
    look: Look, candidates: Sequence[Candidate], marked: Collection[int], *, legal: bool
) -> list[Candidate]:
    """Return the candidates that are headings, one a line, in order of lines. `marked` are lines that must be."""
    families: dict[str, list[Candidate]] = {}
    for c in candidates:
        families.setdefault(c.number.family, []).append(c)
    units = [c for f in sorted(families.keys() & (DIVISIONS | CONTAINERS)) for c in families.pop(f)]
    large = _large_units(sorted(units, key=lambda c: c.line))
    borders = sorted({c.line for c in large})
    chosen = list(large)
    used = {c.line for c in large}
    for family in sorted(families.keys() - _SIGNS):
        picked = _epochs([c for c in families[family] if c.line not in used], borders, large)
        chosen.extend(picked)
        used |= {c.line for c in picked}
    borders = sorted(used)
    for family in sorted(families.keys() & _SIGNS, reverse=True):
        picked = _epochs([c for c in families[family] if c.line not in used], borders, [])
        kept = list(_runs(look, picked, borders, legal=legal))
        chosen.extend(kept)
        if family == "roman" and len(kept) > 1:
            used |= {c.line for c in kept}
            borders = sorted(used)
    # A line with two readings keeps the one that more of its kind share.
    counts = Counter(c.number.family for c in chosen)
    best: dict[int, Candidate] = {}
    for c in chosen:
        other = best.get(c.line)
        if other is None or counts[c.number.family] > counts[other.number.family]:
            best[c.line] = c
    for c in _with_parts(look, families.get("letter", ()), sorted(best), {c.line: c for c in chosen}):
        best.setdefault(c.line, c)
    # A mark is a heading whatever its number; where the sequence has no place for it, its first reading stands.
    for c in candidates:
        if c.line in marked:
            best.setdefault(c.line, c)
    return [best[line] for line in sorted(best)]


def _with_parts(
    look: Look, letters: Sequence[Candidate], lines: Sequence[int], chosen: Mapping[int, Candidate]
) -> Iterator[Candidate]:
    """Yield the letters in bold or large type whose next heading of the chosen ones is their first part: "A" over "A.1"."""
    for c in letters:
        if c.number.word or not (c.line in look.bold or look.large(c.line)):
            continue
        at = bisect_right(lines, c.line)
        if at < len(lines) and chosen[lines[at]].number.key == (*c.number.key, STEP):
            yield c


def _is_titled(look: Look, candidate: Candidate) -> bool:
    if candidate.weight >= MARKED or candidate.line in look.bold:
        return True
    rest = look.texts[candidate.line][candidate.number.end :]
    run_in = RUN_IN.match(rest)
    return bool(rest) and (
        (len(rest) <= 60 and rest[-1] not in ".;,") or (run_in is not None and run_in.end() < len(rest))
    )


def is_bare(number: Number) -> bool:
    """Tell whether a number is one figure without a word: "3."."""
    return number.word is None and number.family == "decimal" and number.depth == 1


def are_paragraphs(look: Look, chosen: Sequence[Candidate]) -> bool:
    """Whether bare numbers start over under articles, sections or rules, and carry no title."""
    owner, owned, titled, owners = False, 0, 0, 0
    for c in chosen:
        if c.number.word in ("article", "section", "rule", "clause"):
            owner = True
        elif is_bare(c.number) and c.weight < MARKED:
            owners += owner and c.number.key[0] == STEP
            owned += 1
            titled += _is_titled(look, c)
    return owners >= 2 and titled < 0.5 * owned


def _runs(
    look: Look, picked: Sequence[Candidate], borders: Sequence[int], *, legal: bool
) -> Iterator[Candidate]:
    """Letters and roman numbers make headings as a run only. In law, inside a numbered clause, they need titles too."""
    groups: dict[int, list[Candidate]] = {}
    for n, c in enumerate(picked):
        neighbours = [picked[i] for i in (n - 1, n + 1) if 0 <= i < len(picked)]
        in_a_run = any(abs(other.number.key[0] - c.number.key[0]) == STEP for other in neighbours)
        if c.weight >= MARKED or in_a_run:
            groups.setdefault(bisect_right(borders, c.line), []).append(c)
    for epoch, group in groups.items():
        titled = sum(_is_titled(look, c) for c in group)
        if any(c.weight >= MARKED for c in group) or not (legal and epoch and titled < 0.6 * len(group)):
            yield from group


def _large_units(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Parts, chapters, exhibits: numbering may start over at any time, so they are taken one after the other.

    A unit that is named once more while it is open is a running head; what is attached opens everything anew.
    """
    out: list[Candidate] = []
    latest: dict[str, tuple[int, ...]] = {}
    for c in candidates:
        family, key = c.number.family, c.number.key
        before = latest.get(family)
        if key == before and c.weight < MARKED:
            continue
        follows = key[-1] % (1000 * STEP) in (0, STEP) or (
            before is not None and key in set(successors(before))
        )
        if c.weight + (1.0 if follows else -0.6) > 0.9:
            out.append(c)
            if family in CONTAINERS:
                latest.clear()
            latest[family] = key
    return out


def _epochs(
    candidates: Sequence[Candidate], borders: Sequence[int], context: Sequence[Candidate]
) -> list[Candidate]:
    groups: dict[int, list[Candidate]] = {}
    for c in candidates:
        groups.setdefault(bisect_right(borders, c.line), []).append(c)
    out: list[Candidate] = []
    behind: dict[tuple[int, ...], tuple[int, ...]] = {}
    taken: set[tuple[int, ...]] = set()
    by_line: dict[int, Number] = {c.line: c.number for c in context}
    for epoch, group in groups.items():
        expected: set[tuple[int, ...]] = set()
        if out:
            expected.update(successors(out[-1].number.key))
        # The units that are open here: the last one of each kind before the epoch.
        for line in borders[max(0, epoch - 12) : epoch]:
            if line in by_line:
                key = by_line[line].key
                expected.update(((*key, STEP), (*key, 0)))
        picked = heaviest(group, expected, behind, taken)
        out.extend(picked)
        taken.update(c.number.key for c in picked)
        behind.update((c.number.key[:-1], c.number.key) for c in picked)
    return out
