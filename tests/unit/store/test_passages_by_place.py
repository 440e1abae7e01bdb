"""The passages of documents are found by where their rows are: also when others went, came again, and before all is folded."""

from __future__ import annotations

from pathlib import Path

from conformance.small_shelf import document, entry
from deref.ports import Entry
from deref.store.passages import _SCANNED, ChunkIndex


def papers(count: int) -> list[Entry]:
    return [
        entry(document(f"{n}.md", f"Paper {n}.\n\nIts own words, number {n}.\n" * 3)) for n in range(count)
    ]


def found(index: ChunkIndex, paper: Entry, revision: str) -> bool:
    (chunks,) = index.of_documents({paper.document.id: revision}).values()
    assert list(chunks) in ([], list(paper.chunks))
    return bool(chunks)


def test_rows_that_went_and_rows_that_came_move_the_places_of_others(tmp_path: Path) -> None:
    index = ChunkIndex(tmp_path / "chunks")
    first, second, third, fourth = papers(4)
    assert not found(index, first, "r0")
    index.append([first, second, third], ["r0", "r1", "r2"])
    assert all(found(index, paper, f"r{n}") for n, paper in enumerate([first, second, third]))

    index.sweep(["r0"])
    index.append([fourth, second], ["r3", "new"])
    assert not found(index, first, "r0")
    assert found(index, second, "new")
    assert not found(index, second, "other")
    assert found(index, third, "r2")
    assert found(index, fourth, "r3")

    index.fold()
    several = {second.document.id: "new", first.document.id: "r0", third.document.id: "r2"}
    assert list(map(list, index.of_documents(several).values())) == [
        list(second.chunks),
        [],
        list(third.chunks),
    ]


def test_another_handle_sees_the_places_that_one_has_moved(tmp_path: Path) -> None:
    mine, theirs = ChunkIndex(tmp_path / "chunks"), ChunkIndex(tmp_path / "chunks")
    first, second, third = papers(3)
    theirs.append([first, second], ["r0", "r1"])
    assert found(mine, second, "r1")
    theirs.sweep(["r0"])
    theirs.append([third], ["r2"])
    theirs.fold()
    mine.refresh()
    assert found(mine, second, "r1")
    assert found(mine, third, "r2")


def test_passages_by_id_are_the_same_by_their_places_as_by_the_column_of_ids(tmp_path: Path) -> None:
    index = ChunkIndex(tmp_path / "chunks")
    first, second, third, fourth = papers(4)
    index.append([first, second, third], ["r0", "r1", "r2"])

    def by_places(*revisions: tuple[Entry, str]) -> None:
        """Chunks of these papers, in these revisions, and no others."""
        every = [chunk.id for paper in (first, second, third, fourth) for chunk in paper.chunks]
        wanted = {paper.document.id: revision for paper, revision in revisions}
        found = index.by_ids(every[::-1], revisions=wanted)
        assert found == ChunkIndex(tmp_path / "chunks").by_ids(every, revisions=wanted)
        assert sorted(c.id for c in found) == sorted(c.id for paper, _ in revisions for c in paper.chunks)

    for _ in range(_SCANNED + 1):
        by_places((first, "r0"), (second, "r1"), (third, "r2"))
    index.sweep(["r0"])
    index.append([fourth, second], ["r3", "new"])
    by_places((second, "r1"), (third, "r2"), (fourth, "r3"))
    by_places((second, "new"), (third, "r2"), (fourth, "r3"))
    index.fold()
    by_places((second, "new"), (third, "r2"), (fourth, "r3"))
    assert index.by_ids(["none"], revisions={}) == []
