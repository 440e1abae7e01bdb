"""When a shelf bears on a question at all."""

from __future__ import annotations

from deref.answer.sufficiency import bears_on
from deref.values import Arrival, Candidate, Chunk, Span


def candidate(text: str, near: float | None = None) -> Candidate:
    chunk = Chunk(
        id=text, lines=Span(doc="d", start=0, end=1), section=None, text=text, tokens=len(text.split())
    )
    arrivals = [Arrival(by="lexical", rank=0, score=3.0)]
    if near is not None:
        arrivals.append(Arrival(by="dense", rank=0, score=near))
    return Candidate(chunk=chunk, arrivals=tuple(arrivals))


QUESTION = "How long does the warranty of the mill last?"


def test_a_passage_that_holds_most_of_the_words_is_enough():
    assert bears_on(QUESTION, [candidate("How long the warranty of the mill will last.", 0.3)])


def test_nearness_in_meaning_is_enough():
    assert bears_on(QUESTION, [candidate("Guarantee period: 18 months.", 0.70)])


def test_words_and_meaning_together_are_enough_where_neither_is_alone():
    text = "The warranty of the mill ends in May."
    assert bears_on(QUESTION, [candidate(text, 0.60)])
    assert not bears_on(QUESTION, [candidate(text, 0.45)])
    assert not bears_on(QUESTION, [candidate("A guarantee period.", 0.60)])


def test_words_scattered_over_many_passages_are_not_enough():
    scattered = [candidate(t, 0.45) for t in ("a long road", "the last word", "an old mill", "no warranty")]
    assert not bears_on(QUESTION, scattered)


def test_without_vectors_the_words_of_all_passages_decide():
    assert bears_on(QUESTION, [candidate("the warranty"), candidate("the mill will last long")])
    assert not bears_on(QUESTION, [candidate("the moons of Jupiter")])


def test_nothing_found_bears_on_nothing():
    assert not bears_on(QUESTION, [])
