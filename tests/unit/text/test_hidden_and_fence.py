"""Hidden signs are left out, and a fence stands in nothing that it fences."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.text.fence import sign_for
from deref.text.hidden import on_one_line, without_hidden


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("pay \u202e004\u202c", "pay 004"),
        ("ze\u200bro \u2066width\u2069", "zero width"),
        ("tags \U000e0049\U000e0067", "tags "),
        ("\x1b[31mred\x07", "[31mred"),
        ("line\nand\ttab", "line\nand\ttab"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("plain é 中", "plain é 中"),
    ],
)
def test_what_nobody_sees_is_left_out_and_the_rest_stays(text: str, shown: str) -> None:
    assert without_hidden(text) == shown


def test_one_line_is_one_line_and_no_longer_than_it_may_be() -> None:
    assert on_one_line(" a\n\n b\u202e\tc ") == "a b c"
    assert on_one_line("abcdef", 4) == "abc…"


@given(st.text())
def test_what_is_left_has_nothing_hidden(text: str) -> None:
    shown = without_hidden(text)
    assert without_hidden(shown) == shown
    assert not any(
        unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Cn")
        for c in shown
        if c not in "\n\t\u200c\u200d"
    )


@given(st.lists(st.text(), max_size=4))
def test_a_fence_stands_in_none_of_the_texts_also_when_they_know_it(texts: list[str]) -> None:
    sign = sign_for(texts)
    again = sign_for([*texts, sign])
    assert sign not in "\n".join(texts)
    assert again not in "\n".join([*texts, sign]) and again != sign
    assert sign_for(texts) == sign
