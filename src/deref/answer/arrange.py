"""The order of quotes: each passage, and right under it what its pointers led to; nothing is quoted twice.

What arrived by the same way and shares lines, or stands side by side in one list, table or section, is one quote, in the place of the
first. What the question found comes first, best first, each with the chains whose pointers stand in it, those that are worth most first, and
so on for what followed text hands on to. A chain whose pointer stands in no quote comes last, under the sentence that points.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from deref.answer.chains import Begins, Chain, holds
from deref.answer.followed import Followed as Quoted
from deref.answer.units import at_structure
from deref.values import Arrived, Span


def arranged(
    own: Sequence[Quoted],
    chains: Sequence[Chain],
    quotes: Sequence[Sequence[Quoted]],
    pointing: Callable[[Chain], Sequence[Quoted]],
) -> list[Quoted]:
    """Return all quotes in their order: `quotes` are those of each chain, `pointing` gives the sentence that points."""
    out: list[Quoted] = []
    waiting = dict(enumerate(chains))

    def take(several: Sequence[Quoted]) -> None:
        out.extend(several)
        for n in [n for n, chain in waiting.items() if holds((q.lines for q in several), chain.at)]:
            if waiting.pop(n, None) is not None:
                take(quotes[n])

    largest: dict[tuple[Span, Arrived], Quoted] = {}
    for quote in (_largest_around(quote, own) for quote in own):
        largest.setdefault((quote.lines, quote.passage.arrived), quote)
    for quote in largest.values():
        take([quote])
    while waiting:
        n = next(iter(waiting))
        chain = waiting.pop(n)
        out.extend(pointing(chain))
        take(quotes[n])
    return each_once(out, chains)


def each_once(quotes: Sequence[Quoted], chains: Sequence[Chain] = ()) -> list[Quoted]:
    """Return the quotes, those that run on made one, without those that another one holds: one of the same arrival, or followed
    text that holds more.

    A quote with the pointer of a chain stays beside the text that it led to: both ends are cited.
    """

    quotes = _run_together([q._replace(lines=at_structure(q.document, q.lines)) for q in quotes])

    def held(n: int) -> bool:
        quote = quotes[n]
        points = any(holds([quote.lines], chain.at) for chain in chains)
        for k, other in enumerate(quotes):
            if k == n or not _inside(quote.lines, other.lines):
                continue
            if quote.passage.arrived is other.passage.arrived:
                if quote.lines != other.lines or k < n:
                    return True
            elif (
                other.passage.arrived is Arrived.REFERENCE
                and not points
                and (quote.lines != other.lines or k < n)
            ):
                return True
        return False

    return [quote for n, quote in enumerate(quotes) if not held(n)]


def _run_together(quotes: Sequence[Quoted]) -> list[Quoted]:
    """Return the quotes; of those that arrived by the same way and run on in each other the first is all of them."""
    out = list(quotes)
    while pair := next((p for p in combinations(range(len(out)), 2) if _run_on(*(out[n] for n in p))), None):
        first, other = out[pair[0]], out.pop(pair[1])
        start, end = (
            min(first.lines.start, other.lines.start),
            max(first.lines.end, other.lines.end),
        )
        out[pair[0]] = first._replace(lines=Span(doc=first.lines.doc, start=start, end=end))
    return out


def _run_on(quote: Quoted, other: Quoted) -> bool:
    """Tell whether two quotes arrived by the same way and share lines, or stand side by side in one list, table or section."""
    before, behind = sorted((quote.lines, other.lines))
    if before.doc != behind.doc or _way(quote) != _way(other):
        return False
    between = quote.document.lines[before.end : behind.start]
    if behind.start < before.end:
        return True
    if any(line.text.strip() for line in between):
        return False
    above, below = (quote.document.section_path(n) for n in (before.end - 1, behind.start))
    if above == below:
        return True
    item = (below[-1].label or "").endswith(")") if below else False
    return item and below[:-1] in (above, above[:-1])


def _way(quote: Quoted) -> tuple[Arrived, Begins | None]:
    resolution = quote.passage.resolution
    return quote.passage.arrived, resolution.reference.at.begins if resolution is not None else None


def _largest_around(quote: Quoted, quotes: Sequence[Quoted]) -> Quoted:
    """Return the largest quote of the same arrival with all the lines of one: it stands where the first of those it holds would."""
    around = [
        q for q in quotes if q.passage.arrived is quote.passage.arrived and _inside(quote.lines, q.lines)
    ]
    return max(around, key=lambda q: len(q.lines))


def _inside(lines: Span, other: Span) -> bool:
    return lines.doc == other.doc and other.start <= lines.start and lines.end <= other.end
