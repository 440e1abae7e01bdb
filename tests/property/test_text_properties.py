"""Laws of the text floor, on whatever hypothesis thinks of."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from deref.text.clean import fold_spaces, join_lines, verbatim
from deref.text.labels import (
    expand_range,
    is_roman,
    normalize_label,
    roman_value,
    sort_key,
    to_roman,
    variants,
)
from deref.text.tokens import STOPWORDS, content_stems, sentences, stem, words
from deref.values import Line

_SIGNS = "ab Zé-\u2010\u00ad\ufffe\u00a0\u3000\t.42()学Жא"
_ROWS = st.lists(st.one_of(st.text(_SIGNS, max_size=12), st.text(max_size=12)), max_size=6)
_LABELS = st.from_regex(r"[1-9A-Za-z][0-9]?(\.[1-9][0-9]?){0,2}(\([a-z1-9]{1,3}\)){0,2}", fullmatch=True)


def _lines(rows: list[str]) -> list[Line]:
    return [Line(doc="d", n=n, page=1, row=n + 1, text=text) for n, text in enumerate(rows)]


@given(_ROWS)
def test_every_joined_character_is_the_one_it_maps_back_to(rows: list[str]) -> None:
    joined = join_lines(_lines(rows))
    for offset, sign in enumerate(joined.text):
        line, char = joined.locate(offset)
        if char < len(line.text) and fold_spaces(line.text[char]) == sign:
            continue
        assert sign == " ", "only the space put for a line end has no origin"
        assert char == len(fold_spaces(line.text).rstrip())


@given(_ROWS)
def test_the_way_back_never_runs_backwards(rows: list[str]) -> None:
    joined = join_lines(_lines(rows))
    places = [(line.n, char) for line, char in (joined.locate(n) for n in range(len(joined.text)))]
    assert places == sorted(places)


@given(_ROWS)
def test_no_letter_is_lost_by_joining(rows: list[str]) -> None:
    joined = join_lines(_lines(rows)).text
    assert [c for c in joined if c.isalnum()] == [c for row in rows for c in row if c.isalnum()]


@given(_ROWS, st.data())
def test_a_point_reads_back_as_the_match_but_for_hyphens_and_spaces(
    rows: list[str], data: st.DataObject
) -> None:
    lines = _lines(rows)
    joined = join_lines(lines)
    if not joined.text:
        return
    start = data.draw(st.integers(0, len(joined.text) - 1))
    end = data.draw(st.integers(start + 1, len(joined.text)))
    read = verbatim(lines, joined.point(start, end))
    assert [c for c in read if c.isalnum()] == [c for c in joined.text[start:end] if c.isalnum()]


@given(_LABELS)
def test_a_label_is_its_own_normal_form(label: str) -> None:
    assert normalize_label(label) == label
    assert normalize_label(f"({label}).") in (label, f"({label})")


@given(st.text(_SIGNS + "No#[]:;,–", max_size=12))
def test_a_normal_form_holds_no_space_and_no_outer_punctuation(text: str) -> None:
    label = normalize_label(text)
    assert label == "".join(label.split()).strip(".,;:")


@given(_LABELS, _LABELS)
def test_a_range_begins_and_ends_with_its_ends_and_has_no_label_twice(first: str, last: str) -> None:
    every = expand_range(first, last)
    assert (every[0], every[-1]) == (first, last)
    assert len(set(every)) == len(every) <= 200


@given(st.integers(1, 3999))
def test_roman_numbers_go_there_and_back(value: int) -> None:
    roman = to_roman(value)
    assert is_roman(roman) and is_roman(roman.lower())
    assert roman_value(roman) == roman_value(roman.lower()) == value
    if roman not in ("L", "C", "D", "M"):
        assert variants(str(value)) == (str(value), roman)
        assert variants(roman) == (roman, str(value))


@given(st.lists(st.text(max_size=8)))
def test_any_labels_can_be_sorted(labels: list[str]) -> None:
    sorted(labels, key=sort_key)


@given(st.text(max_size=40))
def test_sentences_cover_all_that_is_no_white_space_and_never_overlap(text: str) -> None:
    spans = list(sentences(text))
    covered = "".join(text[start:end] for start, end in spans)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(a < b for a, b in spans)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))


@settings(max_examples=60)
@given(
    st.sampled_from(["Sec.", "No.", "Art.", "Fig.", "Nos.", "para.", "Eq.", "Ch."]),
    st.from_regex(r"[1-9][0-9]?(\.[1-9])?(\([a-z]\))?", fullmatch=True),
    st.sampled_from(["The fee of {} applies", "({}) is void", "Under {}, and not before"]),
)
def test_no_sentence_ends_inside_a_reference(word: str, label: str, frame: str) -> None:
    text = "First one. " + frame.format(f"{word} {label}") + ". Last one."
    assert [text[a:b] for a, b in sentences(text)] == [
        "First one.", frame.format(f"{word} {label}") + ".", "Last one.",
    ]  # fmt: skip


@given(st.text(max_size=40))
def test_a_text_with_a_word_has_content(text: str) -> None:
    assert bool(content_stems(text)) == bool(words(text))


@given(st.text(max_size=40))
def test_words_keep_every_letter_and_digit_in_order(text: str) -> None:
    assert [c for w in words(text) for c in w if c.isalnum()] == [c for c in text if c.isalnum()]


@given(st.text(st.characters(max_codepoint=127), max_size=60))
def test_words_of_plain_text_are_what_they_are_beside_an_odd_sign(text: str) -> None:
    assert [*words(text), "é"] == words(f"{text} é")
    assert content_stems(f"{text} plain") == [
        stem(w) for w in words(f"{text} plain") if w.lower() not in STOPWORDS
    ]
