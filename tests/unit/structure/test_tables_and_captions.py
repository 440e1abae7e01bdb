from __future__ import annotations

from deref.values import ItemKind, Mark, MarkKind
from unit.structure.making import PROSE, head, printed, text


def only(document, kind=ItemKind.TABLE):
    (item,) = (i for i in document.items if i.kind == kind and i.label is not None)
    return item


def rows(item):
    return {s.tag: (s.lines.start, s.lines.end) for s in item.selectors if s.kind == "row"}


TABLE = (
    "Table 3: Parcels by depot, with the share that", "arrives in time.", "", "H|Depot Parcels Late", "T|base 120 4.9", "T|(A) 80 5.1",
    "T|>40|90 5.0", "T|(B) 60 6.2", "T|(C) with a ramp instead of a lift 120 4.8", "T|big 400 4.3",
)  # fmt: skip


def test_a_table_runs_from_its_caption_to_its_last_row():
    item = only(printed(PROSE, "", *TABLE, "", PROSE, PROSE))
    assert (item.label, item.caption) == ("3", "Parcels by depot, with the share that arrives in time")
    assert (item.lines.start, item.lines.end) == (1, 10)
    assert item.header is not None and (item.header.start, item.header.end) == (3, 4)


def test_rows_are_found_by_tag_and_by_first_cell():
    tags = rows(only(printed(PROSE, "", *TABLE, "", PROSE)))
    assert tags["C"] == (8, 9)
    assert tags["base"] == (4, 5)
    assert tags["A"] == (5, 7)  # with the row under it that has no first cell
    assert tags["big"] == (9, 10)


def test_a_tag_set_half_way_down_its_rows_covers_those_above_it_too():
    document = printed(
        "Table 1: Loads", "", "H|Kind Mass Fee", "T|>60|10 1.5", "T|>60|20 2.5", "T|(A) 30 3.5", "T|>60|40 4.5", "T|>60|50 5.5",
        "T|(B) 60 6.5", "", PROSE,
    )  # fmt: skip
    assert rows(only(document)) == {"A": (2, 7), "B": (7, 8)}


def test_a_caption_below_its_table_still_names_it():
    document = printed(
        PROSE,
        "",
        "H|Zone Fee Days",
        "T|North 4 2",
        "T|South 5 3",
        "",
        "Table 2: Fees by zone.",
        "",
        PROSE,
        PROSE,
    )
    item = only(document)
    assert (item.lines.start, item.lines.end) == (1, 5)
    assert item.header is not None and item.header.start == 1


def test_columns_are_named_by_the_header():
    document = text(
        "Table 1: Fees\n\nZone | Fee | Days\nNorth | 4 | 2\nSouth | 5 | 3",
        Mark(kind=MarkKind.TABLE, start=1, end=4), Mark(kind=MarkKind.ROW, start=1, end=2, label="header"),
        Mark(kind=MarkKind.ROW, start=2, end=3), Mark(kind=MarkKind.ROW, start=3, end=4),
    )  # fmt: skip
    item = only(document)
    assert [s.tag for s in item.selectors if s.kind == "column"] == ["Zone", "Fee", "Days"]
    assert rows(item) == {"North": (2, 3), "South": (3, 4)}


def test_columns_that_are_parted_by_a_tab_are_named_too():
    document = text(
        "Table 1: Fees\n\nZone\tFee\nNorth\t4\nSouth\t5",
        Mark(kind=MarkKind.TABLE, start=1, end=4), Mark(kind=MarkKind.ROW, start=1, end=2, label="header"),
        Mark(kind=MarkKind.ROW, start=2, end=3), Mark(kind=MarkKind.ROW, start=3, end=4),
    )  # fmt: skip
    assert [s.tag for s in only(document).selectors if s.kind == "column"] == ["Zone", "Fee"]


def test_a_sentence_about_a_table_is_no_caption():
    document = printed(
        "Table 3 shows the fees that the operator asks for.", "", "Figure 2 is a map.", "", "The fees are those listed in",
        "Table 4. The owner pays them.", "", PROSE, "", "as is shown by the line for", "", "Figure 5. It is bold.", "", PROSE,
    )  # fmt: skip
    assert document.items == ()


def test_captions_side_by_side_on_one_line_are_two():
    document = printed(
        PROSE, "", "Figure 10.8: Left aligned Figure 10.9: Right figure, which", "has more words", "", PROSE, "",
        "Figure 10.10: Unlike Figure 10.9: it is alone", "", PROSE,
    )  # fmt: skip
    assert [(i.label, i.caption, i.lines.start) for i in document.items] == [
        ("10.8", "Left aligned has more words", 1),
        ("10.9", "Right figure, which has more words", 1),
        ("10.10", "Unlike Figure 10.9: it is alone", 4),
    ]


def test_other_forms_of_captions():
    document = printed(
        "Figure 2-1. The depot from above", "", PROSE, "", "Fig. 4 – The ramp", "", PROSE, "", "B|Table A-1 Zones", "", PROSE, "",
        "Tabelle 5: Gebühren", "", PROSE,
    )  # fmt: skip
    assert [(i.kind.value, i.label) for i in document.items] == [
        ("figure", "2-1"), ("figure", "4"), ("table", "A-1"), ("table", "5"),
    ]  # fmt: skip


