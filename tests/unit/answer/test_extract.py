"""The extractive writer: what is quoted, what is pending, and that nothing is made up."""

from __future__ import annotations

import pytest

from deref.answer.conditions import conditions_in
from deref.answer.looks import Looks
from deref.answer.pointers import handed_on, pointers_in
from deref.answer.rank import Ranking, asked_stems
from deref.answer.units import longer_than, units_of
from deref.values import Arrived, Completeness, Query, Shape, Span
from unit.answer.small_evidence import document, followed, lines_with, reader, references_in, whole, written

AGREEMENT = document(
    "# Lease of the Mill\n\n## 1. Rent\n\nThe yearly rent is set out in row (B) of Table 1.\n\n"
    "## 2. Term\n\nThe lease runs for 12 years from 1 May.\n\n"
    "## 3. Repairs\n\nThe tenant repairs the roof, provided that the landlord has paid for the beams.\n\n"
    "## 4. Figures\n\nTable 1: Rents by floor. Unlisted floors pay the base rent.\n\n"
    "| floor | area | rent |\n|---|---|---|\n| base | 100 | 900 |\n| (A) | 120 | 1,100 |\n| (B) | 150 | 1,450 |\n",
    "lease.md",
)
QUESTION = "What is the yearly rent?"


def test_the_paragraph_that_answers_is_quoted_with_its_lines():
    answer = written("How long does the lease run?", [whole(AGREEMENT)], AGREEMENT)
    quoted = [c for c in answer.citations if "12 years" in c.quote]
    assert quoted
    assert quoted[0].quote == AGREEMENT.text(quoted[0].lines)
    assert quoted[0].arrived is Arrived.PRIMARY
    assert quoted[0].section == "2 Term"


def test_a_pointer_that_carries_the_answer_is_pending_until_it_is_followed():
    first = written(QUESTION, [whole(AGREEMENT)], AGREEMENT)
    assert first.completeness is Completeness.REFERENCES_UNRESOLVED
    assert [r.reference.text for r in first.pending] == ["row (B) of Table 1"]
    second = written(QUESTION, [whole(AGREEMENT), followed(AGREEMENT, "row (B)")], AGREEMENT)
    assert second.completeness is Completeness.COMPLETE
    assert second.pending == ()


def test_a_followed_row_comes_with_its_header_and_the_row_it_is_read_against():
    answer = written(QUESTION, [whole(AGREEMENT), followed(AGREEMENT, "row (B)")], AGREEMENT)
    cited = [c for c in answer.citations if c.arrived is Arrived.REFERENCE]
    told = "\n".join(c.quote for c in cited)
    assert "1,450" in told
    assert "| floor | area | rent |" in told
    assert "| base | 100 | 900 |" in told
    assert "1,100" not in told
    assert all(c.reference == "row (B) of Table 1" for c in cited)
    assert all(c.referenced_from is not None and c.referenced_from.source == "lease.md" for c in cited)


def test_a_table_without_a_plain_case_gives_no_row_to_read_against():
    doc = document(
        "# Tariff\n\nThe price of ice is in row (B) of Table 1.\n\nTable 1: Prices\n\n"
        "| row | price |\n|---|---|\n| (A) | 5 |\n| (B) | 7 |\n",
        "tariff.md",
    )
    answer = written("What is the price of ice?", [whole(doc), followed(doc, "row (B)")], doc)
    told = "\n".join(c.quote for c in answer.citations if c.arrived is Arrived.REFERENCE)
    assert "7" in told
    assert "| (A) | 5 |" not in told


def test_conditions_stand_in_the_answer_as_conditions():
    answer = written("Who repairs the roof?", [whole(AGREEMENT)], AGREEMENT)
    assert any("provided that" in c.text and c.at.source == "lease.md" for c in answer.conditions)


def test_no_evidence_is_not_found():
    answer = written(QUESTION, [], AGREEMENT)
    assert answer.completeness is Completeness.NOT_FOUND
    assert answer.citations == ()


