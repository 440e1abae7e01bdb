"""The passages of a document are found by where its rows are: also when others went, came again, and before all is folded."""

from __future__ import annotations

from pathlib import Path

from conformance.small_shelf import document, entry
from deref.store.passages import ChunkIndex


def test_rows_that_went_and_rows_that_came_move_the_places_of_others(tmp_path: Path) -> None:
    index = ChunkIndex(tmp_path / "chunks")
    papers = [entry(document(f"{n}.md", f"Paper {n}.\n\nIts own words, number {n}.\n" * 3)) for n in range(4)]
    assert index.of_document(papers[0].document.id, "r0") == []
    index.append(papers[:3], ["r0", "r1", "r2"])
    first = {p.document.id: index.of_document(p.document.id, f"r{n}") for n, p in enumerate(papers[:3])}
    assert all(first[p.document.id] == list(p.chunks) for p in papers[:3])

    index.sweep(["r0"])
    index.append([papers[3], papers[1]], ["r3", "new"])
    assert index.of_document(papers[0].document.id, "r0") == []
    assert index.of_document(papers[1].document.id, "new") == list(papers[1].chunks)
    assert index.of_document(papers[1].document.id, "other") == []
    assert index.of_document(papers[2].document.id, "r2") == list(papers[2].chunks)
    assert index.of_document(papers[3].document.id, "r3") == list(papers[3].chunks)

    index.fold()
    assert index.of_document(papers[2].document.id, "r2") == list(papers[2].chunks)


def test_another_handle_sees_the_places_that_one_has_moved(tmp_path: Path) -> None:
    mine, theirs = ChunkIndex(tmp_path / "chunks"), ChunkIndex(tmp_path / "chunks")
    papers = [entry(document(f"{n}.md", f"Paper {n} and its words.\n")) for n in range(3)]
    theirs.append(papers[:2], ["r0", "r1"])
    assert mine.of_document(papers[1].document.id, "r1") == list(papers[1].chunks)
    theirs.sweep(["r0"])
    theirs.append(papers[2:], ["r2"])
    theirs.fold()
    mine.refresh()
    assert mine.of_document(papers[1].document.id, "r1") == list(papers[1].chunks)
    assert mine.of_document(papers[2].document.id, "r2") == list(papers[2].chunks)
