"""Which chains are quoted, in which order, and that nothing is quoted twice."""

from __future__ import annotations

from deref.answer.arrange import arranged
from deref.answer.chains import Chain
from deref.answer.followed import Followed
from deref.values import Arrived, Document, Passage, Span
from unit.answer.small_evidence import document, followed, lines_with, whole, written

MARKET = document(
    "# Market\n\n## 1 Salt\n\nThe duty on salt is set out in Section 3.\n\n## 2 Bells\n\nThe bell ringer is chosen as Section 4 says.\n\n"
    "## 3 Rates\n\nFourpence a bushel.\n\n## 4 Ringers\n\nThe elders choose by lot.\n",
    "market.md",
)
QUESTION = "How high is the duty on salt?"


def section(home: Document, label: str) -> Passage:
    return Passage(lines=home.sections_labelled(label)[0].lines)


def told(home: Document, *evidence: Passage, question: str = QUESTION) -> list[str]:
    return [c.quote for c in written(question, list(evidence), home).citations]


def test_a_chain_that_tells_nothing_of_the_question_is_not_quoted_and_neither_is_the_sentence_that_points() -> (
    None
):
    evidence = [section(MARKET, "1"), section(MARKET, "2")]
    quotes = told(MARKET, *evidence, followed(MARKET, "Section 3"), followed(MARKET, "Section 4"))
    assert any("Fourpence" in q for q in quotes)
    assert not any("by lot" in q or "bell ringer" in q for q in quotes)


def test_what_a_pointer_led_to_stands_right_under_the_passage_that_points() -> None:
    home = document(
        "# Market\n\n## 1 Salt\n\nThe duty on salt is set out in Section 3.\n\n## 2 Sea salt\n\nThe duty on sea salt is that of Section 4.\n\n"
        "## 3 Rates\n\nFourpence a bushel.\n\n## 4 Sea\n\nTwopence a bushel.\n",
        "market.md",
    )
    evidence = [
        section(home, "1"),
        section(home, "2"),
        followed(home, "Section 4"),
        followed(home, "Section 3"),
    ]
    quotes = " ".join(told(home, *evidence))
    order = ["Section 3.", "Fourpence", "Section 4.", "Twopence"]
    assert sorted(order, key=quotes.index) == order


def test_what_followed_text_holds_is_not_quoted_beside_it() -> None:
    home = document(
        "# Market\n\n## 1 Salt\n\nThe duty on salt is set out in Section 2.\n\n"
        "## 2 Rates\n\nThe duty on salt is fourpence.\n\nThe duty on sea salt is twopence.\n",
        "market.md",
    )
    rate = Passage(lines=lines_with(home, "fourpence"))
    quotes = told(home, section(home, "1"), rate, followed(home, "Section 2"))
    assert sum("fourpence" in q for q in quotes) == 1


def test_the_pointer_and_the_place_it_leads_to_are_both_cited_where_one_holds_the_other() -> None:
    home = document(
        "# Market\n\n## 1 Salt\n\nThe duty on salt is fourpence.\n\nFor the duty on salt from abroad see Section 1.\n",
        "market.md",
    )
    pointer = Passage(lines=lines_with(home, "from abroad"))
    answer = written("How high is the duty on salt?", [pointer, followed(home, "Section 1")], home)
    assert {c.arrived for c in answer.citations} == {Arrived.PRIMARY, Arrived.REFERENCE}


def four_duties(last: str) -> Document:
    """Return rates for salt; what the two pointers that come after tell of it grows less, and the last leads to these words."""
    return document(
        "# Market\n\n## 1 Duties\n\nThe duty on salt at the gate is set out in Section 2.\n\nThe duty on salt at the quay is set out in Section 3.\n\n"
        "The duty on hides is set out in Section 4.\n\n"
        f"## 2 Gate\n\nFourpence.\n\n## 3 Quay\n\nTwopence.\n\n## 4 Hides\n\n{last}\n",
        "market.md",
    )


def test_a_third_place_is_quoted_when_it_is_short_and_not_when_it_is_long_and_its_pointer_tells_less() -> (
    None
):
    long = "The tanners weigh what is brought to them on each working day of the year. " * 12
    for last, quoted in (("A penny for each of them, says the tanner.", True), (long, False)):
        home = four_duties(last)
        evidence = [section(home, "1"), *(followed(home, f"Section {n}") for n in (2, 3, 4))]
        answer = written("How high is the duty on salt at the gate and at the quay?", evidence, home)
        assert any("Twopence" in c.quote for c in answer.citations)
        assert any("tanner" in c.quote for c in answer.citations) is quoted


def test_a_passage_that_was_followed_too_is_quoted_once() -> None:
    home = document(
        "# Market\n\n## 1 Salt\n\nThe duty on salt, and who pays the duty on salt, is set out in Section 2.\n\n## 2 Rates\n\nThe duty is fourpence.\n",
        "market.md",
    )
    evidence = [section(home, "1"), section(home, "2"), followed(home, "Section 2")]
    answer = written(QUESTION, evidence, home)
    assert answer.text.count("The duty is fourpence.") == 1


