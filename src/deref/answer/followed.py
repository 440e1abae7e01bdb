"""What of followed text is quoted: the part that the pointer meant, and of that what bears most on the question.

For each pointer: of a table the selected rows, or those that tell most, with header and baseline row; a place of up to
the words of its chain whole; of longer ones the units that are worth most, chosen from all parts of the place that were read.
worth = coverage + MEANING · nearness + HOLDS when the unit holds a value of the kind that is asked for + INTRODUCED when it has the
term whose meaning is asked for in quotation marks + NAMED when it holds a name in code ("max_idle_timeout") that the pointer's sentence says.

The chains share FOLLOWED_WORDS evenly, those that are worth most first, each wide one with room for two places quoted whole
while there is any; what one leaves, the next ones have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from deref.answer.asking import Asking
from deref.answer.chains import WIDE_WORDS, Chain
from deref.answer.pointers import said_around
from deref.answer.rank import Ranking, asked_stems
from deref.answer.tables import baseline_row, body_rows, joined_spans, table_at, without_rule
from deref.answer.units import (
    LONGEST_QUOTE,
    Unit,
    is_title_alone,
    longer_than,
    narrowed,
    with_list,
    with_table,
)
from deref.text.lazy import lazy
from deref.text.tokens import count_tokens
from deref.values import Document, Item, Passage, Span

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""(question, texts) → 0 (unrelated) to 1 (the same) for each text."""

MOST_COMPARED = 16
"""Units that are compared in meaning: each costs some milliseconds the first time."""
MEANING = 0.8
"""What nearness in meaning, 0..1, is worth beside the share of the question's words."""
HOLDS = 0.15
"""What a value of the kind that is asked for is worth."""
INTRODUCED = 0.5
"""What it is worth that a unit has the term whose meaning is asked for in quotation marks."""
NAMED = 0.3
"""What a name in code that the pointer's sentence says is worth."""
HALF = 0.5
"""A unit of a long place is quoted when it is worth at least this share of the best one of it."""
SOMETHING = 0.3
"""And at least this much: what is worth less tells nothing of the question."""
MOST_ROWS, FEW_ROWS = 8, 4
"""Rows of a long table that are quoted, when its chain is quoted wide and when it is not."""
FOLLOWED_WORDS = 400
"""Words of followed text in an answer; a list of articles would fill pages."""
MOST_PARTS = 2
"""Parts of a long place that add to what is quoted of it; what is pointed at as a whole document gives half."""


_NAME_IN_CODE = lazy(r"\b\w+_\w+\b")


class Followed(NamedTuple):
    """Lines of a followed passage that are quoted."""

    document: Document
    lines: Span
    passage: Passage


def worths(
    asking: Asking,
    units: Sequence[Unit],
    ranking: Ranking,
    similarity: Similarity | None,
    score: Callable[[Unit], float] | None = None,
) -> list[float]:
    """Return what each unit is worth to the question; its meaning counts for the first MOST_COMPARED by `score`.

    `score` is the coverage unless it is given.
    """
    worth = [score(u) if score else ranking.coverage(u.stems, u.context) for u in units]
    if asking.terms:
        worth = [w + INTRODUCED * asking.introduced_by(u.text) for w, u in zip(worth, units, strict=True)]
    if asking.value is not None:
        worth = [w + HOLDS * asking.held_by(u.text) for w, u in zip(worth, units, strict=True)]
    if similarity is not None and units:
        first = sorted(range(len(units)), key=lambda n: (-worth[n], n))[:MOST_COMPARED]
        near = similarity(asking.text, [units[n].text for n in first])
        for n, nearness in zip(first, near, strict=True):
            worth[n] += MEANING * nearness
    return worth


