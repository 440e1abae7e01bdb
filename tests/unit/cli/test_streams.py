from __future__ import annotations

from deref.cli.streams import harmless, one_line


def test_what_would_steer_a_terminal_is_shown_and_colours_stay():
    assert harmless("a\x1b]0;title\x07b\x1b[2J\x9b1m") == r"a\x1b]0;title\x07b\x1b[2J\x9b1m"
    assert harmless("\x1b[1mbold\x1b[0m\tand\nlines") == "\x1b[1mbold\x1b[0m\tand\nlines"
    assert harmless("שלום 契約 é") == "שלום 契約 é"


def test_one_line_is_one_line_whatever_is_in_it():
    assert one_line("a\nb\r\u2028c\u202e.md") == r"a\nb\r\u2028c\u202e.md"
    assert len(one_line("a\n\x85\x0b\x0cb").splitlines()) == 1
