"""A quote neither ends in the label or heading of what comes after it nor lacks the label of what it begins with."""

from __future__ import annotations

import pytest

from deref.answer.units import at_structure, units_of, with_list
from deref.values import Passage, Span
from unit.answer.small_evidence import document, followed, lines_with, whole, written

RULES = document(
    "1. Tolls\n\nThe gate keeper takes a toll:\n\n(a)\n\nof each cart;\n\n(b)\n\nof each horse that comes to the market.\n\n2. Bells\n\nThe bell rings at six.\n",
    "rules.txt",
)


def told(*, first: str, last: str, more: int = 0) -> str:
    start, end = lines_with(RULES, first).start, lines_with(RULES, last).end + more
    return RULES.text(at_structure(RULES, Span(doc=RULES.id, start=start, end=end)))


def test_a_label_on_a_line_alone_goes_with_what_it_labels() -> None:
    texts = [u.text for u in units_of(RULES, whole(RULES), 0)]
    assert "(a) of each cart;" in texts
    assert "(b) of each horse that comes to the market." in texts


def test_a_list_that_is_cut_by_its_words_is_not_cut_behind_a_label() -> None:
    (leads,) = [u for u in units_of(RULES, whole(RULES), 0) if u.text.endswith("toll:")]
    told = " ".join(RULES.text(with_list(RULES, leads.lines, 6)).split())
    assert told == "The gate keeper takes a toll: (a) of each cart;"


def test_a_quote_does_not_end_in_the_label_or_the_heading_of_what_comes_next() -> None:
    assert told(first="takes a toll", last="of each cart", more=1).endswith("of each cart;")
    assert told(first="of each horse", last="of each horse", more=1).endswith("comes to the market.")
    assert "Bells" in told(first="2. Bells", last="at six")


def test_a_quote_begins_with_the_label_that_stands_alone_above_it() -> None:
    assert told(first="of each horse", last="of each horse").split()[0] == "(b)"


def test_a_heading_that_is_all_there_is_stays() -> None:
    heading = lines_with(RULES, "2. Bells")
    assert at_structure(RULES, heading) == heading
    assert units_of(RULES, Passage(lines=heading), 0) == []


def test_the_title_that_a_long_place_begins_with_is_no_quote_of_its_own() -> None:
    boats = "\n\n".join(
        f"The boat {n} lies at the quay and waits for the tide of the day, and then it goes."
        for n in range(20)
    )
    home = document(
        f"# Papers\n\n## 1 River\n\nThe fee of the ferry is set out in Section 2.\n\nIt rains.\n\n## 2 Boats\n\n### Words of art.\n\n### Rest\n\n{boats}\n\n"
        "The fee of the ferry is twopence.\n",
        "fees.md",
    )
    evidence = [Passage(lines=home.sections_labelled("1")[0].lines), followed(home, "Section 2")]
    quotes = [c.quote for c in written("How high is the fee of the ferry?", evidence, home).citations]
    assert any("twopence" in quote for quote in quotes)
    assert not any(quote.endswith("Words of art.") for quote in quotes)


def test_a_number_that_a_sentence_ends_with_labels_no_section_below_it() -> None:
    home = document(
        "# Deed\n\n## 1 Fee\n\nThe fee is that of Clause\n\n2.1.\n\n## 2 Secrets\n\nThey are kept.\n",
        "deed.md",
    )
    secrets = lines_with(home, "2 Secrets")
    kept = Span(doc=home.id, start=secrets.start, end=secrets.end + 1)
    assert at_structure(home, kept) == kept
    assert [u.text for u in units_of(home, whole(home), 0)][-1] == "They are kept."


@pytest.mark.parametrize("below", [False, True])
def test_the_caption_of_a_table_is_quoted_with_the_table(below: bool) -> None:
    rows, caption = "| code | meaning |\n|---|---|\n| 4 | fire |\n| 7 | flood |", "Table 1: Codes of the bell"
    parts = [rows, caption] if below else [caption, rows]
    home = document(
        "\n\n".join(["# Codes", "## 1 List", *parts, "## 2 More", "The bell is old."]) + "\n", "codes.md"
    )
    quotes = [c.quote for c in written("List the codes of the bell.", [whole(home)], home).citations]
    assert any("Codes of the bell" in quote and "| 7 | flood |" in quote for quote in quotes)


def test_a_row_of_a_table_that_goes_on_in_the_next_line_is_quoted_whole() -> None:
    home = document(
        "1. Codes\n\n   +======+=================+\n   | Code | Meaning         |\n   +======+=================+\n   | 0x03 | The bell of the |\n"
        "   |      | ferry rings     |\n   +------+-----------------+\n   | 0x04 | Flood           |\n   +------+-----------------+\n\n"
        "                Table 1: Codes\n",
        "codes.txt",
    )
    row = lines_with(home, "0x03")
    assert home.text(at_structure(home, row)).split()[-4:] == ["|", "ferry", "rings", "|"]
    assert at_structure(home, lines_with(home, "0x04")) == lines_with(home, "0x04")


def test_a_dash_leads_in_a_list_too() -> None:
    home = document(
        "# Fees\n\n“Fee” means fourpence, except it means-\n\n(1) twopence for boats; and\n\n(2) nothing for swans.\n"
    )
    lead = lines_with(home, "fourpence")
    assert home.text(with_list(home, lead)).endswith("nothing for swans.")


def test_points_that_stand_beside_the_section_of_what_leads_them_in_are_led_in() -> None:
    home = document(
        "2.101 Definitions.\n\n   Boat means any of-\n\n   (1) a raft; and\n\n   (2) a punt.\n\n   Fee means fourpence, except it means-\n\n   (1) twopence for boats.\n",
        "rules.txt",
    )
    lead = lines_with(home, "fourpence")
    assert home.text(with_list(home, lead)).endswith("twopence for boats.")
