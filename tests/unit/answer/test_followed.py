"""What of followed text is quoted when there is more of it than an answer has room for."""

from __future__ import annotations

from collections.abc import Sequence

from deref.answer import ExtractiveWriter
from deref.answer.looks import MOST_PLACES, Looks
from deref.answer.pointers import pointers_in, sentence_lines
from deref.answer.rank import Ranking
from deref.answer.units import units_of
from deref.values import Arrived, Document, Passage, Query, Reference, Span
from unit.answer.small_evidence import document, followed, lines_with, reader, references_in, whole, written

FILLER = "The warden keeps the road in repair and the ditch beside it free of leaves from spring until the first frost. "


def paragraphs(n: int, *also: str) -> str:
    return "\n\n".join([*(f"{FILLER}It is the duty of ward number {i}. {FILLER}" for i in range(n)), *also])


def test_a_name_in_code_that_the_pointer_says_picks_the_unit_that_has_it() -> None:
    home = document(
        "# Signals\n\n## 1 Ends\n\nA stream that ends early is told by the code STREAM_BROKEN (Section 2).\n\n"
        f"## 2 Codes\n\n{paragraphs(6, 'BAR_CLOSED stands for 11.', 'STREAM_BROKEN stands for 12.')}\n"
    )
    answer = written(
        "Which code tells that a stream ends early?",
        [whole_of(home, "## 1"), followed(home, "Section 2")],
        home,
    )
    quotes = [c.quote for c in answer.citations if c.arrived is Arrived.REFERENCE]
    assert any("STREAM_BROKEN stands for 12." in q for q in quotes)


def test_a_later_pointer_has_its_room_beside_a_long_first_one() -> None:
    home = document(
        "# Rules\n\n## 1 Tolls\n\nThe toll of a cart is set out in Section 2, and the toll of a horse is set out in Section 3.\n\n"
        f"## 2 Carts\n\n{paragraphs(14)}\n\n## 3 Horses\n\n{paragraphs(3, 'A horse pays nine pence at the gate.')}\n"
    )
    evidence = [whole_of(home, "## 1"), followed(home, "Section 2"), followed(home, "Section 3")]
    answer = written("What is the toll of a horse?", evidence, home)
    assert any("nine pence" in c.quote for c in answer.citations if c.reference == "Section 3")


def test_a_row_is_read_under_its_header() -> None:
    table = document("# Tolls\n\n| Vehicle | Pence due |\n|---|---|\n| Cart | 2 |\n| Coach | 9 |\n")
    rows = [u for u in units_of(table, whole(table), 0) if u.row]
    coach = next(u for u in rows if "Coach" in u.text)
    assert "vehicl" in coach.context
    assert "vehicl" not in coach.stems


def whole_of(home: Document, heading: str) -> Passage:
    section = next(s for s in home.sections if s.label == heading.removeprefix("## "))
    return Passage(lines=section.lines)


def test_a_later_pass_goes_on_from_the_first_one_and_a_new_question_does_not() -> None:
    home = document(
        "# Rules\n\n## 1 Tolls\n\nThe toll of a cart is set out in Section 2.\n\n## 2 Carts\n\nA cart pays two pence.\n\n"
        "## 3 Horses\n\nA led horse goes free at any hour.\n"
    )
    looked: list[Span] = []

    def counted(doc: Document, lines: Span) -> Sequence[Reference]:
        looked.append(lines)
        return references_in(doc, lines)

    writer, read = ExtractiveWriter(counted), reader(home)
    first, second = whole_of(home, "## 1"), followed(home, "Section 2")
    found = [first, whole_of(home, "## 3")]
    query = Query(text="What is the toll of a cart?")
    begun = writer.write(query, found, read)
    assert any(lines.start in first.lines for lines in looked)
    looked.clear()
    ended = writer.write(query, [*found, second], read)
    assert not any(lines.start in first.lines for lines in looked)
    assert [c for c in ended.citations if c.arrived is Arrived.PRIMARY] == list(begun.citations)
    assert writer.write(query, found, read) == begun
    other = Query(text="When does a led horse go free?")
    told = writer.write(other, [*found, second], read)
    assert "horse" in told.citations[0].quote and "horse" not in begun.citations[0].quote


def test_lines_are_looked_through_once_and_again_when_others_came_between() -> None:
    home = document(
        "# Rules\n\n## 1 Tolls\n\nThe toll of a cart is set out in Section 2.\n\n## 2 Carts\n\nIt is two pence.\n"
    )
    looked: list[Span] = []

    def counted(doc: Document, lines: Span) -> Sequence[Reference]:
        looked.append(lines)
        return references_in(doc, lines)

    looks, nothing = Looks(counted), Ranking(frozenset(), [])
    place = whole_of(home, "## 1")
    units = looks.units(home, place, 3)
    assert units == units_of(home, place, 3) == looks.units(home, place, 3)
    assert looks.pointers(home, place.lines, nothing) == pointers_in(
        home, place.lines, references_in, nothing
    )
    assert looks.pointers(home, place.lines, nothing)
    assert looked == [place.lines]
    for n in range(MOST_PLACES):
        looks.pointers(home, Span(doc=f"other {n}", start=4, end=5), nothing)
    looks.pointers(home, place.lines, nothing)
    assert looked.count(place.lines) == 2


def test_a_pointer_that_stands_in_no_passage_is_cited_beside_what_it_points_at() -> None:
    home = document(
        "# 1 Fees\n\nThe fee is due in May.\n\n# 2 Rates\n\nIt rains here. The rate of the fee is set out in Section 3.\n\n"
        "# 3 Rate of the fee\n\nThe rate of the fee is four per cent.\n"
    )
    read = Passage(lines=lines_with(home, "due in May"))
    at_the_end = followed(home, "Section 3")
    answer = written("What is the rate of the fee?", [read, at_the_end], home)
    (pointing,) = [c for c in answer.citations if "set out in Section 3" in c.quote]
    assert pointing.arrived is Arrived.PRIMARY
    assert [c.arrived for c in answer.citations if "four per cent" in c.quote] == [Arrived.REFERENCE]
    both = written("What is the rate of the fee?", [whole_of(home, "2"), at_the_end], home)
    assert sum("set out in Section 3" in c.quote for c in both.citations) == 1


def test_the_sentence_of_a_pointer_has_the_lines_that_it_stands_in() -> None:
    text = "One sentence stands here. The second one\nis set out in Section 9\nand ends there. A third one\nfollows it.\n\nAnother.\n"
    home = document(text, name="a.txt")
    (reference,) = [r for r in references_in(home, whole(home).lines) if "Section 9" in r.text]
    lines = sentence_lines(home, reference.at)
    assert home.text(lines).split("\n") == text.split("\n")[0:3]
