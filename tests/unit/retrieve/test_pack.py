"""Pack: what passages point at, in the words that they would grow by; no passage of the list goes for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from deref.retrieve.expand import expand
from deref.retrieve.pack import OF_EACH, WORDS, pack
from deref.retrieve.stage import Stage
from deref.retrieve.ways import Ways, part_named
from deref.text.tokens import count_tokens
from deref.values import (
    Arrival,
    Candidate,
    Candidates,
    Chunk,
    Document,
    Item,
    ItemKind,
    Line,
    Point,
    Query,
    Reference,
    ReferenceKind,
    Resolution,
    Section,
    Span,
    Status,
    Target,
    Tier,
)

FILLING = "and so it was written down by the clerk of the mill in the year of the great flood"
LINES = (
    f"The lamp is lit at dusk as Part 9 says, {FILLING}.",
    f"Oil is bought in spring, {FILLING}.",
    f"Wicks are trimmed twice, {FILLING}.",
    f"The keeper sleeps by day, {FILLING}.",
    "Table 4: Burners",
    f"A small one burns nine hours, {FILLING}, {FILLING}.",
    f"A large one burns four, {FILLING}, {FILLING}.",
    f"Glass is cleaned with chalk, {FILLING}.",
)
QUERY = Query(text="When is the lamp lit at dusk, and for how long does it burn?")
GROWN = 60


def span(start: int, end: int) -> Span:
    return Span(doc="d", start=start, end=end)


TERM = Item(id="t", kind=ItemKind.DEFINITION, label="Small Burner", caption="", lines=span(5, 6))
SECTIONS = tuple(
    Section(id=str(n), label=str(n), title=title, level=1, lines=span(start, end))
    for n, title, start, end in ((1, "Lighting", 0, 4), (2, "Burners of Brass", 4, 8))
)
DOCUMENT = Document(
    id="d", name="d.md", title="d", aliases=(), sections=SECTIONS, items=(TERM,), links=(), fingerprint="f",
    lines=tuple(Line(doc="d", n=n, page=1, row=n + 1, text=t, starts_block=True) for n, t in enumerate(LINES)),
)  # fmt: skip
CHUNKS = tuple(
    Chunk(id=f"c{n}", lines=span(n, n + 1), section="1", text=text, tokens=count_tokens(text))
    for n, text in enumerate(LINES)
)


def points(at: int, start: int, end: int, kind: str = "part") -> Resolution:
    """Return what a pointer in a passage leads to."""
    place = Point(doc="d", line=at, char_start=0, char_end=4)
    reference = Reference(text=f"Part {start}", kind=ReferenceKind.PART, labels=(str(start),), at=place)
    target = Target(lines=span(start, end), kind=kind, label=str(start), title="")
    return Resolution(reference=reference, status=Status.RESOLVED, targets=(target,), tier=Tier.LABEL, why="")


def packing(*resolutions: Resolution, k: int = 4, sentence: str = "", grown: int = GROWN) -> Stage:
    def references_in(chunk: Chunk) -> Sequence[tuple[Reference, str]]:
        here = [r.reference for r in resolutions if r.reference.at.line in chunk.lines]
        return [(reference, sentence or chunk.text) for reference in here]

    ways = Ways(
        references_in=references_in,
        resolve=lambda reference: next(r for r in resolutions if r.reference is reference),
        chunks_of=lambda doc, scope, where: CHUNKS,
        labels_in=lambda chunk: (),
    )
    return pack(
        ways, k=k, grown=grown, read={"d": DOCUMENT}.get,
        named=lambda lines, said: part_named(DOCUMENT, lines, said),
    )  # fmt: skip


def found(*numbers: int) -> Candidates:
    arrival = Arrival(by="bm25", rank=0)
    return Candidates(tuple(Candidate(chunk=CHUNKS[n], arrivals=(arrival,)) for n in numbers))


def ids(candidates: Candidates) -> list[str]:
    return [c.chunk.id for c in candidates]


def words(candidates: Candidates) -> int:
    return sum(count_tokens(DOCUMENT.text(c.context or c.chunk.lines)) for c in candidates)


def test_what_is_pointed_at_comes_in_behind_all_that_was_found_and_in_no_more_words() -> None:
    here = found(0, 1, 2, 3)
    after = packing(points(0, 5, 6)).run(QUERY, here)
    assert ids(after) == ["c0", "c1", "c2", "c3", "c5"]
    last = after.items[-1]
    assert last.hopped and last.arrivals[0].by == "hop"
    assert last.context == span(5, 6)
    assert words(after) <= words(expand({"d": DOCUMENT}.get, tokens=GROWN).run(QUERY, here))


def test_the_stage_after_it_leaves_the_contexts_alone() -> None:
    after = packing(points(0, 5, 6)).run(QUERY, found(0, 1, 2, 3))
    assert expand({"d": DOCUMENT}.get, tokens=GROWN).run(QUERY, after) is after


def test_words_that_are_left_go_back_to_the_first_passages() -> None:
    after = packing(points(0, 5, 6), k=2).run(QUERY, found(0, 3))
    assert [c.context for c in after] == [span(0, 3), span(3, 4), span(5, 6)]


@pytest.mark.parametrize("grown", [0, GROWN])
def test_nothing_is_pointed_at_or_nothing_may_grow_and_all_stays(grown: int) -> None:
    here = found(0, 1, 2, 3)
    assert packing(grown=grown).run(QUERY, here) is here
    assert packing(points(0, 5, 6), grown=0).run(QUERY, here) is here


def test_a_passage_that_is_in_the_list_is_not_brought_in_again() -> None:
    here = found(0, 1, 5)
    assert packing(points(0, 5, 6)).run(QUERY, here) is here


def test_only_the_first_k_stay_and_what_came_by_a_reference_does_not_lead_on() -> None:
    after = packing(points(0, 5, 6), k=2).run(QUERY, found(0, 1, 2, 3))
    assert ids(after)[:2] == ["c0", "c1"] and "c2" not in ids(after)
    came = Candidate(chunk=CHUNKS[0], arrivals=(Arrival(by="hop", rank=0, reference=points(1, 0, 1)),))
    here = Candidates((*found(1, 2, 3).items, came))
    assert packing(points(0, 5, 6)).run(QUERY, here) is here


def test_from_a_caption_it_reads_on_to_what_stands_below() -> None:
    after = packing(points(0, 4, 5), grown=30).run(QUERY, found(0, 1, 2, 3))
    (came,) = (c for c in after if c.chunk.id == "c4")
    assert came.context == span(4, 6)


def test_a_sentence_that_points_at_many_places_says_little_of_each() -> None:
    listed = [points(0, n, n + 1) for n in (5, 6)] * 9
    asked = Query(text="Is the lamp lit at dusk, and does the keeper sleep by day?")
    after = packing(*listed, points(3, 7, 8), k=2, grown=40).run(asked, found(0, 3))
    assert ids(after)[2] == "c7"


def test_of_a_wide_place_the_part_that_the_sentence_names_comes_first() -> None:
    wide = points(0, 1, 8)
    named = packing(wide, k=1, sentence="A Small Burner, as defined in Part 1, is used.")
    assert ids(named.run(QUERY, found(0)))[1:2] == ["c5"]


def test_a_whole_document_that_is_represented_comes_only_by_a_part_that_is_named() -> None:
    whole = points(0, 0, 8, kind="document")
    here = found(0, 1)
    assert packing(whole).run(QUERY, here) is here
    said = packing(whole, sentence="The small burner of that agreement is meant.")
    assert "c5" in ids(said.run(QUERY, here))


def test_one_place_has_no_more_than_its_share() -> None:
    assert WORDS >= OF_EACH * 100
    after = packing(points(0, 4, 8), k=4, grown=200).run(QUERY, found(0, 1, 2, 3))
    assert len(after) - 4 == OF_EACH


def test_a_part_is_named_by_its_heading_or_its_term_and_by_two_words_or_more() -> None:
    whole = span(0, 8)
    assert part_named(DOCUMENT, whole, "see burners of brass") == span(4, 8)
    assert part_named(DOCUMENT, whole, "a small burner of brass") == span(5, 6)
    assert part_named(DOCUMENT, whole, "lighting is told elsewhere") is None
    assert part_named(DOCUMENT, span(0, 4), "see burners of brass") is None
