"""Plain text: rows, pages, and the form of RFCs."""

from __future__ import annotations

from deref.parse import parse
from deref.values import Mark, MarkKind, Parsed


def read(text: str) -> Parsed:
    parsed = parse(text.encode(), doc="d", name="a.txt")
    assert [line.n for line in parsed.lines] == list(range(len(parsed.lines)))
    return parsed


def marks(parsed: Parsed, kind: MarkKind) -> list[Mark]:
    return [m for m in parsed.marks if m.kind is kind]


def shown(parsed: Parsed, kind: MarkKind) -> list[str]:
    return [parsed.lines[m.start].text.strip() for m in marks(parsed, kind)]


MEMO = """



Network Study Group                                            A. Writer
Request for Comments: 99999                                 Example Corp
Category: Informational                                         May 2031


                     A Protocol for Passing Notes

Abstract

   This memo tells how notes are passed between desks in a room that
   has more than one teacher.

Table of Contents

   1. Introduction ....................................................1
      1.1. Words ......................................................1
   2. References ......................................................2

1.  Introduction

   Notes are folded twice, as Section 2 of [FOLDS] tells.  A note that
   is seen by a teacher counts as



Writer                        Informational                     [Page 1]
\f
RFC 99999                     Passing Notes                     May 2031


   lost and is not sent again.

1.1.  Words

   The words of [FOLDS] are used.

      +------+-------+
      | Desk | Notes |
      +======+=======+
      | 1    | two   |
      |      | three |
      | 2    | none  |
      +------+-------+

                     Table 1: Notes by Desk

   Note {
     Folds (2),
     Text (..),
   }

                     Figure 1: A Note

2.  References

   [FOLDS]    Paper, P., "Folding", RFC 99998, May 2030.

   [LONG-TAG-NAME]
              Desk, D., "Desks",
              June 2029.

Acknowledgements

   Thanks to the whole class.



Writer                        Informational                     [Page 2]
"""


def test_running_heads_leave_the_flow_but_their_rows_are_counted() -> None:
    parsed = read(MEMO)
    assert parsed.pages == 2
    assert not any("[Page" in line.text or "RFC 99999 " in line.text for line in parsed.lines)
    after = next(line for line in parsed.lines if "lost and" in line.text)
    assert (after.page, after.row) == (2, 4)


def test_a_paragraph_runs_on_over_a_page_break() -> None:
    after = next(line for line in read(MEMO).lines if "lost and" in line.text)
    assert not after.starts_block


def test_the_headings_of_a_memo_are_marked_with_their_levels() -> None:
    parsed = read(MEMO)
    assert list(zip(shown(parsed, MarkKind.HEADING), [m.level for m in marks(parsed, MarkKind.HEADING)], strict=True)) == [
        ("Abstract", 1), ("1.  Introduction", 1), ("1.1.  Words", 2), ("2.  References", 1), ("Acknowledgements", 1),
    ]  # fmt: skip
    assert parsed.title == "A Protocol for Passing Notes"


def test_the_printed_contents_are_marked_and_hold_no_heading() -> None:
    parsed = read(MEMO)
    (contents,) = marks(parsed, MarkKind.CONTENTS)
    assert parsed.lines[contents.start].text == "Table of Contents"
    assert parsed.lines[contents.end - 1].text.strip().startswith("2. References")


def test_entries_of_the_references_carry_their_tag_and_all_their_lines() -> None:
    found = marks(read(MEMO), MarkKind.BIBLIOGRAPHY)
    assert [(m.label, m.end - m.start) for m in found] == [("FOLDS", 1), ("LONG-TAG-NAME", 3)]


def test_a_drawn_table_has_rows_and_a_cell_may_go_on_in_the_next() -> None:
    parsed = read(MEMO)
    rows = marks(parsed, MarkKind.ROW)
    assert [(m.label, m.end - m.start) for m in rows] == [("header", 1), (None, 2), (None, 1)]
    assert len(marks(parsed, MarkKind.TABLE)) == 1


