"""A quote neither ends in the label or heading of what comes after it nor lacks the label of what it begins with."""

from __future__ import annotations

from deref.answer.units import at_structure, units_of, with_list
from deref.values import Passage, Span
from unit.answer.small_evidence import document, lines_with, whole

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
