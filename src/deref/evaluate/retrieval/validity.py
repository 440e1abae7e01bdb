"""Is a gold row fit to measure with? And can its answer be reached at all?

A row is *left out*, with a reason, when

    a string that it expects stands in no document, or in none that it names as the source
    its question says the answer: a string that it expects stands in it
    its answer is not unique: a string stands in a document that it does not name, in several when it names none, or in
    the documents that it names more than `OFTEN` times
    a passage of its pair is not in the set, or both are the same

A row that is fit and whose strings stand in no single passage is *unreachable*: that is our fault, so it stays and
counts as zero.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from deref.engine import Engine
from deref.errors import UsageError
from deref.evaluate.gold import GoldRow, folded_text
from deref.evaluate.retrieval.corpora import file_named
from deref.evaluate.retrieval.needs import Passages

OFTEN = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """A row that is not fit, and why."""

    row: GoldRow
    reason: str


def none_left(left_out: Sequence[LeftOut], *, refusals: int = 0) -> UsageError:
    """Return the error of a run that has no row to measure with; `refusals` are rows without an answer on the shelf."""
    why = [f"{one.row.file}, line {one.row.line}: {one.row.id}: {one.reason}" for one in left_out[:1]]
    why += [f"{len(left_out) - 1} more are left out"] if len(left_out) > 1 else []
    why += [f"of {refusals} the answer is off the shelf"] if refusals else []
    return UsageError(
        f"no gold row is left to measure with ({'; '.join(why)}); mend the gold, or keep what is not fit with --force"
    )


class Texts:
    """The folded text of every document of a library, by file name."""

    def __init__(self, engine: Engine) -> None:
        """Read every document."""
        self.by_name: Mapping[str, str] = {
            card.name: folded_text("\n".join(line.text for line in engine.read(card.id).lines))
            for card in engine.shelf().cards()
        }

    def sources(self, row: GoldRow) -> set[str]:
        """Return the documents that a row names as its sources, by their own names."""
        every = (file_named(said, self.by_name) for said in row.expected_sources)
        return {name for name in every if name is not None}


def checked(rows: Sequence[GoldRow], texts: Texts, passages: Passages) -> Iterator[LeftOut]:
    """Yield the rows that are not fit, each with its first reason."""
    for row in rows:
        reason = next(_pair(row, passages) if row.pair is not None else _strings(row, texts), None)
        if reason is not None:
            yield LeftOut(row=row, reason=reason)


def _strings(row: GoldRow, texts: Texts) -> Iterator[str]:
    asked = folded_text(row.query)
    sources = texts.sources(row)
    if row.expected_sources and not sources:
        yield f"no document is called {', '.join(row.expected_sources)}"
    for n, expected in enumerate(row.expected, start=1):
        string = folded_text(expected)
        if not string:
            yield f"expected string {n} has no letter"
            continue
        where = {name: count for name, text in texts.by_name.items() if (count := text.count(string))}
        home = {name: count for name, count in where.items() if name in sources} if sources else where
        if not home:
            yield f"expected string {n} stands in {'none of its sources' if where else 'no document'}"
        if string in asked:
            yield f"the question says expected string {n}"
        elsewhere = sorted(set(where) - sources) if sources else sorted(where)[1:]
        if elsewhere:
            yield f"expected string {n} is not unique: it also stands in {', '.join(elsewhere[:3])}"
        if sum(home.values()) > OFTEN:
            yield f"expected string {n} is not unique: it stands {sum(home.values())} times in its source"


def _pair(row: GoldRow, passages: Passages) -> Iterator[str]:
    assert row.pair is not None
    source, target = row.pair
    if source == target:
        yield "its two passages are the same"
    for passage in row.pair:
        need = passages.passage(passage)
        if need is None:
            yield f"the set has no passage {passage.id} in {passage.doc}"
