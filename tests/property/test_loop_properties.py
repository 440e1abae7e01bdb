"""Laws of the loop, over whatever writers answer and wherever pointers lead."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from deref.loop import ask
from deref.trace.events import Decided, PassWritten, Pursued, RunFinished
from deref.values import Answer, Completeness, Reference, Resolution, Status
from unit.loop.small_world import QUESTION, World, answer, pointer, resolved, target, unfollowable

_POINTERS = [pointer(f"P{n}", n) for n in range(8)]


@dataclass
class Case:
    """What the writer answers in each pass, where each pointer leads, and the budget."""

    answers: list[Answer]
    table: dict[str, Resolution]
    budget: int

    def run(self) -> tuple[Answer, World]:
        world = World(self.answers, self.table)
        return ask(QUESTION, world.doors, budget=self.budget, passages=4), world


def _leads(reference: Reference, status: Status, start: int) -> Resolution:
    if status is Status.RESOLVED:
        return resolved(reference, target(start, start + 1))
    return unfollowable(reference, status)


@st.composite
def _cases(draw: st.DrawFn) -> Case:
    named = st.lists(st.sampled_from(_POINTERS), max_size=8)
    answers = [answer(*draw(named)) for _ in range(4)]
    statuses = {p.text: draw(st.sampled_from(Status)) for p in _POINTERS}
    table = {p.text: _leads(p, statuses[p.text], draw(st.integers(0, 9))) for p in _POINTERS}
    return Case(answers, table, draw(st.integers(0, 3)))


@given(_cases())
def test_it_ends_within_its_budget_and_says_so_once(case: Case) -> None:
    given_, world = case.run()
    events = world.events.events
    passes = [e.n for e in events if isinstance(e, PassWritten)]
    assert passes == list(range(len(world.writer.shown)))
    assert len(passes) <= case.budget + 1
    assert [e.n for e in events if isinstance(e, Decided)] == passes
    finished = events[-1]
    assert isinstance(finished, RunFinished)
    assert (finished.answer, finished.passes) == (given_, len(passes))
    assert sum(isinstance(e, RunFinished) for e in events) == 1


@given(_cases())
def test_no_pointer_is_followed_twice_and_evidence_only_grows(case: Case) -> None:
    _, world = case.run()
    followed = [
        e.resolution.reference.text for e in world.events.events if isinstance(e, Pursued) and e.followed
    ]
    assert len(set(followed)) == len(followed)
    for before, after in zip(world.writer.shown, world.writer.shown[1:], strict=False):
        assert after[: len(before)] == before


@given(_cases())
def test_every_pointer_of_the_last_answer_is_accounted_for(case: Case) -> None:
    given_, world = case.run()
    last = case.answers[len(world.writer.shown) - 1]
    told = {r.reference.text for r in (*given_.pending, *given_.external)}
    for open_ in last.pending:
        text = open_.reference.text
        leads = case.table[text]
        if leads.status is Status.EXTERNAL:
            assert text in {r.reference.text for r in given_.external}
        elif leads.status is not Status.RESOLVED:
            assert text in {r.reference.text for r in given_.pending}
        elif text not in told:
            inside = open_.reference.at.line in leads.targets[0].lines
            read = {t.lines for p in world.writer.shown[-1] if p.resolution for t in p.resolution.targets}
            assert inside or leads.targets[0].lines in read


@given(_cases())
def test_the_typed_field_agrees_with_what_is_pending(case: Case) -> None:
    given_, _ = case.run()
    assert given_.completeness is (Completeness.PARTIAL if given_.pending else Completeness.COMPLETE)
    assert all(r.why and r.status is not Status.EXTERNAL for r in given_.pending)
    assert all(r.status is Status.EXTERNAL for r in given_.external)


@given(_cases())
def test_no_pointer_is_named_twice(case: Case) -> None:
    given_, _ = case.run()
    named = [r.reference.at for r in (*given_.pending, *given_.external)]
    assert len(set(named)) == len(named)