def test_a_heading_alone_is_never_quoted_for_an_answer():
    doc = document("# Rent\n\n## Rent\n\nRent is due on Monday.\n", "b.md")
    answer = written("When is rent due?", [whole(doc)], doc)
    assert all("Monday" in c.quote for c in answer.citations)


def test_a_title_on_the_line_below_its_number_is_never_quoted_for_an_answer():
    text = (
        "REGULATION ON ICE\n\nArticle 1\n\nScope of ice\n\n1.   This Regulation applies to ice.\n\n"
        "Article 2\n\nBoard of Ice\n\n1.   The board of ice meets in March.\n\n2.   It has nine members.\n"
    )
    doc = document(text, "ice.txt")
    assert doc.sections_labelled("2")[0].title == "Board of Ice"
    told = [unit.text for unit in units_of(doc, whole(doc), 0)]
    assert any("March" in text for text in told)
    assert "Board of Ice" not in told


def test_what_a_colon_leads_in_is_quoted_with_it():
    doc = document(
        "# Fees\n\nThe fees are as follows:\n\n- 5 crowns a barrel\n- 9 crowns a cask\n\nOther text here.\n"
    )
    answer = written("What are the fees?", [whole(doc)], doc, shape=Shape.LIST)
    assert "5 crowns a barrel" in answer.text
    assert "9 crowns a cask" in answer.text


def test_citations_of_literature_and_addresses_are_never_pending():
    doc = document(
        "# Ice\n\nIce keeps for 40 days [9], see https://ice.example/keeping.\n\n# References\n\n[9] Frost, On ice.\n"
    )
    answer = written("How long does ice keep?", [whole(doc)], doc)
    assert answer.pending == ()
    assert "40 days" in answer.text


def test_a_long_followed_place_is_read_where_it_bears_on_the_question():
    filler = "\n\n".join(
        f"Paragraph {n} speaks of stones, walls and gates of the old town and of nothing else."
        for n in range(30)
    )
    doc = document(
        f"# Rules\n\n## 1. Dogs\n\nThe tax on dogs is laid down in Section 2.\n\n## 2. Taxes\n\n{filler}\n\nThe tax on dogs is 11 crowns.\n"
    )
    answer = written("How high is the tax on dogs?", [whole(doc), followed(doc, "Section 2")], doc)
    told = "\n".join(c.quote for c in answer.citations if c.arrived is Arrived.REFERENCE)
    assert "11 crowns" in told
    assert len(told.split()) < 300


def test_the_text_numbers_its_citations_in_order():
    answer = written(QUESTION, [whole(AGREEMENT), followed(AGREEMENT, "row (B)")], AGREEMENT)
    at = [answer.text.index(f"[{n}]") for n in range(1, len(answer.citations) + 1)]
    assert at == sorted(at)


def test_a_question_in_another_script_is_answered():
    doc = document("# Договор\n\n## 1. Срок\n\nСрок аренды составляет двенадцать лет.\n", "договор.md")
    answer = written("Какой срок аренды?", [whole(doc)], doc)
    assert "двенадцать" in answer.text


def test_writing_reads_only_the_passages_it_is_given():
    span = lines_with(AGREEMENT, "12 years")
    passage = whole(AGREEMENT).__class__(lines=span)
    answer = written("What is the yearly rent?", [passage], AGREEMENT)
    assert all(c.lines.start >= span.start - 1 for c in answer.citations)
    assert Query(text="x").shape is Shape.FACT
    assert reader(AGREEMENT)("lease.md") is AGREEMENT


MEMO = document(
    "# Mill Memo\n\nTo: the Council\n\nMaker: Ferris Mills\n\nSeat: the town of Ombury\n\n## 1. Wheels\n\n"
    + "\n\n".join(
        f"Wheel {n} turns by day and by night, and the maker of its teeth is not known." for n in range(4)
    )
    + "\n",
    "memo.md",
)


