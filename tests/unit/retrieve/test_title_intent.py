"""Which document a question names."""

from __future__ import annotations

import pytest

from deref.retrieve.instruments import NAMED_ALONE, WITH_A_NUMBER, WITH_A_WORD
from deref.retrieve.intent import LONGEST_KIND, kinds, singular, title_intent
from deref.text.trigrams import name_words


def _named(text: str) -> list[tuple[str, tuple[str, ...]]]:
    intent = title_intent(text)
    return [(title.instrument, title.qualifiers) for title in intent.titles] if intent else []


@pytest.mark.parametrize(
    ("text", "instrument", "qualifiers"),
    [
        ("What does the HFA bond mortgage say about limitation on liability?", "bond mortgage", ("hfa",)),
        ("Who pays default interest under the Brooklyn Community Housing Services promissory note?",
         "promissory note", ("brooklyn", "community", "housing", "services")),
        ("What does Kingsbrook Estates' operating agreement say on capital calls?", "operating agreement", ("kingsbrook", "estates")),
        ("operating agreement of Kingsbrook Estates LLC: who may call capital?", "operating agreement", ("kingsbrook", "estates")),
        ("How is rent set in the lease between Mill & Sons and Otter Ltd?", "lease", ("mill", "sons", "otter")),
        ("Under the Bank of Eldmoor promissory note, when is it due?", "promissory note", ("bank", "eldmoor")),
        ("What does the executed loan and regulatory agreement require?", "loan and regulatory agreement", ()),
        ("bond mortgage limitation on liability", "bond mortgage", ()),
        ("What does the NDA say about the term?", "nda", ()),
        ('How many days does "Leave Policy" give?', "leave policy", ()),
        ("Does our travel policy cover taxis?", "policy", ("travel",)),
        ("How does the pump manual say to bleed the valve?", "manual", ("pump",)),
        ("According to RFC9000, how long is a connection ID?", "rfc", ("9000",)),
        ("In SP 800-53r5, what is AC-2?", "sp", ("800 53", "r 5")),
        ("In NIST SP 800-53 Rev. 5, what is AC-2?", "sp", ("800 53", "r 5")),
        ("What length does SP 800-63B ask for?", "sp", ("800 63 b",)),
        ("What does Regulation (EU) 2016/679 say about consent?", "regulation", ("2016 679",)),
        ("What does FAR Part 09 require for debarment?", "far part", ("9",)),
        ("Was sagt der Mietvertrag über Haustiere?", "mietvertrag", ()),
        ("Que dit le contrat de bail sur les animaux ?", "contrat de bail", ()),
        ("¿Qué dice el contrato de arrendamiento sobre mascotas?", "contrato de arrendamiento", ()),
        ("What interest does the convertible note term sheet set?", "term sheet", ("convertible", "note")),
        ("Which clauses of the loan agreement refer to the promissory note?", "loan agreement", ()),
        ("What does the lease refer to?", "lease", ()),
        ("With reference to the lease, who pays?", "lease", ()),
    ],
)  # fmt: skip
def test_a_document_is_named_by_its_kind_and_the_words_around_it(
    text: str, instrument: str, qualifiers: tuple[str, ...]
) -> None:
    assert _named(text) == [(instrument, qualifiers)]


@pytest.mark.parametrize(
    "text",
    [
        "What is the penalty for late delivery?",
        "What is a promissory note?",
        "Which papers refer to the Credit Agreement?",
        "Which memo mentions the bond mortgage?",
        "Where is the promissory note mentioned?",
        "Does any lease allow pets?",
        "Which notice must the officer give?",
        "What are operating agreements for?",
        "What notice does the agreement require?",
        "What must the policy holder do?",
        "When does the lease term end?",
        "How is the mortgage rate set?",
        "How do I plan a survey and report on it?",
        "What is the standard deviation?",
        "In whose favour is the charge that is not the bond mortgage?",
        "Which papers other than the lease name a deposit?",
        "What is owed besides the promissory note?",
        "",
        "?",
    ],
)
def test_a_question_that_names_no_document_has_no_intent(text: str) -> None:
    assert title_intent(text) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What does the loan agreement say about the promissory note?", ["loan agreement"]),
        ("What rate has the promissory note under the loan agreement?", ["loan agreement"]),
        ("What does Part 2 of the lease say?", ["lease"]),
        ("Is rent due longer than the lease says?", ["lease"]),
        ("What does the guaranty, and not the lease, say on rent?", ["guaranty"]),
        ("Compare the lease with the guaranty", ["lease", "guaranty"]),
        ("Do RFC 9000 and RFC 9114 agree on padding?", ["rfc", "rfc"]),
    ],
)
def test_the_document_that_is_asked_counts_and_not_the_one_it_is_asked_about(
    text: str, named: list[str]
) -> None:
    assert [instrument for instrument, _ in _named(text)] == named


@pytest.mark.parametrize(
    ("text", "instruments"),
    [
        ("The Mill Lease pushes the rent to Schedule 2. What is the rent there?", []),
        ("RFC 9000 leaves the registries to another policy. What does that policy demand?", []),
        ("Rent is due monthly. What does the Mill Lease say about arrears? It is urgent.", ["lease"]),
        ("See the Mill Lease, Sec. 4. Rent in arrears.", ["lease"]),
    ],
)
def test_only_the_sentence_that_asks_names_the_document(text: str, instruments: list[str]) -> None:
    assert [instrument for instrument, _ in _named(text)] == instruments


def test_the_longest_kind_is_found() -> None:
    assert _named("What does the convertible promissory note say?")[0][0] == "convertible promissory note"
    assert (
        _named("What does the environmental indemnity agreement say?")[0][0]
        == "environmental indemnity agreement"
    )


def test_the_phrase_is_what_the_title_is_looked_up_by() -> None:
    intent = title_intent("What does the HFA bond mortgage say about limitation on liability?")
    assert intent is not None
    assert intent.titles[0].phrase == "hfa bond mortgage"


def test_every_kind_is_written_as_names_are_folded_and_is_found_under_its_first_word() -> None:
    longest = 0
    for table in (NAMED_ALONE, WITH_A_NUMBER, WITH_A_WORD):
        for line in table.strip().splitlines():
            every = [tuple(map(singular, said.split())) for said in line.split(" | ")]
            for said, words in zip(line.split(" | "), every, strict=True):
                assert " ".join(name_words(said)) == said
                assert set(kinds(words[0])[words].others) >= set(every)
                longest = max(longest, len(words))
    assert longest == LONGEST_KIND


def test_a_question_of_many_thousand_kinds_is_read_in_a_moment() -> None:
    assert title_intent("the lease of the loan agreement " * 250) is not None