def test_captions_are_marked_and_a_drawing_is_no_prose() -> None:
    parsed = read(MEMO)
    assert shown(parsed, MarkKind.CAPTION) == ["Table 1: Notes by Desk", "Figure 1: A Note"]
    assert shown(parsed, MarkKind.CODE) == ["Note {"]


def test_a_memo_that_lost_its_form_feeds_still_has_pages() -> None:
    parsed = read(MEMO.replace("\f", ""))
    assert parsed.pages == 2
    assert not any("[Page" in line.text for line in parsed.lines)


def test_rows_and_pages_count_as_in_the_file() -> None:
    parsed = read("one\n\ntwo\nthree\n\ffour\n\n\nfive\n")
    assert [(x.text, x.page, x.row, x.starts_block) for x in parsed.lines] == [
        ("one", 1, 1, True), ("two", 1, 3, True), ("three", 1, 4, False), ("four", 2, 1, False), ("five", 2, 4, True),
    ]  # fmt: skip


def test_indentation_tabs_and_trailing_space_are_kept() -> None:
    assert [line.text for line in read("  a\tb  \n\n\t(c) d\n").lines] == ["  a\tb  ", "\t(c) d"]


def test_line_ends_of_every_kind_part_rows() -> None:
    assert [line.text for line in read("a\r\nb\rc\nd\u2028e").lines] == ["a", "b", "c", "d", "e"]


def test_a_page_number_alone_at_the_foot_of_each_page_is_furniture() -> None:
    parsed = read("".join(f"Text of page {w}.\n\n\n      - {n} -\n\f" for n, w in enumerate("abcd", 1)))
    assert [line.text for line in parsed.lines] == [f"Text of page {w}." for w in "abcd"]
    assert parsed.pages == 4


def test_list_items_start_blocks_but_a_wrapped_number_does_not() -> None:
    text = (
        "The fee is due on each of the days that are named in the second part of Section\n"
        "4. Nothing else is due:\n(a) rent;\n(b) rates; and\n* more\n"
    )
    assert [line.starts_block for line in read(text).lines] == [True, False, True, True, True]


def test_rows_that_hold_whole_paragraphs_each_start_a_block() -> None:
    text = "\n".join(f"4.{n} " + "The tenant pays what is due. " * 9 for n in range(4))
    assert all(line.starts_block for line in read(text).lines)


def test_underlined_rows_are_headings_and_the_rule_is_no_line() -> None:
    parsed = read("Guide\n=====\n\nFirst part\n----------\nText.\n\nName   Sum\n----   ---\nrent   5\n")
    assert [(parsed.lines[m.start].text, m.level) for m in marks(parsed, MarkKind.HEADING)] == [
        ("Guide", 1),
        ("First part", 2),
    ]
    assert "=====" not in [line.text for line in parsed.lines]
    assert "----   ---" in [line.text for line in parsed.lines]


def test_contents_of_a_contract_end_in_page_numbers() -> None:
    text = (
        "TABLE OF CONTENTS\n\nPage\n\nARTICLE I DEFINITIONS    1\nARTICLE II LEASE ....... 4\n\nSection 2.1 Term\t5\n\n"
        "THIS LEASE is made between the parties that sign it at the end of this paper.\n\nARTICLE I DEFINITIONS\n"
    )
    parsed = read(text)
    (contents,) = marks(parsed, MarkKind.CONTENTS)
    assert parsed.lines[contents.end].text.startswith("THIS LEASE")


def test_a_list_of_rows_that_all_come_again_later_is_a_contents_list() -> None:
    heads = [f"9.{n} Rule about matter {n}." for n in range(10)]
    text = (
        "Part 9\n"
        + "\n".join(heads)
        + "\n"
        + "\n".join(f"{h}\nWhat the rule says about it, number {n}." for n, h in enumerate(heads))
    )
    assert [(m.start, m.end) for m in marks(read(text), MarkKind.CONTENTS)] == [(1, 11)]


def test_one_entry_that_comes_nowhere_does_not_cut_a_contents_list() -> None:
    titles = [f"Subpart 3.{n} Kinds of grain" for n in range(1, 12)]
    body = "".join(
        f"{title}\nThe rules for grain of this kind are these.\n" for title in titles if title != titles[1]
    )
    parsed = read("The Grain Rules\n" + "\n".join(titles) + "\n" + body)
    assert marks(parsed, MarkKind.CONTENTS) == [Mark(kind=MarkKind.CONTENTS, start=1, end=12)]


