"""Ways: the sentence that a pointer stands in, the labels of a passage, and what of the pool is read for the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from deref.retrieve.ways import MOST_CITING, Ways, labels_in, with_sentences
from deref.values import Document, Line, Point, Query, Reference, ReferenceKind, Section, Span
from unit.retrieve.small_shelf import CHUNKS, candidate, candidates, chunks_of, pointer, to

QUERY = Query(text="What toll do carts pay?")


def lines(*texts: str) -> list[Line]:
    return [Line(doc="d", n=n + 5, page=1, row=n + 1, text=text) for n, text in enumerate(texts)]


def at(line: int, start: int, text: str) -> Reference:
    place = Point(doc="d", line=line, char_start=start, char_end=start + len(text))
    return Reference(text=text, kind=ReferenceKind.SECTION, labels=("7",), at=place)


@pytest.mark.parametrize(
    ("texts", "line", "start", "sentence"),
    [
        (("A cart waits. The sum is in Section 7. It is due.",), 5, 28, "The sum is in Section 7."),
        (("The sum is in Section\u00a07. It is due.",), 5, 14, "The sum is in Section 7."),
        (("Section 7 is old. A cart pays the sum", "of Section 7. It is due."), 6, 3, "A cart pays the sum of Section 7."),
        (("The keep-", "er reads Section 7. It is due."), 6, 9, "The keeper reads Section 7."),
    ],
)  # fmt: skip
def test_a_pointer_is_told_in_the_sentence_that_it_stands_in(
    texts: tuple[str, ...], line: int, start: int, sentence: str
) -> None:
    some = lines(*texts)
    reference = at(line, start, some[line - 5].text[start : start + 9])
    assert with_sentences([reference], some[0].n, [line.text for line in some]) == [(reference, sentence)]


def test_the_labels_of_a_passage_are_those_it_begins_and_the_one_it_stands_in() -> None:
    sections = [("1", 0, 6), ("1.1", 0, 3), ("1.2", 3, 6), (None, 4, 6), ("2", 6, 9)]
    document = Document(
        id="d", name="d.md", title="d", aliases=(), lines=(), items=(), links=(), fingerprint="f",
        sections=tuple(
            Section(id=f"s{n}", label=label, title="", level=1, lines=Span(doc="d", start=a, end=b))
            for n, (label, a, b) in enumerate(sections)
        ),
    )  # fmt: skip
    assert labels_in(document, Span(doc="d", start=1, end=4)) == {"1.1", "1.2"}
    assert labels_in(document, Span(doc="d", start=6, end=9)) == {"2"}
    assert labels_in(document, Span(doc="d", start=4, end=6)) == set()


def back(label: str, *texts: str) -> list[str]:
    """Return which of these texts, as passages of the pool, are read for pointers at a passage with this label."""
    read: list[str] = []

    def references_in(chunk):
        read.append(chunk.text)
        return ()

    ways = Ways(
        references_in=references_in,
        resolve=lambda reference: to(pointer("Annex B", "bridge1"), "bridge4"),
        chunks_of=chunks_of,
        labels_in=lambda chunk: {label},
    )

    chunks = [replace(CHUNKS["bridge0"], id=f"t{n}", text=text) for n, text in enumerate(texts)]
    pool = [replace(candidate("bridge0"), chunk=chunk) for chunk in chunks]
    assert ways.every(QUERY, list(candidates("bridge4")), pool) == []
    return [text for text in read if text in texts]


def test_only_passages_that_say_the_label_are_read_for_the_way_back() -> None:
    said = ("Rule 4.5.1 says so.", "Under 4.5.1(a), and", "See 4.5.1.")
    others = ("Rule 4.5.12", "14.5.1 metres", "Rule 4.5.1.2", "nothing", "A4.5.1")
    assert back("4.5.1", *others, *said) == list(said)
    assert back("Ω", *said) == []


def test_no_more_passages_are_read_for_the_way_back_than_allowed() -> None:
    assert len(back("7", *(f"Section 7, {n}." for n in range(3 * MOST_CITING)))) == MOST_CITING


def test_a_passage_that_points_back_and_cannot_count_is_not_read_and_its_pointers_are_not_resolved() -> None:
    read: list[str] = []
    resolved: list[Reference] = []

    def references_in(chunk):
        read.append(chunk.id)
        return [(pointer("Annex B", chunk.id), "the toll of Annex B")] if chunk.id != "bridge4" else ()

    def resolve(reference):
        resolved.append(reference)
        return to(reference, "bridge4")

    ways = Ways(
        references_in=references_in, resolve=resolve, chunks_of=chunks_of, labels_in=lambda chunk: {"B"}
    )
    asked: list[tuple[str, list[str] | None]] = []

    def may_count(chunk, sentences):
        asked.append((chunk.id, sentences))
        return chunk.id == "bridge2" or (chunk.id == "bridge1" and sentences is None)

    pool = list(candidates("bridge4", "bridge1", "bridge2"))
    pool.append(
        replace(candidate("bridge0"), chunk=replace(CHUNKS["bridge0"], id="never", text="As Annex B says."))
    )
    (way,) = ways.every(QUERY, pool[:1], pool, may_count)
    assert (way.source, way.passages[0].id, way.back) == ("bridge4", "bridge2", True)
    assert read == ["bridge4", "bridge1", "bridge2"]
    assert [reference.at.line for reference in resolved] == [CHUNKS["bridge2"].lines.start]
    assert asked[:3] == [("bridge1", None), ("bridge2", None), ("never", None)]
    assert asked[3:] == [(one, ["the toll of Annex B"]) for one in ("bridge1", "bridge2")]
