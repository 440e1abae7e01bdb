from __future__ import annotations

from unit.structure.making import labels, span, text

LAW = "pursuant to this Agreement and the terms hereof, notwithstanding the foregoing"


def test_points_of_a_clause_are_sections_with_composite_labels():
    document = text(f"""
2.1 Payment. The Buyer shall not be late, {LAW}:

(a) half of the price at closing;

(b) the rest in parts:

(i) one after a month; and

(ii) one after a year.

(c) interest on both.

2.2 Refund. None, hereby.
""")
    assert labels(document) == ["2.1", "2.1(a)", "2.1(b)", "2.1(b)(i)", "2.1(b)(ii)", "2.1(c)", "2.2"]
    assert span(document, "2.1(b)") == (2, 5)


def test_the_first_point_may_stand_on_the_line_of_the_heading():
    document = text(f"""
4.1 (1) The clerk may allow it, {LAW}, where:

(a) it is paid; and

(b) it is dry.

(2) The clerk tells it.

4.2 None, hereby.
""")
    assert labels(document) == ["4.1", "4.1(1)", "4.1(1)(a)", "4.1(1)(b)", "4.1(2)", "4.2"]
    assert span(document, "4.1(1)") == (0, 3)


def test_i_after_h_is_a_letter_unless_ii_comes_next():
    points = "\n\n".join(f"({c}) a parcel of kind {c};" for c in "abcdefghij")
    document = text(f"1.1 Kinds. The operator accepts, {LAW}:\n\n{points}\n\n1.2 End. It is hereby so.")
    assert labels(document)[-3:] == ["1.1(i)", "1.1(j)", "1.2"]
    nested = points.replace("(i)", "(i) first; or\n\n(ii)").replace("(j)", "(iii)")
    document = text(f"1.1 Kinds. The operator accepts, {LAW}:\n\n{nested}\n\n1.2 End. It is hereby so.")
    parts = nested.replace("(i) first; or", "(i) first:\n\n(A) one; and\n\n(B) two; or")
    deeper = labels(text(f"1.1 Kinds. The operator accepts, {LAW}:\n\n{parts}\n\n1.2 End. It is hereby so."))
    assert deeper[-6:-2] == ["1.1(h)(i)", "1.1(h)(i)(A)", "1.1(h)(i)(B)", "1.1(h)(ii)"]
    assert labels(document)[-4:] == ["1.1(h)(i)", "1.1(h)(ii)", "1.1(h)(iii)", "1.2"]


def test_numbered_paragraphs_of_an_article_and_their_points():
    document = text("""
Article 5

Depots

1.   Every depot shall be dry, in accordance with paragraph 2 of this Article.

2.   A depot shall not be opened where:

(a)

the ramp is steep, pursuant to paragraph 1; or

(b)

the gate is broken.

Article 6

Ramps

1.   Every ramp shall be clean, notwithstanding paragraph 3 of this Article and the terms hereof.

2.   A ramp is a slope.
""")
    assert labels(document) == ["5", "5(1)", "5(2)", "5(2)(a)", "5(2)(b)", "6", "6(1)", "6(2)"]
    assert document.sections_labelled("5(2)(a)")[0].title.startswith("the ramp is steep")


def test_two_marks_on_one_line_open_two_levels():
    document = text(f"""
1.1 Duties. {LAW}:

(a) (1) keep the log; and

(2) show it.

(b) lock the gate.
""")
    assert labels(document) == ["1.1", "1.1(a)", "1.1(a)(1)", "1.1(a)(2)", "1.1(b)"]


def test_a_point_that_no_open_list_expects_is_a_cross_reference():
    document = text(f"""
1.1 Duties. The duties are, {LAW}:

(a) to keep the log;

(d) above is void; and

(b) to lock the gate.
""")
    assert labels(document) == ["1.1", "1.1(a)", "1.1(b)"]


def test_lettered_paragraphs_of_a_numbered_clause_belong_to_it():
    document = text(f"""
4. DUTIES

4.01. The operator shall, {LAW}:

A. keep a log of all the parcels that come in, and of those that leave the depot again;

B. show it to the owner whenever the owner asks for it in writing or by telephone;

4.02. The owner pays hereunder.
""")
    assert labels(document) == ["4", "4.01", "4.01(A)", "4.01(B)", "4.02"]


def test_in_prose_that_is_no_law_points_are_list_items():
    document = text("1.1 Baking\n\nTake:\n\n(a) flour;\n\n(b) salt.\n\n1.2 Eating\n\nEnjoy.")
    assert not any("(" in (label or "") for label in labels(document))


SAMPLE = f"""
1.1 Form. The notice shall be given hereunder, {LAW}.

(a) By hand.

(b) In this form:

Notice of change

Acknowledgement

Receipt of the above is hereby acknowledged.

{{}} The reply shall be kept.

1.2 End. It is hereby so.
"""


def test_a_title_that_a_list_of_points_runs_around_is_no_heading():
    document = text(SAMPLE.format("(c)"))
    assert labels(document) == ["1.1", "1.1(a)", "1.1(b)", "1.1(c)", "1.2"]
    assert "Acknowledgement" not in [s.title for s in document.sections]


def test_a_title_after_which_points_begin_anew_is_a_heading():
    assert "Acknowledgement" in [s.title for s in text(SAMPLE.format("(a)")).sections]
    assert "Acknowledgement" in [s.title for s in text(SAMPLE.format("")).sections]


def test_a_title_in_a_section_without_points_is_a_heading():
    document = text(f"""
1.1 Form. The notice shall be given hereunder, {LAW}.

Acknowledgement

Receipt of the above is hereby acknowledged.

1.2 End. It is hereby so.
""")
    assert "Acknowledgement" in [s.title for s in document.sections]


def test_a_law_without_numbers_keeps_its_titles():
    document = text(
        f"The notice shall be given hereunder, {LAW}.\n\nAcknowledgement\n\nReceipt of it is hereby acknowledged."
    )
    assert [s.title for s in document.sections] == ["Acknowledgement"]
