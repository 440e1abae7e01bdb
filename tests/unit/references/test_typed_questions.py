"""A question as it is typed is read as the grammar spells it, and what it says is told in its own words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deref.references.typed import typed


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("art 33", "Article 33"),
        ("art. 33(1)?", "Article 33(1)?"),
        ("see sec.4.1 and fig 2", "see Section 4.1 and Figure 2"),
        ("what does section seven say", "what does section 7 say"),
        ("what does exhibit b say", "what does Exhibit B say"),
        ("schedule a of the lease", "Schedule A of the lease"),
        ("Section 4(b) of the credit agreement", "Section 4(b) of the Credit Agreement"),
        ("Article 33 and 34 GDPR", "Articles 33 and 34 GDPR"),
        ("what do art. 5 and 6 say", "what do Articles 5 and 6 say"),
        ("section 4 of rfc 9000", "section 4 of RFC 9000"),
        ("section 4.1 (a) (ii) of the lease", "section 4.1(a)(ii) of the Lease"),
        ("TABLE 3 ROW (E) OF THE LEASE", "table 3 row (E) of the Lease"),
        ("EXHIBIT B?", "Exhibit B?"),
        ("section 4 of the lease and the guaranty", "section 4 of the Lease and the guaranty"),
    ],
)
def test_what_is_typed_short_is_spelled_out(question: str, text: str) -> None:
    assert typed(question).text == text


@pytest.mark.parametrize(
    "question",
    [
        "which exhibit a customer sees",
        "the art of 33 painters",
        "part one-way",
        "a start 4",
        "in the lease",
        "Section 4 and 5 days of notice",
        "Section 4 and 10 of the 12 tenants",
        "Section 4.1",
    ],
)
def test_what_is_none_stays(question: str) -> None:
    assert typed(question).text == question


def test_the_words_of_the_question_are_told() -> None:
    asked = typed("what do art 33 and sec. 4 say")
    start = asked.text.index("Article 33")
    assert asked.said(start, start + len("Article 33")) == "art 33"
    start = asked.text.index("Section 4")
    assert asked.said(start, start + len("Section 4")) == "sec. 4"


@given(st.text(alphabet="art sec fig.exhibit b 34 one(of the lease)é", max_size=60))
def test_every_character_has_its_place_and_all_of_it_is_the_question(question: str) -> None:
    asked = typed(question)
    assert len(asked.back) == len(asked.text) + 1
    assert list(asked.back) == sorted(asked.back)
    assert asked.said(0, len(asked.text)) == question
