"""Context around a passage, the best parts of a long place, and the runner that tells what each stage did."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np

from deref.retrieve.cut import cut
from deref.retrieve.expand import expand, widen
from deref.retrieve.stage import Recipe, Stage, run_recipe
from deref.retrieve.within import best_within
from deref.text.tokens import count_tokens
from deref.trace.events import StageRan
from deref.trace.sinks import ListSink
from deref.values import Candidates, Document, Item, ItemKind, Line, Query, Section, Span, Target
from unit.retrieve.small_shelf import CHUNKS, DOCUMENTS, candidate, candidates, ids

QUERY = Query(text="What does a drover pay as toll?")
# Two sections; every second line begins a block of two lines of two words each.
_LINES = tuple(
    Line(doc="d", n=n, page=1, row=n + 1, text=f"two w{n}", starts_block=n % 2 == 0) for n in range(12)
)
DOCUMENT = Document(
    id="d", name="d", title="", aliases=(), items=(), links=(), fingerprint="", lines=_LINES,
    sections=tuple(
        Section(id=str(n), label=None, title="", level=1, lines=Span(doc="d", start=6 * n, end=6 * n + 6)) for n in range(2)
    ),
)  # fmt: skip


def span(start: int, end: int) -> Span:
    return Span(doc="d", start=start, end=end)


def test_a_passage_grows_to_its_whole_section_when_that_fits() -> None:
    assert widen(DOCUMENT, span(2, 4), 8) == span(0, 6)
    assert widen(DOCUMENT, span(8, 10), 100) == span(6, 12)


def test_what_comes_after_is_taken_before_what_goes_before() -> None:
    assert widen(DOCUMENT, span(2, 4), 4) == span(2, 6)


def test_blocks_are_taken_whole_or_not_at_all() -> None:
    assert widen(DOCUMENT, span(2, 4), 3) is None
    assert widen(DOCUMENT, span(2, 4), 0) is None


def test_a_whole_section_has_nothing_to_grow_into() -> None:
    assert widen(DOCUMENT, span(0, 6), 100) is None


def with_tables(*spans: tuple[int, int]) -> Document:
    """The document with tables at these lines, each row a block."""
    tables = tuple(
        Item(id=f"t{a}", kind=ItemKind.TABLE, label=None, caption="", lines=span(a, b)) for a, b in spans
    )
    rows = {n for a, b in spans for n in range(a, b)}
    lines = tuple(replace(line, starts_block=line.starts_block or line.n in rows) for line in _LINES)
    return replace(DOCUMENT, items=tables, lines=lines)


def test_a_passage_that_is_part_of_a_table_grows_to_all_of_it_first() -> None:
    document = with_tables((1, 5))
    assert widen(document, span(2, 3), 6) == span(1, 5)
    assert widen(document, span(2, 3), 8) == span(1, 6)


def test_a_table_that_does_not_fit_is_not_entered() -> None:
    document = with_tables((2, 6))
    assert widen(document, span(1, 2), 7) == span(0, 2)
    assert widen(document, span(1, 2), 8) == span(1, 6)
    above = with_tables((0, 4))
    assert widen(above, span(4, 5), 7) == span(4, 6)


def test_a_table_that_is_too_long_grows_around_the_passage_row_by_row() -> None:
    assert widen(with_tables((0, 6)), span(2, 3), 5) == span(1, 4)


def test_the_context_holds_the_passage_inside_its_section_within_the_budget() -> None:
    for start, length, tokens in itertools.product(range(12), range(1, 4), range(12)):
        passage = span(start, min(start + length, 6 if start < 6 else 12))
        context = widen(DOCUMENT, passage, tokens)
        if context is None:
            continue
        home = DOCUMENT.section_at(start)
        assert home is not None
        assert (
            home.lines.start <= context.start <= passage.start
            and passage.end <= context.end <= home.lines.end
        )
        assert count_tokens(DOCUMENT.text(context)) - count_tokens(DOCUMENT.text(passage)) <= tokens


def test_expanding_sets_the_context_and_nothing_else() -> None:
    here = candidates("bridge1", "ferry0")
    after = expand(DOCUMENTS.get, tokens=200).run(QUERY, here)
    assert [replace(c, context=None) for c in after] == list(here)
    assert [c.context for c in after] == [
        Span(doc="bridge", start=0, end=5), Span(doc="ferry", start=0, end=3),
    ]  # fmt: skip
    assert expand(DOCUMENTS.get, tokens=200).run(QUERY, after) is after


def test_the_best_parts_of_a_place_are_those_that_share_words_clipped_to_it() -> None:
    place = Target(lines=Span(doc="bridge", start=1, end=5), kind="section", label="1", title="")
    query = Query(text="How many pence does a drover pay?")
    spans = best_within(query, place, list(CHUNKS.values())[:5], None, parts=1)
    assert spans == [Span(doc="bridge", start=4, end=5)]
    whole = replace(
        CHUNKS["bridge0"], id="w", lines=Span(doc="bridge", start=0, end=5), text="drover pay toll"
    )
    assert best_within(QUERY, place, [whole], None) == [place.lines]


def test_a_word_of_one_part_weighs_more_than_one_of_every_part() -> None:
    texts = ["bridge toll rules of old", "bridge toll rules of today", "bridge lamps at dusk"]
    place = Target(lines=Span(doc="bridge", start=0, end=3), kind="section", label="1", title="")
    parts = [
        replace(CHUNKS["bridge0"], id=str(n), lines=Span(doc="bridge", start=n, end=n + 1), text=text)
        for n, text in enumerate(texts)
    ]
    query = Query(text="bridge toll rules: when are lamps lit at dusk?")
    assert best_within(query, place, parts, None, parts=1) == [Span(doc="bridge", start=2, end=3)]


def test_the_part_that_the_pointer_calls_by_its_name_goes_first() -> None:
    place = Target(lines=Span(doc="bridge", start=1, end=5), kind="section", label="1", title="")
    query = Query(text="How many pence does a drover pay?")
    named = Span(doc="bridge", start=2, end=3)
    chunks = list(CHUNKS.values())[:5]
    spans = best_within(query, place, chunks, None, named=named, parts=2)
    assert spans == [named, Span(doc="bridge", start=4, end=5)]


def test_only_the_first_candidates_grow_where_no_more_are_read() -> None:
    here = candidates("bridge1", "bridge3")
    grown = expand(DOCUMENTS.get, tokens=10).run(QUERY, here)
    first = expand(DOCUMENTS.get, tokens=10, first=1).run(QUERY, here)
    assert (first.items[0], first.items[1]) == (grown.items[0], here.items[1])
    assert grown.items[1].context is not None


def test_a_place_without_a_shared_word_has_parts_only_by_meaning() -> None:
    place = Target(lines=Span(doc="ferry", start=0, end=3), kind="section", label="1", title="")
    chunks = [c for c in CHUNKS.values() if c.lines.doc == "ferry"]
    query = Query(text="zebra")
    assert best_within(query, place, chunks, None) == []

    def similarity(text: str, near: object) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        return np.asarray([0.1, 0.2, 0.9], dtype=np.float32)

    assert best_within(query, place, chunks, similarity, parts=1) == [Span(doc="ferry", start=2, end=3)]


def _told(*stages: Stage) -> list[StageRan]:
    sink, ticks = ListSink(), itertools.count()
    recipe: Recipe = stages
    run_recipe(QUERY, recipe, emit=sink, clock=lambda: float(next(ticks)))
    return [e for e in sink.events if isinstance(e, StageRan)]


def test_the_runner_tells_what_each_stage_changed() -> None:
    found = Stage("found", lambda query, here: candidates("bridge0", "bridge1", "bridge2"))
    turned = Stage("turned", lambda query, here: here.reordered(["bridge2"]))
    events = _told(found, turned, cut(2), expand(DOCUMENTS.get, tokens=10), cut(2))
    assert [e.note for e in events] == ["3 in", "order changed", "1 out", "contexts changed", "did not apply"]
    assert [e.stage for e in events] == ["found", "turned", "cut", "expand", "cut"]
    assert all(e.seconds == 1.0 for e in events)
    for before, after in itertools.pairwise(events):
        assert before.after == after.before
    assert events[0].before == () and events[-1].after == ("bridge2", "bridge0")


def test_a_recipe_of_nothing_gives_nothing() -> None:
    assert run_recipe(QUERY, (), emit=ListSink(), clock=lambda: 0.0) == Candidates()


def test_a_stage_may_bring_in_and_put_out_at_once() -> None:
    first = Stage("first", lambda query, here: candidates("bridge0", "bridge1"))
    other = Stage("other", lambda query, here: Candidates((candidate("bridge1"), candidate("ferry0"))))
    assert _told(first, other)[1].note == "1 in, 1 out"
    assert ids(other.run(QUERY, Candidates())) == ["bridge1", "ferry0"]
