"""One suite for every writer: what the loop may rely on, whoever writes.

The writer with a model is given a double that does its work plainly: it quotes the sentences that share words with the
question, and names every pointer that it sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from deref.answer import ExtractiveWriter
from deref.answer.cite import ungrounded
from deref.answer.generate import GenerativeWriter
from deref.models.scripted_language_model import ScriptedLanguageModel
from deref.ports import Writer
from deref.text.clean import join_lines
from deref.values import Answer, Arrived, Completeness, Passage, Query, Shape, Span, Status
from deref.values.messages import Message
from unit.answer.small_evidence import document, followed, reader, references_in, whole
from unit.answer.small_model import reply

LEASE = document(
    "# Lease of the Mill\n\n## 1. Rent\n\nThe yearly rent is set out in row (B) of Table 1 and in Section 9.\n\n"
    "## 2. Term\n\nThe lease runs for 12 years from 1 May 2024, unless the tenant ends it under Section 3.\n\n"
    "## 3. Notice\n\nThe tenant may end the lease with six months of notice in writing.\n\n"
    "## 4. Figures\n\nTable 1: Rents by floor.\n\n"
    "| floor | area | rent |\n|---|---|---|\n| base | 100 | 900 |\n| (A) | 120 | 1,100 |\n| (B) | 150 | 1,450 |\n",
    "lease.md",
)
SIDE = document(
    "# Side Letter\n\nThe yearly rent is reviewed every second year.\n\nCats are welcome.\n", "side.md"
)
READ = reader(LEASE, SIDE)
RENT, TERM = "What is the yearly rent?", "How long does the lease run?"
ROW = followed(LEASE, "row (B)")


def plainly(messages: Sequence[Message]) -> Mapping[str, Any]:
    """Answer as a model that does as it is told and is not clever."""
    shown = messages[-1].text
    question = shown.rpartition("Question: ")[2]
    asked = set(re.findall(r"\w{4,}", question.casefold()))
    claims, pending = [], []
    for id, text in re.findall(r"=== (P\d+) \w+\n.*?--- text \w+\n(.*?)\n=== end of", shown, re.DOTALL):
        for line in text.splitlines():
            if not line.startswith("#") and asked & set(re.findall(r"\w{4,}", line.casefold())):
                claims.append((line.strip("| "), [(id, line)]))
            pending += [(id, words) for words in re.findall(r"Section \d+|row \(\w\) of Table \d+", line)]
    return reply(*claims, status="answered" if claims else "not_found", pending=pending if claims else [])


def generative() -> Writer:
    return GenerativeWriter(ScriptedLanguageModel(plainly, window=8192), references_in)


WRITERS: dict[str, Callable[[], Writer]] = {
    "extractive": lambda: ExtractiveWriter(references_in),
    "generative": generative,
}


@pytest.fixture(params=sorted(WRITERS))
def writer(request: pytest.FixtureRequest) -> Writer:
    return WRITERS[request.param]()


def asked(writer: Writer, text: str, *passages: Passage, shape: Shape = Shape.FACT) -> Answer:
    return writer.write(Query(text=text, shape=shape), passages, READ)


CASES = [
    (TERM, [whole(LEASE)]),
    (RENT, [whole(LEASE)]),
    (RENT, [whole(LEASE), ROW]),
    (RENT, [whole(SIDE), whole(LEASE), ROW]),
    ("Which cats are welcome?", [whole(SIDE), whole(LEASE)]),
]
each_case = pytest.mark.parametrize(("question", "passages"), CASES)
each_shape = pytest.mark.parametrize("shape", list(Shape))


def test_it_has_a_name(writer: Writer) -> None:
    assert writer.identity.strip()


@each_shape
@each_case
def test_every_quote_is_the_very_lines_that_it_cites(
    writer: Writer, question: str, passages: list[Passage], shape: Shape
) -> None:
    answer = asked(writer, question, *passages, shape=shape)
    assert answer.citations
    assert ungrounded(answer, READ) == ()
    assert all(c.quote == READ(c.lines.doc).text(c.lines) for c in answer.citations)


@each_case
def test_it_cites_what_it_was_given_and_nothing_else(
    writer: Writer, question: str, passages: list[Passage]
) -> None:
    given = [span for p in passages for span in (p.lines, p.header) if span is not None]
    given += [i.lines for i in LEASE.items for p in passages if p is ROW and i.lines.start <= p.lines.start]
    for cited in asked(writer, question, *passages).citations:
        assert any(
            g.doc == cited.lines.doc and g.start <= cited.lines.start and cited.lines.end <= g.end
            for g in given
        )


@each_case
def test_the_numbers_in_the_text_are_those_of_its_citations(
    writer: Writer, question: str, passages: list[Passage]
) -> None:
    answer = asked(writer, question, *passages)
    assert {int(n) for n in re.findall(r"\[(\d+)\]", answer.text)} == set(range(1, len(answer.citations) + 1))


@each_case
def test_what_is_pending_is_open_and_is_what_the_typed_field_says(
    writer: Writer, question: str, passages: list[Passage]
) -> None:
    answer = asked(writer, question, *passages)
    assert (answer.completeness is Completeness.REFERENCES_UNRESOLVED) == bool(answer.pending)
    for open_ in answer.pending:
        at = open_.reference.at
        assert (open_.status, open_.targets) == (Status.UNRESOLVED, ())
        assert READ(at.doc).lines[at.line].text[at.char_start :].startswith(open_.reference.text)
    places = [r.reference.at for r in answer.pending]
    assert len(set(places)) == len(places)


def test_a_pointer_that_was_followed_is_not_pending_again(writer: Writer) -> None:
    first = asked(writer, RENT, whole(LEASE))
    assert "row (B) of Table 1" in [r.reference.text for r in first.pending]
    second = asked(writer, RENT, whole(LEASE), ROW)
    assert "row (B) of Table 1" not in [r.reference.text for r in second.pending]


def test_what_a_pointer_led_to_is_cited_with_both_ends(writer: Writer) -> None:
    answer = asked(writer, RENT, whole(LEASE), ROW)
    reached = [c for c in answer.citations if c.arrived is Arrived.REFERENCE]
    assert any("1,450" in c.quote for c in reached)
    for cited in reached:
        assert cited.reference == "row (B) of Table 1"
        assert cited.referenced_from is not None
        assert "row (B)" in LEASE.lines[cited.referenced_from.line].text


def test_conditions_stand_in_the_documents(writer: Writer) -> None:
    (condition,) = asked(writer, TERM, whole(LEASE)).conditions
    assert condition.text.endswith("unless the tenant ends it under Section 3.")
    assert condition.text in join_lines(LEASE.lines).text.replace("## 2. ", "")
    assert condition.at.source == "lease.md"


def test_without_evidence_there_is_no_answer(writer: Writer) -> None:
    answer = asked(writer, RENT)
    assert (answer.completeness, answer.citations, answer.pending) == (Completeness.NOT_FOUND, (), ())
    assert answer.text


@each_case
def test_the_same_evidence_gives_the_same_answer(
    writer: Writer, question: str, passages: list[Passage]
) -> None:
    assert asked(writer, question, *passages) == asked(writer, question, *passages)


@each_case
def test_what_is_heard_is_what_is_answered(writer: Writer, question: str, passages: list[Passage]) -> None:
    heard: list[str] = []
    answer = writer.write(Query(text=question), passages, READ, heard=heard.append)
    assert "".join(heard) == answer.text


def test_a_table_row_alone_is_evidence(writer: Writer) -> None:
    (row,) = [line.n for line in LEASE.lines if "(A)" in line.text]
    alone = Passage(lines=Span(doc=LEASE.id, start=row, end=row + 1))
    answer = asked(writer, "What is the (A) 1,100 rent?", alone)
    assert ungrounded(answer, READ) == ()
