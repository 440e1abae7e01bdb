"""Words, sentences and stems in any script."""

from __future__ import annotations

import pytest

from deref.text.tokens import content_stems, count_tokens, sentences, stem, words


def told(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tenant's roof", ["The", "tenant's", "roof"]),
        ("The tenant’s ‘roof’ of 'tin', • §4…", ["The", "tenant’s", "roof", "of", "tin", "4"]),
        ("the tenants’ roof’s edge", ["the", "tenants", "roof’s", "edge"]),
        ("a 'b' and the tenant’s it's", ["a", "b", "and", "the", "tenant’s", "it's"]),
        ("rock'n'roll ''twas' d'", ["rock'n'roll", "twas", "d"]),
        ("ack_delay 4.2", ["ack", "delay", "4", "2"]),
        ("Größe naïve Кошка", ["Größe", "naïve", "Кошка"]),
        ("学習RFC9000の", ["学", "習", "RFC9000", "の"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("cafe\u0301 noir", ["cafe\u0301", "noir"]),
        ("مَرْحَبًا שָׁלוֹם", ["مَرْحَبًا", "שָׁלוֹם"]),
        ("ภาษาไทยที่ดี", ["ภาษาไทยที่ดี"]),
        ("?! — …", []),
        ("", []),
    ],
)
def test_words_are_runs_of_letters_and_digits_in_any_script(text: str, expected: list[str]) -> None:
    assert words(text) == expected
    assert count_tokens(text) == len(expected)


@pytest.mark.parametrize(
    "text",
    [
        "The fee is in Sec. 4.2 of the lease",
        "It follows No. 7 of the list",
        "Compare Figs. 3 and 4 with Art. 12",
        "The rate was 3.25 percent, cf. Table 2",
        "Smith et al. (2017) say so",
        "Acme Corp. and Bolt Ltd. agree",
        "Parts, e.g. Valves, are listed in U.S. Customary units",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_cut_it(text: str) -> None:
    assert told(text + ". It ends here.") == [text + ".", "It ends here."]


def test_sentences_end_where_people_end_them() -> None:
    assert told("Pay it. Then “leave.” Why? See Section 4.2. Done!") == [
        "Pay it.", "Then “leave.”", "Why?", "See Section 4.2.", "Done!",
    ]  # fmt: skip
    assert told("位置埋め込み。これは二つ目。三つ目") == ["位置埋め込み。", "これは二つ目。", "三つ目"]


def test_a_small_letter_after_a_stop_goes_on() -> None:
    assert told("about approx. five valves. and more") == ["about approx. five valves. and more"]


def test_nothing_has_no_sentences() -> None:
    assert told("") == told(" \n ") == []


def test_stems_meet_across_forms_and_stopwords_carry_nothing() -> None:
    assert stem("Embeddings") == stem("embedding")
    assert content_stems("What are the fees?") == [stem("fees")]


def test_a_question_of_stopwords_alone_keeps_them_all() -> None:
    assert content_stems("Who is it?") == [stem("who"), stem("is"), stem("it")]


def test_a_page_of_dots_is_read_once_and_not_from_every_dot_anew() -> None:
    page = "Fees " + "." * 200_000 + "12"
    assert told(page) == [page]
