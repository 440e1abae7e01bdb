"""Laws of the nouns: candidates, and look-ups in a document against a brute-force oracle."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deref.values import Arrival, Candidate, Candidates, Chunk, Document, Line, Section, Span

_NAMES = st.lists(st.sampled_from("abcdefgh"), max_size=10)


def _made(names: list[str]) -> Candidates:
    return Candidates(
        tuple(
            Candidate(
                chunk=Chunk(id=n, lines=Span(doc="d", start=0, end=1), section=None, text=n, tokens=1),
                arrivals=(Arrival(by="x", rank=i),),
            )
            for i, n in enumerate(names)
        )
    )


def _ids(found: Candidates) -> list[str]:
    return [c.chunk.id for c in found]


@given(_NAMES)
def test_no_chunk_stands_twice_and_the_first_wins(names: list[str]) -> None:
    made = _made(names)
    assert _ids(made) == list(dict.fromkeys(names))
    assert all(c.arrivals[0].rank == names.index(c.chunk.id) for c in made)


@given(_NAMES, st.sets(st.sampled_from("abcdefgh")))
def test_promotion_is_a_stable_partition(names: list[str], wanted: set[str]) -> None:
    made = _made(names)
    moved = made.promoted(lambda c: c.chunk.id in wanted)
    assert _ids(moved) == sorted(_ids(made), key=lambda n: n not in wanted)
    assert (moved is made) == (_ids(moved) == _ids(made))


@given(_NAMES, _NAMES)
def test_adding_is_a_union_that_moves_nothing(names: list[str], more: list[str]) -> None:
    made = _made(names)
    added = made.with_added(_made(more))
    assert _ids(added) == list(dict.fromkeys(names + more))
    assert (added is made) == (set(more) <= set(names))


@given(_NAMES, _NAMES)
def test_reordering_neither_adds_nor_drops(names: list[str], wanted: list[str]) -> None:
    made = _made(names)
    moved = made.reordered(dict.fromkeys(wanted))
    named = [n for n in dict.fromkeys(wanted) if n in names]
    assert _ids(moved) == named + [n for n in _ids(made) if n not in named]
    assert (moved is made) == (_ids(moved) == _ids(made))


@given(_NAMES, st.integers(-2, 12))
def test_the_top_is_the_beginning(names: list[str], k: int) -> None:
    made = _made(names)
    assert _ids(made.top(k)) == _ids(made)[: max(k, 0)]


@st.composite
def _documents(draw: st.DrawFn) -> Document:
    """Draw a document whose sections nest as headings make them: each ends where a peer or ancestor starts."""
    size = draw(st.integers(1, 20))
    starts = sorted(draw(st.sets(st.integers(0, size - 1), max_size=8)))
    levels = [draw(st.integers(1, 4)) for _ in starts]
    sections: list[Section] = []
    for n, (start, level) in enumerate(zip(starts, levels, strict=True)):
        end = next(
            (s for s, other in zip(starts[n + 1 :], levels[n + 1 :], strict=True) if other <= level), size
        )
        parent = next((s.id for s in reversed(sections) if s.level < level and start < s.lines.end), None)
        lines = Span(doc="d", start=start, end=end)
        sections.append(Section(id=f"s{n}", label=None, title="", level=level, lines=lines, parent=parent))
    return Document(
        id="d", name="d", title="", aliases=(), fingerprint="", items=(), links=(), sections=tuple(sections),
        lines=tuple(Line(doc="d", n=n, page=1, row=n + 1, text=str(n)) for n in range(size)),
    )  # fmt: skip


@given(_documents())
def test_the_section_of_a_line_is_the_last_to_start_of_those_that_hold_it(document: Document) -> None:
    for line in range(-1, len(document.lines) + 1):
        holding = [s for s in document.sections if s.lines.start <= line < s.lines.end]
        assert document.section_at(line) == (holding[-1] if holding else None)


@given(_documents())
def test_the_path_of_a_line_is_every_section_that_holds_it(document: Document) -> None:
    for line in range(len(document.lines)):
        holding = [s for s in document.sections if line in s.lines]
        assert list(document.section_path(line)) == holding
