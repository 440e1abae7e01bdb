from __future__ import annotations

from deref.values import Mark, MarkKind
from unit.structure.making import PROSE, labels, outline, printed, text


def spans(document):
    return [(s.start, s.end) for s in document.contents]


def test_a_list_with_leaders_is_contents_and_no_headings():
    document = printed(
        "L|Contents", "", "1 Storage ........ 3", "1.1 Cold rooms ........ 4", "2 Transport ........ 9", "\f",
        "L|1 Storage", "", PROSE, "", "B|1.1 Cold rooms", "", PROSE, "", "L|2 Transport", "", PROSE,
    )  # fmt: skip
    assert spans(document) == [(0, 4)]
    assert outline(document) == ["1 Storage", "  1.1 Cold rooms", "2 Transport"]
    assert document.sections[0].lines.start == 4


def test_a_list_with_bare_page_numbers_is_contents_too():
    document = printed(
        "L|Table of Contents", "", "1 Storage 3", "2 Transport 9", "3 Billing 12", "\f", "L|1 Storage", "", PROSE, "", "L|2 Transport",
        PROSE, "", "L|3 Billing", PROSE,
    )  # fmt: skip
    assert spans(document) == [(0, 4)]
    assert labels(document) == ["1", "2", "3"]


def test_a_list_without_page_numbers_is_known_by_its_numbers_coming_again():
    titles = [("1", "Storage"), ("2", "Transport"), ("3", "Billing"), ("4", "Refunds"), ("5", "Notices")]
    listed = "\n".join(f"{n}. {t}" for n, t in titles)
    body = "\n\n".join(f"{n}. {t}\n\nThe operator writes a page about this matter." for n, t in titles)
    document = text(f"Rules of the depot\n\n{listed}\n\n{body}")
    assert spans(document) == [(1, 6)]
    assert [s.lines.start for s in document.sections] == [6, 8, 10, 12, 14]


def test_paragraph_numbers_that_start_over_are_no_contents():
    body = "\n\n".join(
        f"Article {n}\n\nMatter {n}\n\n1.   The operator shall act pursuant to paragraph 2 of this Article.\n\n"
        f"2.   Nothing herein is void, notwithstanding point (a) of matter {n}.\n\n3.   This ends it hereby."
        for n in range(1, 6)
    )
    document = text(body)
    assert spans(document) == []
    assert document.sections_labelled("3(2)")


def test_a_list_of_tables_holds_no_captions():
    document = printed(
        "L|List of Tables", "", "Table 1: Fees ........ 3", "Table 2: Zones ........ 4", "Table 3: Hours ........ 5", "\f",
        "B|Table 1: Fees", "H|Zone Fee", "T|North 4", "T|South 5",
    )  # fmt: skip
    assert [i.lines.start for i in document.items] == [4]


def test_contents_that_the_file_marks_are_taken_as_they_are():
    document = text("1. One\n\n2. Two\n\nText.", Mark(kind=MarkKind.CONTENTS, start=0, end=2))
    assert spans(document) == [(0, 2)] and document.sections == ()


def test_a_list_of_exhibits_is_no_set_of_exhibits():
    listed = "\n".join(f"EXHIBIT {c} Form number {n}" for n, c in enumerate("ABCD", start=1))
    document = text(
        f"{listed}\n\n1. Sale. The Seller hereby sells, pursuant to this Agreement, notwithstanding Exhibit B."
    )
    assert not [i for i in document.items if i.kind == "exhibit"]


def headed(*rows: str):
    """Lines of which those with "#" are headings by the file's word."""
    plain = [row.removeprefix("# ") for row in rows]
    marks = [
        Mark(kind=MarkKind.HEADING, start=n, end=n + 1, level=2)
        for n, row in enumerate(rows)
        if row.startswith("# ")
    ]
    return text("\n\n".join(plain), *marks)


def test_lines_that_repeat_headings_further_down_are_contents():
    body = ("# 1.1 Cold rooms", PROSE, "# 1.2 Dry Tables", PROSE, "# 1.3 Yards", PROSE)
    listed = headed("# 1 Storage", PROSE, "Cold rooms 3", "1.2 Dry tables", "Yards", PROSE, *body)
    assert spans(listed) == [(2, 5)]


def test_lines_that_repeat_headings_out_of_order_or_too_few_are_text():
    body = ("# 1.1 Cold rooms", PROSE, "# 1.2 Dry tables", PROSE, "# 1.3 Yards", PROSE)
    assert spans(headed("# 1 Storage", "Yards", "Dry tables", "Cold rooms", PROSE, *body)) == []
    assert spans(headed("# 1 Storage", "Cold rooms", "Yards", PROSE, *body)) == []
    assert spans(headed(*body, "Cold rooms", "Dry tables", "Yards")) == []
