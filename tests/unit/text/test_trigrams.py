"""Likeness of names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.text.trigrams import likeness, name_words, trigrams


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("HFABondMortgage_2019.05", "hfa bond mortgage 2019 5"),
        ("RFC9000", "rfc 9000"),
        ("Kingsbrook's Société-Générale lease", "kingsbrook societe generale lease"),
        ("Investors’ Rights", "investors rights"),
        ("eDiets iPhone", "ediets iphone"),
        ("far-part-09", "far part 9"),
        ("000", "0"),
        ("学習 Größe", "学習 grosse"),
        ("?!", ""),
    ],
)
def test_a_name_is_folded_to_words(name: str, words: str) -> None:
    assert name_words(name) == tuple(words.split())


def test_trigrams_are_those_of_pg_trgm() -> None:
    # select show_trgm('word two') and similarity('word', 'two words'), from PostgreSQL's manual.
    assert trigrams(("word", "two")) == {"  w", " wo", "wor", "ord", "rd ", "  t", " tw", "two", "wo "}
    one, other = trigrams(("word",)), trigrams(("two", "words"))
    assert round(likeness(len(one & other), len(one), len(other)), 6) == 0.363636


@given(st.lists(st.text(alphabet="abé9 -", max_size=9), max_size=4), st.text(alphabet="abé9 -", max_size=9))
def test_likeness_is_one_for_the_same_words_in_any_order_and_never_beyond(
    names: list[str], other: str
) -> None:
    words = name_words(" ".join(names))
    one, turned, else_ = trigrams(words), trigrams(words[::-1]), trigrams(name_words(other))
    assert one == turned
    assert likeness(len(one & turned), len(one), len(turned)) == (1.0 if words else 0.0)
    assert 0.0 <= likeness(len(one & else_), len(one), len(else_)) <= 1.0