def followed_quotes(
    asking: Asking,
    chains: Sequence[Chain],
    units: Sequence[Unit],
    read: Callable[[str], Document],
    similarity: Similarity | None,
) -> list[list[Followed]]:
    """Return the quotes of each chain, FOLLOWED_WORDS in all, but at least one for each."""
    quotes: list[list[Followed]] = []
    left = FOLLOWED_WORDS
    for n, chain in enumerate(chains):
        room = min(left, chain.words * min(len(chain.passages), MOST_PARTS))
        share = max(left // (len(chains) - n), room) if chain.wide else room
        kept: list[Followed] = []
        for quote in _of_chain(asking, chain, units, read, similarity):
            size = count_tokens(quote.document.text(quote.lines))
            if kept and size > share:
                continue
            share -= size
            left = max(0, left - size)
            kept.append(quote)
        quotes.append(kept)
    return quotes


def _of_chain(
    asking: Asking,
    chain: Chain,
    units: Sequence[Unit],
    read: Callable[[str], Document],
    similarity: Similarity | None,
) -> list[Followed]:
    """Return the quotes of one chain, in the order of its passages; of long parts what is worth most in all of them."""
    resolution = chain.passages[0].resolution
    at = resolution.reference.at if resolution is not None else None
    sentence = said_around(read(at.doc), at) if at is not None else ""
    core, bridge = asking.core, asked_stems(sentence) - asking.stems
    quotes: list[Followed] = []
    long: list[Unit] = []
    parts = 0
    for passage in chain.passages:
        document = read(passage.lines.doc)
        table = table_at(document, passage.lines)
        wanted = list(passage.focus) or [passage.lines]
        here = [u for u in units if u.passage is passage]
        if table is not None:
            ranking = Ranking(core, here, bridge, asking.stems - core)
            spans = _table(table, document, passage, ranking, sentence, chain)
        elif not longer_than(chain.words, document, wanted):
            spans = joined_spans(wanted)
        else:
            parts += 1
            seen = {(u.document.id, u.lines) for u in long}
            long += [
                u
                for u in here
                if any(u.lines.start in s for s in wanted) and (u.document.id, u.lines) not in seen
            ]
            continue
        quotes += [Followed(document, span, passage) for span in spans]
    if long:
        whole = resolution is not None and any(t.kind == "document" for t in resolution.targets)
        ranking = Ranking(core, long, bridge, asking.stems - core)
        names = set(_NAME_IN_CODE.findall(sentence))
        worth = worths(asking, long, ranking, similarity)
        worth = [w + NAMED * any(n in u.text for n in names) for w, u in zip(worth, long, strict=True)]
        limit = min(parts, MOST_PARTS) * (chain.words // 2 if whole and chain.wide else chain.words)
        quotes += _best_of(
            long,
            worth,
            limit,
            opening=not whole,
            ranking=ranking,
            longest=WIDE_WORDS if chain.wide else LONGEST_QUOTE,
        )
    return quotes


def _best_of(
    units: Sequence[Unit], worth: Sequence[float], left: int, *, opening: bool, ranking: Ranking, longest: int
) -> list[Followed]:
    """Return the units that are worth most, `left` words at the most, those worth more first; `opening`: the first one too, unless it is a title
    alone.

    None is worth less than HALF of the best, and only the best may be worth less than SOMETHING. Neighbours are one quote. `longest`
    are the words of a paragraph that is quoted whole.
    """
    best = max(worth, default=0.0)
    floor = max(HALF * best, min(SOMETHING, best))
    order = sorted(range(len(units)), key=lambda n: (-worth[n], n))
    ranked = [units[n] for n in order if worth[n] >= floor]
    if opening:
        ranked[3:3] = [unit for unit in units[:1] if not is_title_alone(unit)]
    chosen: list[tuple[Span, Unit]] = []
    for unit in ranked:
        span = (with_table if unit.row else with_list)(unit.document, unit.lines)
        if span == unit.lines:
            span = narrowed(unit, ranking.coverage, longest)
        size = count_tokens(unit.document.text(span))
        if all(span != s for s, _ in chosen) and (not chosen or size <= left):
            chosen.append((span, unit))
            left -= size
    joined = [
        s
        for doc in dict.fromkeys(u.document.id for _, u in chosen)
        for s in joined_spans([s for s, u in chosen if u.document.id == doc])
    ]
    first = {
        s: next(n for n, (c, _) in enumerate(chosen) if c.doc == s.doc and s.start <= c.start < s.end)
        for s in joined
    }
    return [
        Followed(chosen[first[s]][1].document, s, chosen[first[s]][1].passage)
        for s in sorted(joined, key=first.__getitem__)
    ]


def _table(
    table: Item, document: Document, passage: Passage, ranking: Ranking, sentence: str, chain: Chain
) -> list[Span]:
    """Return the rows that the pointer selected, or that cover most, with header and baseline row."""
    stems = {n: asked_stems(document.lines[n].text) for n in body_rows(table, document)}
    rows = list(passage.focus) or _rows(table.lines, document, ranking, stems, chain)
    base = baseline_row(table, document, tuple(rows), sentence) if passage.focus else None
    head = passage.header or table.header
    heads = []
    if head is not None:
        heads = [head if any(r.start == head.end for r in rows) else without_rule(head, document)]
    return joined_spans([*heads, *rows, *([base] if base else [])])


def _rows(
    lines: Span, document: Document, ranking: Ranking, stems: Mapping[int, frozenset[str]], chain: Chain
) -> list[Span]:
    """Return the whole table when it is short, else its rows that cover most, the first ones if none does, and its caption."""
    if not longer_than(chain.words, document, [lines]):
        return [lines]
    ranked = sorted(stems, key=lambda n: (-ranking.coverage(stems[n]), n))[
        : MOST_ROWS if chain.wide else FEW_ROWS
    ]
    caption = Span(doc=lines.doc, start=lines.start, end=lines.start + 1)
    return [caption, *(Span(doc=lines.doc, start=n, end=n + 1) for n in sorted(ranked))]