def test_short_lines_that_stand_together_are_quoted_together():
    answer = written("Who is the maker, in the memo?", [whole(MEMO)], MEMO)
    (quote,) = [c.quote for c in answer.citations if "Ferris Mills" in c.quote]
    assert "To: the Council" in quote
    assert "Seat: the town of Ombury" in quote
    assert "Wheel" not in quote


def test_the_pointer_of_a_bare_sentence_is_worth_what_the_sentence_before_it_says():
    doc = document(
        "# Forms\n\n## 1. List\n\nForm 8 is for mules. (See Section 2.)\n\n## 2. Mules\n\nA penny.\n",
        "forms.md",
    )
    span = lines_with(doc, "for mules")
    (pointer,) = pointers_in(doc, span, references_in, Ranking(asked_stems("Which form is for mules?"), ()))
    assert pointer.sentence == "Form 8 is for mules. (See Section 2.)"
    assert (pointer.told, pointer.defers) == (1.0, True)


STUB = document(
    "# Roads\n\n## 1. Tolls\n\nCarts pay the toll that is listed in Section 2.\n\n"
    "## 2. Carts\n\nRoad carts (see Section 3).\n\n## 3. Rates\n\nThe rate is ninepence.\n\n"
    "## 4. Weights\n\n" + "The weigher weighs what he is given on each working day. " * 12
    + "Wheels are described in Section 3. The toll of carts is described in Section 1.\n\n"
    "## 5. Bridges\n\nBridges (see Section 2).\n\n" + "The keeper keeps what he is given on each working day. " * 12 + "\n",
    "roads.md",
)  # fmt: skip


def test_a_short_place_that_hands_over_hands_on_whatever_it_says():
    span = lines_with(STUB, "Road carts")
    on = handed_on(STUB, [span], Looks(references_in).pointers, asked_stems("How high is the toll?"))
    assert [r.text for _, r in on] == ["Section 3"]


def test_a_long_place_hands_on_only_where_its_sentence_tells_of_the_question():
    span = lines_with(STUB, "The weigher weighs")
    on = handed_on(STUB, [span], Looks(references_in).pointers, asked_stems("How high is the toll of carts?"))
    assert [r.text for _, r in on] == ["Section 1"]


def test_the_first_sentence_of_a_long_place_hands_on_whatever_it_says():
    start = lines_with(STUB, "Bridges (see").start
    span = Span(doc=STUB.id, start=start, end=len(STUB.lines))
    on = handed_on(STUB, [span], Looks(references_in).pointers, asked_stems("How high is the toll?"))
    assert [r.text for _, r in on] == ["Section 2"]


@pytest.mark.parametrize(
    "said",
    ["Subject to", "provided however that", "only if", "only where", "unless", "on condition that", "conditional upon", "except as",
     "except to the extent", "to the extent that", "Notwithstanding", "so long as", "in the event that", "if and only if", "contingent on"],
)  # fmt: skip
def test_every_condition_is_told_whatever_opens_it(said: str) -> None:
    doc = document(f"# Tolls\n\nThe gate is shut.\n\nA cart goes free, {said} the weather is dry.\n")
    told = conditions_in(doc, Span(doc=doc.id, start=0, end=len(doc.lines)))
    assert [c.text for c in told] == [f"A cart goes free, {said} the weather is dry."]


def test_lines_are_counted_no_further_than_it_takes() -> None:
    doc = document("# Tolls\n\nOne two three.\n\nFour five.\n")
    whole_document = Span(doc=doc.id, start=0, end=len(doc.lines))
    assert longer_than(5, doc, [whole_document]) and not longer_than(6, doc, [whole_document])
    beside = [Span(doc=doc.id, start=99, end=100), Span(doc=doc.id, start=0, end=1)]
    assert longer_than(0, doc, beside) and not longer_than(1, doc, beside)


def test_a_document_that_is_one_line_is_quoted_though_it_is_its_own_title() -> None:
    home = document("The toll for carts is two pence\n", "toll.md")
    (cited,) = written("What is the toll for carts?", [whole(home)], home).citations
    assert "two pence" in cited.quote