TABLE = document(
    "# Market\n\nThe duty on salt is in row (B) of Table 1.\n\nTable 1: Duties\n\n"
    "| row | duty |\n|:---|---:|\n| (A) | 3 |\n| (B) | 4 |\n",
    "duties.md",
)


def test_the_rule_of_a_table_is_not_quoted_with_its_header() -> None:
    answer = written(
        QUESTION, [Passage(lines=lines_with(TABLE, "row (B)")), followed(TABLE, "row (B)")], TABLE
    )
    header = next(c.quote for c in answer.citations if "duty |" in c.quote)
    assert header == "| row | duty |"


def test_the_rule_of_a_table_that_is_quoted_whole_stands_in_its_lines_and_not_in_the_text() -> None:
    home = document(
        TABLE.text(Span(doc=TABLE.id, start=0, end=len(TABLE.lines))).replace("row (B) of ", ""), "duties.md"
    )
    answer = written(
        QUESTION, [Passage(lines=lines_with(home, "duty on salt")), followed(home, "Table 1")], home
    )
    assert any("|:---|" in c.quote for c in answer.citations)
    assert "---" not in answer.text
    assert "| (B) | 4 |" in answer.text


def test_a_passage_after_followed_text_stands_apart_from_it() -> None:
    home = document(
        "# Market\n\n## 1 Salt\n\nThe duty on salt is set out in Section 3.\n\n## 2 Sea salt\n\nThe duty on sea salt is twopence.\n\n"
        "## 3 Rates\n\nFourpence a bushel.\n",
        "market.md",
    )
    answer = written(QUESTION, [section(home, "1"), section(home, "2"), followed(home, "Section 3")], home)
    pointing, apart = answer.text.split("\n\n")
    assert "Fourpence a bushel." in pointing
    assert "sea salt is twopence" in apart


def test_a_whole_document_is_still_read_where_nothing_was_followed() -> None:
    assert any("Section 3" in q for q in told(MARKET, whole(MARKET)))


def test_what_a_pointer_led_to_stands_under_the_larger_quote_that_holds_the_pointing_line() -> None:
    home = document(
        "# Fines\n\n## 1 Fines\n\n5. These are subject to fines:\n(a) the duty of carts, as Section 2 says;\n(b) the duty of boats.\n\n## 2 Carts\n\nFourpence a cart.\n",
        "fines.md",
    )
    at = lines_with(home, "as Section 2")
    wide = Passage(lines=Span(doc=home.id, start=at.start - 1, end=at.end + 1))
    quotes = [Followed(home, at, Passage(lines=at)), Followed(home, wide.lines, wide)]
    led = followed(home, "Section 2")
    chain = Chain((led,), 1.0, 60)
    out = arranged(quotes, [chain], [[Followed(home, led.lines, led)]], lambda chain: [])
    assert [q.lines for q in out] == [wide.lines, led.lines]


FINES = document(
    "# Fines\n\n## 1 Fines\n\nThese are subject to fines:\n\n(a) late carts;\n\n(b) loud bells;\n\n(c) lame horses.\n\n## 2 Carts\n\nFourpence a cart.\n",
    "fines.md",
)


def quotes_of(*said: str) -> list[Followed]:
    found = [lines_with(FINES, words) for words in said]
    return [Followed(FINES, lines, Passage(lines=lines)) for lines in found]


def test_items_that_stand_side_by_side_in_a_list_are_one_quote_in_the_place_of_the_first() -> None:
    bells, carts, fourpence = quotes_of("loud bells", "late carts", "Fourpence")
    out = arranged([bells, fourpence, carts], [], [], lambda chain: [])
    assert [FINES.text(q.lines) for q in out] == ["(a) late carts;\n(b) loud bells;", "Fourpence a cart."]


def test_items_with_another_one_between_them_and_texts_of_two_sections_stay_apart() -> None:
    carts, horses, fourpence = quotes_of("late carts", "lame horses", "# 2 Carts")
    out = arranged([carts, horses, fourpence], [], [], lambda chain: [])
    assert [q.lines for q in out] == [carts.lines, horses.lines, fourpence.lines]


def test_quotes_that_share_lines_are_one() -> None:
    bells, carts, horses = (q.lines for q in quotes_of("loud bells", "late carts", "lame horses"))
    two, other = (
        Followed(FINES, Span(doc=FINES.id, start=a.start, end=b.end), Passage(lines=a))
        for a, b in ((bells, horses), (carts, bells))
    )
    (one,) = arranged([two, other], [], [], lambda chain: [])
    assert one.lines == Span(doc=FINES.id, start=carts.start, end=horses.end)
