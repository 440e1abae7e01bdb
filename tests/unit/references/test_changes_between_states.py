"""Which references are the same in two states of a document, which outcomes are, and what a difference is put down to."""

from __future__ import annotations

from typing import Any

import pytest

from deref.errors import NoSuchSource
from deref.parse import parse
from deref.references.changes import Happened, State, changes_between, moves_between
from deref.references.find import find
from deref.references.shelf import MemoryShelf
from deref.structure.build import build_document
from deref.values import Document

STATUTE = """# Statute

## 1 Seat

The seat is in Aarhus.

## 2 Members

Members are listed in Section 4 and pay as Section 3 says. Each pays as Section 3 says.

## 3 Dues

Ten crowns a year.

## 4 Register

The register is kept by the board, in the form of Annex Z to the Charter of Cities.
"""


def _document(name: str, text: str, doc: str) -> Document:
    parsed = parse(text.encode(), doc=doc, name=name)
    return build_document(parsed, doc=doc, name=name, fingerprint="test")


def _state(*documents: Document) -> State:
    found = {d.id: find(d) for d in documents}
    return State(MemoryShelf(documents), lambda doc: found[doc], links=True)


def _changes(then: State, now: State, *names: str) -> list[dict[str, Any]]:
    return list(changes_between(then, now, names=names, step=lambda _done, _total, _name: None))


def _told(changes: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(c["text"], c["change"]) for c in changes]


OLD = _document("statute.md", STATUTE, "a")


def test_nothing_differs_between_a_shelf_and_itself() -> None:
    assert _changes(_state(OLD), _state(OLD)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# Statute\n", "# Statute\n\nA word before all.\n\nAnd another.\n"),
        ("The seat is in Aarhus.", "The seat is in Aarhus,\n\nand nowhere else."),
        ("Ten crowns a year.", "Twelve crowns a year."),
        ("## 2 Members", "## 2 Fellows"),
        ("Each pays as", "Everybody who is one pays as"),
    ],
)
def test_lines_that_shift_and_words_nearby_that_change_change_no_outcome(before: str, after: str) -> None:
    assert before in STATUTE
    assert _changes(_state(OLD), _state(_document("statute.md", STATUTE.replace(before, after), "b"))) == []


def test_a_reference_whose_section_was_renumbered_is_still_the_same_one() -> None:
    text = STATUTE.replace("## 2 Members", "## 2 Purpose\n\nTo sing.\n\n## 5 Members")
    assert _changes(_state(OLD), _state(_document("statute.md", text, "b"))) == []


def test_the_same_words_in_another_number_than_before_are_new_or_gone_and_the_rest_is_not() -> None:
    more = STATUTE.replace("Ten crowns", "As Section 2 says, ten crowns")
    then, now = _state(OLD), _state(_document("statute.md", more, "b"))
    assert _told(_changes(then, now)) == [("Section 2", "new")]
    assert _told(_changes(now, then)) == [("Section 2", "gone")]
    one = STATUTE.replace(" Each pays as Section 3 says.", "")
    assert _told(_changes(then, _state(_document("statute.md", one, "b")))) == [("Section 3", "gone")]


def test_another_heading_under_the_same_number_is_another_place() -> None:
    swapped = STATUTE.replace("## 3 Dues", "## 3 Fines")
    (first, second) = _changes(_state(OLD), _state(_document("statute.md", swapped, "b")))
    assert (first["text"], second["text"]) == ("Section 3", "Section 3")
    assert [t["title"] for t in first["was"]["targets"] + first["now"]["targets"]] == ["Dues", "Fines"]
    assert first["because"] == [{"source": "statute.md", "what": "changed", "before": None}]


def test_a_document_that_is_named_and_still_not_the_answer_is_the_reason() -> None:
    charter = _document("cities.md", "# Charter of Cities\n\n## 1 Names\n\nNone.\n", "c")
    other = _document("other.md", "# Songs of Spring\n\nLa la.\n", "d")
    then, now = _state(OLD), _state(OLD, charter, other)
    (change,) = [c for c in _changes(then, now) if c["labels"] == ["Z"]]
    assert (change["was"]["status"], change["now"]["status"]) == ("external", "dangling")
    assert [m["source"] for m in change["because"]] == ["cities.md"]


def test_documents_that_moved_are_told_apart() -> None:
    moved = _document("old/statute.md", STATUTE, "a")
    edited = _document("songs.md", "# Songs\n\nLa la.\n", "e2")
    then = [
        OLD.card(),
        _document("songs.md", "# Songs\n\nLa.\n", "e1").card(),
        _document("x.md", "X", "x").card(),
    ]
    now = [moved.card(), edited.card(), _document("y.md", "Y", "y").card()]
    assert [(m.happened, m.name, m.before) for m in moves_between(then, now)] == [
        (Happened.RENAMED, "old/statute.md", "statute.md"),
        (Happened.CHANGED, "songs.md", None),
        (Happened.LEFT, "x.md", None),
        (Happened.ARRIVED, "y.md", None),
    ]


def test_only_the_documents_that_are_asked_for_are_compared_and_one_that_never_was_is_told() -> None:
    songs = _document("songs.md", "# Songs\n\nAs Section 3 of the Statute says.\n", "s")
    assert _changes(_state(OLD), _state(OLD, songs), "statute.md") == []
    assert [c["change"] for c in _changes(_state(OLD), _state(OLD, songs), "songs.md")] == ["new"]
    assert [c["change"] for c in _changes(_state(OLD, songs), _state(OLD), "songs.md")] == ["gone"]
    with pytest.raises(NoSuchSource, match=r"no document is or was called 'chants.md'"):
        _changes(_state(OLD), _state(OLD, songs), "chants.md")
