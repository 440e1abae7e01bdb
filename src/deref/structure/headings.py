"""Which lines are headings.

1. HEADING marks and the outline of a PDF are trusted; their number is read off the text.
2. Every other line that starts with a number is a candidate; `weigh` judges its look, `sequence` its number. The large
   units (part, chapter, article, exhibit, …) are judged first: at each of them numbering may begin anew, which cuts the
   document into epochs; the rest is judged epoch by epoch.
3. In a PDF without an outline, and in plain text, short lines that stand out are headings without a number.

A plain candidate is doubted when candidates of its depth, or deeper ones, are set bold or large: headings do not get less
prominent upwards.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from deref.structure.contents import marks_of, merge, repeated_run
from deref.structure.look import Look
from deref.structure.numbering import CONTAINERS, DIVISIONS, STEP, Number, read_numbers, successors
from deref.structure.sequence import Candidate, heaviest
from deref.structure.titles import heading_text, plain_text, read_title
from deref.structure.unnumbered import find_unnumbered
from deref.structure.weigh import NEVER, RUN_IN, weigh
from deref.text.labels import normalize_label
from deref.values import Mark, MarkKind

_SIGNS = frozenset({"letter", "roman"})
_MARKED = 4.0
_LEAST = -0.5
_IN_A_TABLE = 0.8
_DOUBT = 1.0
_DOUBT_IN_LAW = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading: lines `line` to `end` (half-open), its number or None, its title.

    `level` is that of the mark it comes from, or None for one that was found by its look.
    """

    line: int
    end: int
    number: Number | None
    title: str
    level: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The headings in order of lines, and the printed lists that were recognised on the way.

    `numbered_paragraphs`: lines "1.", "2." under articles are paragraphs of them and no headings.
    """

    headings: tuple[Heading, ...]
    contents: tuple[tuple[int, int], ...]
    numbered_paragraphs: bool


def find_headings(look: Look, contents: Sequence[tuple[int, int]], *, legal: bool) -> Found:
    """Return the headings of a file. `contents` are the printed lists known so far."""
    marked = _marked(look, contents)
    closed = _covered(contents) | look.blocked
    candidates = _candidates(look, closed, marked, legal=legal)
    lists = _repeated(look, candidates) + _listed_units(candidates)
    candidates = [c for c in candidates if c.weight > _LEAST]
    if lists:
        listed = _covered(lists)
        candidates = [c for c in candidates if c.line not in listed]
        closed |= listed
    candidates = _doubted(look, _unless_in_outline(candidates, marked), legal=legal)
    chosen = _judge(look, candidates, marked, legal=legal)
    paragraphs = legal and _are_paragraphs(look, chosen)
    if paragraphs:
        chosen = [c for c in chosen if c.weight >= _MARKED or not _is_bare(c.number)]
    numbered = {c.line: c.number for c in chosen}
    headings = [_heading(look, mark, numbered.get(mark.start)) for mark in marked.values()]
    # "EXHIBIT A" over "FORM OF NOTE", both headings by the file's word: the second is the title of the first.
    titles = frozenset(n for h in headings if h.number for n in range(h.line + 1, h.end)) - numbered.keys()
    headings = [h for h in headings if h.line not in titles]
    taken = frozenset(n for h in headings for n in range(h.line, h.end))
    for candidate in chosen:
        if candidate.line not in marked and candidate.line not in taken:
            end, title = read_title(look, candidate.line, candidate.number, legal=legal)
            headings.append(Heading(line=candidate.line, end=end, number=candidate.number, title=title))
    taken = frozenset(n for h in headings for n in range(h.line, h.end))
    if not look.trusted:
        outlined = len(marked) >= 5
        for start, end in find_unnumbered(look, closed | taken, outlined=outlined):
            title = " ".join(look.texts[n] for n in range(start, end))
            headings.append(Heading(line=start, end=end, number=None, title=title))
    headings.sort(key=lambda h: h.line)
    return Found(
        headings=tuple(headings), contents=tuple(merge([*contents, *lists])), numbered_paragraphs=paragraphs
    )


def _is_titled(look: Look, candidate: Candidate) -> bool:
    if candidate.weight >= _MARKED or candidate.line in look.bold:
        return True
    rest = look.texts[candidate.line][candidate.number.end :]
    run_in = RUN_IN.match(rest)
    return bool(rest) and (
        (len(rest) <= 60 and rest[-1] not in ".;,") or (run_in is not None and run_in.end() < len(rest))
    )


def _is_bare(number: Number) -> bool:
    return number.word is None and number.family == "decimal" and number.depth == 1


def _are_paragraphs(look: Look, chosen: Sequence[Candidate]) -> bool:
    """Whether bare numbers start over under articles, sections or rules, and carry no title."""
    owner, owned, titled, owners = False, 0, 0, 0
    for c in chosen:
        if c.number.word in ("article", "section", "rule", "clause"):
            owner = True
        elif _is_bare(c.number) and c.weight < _MARKED:
            owners += owner and c.number.key[0] == STEP
            owned += 1
            titled += _is_titled(look, c)
    return owners >= 2 and titled < 0.5 * owned


def _marked(look: Look, contents: Sequence[tuple[int, int]]) -> dict[int, Mark]:
    """Heading marks by line; the first of several on one line, and none inside a printed list."""
    listed = _covered((start + 1, end) for start, end in contents)
    out: dict[int, Mark] = {}
    for mark in marks_of(look.parsed.marks, MarkKind.HEADING):
        line = mark.start
        while line < mark.end - 1 and not look.texts[line]:
            line += 1
        if line < len(look.texts):
            line = _number_above(look, line)
        if line < len(look.texts) and line not in listed and line not in out and look.texts[line]:
            out[line] = Mark(
                kind=mark.kind, start=line, end=max(mark.end, line + 1), level=mark.level or 1,
                label=mark.label, from_outline=mark.from_outline,
            )  # fmt: skip
    return out


def _marked_text(look: Look, mark: Mark) -> str:
    """The text of a marked heading with its automatic number in front, unless the line shows it."""
    text = heading_text(look.texts[mark.start])
    if mark.label and normalize_label(text.partition(" ")[0]) != normalize_label(mark.label):
        return f"{mark.label} {text}"
    return text


def _number_above(look: Look, n: int) -> int:
    """The line "Chapter 3" right above a title without a number, for which the file has one mark; else n."""
    if (
        n == 0
        or look.lines[n - 1].page != look.lines[n].page
        or any(read_numbers(heading_text(look.texts[n])))
    ):
        return n
    above = plain_text(look.texts[n - 1])
    if len(above) > 20 or (look.has_sizes and not (look.large(n - 1) or n - 1 in look.bold)):
        return n
    number = next(read_numbers(above), None)
    return n - 1 if number is not None and number.word and number.end == len(above) else n


def _implied(look: Look, marked: dict[int, Mark]) -> dict[int, Number]:
    """The number of an outline's heading that shows none and stands right over "3.1": it is 3."""
    numbers = {n: next(read_numbers(heading_text(look.texts[n])), None) for n in marked}
    known = {number.label for number in numbers.values() if number is not None}
    lines = sorted(marked)
    out: dict[int, Number] = {}
    for above, below in pairwise(lines):
        child = numbers[below]
        if numbers[above] is not None or not marked[above].from_outline or child is None or child.word:
            continue
        deeper = (marked[below].level or 1) > (marked[above].level or 1)
        head, _, last = child.label.rpartition(".")
        if deeper and last == "1" and head and head not in known and child.depth == head.count(".") + 2:
            known.add(head)
            out[above] = Number(None, head, "decimal", child.key[:-1], "", 0)
    return out


