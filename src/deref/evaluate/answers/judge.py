"""One answer against its gold row.

An answerable row is *right* when its expected strings stand in the answer or in its quotes, *refused* when the answer is
`not_found` although the shelf holds it, else *missed*. An unanswerable row is right when it is *refused*, else it was
*answered*. An external or dangling row is right when a pointer is *named* with that status, else *missed*.

An answer that has the fact is *operative* when one of its citations, of a document that the row expects, holds an expected
string: it cites the text that says so, and not only a pointer at it. A citation is *to the point* when it holds an
expected string, or the text that points at it. A quote is *verbatim* when it is the very text of the lines it cites.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from deref.evaluate.gold import GoldRow, folded_text
from deref.evaluate.retrieval.corpora import file_named
from deref.values import Answer, Arrived, Citation, Completeness, Document, Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What an answer took: tokens read in all passes, those of the last pass alone, and of the answer; passes, pointers
    whose text was read, and milliseconds.
    """

    read: int = 0
    evidence: int = 0
    answer: int = 0
    passes: int = 0
    followed: int = 0
    ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What came of one gold row: `outcome` is right, missed, refused, named or answered.

    `fact` tells whether the answer has what is expected, `operative`
    and `by_reference` whether a citation has it, of an expected document and among those that arrived by a reference.
    `citations`, `to_the_point`, `verbatim` count quotes; `conditions` those that are stated.
    """

    row: GoldRow
    key: str
    outcome: str
    right: bool
    refused: bool
    completeness: str
    fact: bool
    operative: bool
    by_reference: bool
    citations: int
    to_the_point: int
    verbatim: int
    conditions: int
    cost: Cost = Cost()
    degraded: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """What the gold says of the answer, one of `gold.STATUSES`."""
        return self.row.status

    @property
    def points(self) -> bool:
        """Whether the answer stands behind a pointer that the gold knows."""
        return bool(self.row.anchor_text)


def judge(
    row: GoldRow,
    answer: Answer,
    read: Callable[[str], Document],
    *,
    key: str = "",
    cost: Cost | None = None,
    degraded: tuple[str, ...] = (),
) -> Judgement:
    """Return the judgement on one answer; `read` gives the documents that it cites, by id."""
    status = row.status
    refused = answer.completeness is Completeness.NOT_FOUND
    quotes = [c.quote for c in answer.citations]
    followed = [c.quote for c in answer.citations if c.arrived is Arrived.REFERENCE]
    fact = row.met_by([answer.text, "\n".join(quotes), *quotes])
    if status == "unanswerable":
        right, outcome = refused, "refused" if refused else "answered"
    elif status in ("external", "dangling"):
        right = any(r.status is Status(status) for r in (*answer.pending, *answer.external))
        outcome = "named" if right else "missed"
    else:
        right, outcome = fact, "right" if fact else ("refused" if refused else "missed")
    return Judgement(
        row=row,
        key=key or row.id,
        outcome=outcome,
        right=right,
        refused=refused,
        completeness=answer.completeness.value,
        fact=fact,
        operative=fact and row.met_by(_of_expected(row, answer)),
        by_reference=row.met_by(["\n".join(followed), *followed]),
        citations=len(quotes),
        to_the_point=sum(_to_the_point(row, quote) for quote in quotes),
        verbatim=sum(_verbatim(c, read) for c in answer.citations),
        conditions=len(answer.conditions),
        cost=cost or Cost(),
        degraded=degraded,
    )


def _of_expected(row: GoldRow, answer: Answer) -> list[str]:
    names = {c.source for c in answer.citations}
    sources = {file_named(said, names) for said in row.expected_sources} or names
    quotes = [c.quote for c in answer.citations if c.source in sources]
    return ["\n".join(quotes), *quotes]


def _to_the_point(row: GoldRow, quote: str) -> bool:
    text, anchor = folded_text(quote), folded_text(row.anchor_text)
    points = bool(anchor) and bool(text) and (anchor in text or text in anchor)
    return points or any(folded_text(e) in text for e in row.expected)


def _verbatim(citation: Citation, read: Callable[[str], Document]) -> bool:
    return bool(citation.quote) and citation.quote in read(citation.lines.doc).text(citation.lines)
