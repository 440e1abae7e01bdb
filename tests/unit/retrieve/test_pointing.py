"""Which pointers are worth following: the order, and how late a passage is looked through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from math import log

from hypothesis import given
from hypothesis import strategies as st

from deref.retrieve.pointing import SOURCES, ranked_pointers
from deref.retrieve.shares import Shares
from deref.text.clean import join_texts
from deref.text.tokens import sentences
from deref.values import (
    Arrival,
    Candidate,
    Candidates,
    Chunk,
    Effect,
    FoundBy,
    Point,
    Query,
    Reference,
    ReferenceKind,
    Span,
)

Pointers = Sequence[tuple[Reference, str]]


def passage(n: int, text: str) -> Candidate:
    chunk = Chunk(
        id=f"c{n}", lines=Span(doc="d", start=n, end=n + 1), section=None, text=text, tokens=9, path=""
    )
    return Candidate(chunk=chunk, arrivals=(Arrival(by="lexical", rank=n),))


def pointer(n: int, m: int) -> Reference:
    at = Point(doc="d", line=n, char_start=m, char_end=m + 1)
    return Reference(
        text=f"Section {m}", kind=ReferenceKind.SECTION, labels=(str(m),), at=at, effect=Effect.PLAIN,
        found_by=FoundBy.GRAMMAR,
    )  # fmt: skip


def all_at_once(
    question: str, pool: Candidates, pointers: dict[str, Pointers]
) -> list[tuple[float, str, int]]:
    """The order by its definition: every pointer of every passage, scored and sorted."""
    shares, found = Shares(question), []
    for rank, source in enumerate(pool.items[:SOURCES]):
        here = pointers[source.chunk.id]
        of_sentence = Counter(sentence for _, sentence in here)
        for reference, sentence in here:
            around = 0.5 * shares.of(source.chunk.text) - 0.02 * rank
            score = shares.of(sentence) + around - 0.05 * log(of_sentence[sentence])
            found.append((score, source.chunk.id, reference.at.char_start))
    return sorted(found, key=lambda one: -one[0])


WORDS = st.sampled_from(["fee", "rent", "depot", "notice", "term", "lease", "shall", "so-\ncalled", "naïve"])
SENTENCE = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@given(st.lists(st.lists(SENTENCE, min_size=1, max_size=4), max_size=24), SENTENCE, st.data())
def test_the_order_is_that_of_all_pointers_together(
    passages: list[list[str]], question: str, data: st.DataObject
) -> None:
    pool = Candidates(tuple(passage(n, ". ".join(some)) for n, some in enumerate(passages)))
    pointers: dict[str, Pointers] = {
        f"c{n}": [
            (pointer(n, m), data.draw(st.sampled_from(some)).replace("-\n", "")) for m in range(len(some))
        ]
        for n, some in enumerate(passages)
    }
    found = ranked_pointers(Query(text=question), pool, lambda source: pointers[source.chunk.id])
    assert [(one.score, one.source.chunk.id, one.reference.at.char_start) for one in found] == all_at_once(
        question, pool, pointers
    )


def test_a_passage_that_cannot_hold_a_better_pointer_is_not_looked_through() -> None:
    pool = Candidates((
        passage(0, "The fee of a depot is that of Section 1."),
        passage(1, "A notice is given as Section 2 says."),
        passage(2, "The fee is due as Section 3 says."),
    ))  # fmt: skip
    asked = []

    def pointers(source: Candidate) -> Pointers:
        asked.append(source.chunk.id)
        return [(pointer(source.chunk.lines.start, 0), source.chunk.text)]

    found = ranked_pointers(Query(text="fee depot"), pool, pointers)
    assert [one.source.chunk.id for one in islice(found, 1)] == ["c0"]
    assert asked == ["c0"]
    assert [one.source.chunk.id for one in found] == ["c2", "c1"]
    assert asked == ["c0", "c2", "c1"]
    asked.clear()
    assert [
        one.source.chunk.id for one in ranked_pointers(Query(text="fee depot"), pool, pointers, near=0.6)
    ] == ["c0"]
    assert asked == ["c0"]


@given(st.lists(st.lists(SENTENCE, min_size=1, max_size=4), max_size=24), SENTENCE, st.floats(0.1, 1.0))
def test_what_is_left_out_is_worth_less_than_a_share_of_the_best(
    passages: list[list[str]], question: str, near: float
) -> None:
    pool = Candidates(tuple(passage(n, ". ".join(some)) for n, some in enumerate(passages)))
    pointers: dict[str, Pointers] = {
        f"c{n}": [(pointer(n, m), said) for m, said in enumerate(some[1:])] for n, some in enumerate(passages)
    }
    found = ranked_pointers(Query(text=question), pool, lambda s: pointers[s.chunk.id], near=near)
    told = [(one.score, one.source.chunk.id, one.reference.at.char_start) for one in found]
    every = all_at_once(question, pool, pointers)
    floor = near * every[0][0] if every else 0.0
    assert [one for one in told if one[0] >= floor] == [one for one in every if one[0] >= floor]
    assert told[:1] == every[:1]


def test_a_question_of_small_words_alone_is_ranked_as_any_other() -> None:
    pool = Candidates((passage(0, "The fee."), passage(1, "shall. The fee.")))
    pointers: dict[str, Pointers] = {"c0": [(pointer(0, 0), "The fee.")], "c1": [(pointer(1, 0), "shall")]}
    found = ranked_pointers(Query(text="shall"), pool, lambda source: pointers[source.chunk.id])
    assert [one.source.chunk.id for one in found] == ["c1", "c0"]


LETTERS = st.sampled_from(
    [
        "run",
        "ning",
        "non",
        "-",
        "-\n",
        "\u2010\n",
        "\n",
        " ",
        "it's",
        ".",
        "\u00ad",
        "\ufffe\n",
        "\ufffe \n ",
        "\u200b",
        "\ufffc",
        "Arun",
    ]
)


@given(st.lists(LETTERS, max_size=14).map("".join))
def test_a_sentence_tells_no_more_than_is_said_of_its_passage(text: str) -> None:
    shares = Shares("running non nonrunning it's itsrun runnon nonit's arunning")
    most = shares.of_sentence_in(text)
    joined, _, _ = join_texts(text.split("\n"))
    assert all(shares.of(joined[a:b]) <= most for a, b in sentences(joined))


def test_a_word_in_two_pieces_adds_no_more_than_itself() -> None:
    for end in ("-\n", "\ufffe\n", "\u00ad"):
        assert Shares("depot fee lease").of_sentence_in(f"The de{end}pot has a well-\nknown gate.") == 1 / 3
