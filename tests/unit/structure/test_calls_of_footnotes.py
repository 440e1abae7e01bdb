"""Numbers set above the baseline: calls of footnotes where the page has one of that number, else exponents."""

from __future__ import annotations

import pytest
from tests.unit.structure.making import printed

from deref.references import MemoryShelf, Resolver, find
from deref.values import Document, ItemKind, Link, LinkSource

PROSE = "The warden keeps the ledger of all berths and tells the owner what is due by the end of the month."


def calls(document: Document) -> list[Link]:
    return [k for k in document.links if k.source is LinkSource.CALL]


def _page(first: str, *notes: str, raised: tuple[tuple[int, int, int], ...] = ()) -> Document:
    return printed("L|1 Scope", "", first, PROSE, "", *(f"S|{n}" for n in notes), "\f", PROSE, raised=raised)


def test_a_raised_number_calls_the_footnote_of_its_page() -> None:
    document = _page(
        "It is set out in Appendix C.17 Nothing else is due.", "17 As of May.", raised=((1, 28, 30),)
    )
    (call,) = calls(document)
    assert (call.at.char_start, call.at.char_end, document.text(call.target)) == (28, 30, "17 As of May.")  # type: ignore[arg-type]


def test_a_raised_number_without_a_footnote_on_its_page_calls_none() -> None:
    assert calls(_page("It has an area of 20 m2 in all.", "1 As of May.", raised=((1, 22, 23),))) == []


@pytest.mark.parametrize(
    ("words", "number"), [("as the code² says", 1), ("of 20 m² in all", 0), ("of 3 km² in all", 0)]
)
def test_raised_figures_of_the_text_are_calls_but_not_behind_a_measure(words: str, number: int) -> None:
    document = _page(f"It is built {words}.", "² As of May.")
    assert len(calls(document)) == number
    assert [i.label for i in document.items if i.kind is ItemKind.FOOTNOTE] == ["2"]


def test_a_footnote_that_is_called_need_not_go_on_counting() -> None:
    document = _page("It is due.31 So it is.", "31 As of May.", raised=((1, 10, 12),))
    assert [i.label for i in document.items if i.kind is ItemKind.FOOTNOTE] == ["31"]


def test_a_call_is_a_reference_and_no_part_of_the_label_before_it() -> None:
    document = printed(
        "L|Appendix C Fees", "", "See Appendix C.1 for it.", PROSE, "", "S|1 As of May.", "\f", PROSE, "",
        "See Appendix C.1 again.", PROSE, "", "S|1 As of June.", raised=((1, 15, 16), (5, 15, 16)),
    )  # fmt: skip
    found = find(document)
    assert [(r.text, r.kind.value, r.labels) for r in found] == [
        ("Appendix C", "appendix", ("C",)), ("1", "footnote", ("1",)),
        ("Appendix C", "appendix", ("C",)), ("1", "footnote", ("1",)),
    ]  # fmt: skip
    resolver = Resolver(MemoryShelf([document]))
    shown = [document.text(t.lines) for r in (found[1], found[3]) for t in resolver(r, document).targets]
    assert shown == ["1 As of May.", "1 As of June."]


def test_a_power_is_no_call_where_a_word_calls_the_footnote() -> None:
    document = _page(
        "The area 3 u2 is told by the code2 here.", "2 As of May.", raised=((1, 12, 13), (1, 33, 34))
    )
    assert [k.at.char_start for k in calls(document)] == [33]


def test_the_only_call_may_stand_behind_a_letter() -> None:
    document = _page("It is set out in Appendix C17 in full.", "17 As of May.", raised=((1, 27, 29),))
    assert len(calls(document)) == 1


@pytest.mark.parametrize("small", ["2", "2 9", "2nd Class", "1 0.8 0.6"])
def test_figures_and_ordinals_at_the_foot_are_no_footnote(small: str) -> None:
    document = _page("The area is 3 u2 in all.", small, raised=((1, 15, 16),))
    assert [i.label for i in document.items if i.kind is ItemKind.FOOTNOTE] == []


def test_a_number_in_brackets_calls_no_small_note_of_a_printed_page() -> None:
    document = _page("The first berth is berths[1] in the code.", "1 As of May, when the quay was built.")
    assert [i.label for i in document.items if i.kind is ItemKind.FOOTNOTE] == ["1"]
    assert [r for r in find(document) if r.kind.value == "footnote"] == []
