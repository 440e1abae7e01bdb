"""Pointers that run over the end of a line hold all they cover, on the second line as on the first."""

from __future__ import annotations

from dataclasses import replace

from deref.references import find, find_in, find_names
from deref.references.mentions import with_mentions
from deref.values import Link, LinkSource, Point
from unit.references.small_documents import document


def test_a_name_on_the_second_line_of_a_pointer_is_no_mention_of_its_own() -> None:
    home = document("The fee is that of Section 3.1 of the\nCredit Agreement and of no other paper.")
    found = with_mentions(find(home), find_names(home, ["Credit Agreement"]))
    assert [r.text for r in found] == ["Section 3.1 of the Credit Agreement"]


def test_a_bare_number_on_the_second_line_of_a_pointer_is_no_pointer_of_its_own() -> None:
    home = document(
        "By Equations (1) to\n(3) it holds.\n\n@equation 1 a = b\n\n@equation 2 a = c\n\n@equation 3 a = d"
    )
    assert [r.labels for r in find(home)] == [("1", "2", "3")]


def test_a_passage_from_the_middle_shows_a_pointer_with_the_call_inside_it() -> None:
    home = document("# 1 Fees\nForty a month.\n# 2 Delay\nSee Section17 1 for it.\n@footnote 17 Or later.")
    call = Point(doc=home.id, line=3, char_start=11, char_end=13)
    home = replace(home, links=(Link(at=call, target=home.items[0].lines, source=LinkSource.CALL),))
    found = find_in(home.lines[3:4], document=home)
    assert [(r.text, r.labels) for r in found] == [("Section17 1", ("1",)), ("17", ("17",))]


def test_a_heading_of_one_word_goes_not_on_in_the_number_below_it() -> None:
    assert (
        find(document("1 Definitions\n\n1.1 ‘Rope’ means a rope.\n\n2.1 Exhibits\n\n2.1.1 Each is attached."))
        == ()
    )
