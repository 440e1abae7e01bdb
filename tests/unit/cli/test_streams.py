from __future__ import annotations

from deref.cli.streams import folded, harmless, one_line, shortened


def test_what_would_steer_a_terminal_is_shown_and_colours_stay():
    assert harmless("a\x1b]0;title\x07b\x1b[2J\x9b1m") == r"a\x1b]0;title\x07b\x1b[2J\x9b1m"
    assert harmless("\x1b[1mbold\x1b[0m\tand\nlines") == "\x1b[1mbold\x1b[0m\tand\nlines"
    assert harmless("שלום 契約 é") == "שלום 契約 é"


def test_one_line_is_one_line_whatever_is_in_it():
    assert one_line("a\nb\r\u2028c\u202e.md") == r"a\nb\r\u2028c\u202e.md"
    assert len(one_line("a\n\x85\x0b\x0cb").splitlines()) == 1


def test_a_long_line_is_broken_between_words_and_what_follows_is_set_in():
    assert folded("one two three\n  - four five six\n", 10) == "one two\nthree\n  - four\nfive six\n"
    assert folded("  [1] four five six seven", 20) == "  [1] four five six\n      seven"


def test_colours_take_no_column_and_wide_signs_take_two():
    assert folded("\x1b[1mone two\x1b[0m", 7) == "\x1b[1mone two\x1b[0m"
    assert folded("条約 条約", 8) == "条約\n条約"


def test_a_word_wider_than_the_line_is_left_whole():
    assert folded("a " + "b" * 30 + " c", 10) == "a\n" + "b" * 30 + "\nc"


def test_a_long_text_is_cut_between_words():
    assert shortened("one  two\nthree", 13) == "one two three"
    assert shortened("one two three four", 13) == "one two…"
    assert shortened("b" * 30, 10) == "b" * 9 + "…"