def _candidates(
    look: Look, closed: frozenset[int], marked: dict[int, Mark], *, legal: bool
) -> list[Candidate]:
    out: list[Candidate] = []
    implied = _implied(look, marked)
    for n, raw in enumerate(look.texts):
        if n in implied:
            out.append(Candidate(n, implied[n], 6.0))
            continue
        if not raw or (not raw[0].isdigit() and not raw[0].isupper() and raw[0] not in "§第#*_["):
            continue
        if n in closed and n not in marked and not (legal and n in look.guessed_rows and _is_wordy(raw)):
            continue
        mark = marked.get(n)
        text = heading_text(raw) if mark is not None else plain_text(raw) if raw[0] in "#*_" else raw
        if mark is not None:
            text = _marked_text(look, mark)
        elif look.trusted and not legal:
            continue
        for number in read_numbers(text):
            if mark is not None:
                out.append(Candidate(n, number, 6.0 if number.word or number.depth > 1 else 4.0))
                continue
            weight = weigh(look, n, number, legal=legal) if text is raw else NEVER
            if n in closed:
                weight -= _IN_A_TABLE
            if weight > NEVER:
                out.append(Candidate(n, number, weight))
    return out


def _is_wordy(text: str) -> bool:
    """Whether a row that starts with a number of two parts reads as a clause: many words, hardly a figure."""
    words = text.split()
    return (
        "." in words[0][:-1] and len(words) > 6 and sum(w[0].isalpha() for w in words) >= 0.8 * len(words) - 1
    )


