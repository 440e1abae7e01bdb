"""A filter that names many documents is a sieve behind the ranking; one that names few is a part of it. Both find the same."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.small_shelf import document, entry
from deref.ports import Entry
from deref.store import passages
from deref.store.dense import Matrix
from deref.store.facts import choose
from deref.store.passages import ChunkIndex
from deref.store.reading import Rows
from deref.values import Chunk, Hit, Span
from deref.values.filters import (
    DocumentFacts,
    InDocument,
    InSection,
    OnPages,
    PassageFacts,
    _in_section,
    _is_in_section,
)
from deref.values.standing import DocumentStatus

PAPERS = 1300


def paper(n: int) -> Entry:
    """One passage, which says "rent" once more than others of its length do."""
    made = document(f"{n}.md", f"Paper {n}." + " rent" * (1 + n % 7) + " word" * (n // 7))
    whole = Chunk(id=f"c{n:04}", lines=Span(doc=made.id, start=0, end=1), section=None, text=made.lines[0].text,
                  tokens=9, path="")  # fmt: skip
    return replace(entry(made), chunks=(whole,))


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> tuple[ChunkIndex, list[Entry], dict[str, str]]:
    index, papers = ChunkIndex(tmp_path_factory.mktemp("wide") / "chunks"), [paper(n) for n in range(PAPERS)]
    revisions = {one.document.id: f"r{n}" for n, one in enumerate(papers)}
    index.append(papers, list(revisions.values()))
    return index, papers, revisions


@pytest.mark.parametrize(
    ("every", "listed"),
    [(1, True), (2, True), (3, False), (5, False), (20, True)],
    ids=["all", "half", "a third by passage", "a fifth by passage", "few"],
)
def test_both_ways_find_the_same(
    shelf: tuple[ChunkIndex, list[Entry], dict[str, str]], every: int, listed: bool
) -> None:
    index, papers, revisions = shelf
    within = {one.chunks[0].lines.doc for one in papers[::every]}
    some = {one.chunks[0].id for one in papers[::every]}

    def found(k: int, documents: Collection[str] | None, ids: Collection[str] = ()) -> list[Hit]:
        return index.search("rent", k, documents=documents, passages=ids, revisions=revisions, hidden=["r0"])

    expected = [hit for hit in found(PAPERS, None) if hit.chunk.lines.doc in within][:20]
    assert len(expected) == 20
    assert (found(20, within) if listed else found(20, set(), some)) == expected
    limits = {"documents": within} if listed else {"documents": set(), "passages": some}
    ranked = index.rank("rent", 20, **limits, revisions=revisions, hidden=["r0"])
    assert list(ranked) == [(hit.chunk.id, hit.score) for hit in expected]


class Swept(ChunkIndex):
    """An index of which another thread sweeps the best passage between ranking and reading."""

    def by_ids(self, ids: Sequence[str], *, revisions: Mapping[str, str]) -> list[Chunk]:
        return super().by_ids(ids[1:], revisions=revisions)


def test_a_passage_that_went_before_it_was_read_is_left_out_and_no_crash(
    shelf: tuple[ChunkIndex, list[Entry], dict[str, str]],
) -> None:
    index, papers, revisions = shelf
    wide = {one.document.id for one in papers[::2]}
    before = index.search("rent", 5, documents=wide, revisions=revisions, hidden=[])
    swept = Swept(index._folder)
    assert swept.search("rent", 5, documents=wide, revisions=revisions, hidden=[]) == before[1:]


def test_a_filter_that_leaves_little_of_what_is_ranked_first_is_part_of_the_ranking(
    shelf: tuple[ChunkIndex, list[Entry], dict[str, str]],
) -> None:
    index, _, revisions = shelf
    ranked = index.search("rent", PAPERS, documents=None, revisions=revisions, hidden=[])
    last = [hit.chunk.lines.doc for hit in ranked[-passages._LISTED - 50 :]]
    found = index.search("rent", 5, documents=set(last), revisions=revisions, hidden=[])
    assert [hit.chunk.lines.doc for hit in found] == last[:5]


class _Rows:
    """A reader of vectors, of which each is that of its document."""

    dialect = "sqlite"

    def rows(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Rows:
        made = np.random.default_rng(5).standard_normal((90, 16)).astype("<f4")
        return [(f"d{n % 30}", f"c{n:02}", vector.tobytes()) for n, vector in enumerate(made)]

    def version(self) -> object:
        return 1

    def close(self) -> None:
        """Nothing is open."""


def test_the_nearest_are_the_same_whether_rows_are_copied_or_left_out() -> None:
    matrix, asked = Matrix(_Rows(), "m"), np.ones(16, dtype=np.float32)
    every = matrix.nearest(asked, 90, None)
    assert [score for _, score in every] == sorted((score for _, score in every), reverse=True)
    for count in (1, 2, 8, 29):
        within = {f"d{n}" for n in range(count)}
        near = [one for one in every if int(one[0][1:]) % 30 in {int(doc[1:]) for doc in within}]
        assert matrix.nearest(asked, 5, within) == near[:5]
        assert matrix.nearest(asked, 90, set(), {one for one, _ in near}) == near


HEADINGS = st.lists(
    st.sampled_from(["4.2 Fees", "Article (4.2) Fees", "Fees", "(a) Straße", "IV. The Fees", "4 Fees and Costs"]),
    min_size=1, max_size=3,
)  # fmt: skip
PATTERNS = st.sampled_from(
    ["*Fees*", "4.2", "Article 4.2", "fees", "STRASSE", "?ees", "4*", "iv", "Fees > 4.2", "costs", "a", "*"]
)


@given(HEADINGS, PATTERNS)
def test_a_section_is_told_apart_by_its_letters_first_without_losing_one(
    headings: list[str], pattern: str
) -> None:
    path = " > ".join(headings)
    assert _in_section(path, pattern) == _is_in_section(path, pattern)


def test_passages_that_are_alike_for_a_filter_are_told_of_each_document_by_itself() -> None:
    def facts(doc: str) -> DocumentFacts:
        return DocumentFacts(
            id=doc, names=(doc,), collection="c", format="pdf", changed=None, status=DocumentStatus.ACTIVE
        )

    shelf = {
        doc: [PassageFacts(f"{doc}{n}", (f"{n} Fees",), n, n, frozenset()) for n in (1, 2)] for doc in "ab"
    }
    where = (InDocument(pattern="a") & OnPages(first=1, last=1)) | (
        InDocument(pattern="b") & InSection(pattern="2 Fees")
    )
    choice = choose(where, [facts("a"), facts("b")], lambda docs: {doc: shelf[doc] for doc in docs})
    assert (choice.whole, dict(choice.parts)) == (frozenset(), {"a": {"a1"}, "b": {"b2"}})
    assert choice.passages == {"a1", "b2"}
