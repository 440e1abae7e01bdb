"""A question for the meaning of a term is answered with its definition before what merely uses the term, without vectors too."""

from __future__ import annotations

from pathlib import Path

import pytest

from deref.engine import open_engine
from deref.settings import settings_of
from deref.values import Answer, Completeness

SETTINGS = settings_of({"models": {"embedder": "none"}})
USES = "\n\n".join(
    f"{n}. The salt officer tells the salt officer of the next pan what a salt officer has to know of salt."
    for n in range(1, 12)
)
PAPERS = {
    "pans.md": "# Rules of the Pans\n\n## 1 Definitions\n\n“Brine” means water of the sea.\n\n“Salt Officer” means any of:\n\n(a) the keeper of a pan;\n\n"
    "(b) who stands in for one.\n\n“Toll” has the meaning given in Section 2.\n\n“Tide” has the meaning given in section 7 of the Sea Act 1911.\n\n## 2 Toll\n\nThe toll is fourpence a bushel.\n",
    "uses.md": f"# Uses\n\n{USES}\n",
    "deed.md": "# Deed\n\nEach of the following is a “Flood Event”: a wave that breaks the wall.\n\n"
    + "\n\n".join(f"After a flood event the flood event is noted {n} times." for n in range(2, 9)),
}


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "shelf"
    folder.mkdir()
    for name, text in PAPERS.items():
        (folder / name).write_text(text)
    return folder


def asked(shelf: Path, question: str) -> Answer:
    with open_engine(shelf.parent / "library", settings=SETTINGS) as engine:
        engine.index(shelf)
        return engine.ask(question)


@pytest.mark.parametrize("question", ["What does “Salt Officer” mean?", "What is a salt officer?"])
def test_the_definition_is_the_first_quote_with_the_list_that_it_leads_in(shelf: Path, question: str) -> None:
    answer = asked(shelf, question)
    assert answer.citations[0].quote.split()[:3] == ["“Salt", "Officer”", "means"]
    assert "(b) who stands in for one." in answer.citations[0].quote
    assert "Toll" not in answer.citations[0].quote
    assert answer.completeness is Completeness.COMPLETE


def test_a_definition_that_points_elsewhere_is_followed(shelf: Path) -> None:
    assert "fourpence" in asked(shelf, "What is the definition of “Toll”?").text


def test_a_term_in_quotation_marks_goes_before_its_uses_where_no_definition_is_known(shelf: Path) -> None:
    assert "a wave that breaks" in asked(shelf, "What does Flood Event mean?").citations[0].quote


def test_a_definition_that_hands_over_to_what_is_off_the_shelf_is_partial(shelf: Path) -> None:
    answer = asked(shelf, "What does “Tide” mean?")
    assert [r.reference.text for r in answer.external] == ["section 7 of the Sea Act 1911"]
    assert answer.completeness is Completeness.PARTIAL