def _repeated(look: Look, candidates: Sequence[Candidate]) -> list[tuple[int, int]]:
    first: dict[int, str] = {}
    for candidate in candidates:
        if candidate.weight < _MARKED:
            number = candidate.number
            title = look.texts[candidate.line][number.end : number.end + 20].rstrip(" .").casefold()
            first.setdefault(candidate.line, f"{number.word or ''} {number.label} {title}")
    return repeated_run(list(first.items()))


def _listed_units(candidates: Sequence[Candidate]) -> list[tuple[int, int]]:
    """Exhibits and the like, four or more on lines one below the other: a list of them."""
    lines = sorted({c.line for c in candidates if c.number.word in CONTAINERS and c.weight < _MARKED})
    runs = merge([(line, line + 1) for line in lines])
    return [(start, end) for start, end in runs if sum(start <= n < end for n in lines) >= 4]


def _unless_in_outline(candidates: list[Candidate], marked: dict[int, Mark]) -> list[Candidate]:
    """Drop what repeats a number of the outline: where there is one, it says where its headings are."""
    if sum(mark.from_outline for mark in marked.values()) < 5:
        return candidates
    known = {(c.number.family, c.number.key) for c in candidates if c.weight >= _MARKED}

    def is_known(number: Number) -> bool:
        same = number.family if number.family not in DIVISIONS else "decimal"
        return (number.family, number.key) in known or (same, number.key) in known

    return [c for c in candidates if c.weight >= _MARKED or not is_known(c.number)]


def _doubted(look: Look, candidates: list[Candidate], *, legal: bool) -> list[Candidate]:
    strong: Counter[tuple[str, int]] = Counter()
    for c in candidates:
        if c.weight >= _MARKED or c.line in look.bold or look.large(c.line):
            strong[c.number.family, c.number.depth] += 1
    if not strong:
        return candidates
    doubt = _DOUBT_IN_LAW if legal else _DOUBT
    out: list[Candidate] = []
    for c in candidates:
        family, depth = c.number.family, c.number.depth
        plain = c.weight < _MARKED and c.line not in look.bold and not look.large(c.line)
        if plain and (
            strong[family, depth] >= 2 or any(strong[family, deeper] >= 2 for deeper in range(depth + 1, 9))
        ):
            c = Candidate(c.line, c.number, c.weight - doubt)
        out.append(c)
    return out


def _judge(
    look: Look, candidates: Sequence[Candidate], marked: dict[int, Mark], *, legal: bool
) -> list[Candidate]:
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
    # A mark is a heading whatever its number; where the sequence has no place for it, its first reading stands.
    for c in candidates:
        if c.line in marked:
            best.setdefault(c.line, c)
    return [best[line] for line in sorted(best)]


def _runs(
    look: Look, picked: Sequence[Candidate], borders: Sequence[int], *, legal: bool
) -> Iterator[Candidate]:
    """Letters and roman numbers make headings as a run only. In law, inside a numbered clause, they need titles too."""
    groups: dict[int, list[Candidate]] = {}
    for n, c in enumerate(picked):
        neighbours = [picked[i] for i in (n - 1, n + 1) if 0 <= i < len(picked)]
        in_a_run = any(abs(other.number.key[0] - c.number.key[0]) == STEP for other in neighbours)
        if c.weight >= _MARKED or in_a_run:
            groups.setdefault(bisect_right(borders, c.line), []).append(c)
    for epoch, group in groups.items():
        titled = sum(_is_titled(look, c) for c in group)
        if any(c.weight >= _MARKED for c in group) or not (legal and epoch and titled < 0.6 * len(group)):
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
        if key == before and c.weight < _MARKED:
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


def _heading(look: Look, mark: Mark, number: Number | None) -> Heading:
    shown = _marked_text(look, mark)[number.end :] if number else heading_text(look.texts[mark.start])
    parts = [shown.strip(), *(plain_text(look.texts[n]) for n in range(mark.start + 1, mark.end))]
    title = " ".join(p for p in parts if p)
    end = mark.end
    if not title and number is not None:
        end, title = read_title(look, mark.start, number, legal=False)
        end = max(end, mark.end)
    return Heading(line=mark.start, end=end, number=number, title=tidy(title), level=mark.level)


def tidy(title: str) -> str:
    """Return a title without the signs between number and title, trailing leaders and markup."""
    return " ".join(title.strip(" .:–—―-\t*_#").split()) or title.strip()


def _covered(runs: Iterable[tuple[int, int]]) -> frozenset[int]:
    return frozenset(n for start, end in runs for n in range(start, end))
