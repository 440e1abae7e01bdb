"""Pointers that are made to keep the finder busy: each text here took minutes, or could not be read at all."""

from __future__ import annotations

import itertools

import pytest

from deref.parse import parse
from deref.references import MemoryShelf, Resolver, find
from deref.references.taken import Taken
from deref.structure.build import build_document
from deref.values import Point, Status
from processor_time import no_longer_than

_SECONDS = 3.0

TEXTS = {
    "one_line.txt": "word section 3 " * 12_000,
    "chain.txt": "Section 3 of " * 8_000,
    "leading.txt": "Annex II, Part A, " * 2_000,
    "names.txt": "the Credit Agreement " * 6_000,
    "series.txt": "RFC 9000, " * 10_000,
    "pages.txt": "page 3 " * 15_000,
    "nouns.txt": "Agreement " * 10_000,
    "links.md": "[fee](#b) " * 5_000,
    "addresses.md": "see http://a.example/b " * 4_000,
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_pointers_take_longer_than_their_number_is_worth(name: str) -> None:
    parsed = parse(TEXTS[name].encode(), doc="d", name=name)
    document = build_document(parsed, doc="d", name=name, fingerprint="f")
    with no_longer_than(_SECONDS):
        find(document)


def test_many_pointers_on_one_line_are_resolved_without_reading_the_line_for_each() -> None:
    text = "1. Start\n\n" + "paragraph (2) " * 12_000 + "\n\n(1) One.\n\n(2) Two.\n"
    document = build_document(
        parse(text.encode(), doc="d", name="d.txt"), doc="d", name="d.txt", fingerprint="f"
    )
    found = find(document)
    resolve = Resolver(MemoryShelf([document]))
    with no_longer_than(2 * _SECONDS):
        assert {resolve(r, document).status for r in found} == {Status.RESOLVED}


def test_pointers_to_parts_of_one_long_line_do_not_read_it_for_each() -> None:
    text = "1. Start\n\n" + "Section 1(b) holds. " * 4_000
    document = build_document(
        parse(text.encode(), doc="d", name="d.txt"), doc="d", name="d.txt", fingerprint="f"
    )
    found = find(document)
    resolve = Resolver(MemoryShelf([document]))
    with no_longer_than(_SECONDS):
        assert len({resolve(r, document).status for r in found}) == 1


@pytest.mark.parametrize("said", ["paragraph (z)", "paragraph (ii)"])
def test_pointers_to_a_mark_that_is_not_there_do_not_read_the_document_for_each(said: str) -> None:
    text = "# Guide\n\n" + "".join(
        f"## {n}. Matter {n}\n\n(a) one;\n\n(b) two, see {said}.\n\n" for n in range(1, 1_600)
    )
    document = build_document(
        parse(text.encode(), doc="d", name="d.md"), doc="d", name="d.md", fingerprint="f"
    )
    found = find(document)
    resolve = Resolver(MemoryShelf([document]))
    with no_longer_than(_SECONDS):
        assert {resolve(r, document).status for r in found} == {Status.DANGLING}


@pytest.mark.parametrize(
    "sentence",
    [
        "See Section 1 of the Agreement, and paragraph (b) thereof. ",
        "Section 1, ",
        "Section 2 thereof. ",
        "that Section, ",
    ],
)
def test_what_stands_around_a_pointer_is_read_near_it_however_long_the_line(sentence: str) -> None:
    text = "1 Start\n\n" + sentence * 3_000
    document = build_document(
        parse(text.encode(), doc="d", name="d.txt"), doc="d", name="d.txt", fingerprint="f"
    )
    found = find(document)
    resolve = Resolver(MemoryShelf([document]))
    with no_longer_than(2 * _SECONDS):
        for reference in found:
            resolve(reference, document)


def test_a_place_meets_what_shares_a_character_with_it_however_far_along_the_line() -> None:
    places = [
        Point(doc="d", line=line, char_start=start, char_end=start + size, end_line=end)
        for line, start, size, end in itertools.product((0, 1), (0, 60, 63, 64, 200), (1, 5, 150), (None, 2))
    ]
    for at, other in itertools.product(places, places):
        assert Taken([other]).meets(at) is at.overlaps(other)