def test_a_form_that_is_printed_twice_is_no_contents_list() -> None:
    form = "\n".join(f"Line {n} of the form: ____" for n in range(12))
    assert not marks(read(f"{form}\nBetween.\n{form}"), MarkKind.CONTENTS)


def test_a_contract_gets_no_headings_by_guess() -> None:
    text = "1. LEASE\n\nThe tenant takes the house.\n\n2. RENT\n\nThe rent is five.\n" * 3
    assert not marks(read(text), MarkKind.HEADING)


def test_other_scripts_survive() -> None:
    for text in ("第四条 料金は別紙に定める。", "Пункт 4.2. Оплата", "סעיף 4 תשלום", "المادة 4 الدفع"):
        assert read(text).lines[0].text == text


def test_page_numbers_left_in_a_text_without_pages_are_out_of_the_flow() -> None:
    pages = ["\n\n".join(f"Rule {w} of part {p}: {'keep it ' * 14}." for w in "abcde") for p in "wxyz"]
    text = (
        "\n\n".join(f"{page}\n\n      {n}\n\nRiver Lease, draft of May" for n, page in enumerate(pages, 2))
        + "\n\n4\n\nEnd.\n"
    )
    parsed = read(text)
    assert [line.text for line in parsed.lines if "Rule" not in line.text] == ["4", "End."]
    assert (parsed.pages, parsed.lines[5].row) == (1, 15)


def test_what_repeats_on_signature_pages_is_kept() -> None:
    text = "".join(f"{'Party ' * 90}{p}\n\nBy:\n\n{n}\n\n" for n, p in enumerate("wxyz", 1))
    assert [line.text for line in read(text).lines].count("By:") == 4


def test_a_paragraph_runs_on_over_a_page_number() -> None:
    text = "".join(
        f"{('Words ' * 12 + chr(10)) * 9}{p}.\n\nIn case {p} the rent is due on the\n\n{n}\n\nlast day {p}.\n\n"
        for n, p in enumerate("wxyz", 1)
    )
    lines = read(text).lines
    assert [line.starts_block for line in lines if line.text.startswith("last day")] == [False] * 4


def test_numbers_that_do_not_rise_through_the_text_stay() -> None:
    text = "Figures\n\n5\n\n900\n\n17\n\nA\n\nB\n\nC\n\nD\n\n18\n"
    assert [line.text for line in read(text).lines if line.text.isdigit()] == ["5", "900", "17", "18"]


def test_numbered_rows_at_the_margin_are_headings_from_the_first_on():
    clauses = "\n\n".join(
        f"     {n}.{k} It is kept as clause {n} says." for n in (2, 3) for k in range(1, 15)
    )
    two, three = clauses[: clauses.index("     3.1")], clauses[clauses.index("     3.1") :]
    content = f"Rope License\n\n1. PREAMBLE\n\n2. TERMS\n\n{two}3. GRANT\n\n{three}\n\n4. END\n\n     4.1 It ends.\n"
    parsed = parse(content.encode(), doc="d", name="d.txt")
    marks = [m for m in parsed.marks if m.kind is MarkKind.HEADING]
    assert [parsed.lines[m.start].text for m in marks] == ["1. PREAMBLE", "2. TERMS", "3. GRANT", "4. END"]


def test_numbers_of_two_parts_begin_a_block_without_a_blank_row_and_not_behind_a_label_that_is_cut():
    rows = [
        "2. Leave", "2.1 Staff may take thirty days of leave in each year.", "2.2 Leave that is not taken lapses.",
        "3. Pay", "3.1 Pay is due on the last working day, as is told in Art.", "2.1 Of the year before nothing is paid.",
        "3.2 The rate is told in kilograms a day; it", "is now", "4.5 Kilograms a day for each of us.",
    ]  # fmt: skip
    lines = read("\n".join(rows)).lines
    assert [line.text for line in lines if line.starts_block] == [*rows[:5], rows[6]]
