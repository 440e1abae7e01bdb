"""The hop that knows documents by name alone keeps to the rules that its authors wrote down."""

from __future__ import annotations

from deref.evaluate.retrieval.named_hop import NamedHop
from deref.values import Chunk, Span

NAMES = {
    "master": ("01_master_agreement", "Master Agreement"),
    "b": ("exhibit_b", "Rates"),
    "sites": ("08_site_list", "Site List"),
}


def chunk(doc: str, text: str, n: int = 0) -> Chunk:
    return Chunk(
        id=f"{doc}{n}{text[:9]}", lines=Span(doc=doc, start=n, end=n + 1), section=None, text=text, tokens=9
    )


def found_in(question: str, doc: str, k: int) -> list[Chunk]:
    return [chunk(doc, f"{doc} passage {n}", n) for n in range(k)]


def test_labels_come_before_documents_and_names_lose_their_number_in_front():
    hop = NamedHop(NAMES, found_in)
    said = chunk("master", "See the site list and Exhibit B, and this Master Agreement.")
    assert hop.targets(said) == ["b", "sites"]


def test_a_document_never_points_at_itself_and_a_label_without_a_document_nowhere():
    hop = NamedHop(NAMES, found_in)
    assert hop.targets(chunk("b", "This Exhibit B, Schedule 2.1 and § 7.")) == []


def test_the_first_document_that_is_not_there_is_gone_to_and_no_second():
    hop = NamedHop(NAMES, found_in)
    here = [chunk("master", "Exhibit B and the site list.")]
    assert [c.lines.doc for c in hop("toll", here)] == ["b", "b", "b"]
    assert [c.lines.doc for c in hop("toll", [*here, chunk("b", "rates")])] == ["sites"] * 3
    assert hop("toll", [chunk("b", "x"), chunk("b", "y"), chunk("sites", "z"), *here]) == []


def test_a_letter_is_a_label_when_it_is_a_capital():
    hop = NamedHop(NAMES | {"a": ("schedule_a_of_dues",)}, found_in)
    assert hop.targets(chunk("master", "As SCHEDULE A shows.")) == ["a"]
    assert hop.targets(chunk("master", "We schedule a visit.")) == []


def test_the_names_of_its_own_document_take_no_place_among_the_eight():
    hop = NamedHop(NAMES, found_in)
    text = "Master Agreement. " + " ".join(f"Section {n}." for n in range(1, 8)) + " The site list."
    assert hop.targets(chunk("master", text)) == ["sites"]


def test_no_more_than_eight_references_of_a_passage_count():
    hop = NamedHop(NAMES, found_in)
    text = " ".join(f"Section {n}." for n in range(1, 9)) + " The site list."
    assert hop.targets(chunk("master", text)) == []
