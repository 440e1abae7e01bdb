"""One run: gold rows and arms → what came of each row under each arm.

Each arm that follows references stands beside two controls, the same recipe without the loop:

    NAME without loop   as many passages as the arm begins with: what following adds
    NAME = tokens       its first passages until they have no fewer tokens than the arm's last pass had before it, so
                        that what following finds is no gift of more text
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from deref.engine import Engine
from deref.evaluate.answers.judge import Cost, Judgement, judge
from deref.evaluate.gold import GoldRow
from deref.evaluate.libraries import UNMEASURED, CorpusFacts, CorpusLibraries, Progress, keys_of
from deref.evaluate.retrieval.arms import Arm
from deref.evaluate.retrieval.corpora import Corpus, corpora
from deref.evaluate.retrieval.needs import Passages
from deref.evaluate.retrieval.validity import LeftOut, Texts, checked, none_left
from deref.text.tokens import count_tokens
from deref.trace.events import Degraded, Event, PassWritten, Pursued
from deref.values import Passage

WITHOUT, TOKENS = "{} without loop", "{} = tokens"
MOST_PASSAGES = 50
_AHEAD = 3
PAIR = "it asks for a pair of passages; `deref evaluate retrieval` scores those"


@dataclass(slots=True, kw_only=True)
class Run:
    """What came of a run. `judged` are by arm, controls among them, each arm's rows in one order."""

    judged: dict[str, list[Judgement]] = field(default_factory=dict)
    arms: dict[str, Arm] = field(default_factory=dict)
    corpora: list[CorpusFacts] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)


def run(
    data: Path,
    rows: Sequence[GoldRow],
    arms: Sequence[Arm],
    *,
    place: Path,
    force: bool,
    lazy: bool,
    step: Progress,
) -> Run:
    """Return what comes of the rows under the arms, the first of which is the base. Libraries are kept in `place`.

    `force` keeps rows that are not fit. Raises UsageError when no row is left, and what reading the documents raises.
    """
    done = Run(arms={a.name: a for a in arms})
    done.left_out += [LeftOut(row=row, reason=PAIR) for row in rows if row.pair is not None]
    wanted = [row for row in rows if row.pair is None]
    keys = keys_of(wanted)
    for corpus in corpora(data, wanted):
        libraries = CorpusLibraries(corpus, place, lazy=lazy, step=step)
        libraries.must_work(arms)
        _over(corpus, libraries, arms, keys, done, force=force, step=step)
    if not any(done.judged.values()):
        raise none_left(done.left_out)
    return done


def _over(
    corpus: Corpus,
    libraries: CorpusLibraries,
    arms: Sequence[Arm],
    keys: dict[int, str],
    done: Run,
    *,
    force: bool,
    step: Progress,
) -> None:
    fit: list[GoldRow] | None = None
    for arm in arms:
        with libraries.read(arm) as engine:
            if fit is None:
                left = [] if force else _unfit(corpus, engine)
                done.left_out += left
                unfit = {id(one.row) for one in left}
                fit = [row for row in corpus.rows if id(row) not in unfit]
                done.corpora.append(libraries.facts(engine, len(fit)))
        for name, control in _asked(arm):
            done.arms.setdefault(name, arm)
            before = done.judged.get(arm.name, [])[-len(fit) :] if control == TOKENS else []
            with libraries.asked(arm) as engine:
                if fit:
                    engine.ask(UNMEASURED)
                came = []
                for n, row in enumerate(fit):
                    step(f"Asking, {name}", n, len(fit), corpus.name)
                    budget = before[n].cost.evidence if control == TOKENS else None
                    came.append(_judged(engine, row, keys[id(row)], loop=not control, tokens=budget))
            done.judged.setdefault(name, []).extend(came)


def _asked(arm: Arm) -> list[tuple[str, str]]:
    """Return what is asked for an arm, each as (name, which control it is): itself, and its controls when it follows."""
    mine = [(arm.name, "")]
    if arm.settings.loop.budget:
        mine += [(control.format(arm.name), control) for control in (WITHOUT, TOKENS)]
    return mine


def _unfit(corpus: Corpus, engine: Engine) -> list[LeftOut]:
    answerable = [row for row in corpus.rows if row.answerable]
    return list(checked(answerable, Texts(engine), Passages(engine, corpus.books)))


def _judged(engine: Engine, row: GoldRow, key: str, *, loop: bool, tokens: int | None) -> Judgement:
    """Ask one question and judge the answer; without the loop, `tokens` of evidence at the least when it is given."""
    if loop:
        return asked(engine, row, key=key)
    if tokens is None:
        return asked(engine, row, key=key, budget=0)
    first: list[int] = []
    most = min(MOST_PASSAGES, _AHEAD * engine.settings.loop.passages)

    def measure(passages: Sequence[Passage]) -> None:
        first.extend(_size(engine, p) for p in passages)

    judged = asked(engine, row, key=key, budget=0, passages=most, heard=measure)
    enough = next((n + 1 for n in range(len(first)) if sum(first[: n + 1]) >= tokens), len(first))
    if enough >= len(first):
        return judged
    return asked(engine, row, key=key, budget=0, passages=max(enough, 1))


def asked(
    engine: Engine,
    row: GoldRow,
    *,
    key: str = "",
    budget: int | None = None,
    passages: int | None = None,
    heard: Callable[[Sequence[Passage]], None] | None = None,
) -> Judgement:
    """Ask the question of a row and return the judgement on its answer; `heard` hears the evidence of each pass."""
    written: list[PassWritten] = []
    followed = 0
    degraded: list[str] = []

    def note(event: Event) -> None:
        nonlocal followed
        if isinstance(event, PassWritten):
            written.append(event)
        elif isinstance(event, Pursued):
            followed += event.followed
        elif isinstance(event, Degraded):
            degraded.append(event.what)

    begun = perf_counter()
    answer = engine.ask(row.query, budget=budget, passages=passages, history=row.history, emit=note)
    ms = (perf_counter() - begun) * 1000
    sizes = [sum(_size(engine, p) for p in event.passages) for event in written]
    for event in written if heard is not None else ():
        assert heard is not None
        heard(event.passages)
    cost = Cost(
        read=sum(sizes),
        evidence=sizes[-1] if sizes else 0,
        answer=count_tokens(answer.text),
        passes=len(written),
        followed=followed,
        ms=ms,
    )
    return judge(row, answer, engine.read, key=key, cost=cost, degraded=tuple(degraded))


def _size(engine: Engine, passage: Passage) -> int:
    return count_tokens(engine.read(passage.lines.doc).text(passage.lines))