def test_a_continued_caption_lengthens_its_table():
    document = printed(
        "Table 1: Fees", "H|Zone Fee", "T|North 4", "T|South 5", "\f", "Table 1: Fees (continued)", "H|Zone Fee", "T|East 6", "", PROSE
    )  # fmt: skip
    item = only(document)
    assert (item.lines.start, item.lines.end) == (0, 7)
    assert rows(item)["East"] == (6, 7)


def test_a_table_without_caption_is_an_item_without_label():
    document = printed(PROSE, "", "H|Zone Fee", "T|North 4", "T|South 5", "", PROSE)
    assert [(i.label, i.lines.start, i.lines.end) for i in document.items] == [(None, 1, 4)]


def test_the_word_in_a_cell_is_no_caption():
    document = printed("Table 1: Sources", "H|Item Source", "T|Fee Table 9", "T|Zone Figure 3", "", PROSE)
    assert [(i.kind.value, i.label) for i in document.items] == [("table", "1")]


def test_a_capital_in_the_first_cell_is_no_figure_behind_it():
    document = printed(
        "Table 1: Prices of the plans",
        "H|Plan Month Year",
        "T|Plan A 10 20",
        "T|Plan B 12 24",
        "T|Plan C n/a 24",
        "",
        *PROSE,
    )
    rows = [s.tag for s in document.items[0].selectors if s.kind == "row"]
    assert rows == ["PlanA", "PlanB", "PlanC"]


def test_a_numbered_formula_at_the_right_is_an_equation():
    document = printed(
        PROSE, "", "fee = mass × rate                                        (1)", "", PROSE, "", "late = max(0, days − 2)      (2)", "",
        "The owner pays as agreed (2)",
    )  # fmt: skip
    assert [(i.kind.value, i.label) for i in document.items] == [("equation", "1"), ("equation", "2")]


def test_of_formulas_in_one_block_each_begins_behind_the_tag_before_it():
    document = text("$$\na = b \\tag{1}\nc = d\n+ e \\tag{2}\n$$")
    assert [(i.label, i.caption, i.lines.start, i.lines.end) for i in document.items] == [
        ("1", "a = b", 0, 2),
        ("2", "c = d + e", 2, 4),
    ]


def test_a_formula_in_pieces_is_one_equation():
    document = printed(PROSE, "", "score(q, k) = softmax(", "qk", "√", "d", ")v (1)", "", PROSE)
    (item,) = document.items
    assert (item.label, item.lines.start, item.lines.end) == ("1", 1, 6)


def test_a_drawing_above_its_caption_belongs_to_the_figure():
    document = text(
        "Text.\n\n  +--+\n  |  |\n  +--+\n\n  Figure 3: A box\n\nText.",
        Mark(kind=MarkKind.CODE, start=1, end=4), Mark(kind=MarkKind.CAPTION, start=4, end=5),
    )  # fmt: skip
    item = only(document, ItemKind.FIGURE)
    assert (item.lines.start, item.lines.end) == (1, 5)
    assert [(s.start, s.end) for s in document.code] == [(1, 4)]


def test_a_table_in_small_type_goes_on_while_the_type_is_small():
    cell = "The guard writes down who came, when, with which parcel, and why the gate was opened at all."
    document = printed(
        "B|Table 2: Duties of the guard", "S|Duty Text", f"S|Gate {cell}", f"S|{cell}", f"S|Ramp {cell}", "\f", f"S|Lift {cell}", "",
        PROSE, PROSE,
    )  # fmt: skip
    item = only(document)
    assert (item.lines.start, item.lines.end) == (0, 6)


def test_rows_between_the_caption_and_the_first_row_of_the_parser_head_the_table():
    document = printed(
        "B|Table 1: Charges",
        "",
        "B|Row Charge Years 1 and",
        "B|2 (GBP)",
        "T|(A) Storage 182 176",
        "T|(B) Care 64 61",
        "",
        PROSE,
    )
    header = only(document).header
    assert header is not None and (header.start, header.end) == (1, 3)


def test_a_table_ends_at_the_next_heading():
    document = printed(
        "Table 1: Fees",
        "H|Zone Fee",
        "T|North 4",
        "T|South 5",
        "",
        "B|2 Zones",
        "",
        PROSE,
        marks=(head(4, 1),),
    )
    assert only(document).lines.end == 4


def test_a_caption_that_floats_into_a_sentence_is_one_where_it_is_set_otherwise():
    rows = ("The wide one is set with the", "", "{}TABLE 2. Loads of ramps", "T|A 1", "T|B 2")
    for look, labels in (("S|", ["2"]), ("", [])):
        document = printed(*(row.format(look) for row in rows), "", PROSE)
        assert [i.label for i in document.items if i.kind is ItemKind.TABLE and i.label] == labels


def test_a_sentence_about_an_item_on_another_page_is_no_caption():
    document = printed(
        "L|1 Results", "", "Figure 3 (page 14) shows the course of it.", "", "Figure 3: The course of it"
    )
    assert [(i.label, i.caption) for i in document.items if i.kind is ItemKind.FIGURE] == [
        ("3", "The course of it")
    ]
