"""One run: gold rows and arms → what came of each row under each arm.

For each corpus: its documents are indexed into a library, one for each set of settings that changes stored bytes; gold is
checked and reached for; each arm asks each question. A library is the same for all arms that may share it, so that a
difference between them is the recipe's. Every passage gets its vector first; with `lazy` none does, each arm and control asks
a fresh copy of its own, and the dense leg embeds what it needs, question by question, as it does for a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deref.evaluate.gold import GoldRow
from deref.evaluate.libraries import UNMEASURED, CorpusFacts, CorpusLibraries, Progress, keys_of
from deref.evaluate.retrieval.arms import Arm
from deref.evaluate.retrieval.corpora import Corpus, corpora, file_named
from deref.evaluate.retrieval.needs import Passages
from deref.evaluate.retrieval.outcome import Asker, Outcome, Wanted
from deref.evaluate.retrieval.validity import LeftOut, Texts, checked, none_left

CONVERSATION = (
    "it goes on from questions before it, and a search knows none; `deref evaluate answers` asks it"
)
SLOTS, TOKENS = "{} = slots", "{} = tokens"
_AHEAD = 2
"""How many times as many passages are fetched as the arm had, to spend its tokens on."""


@dataclass(slots=True, kw_only=True)
class Run:
    """What came of a run. `outcomes` are by arm, controls among them, each arm's rows in one order.

    `refusals` counts the rows whose answer is off the shelf, which retrieval is not measured by; `unreachable` are the
    keys of rows that no passage of the base holds.
    """

    outcomes: dict[str, list[Outcome]] = field(default_factory=dict)
    arms: dict[str, Arm] = field(default_factory=dict)
    corpora: list[CorpusFacts] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    unreachable: list[str] = field(default_factory=list)
    refusals: int = 0


def run(
    data: Path,
    rows: Sequence[GoldRow],
    arms: Sequence[Arm],
    *,
    place: Path,
    k: int | None,
    force: bool,
    lazy: bool,
    step: Progress,
) -> Run:
    """Return what comes of the rows under the arms, the first of which is the base. Libraries are kept in `place`.

    `k` passages are asked for, as many as the settings of the arm say when None; `force` keeps rows that are not fit.
    Raises UsageError when no row is left, and what reading the documents raises.
    """
    alone = [row for row in rows if not row.history]
    done = Run(refusals=sum(not row.answerable for row in alone), arms={a.name: a for a in arms})
    done.left_out += [LeftOut(row=row, reason=CONVERSATION) for row in rows if row.history]
    wanted = [row for row in alone if row.answerable]
    keys = keys_of(wanted)
    for corpus in corpora(data, wanted):
        libraries = CorpusLibraries(corpus, place, lazy=lazy, step=step)
        libraries.must_work(arms)
        _over(corpus, libraries, arms, keys, done, k=k, force=force, step=step)
    if not any(done.outcomes.values()):
        raise none_left(done.left_out, refusals=done.refusals)
    return done


def _over(
    corpus: Corpus,
    libraries: CorpusLibraries,
    arms: Sequence[Arm],
    keys: dict[int, str],
    done: Run,
    *,
    k: int | None,
    force: bool,
    step: Progress,
) -> None:
    fit: list[GoldRow] | None = None
    for arm in arms:
        with libraries.read(arm) as engine:
            passages = Passages(engine, corpus.books)
            if fit is None:
                left = [] if force else list(checked(corpus.rows, Texts(engine), passages))
                done.left_out += left
                unfit = {id(one.row) for one in left}
                fit = [row for row in corpus.rows if id(row) not in unfit]
                done.corpora.append(libraries.facts(engine, len(fit)))
            every = [_wanted(row, keys[id(row)], passages) for row in fit]
            if arm is arms[0]:
                done.unreachable += [one.key for one in every if not one.reachable]
        with _asker(libraries, arm, passages, every) as ask:
            came = []
            for n, one in enumerate(every):
                step(f"Asking, {arm.name}", n, len(every), corpus.name)
                came.append(ask(one, k=k))
        done.outcomes.setdefault(arm.name, []).extend(came)
        _controls(arm, libraries, came, passages, done, step)


def _controls(
    arm: Arm,
    libraries: CorpusLibraries,
    came: Sequence[Outcome],
    passages: Passages,
    done: Run,
    step: Progress,
) -> None:
    """Ask again without what was appended, with as many passages, and with as many tokens.

    Every corpus of a run gets controls of an arm that may append, also those where it never did: the controls stand for
    the same rows as the arm.
    """
    control = arm.control()
    if control.settings == arm.settings:
        return
    for budget in (SLOTS, TOKENS):
        name = budget.format(arm.name)
        done.arms[name] = control
        with _asker(libraries, control, passages, [c.wanted for c in came]) as ask:
            for n, outcome in enumerate(came):
                step(f"Asking, {name}", n, len(came), "")
                size = max(outcome.final.size, 1)
                judged = (
                    ask(outcome.wanted, k=size)
                    if budget == SLOTS
                    else ask(outcome.wanted, k=_AHEAD * size, tokens=outcome.final.tokens)
                )
                done.outcomes.setdefault(name, []).append(judged)


@contextmanager
def _asker(
    libraries: CorpusLibraries, arm: Arm, passages: Passages, every: Sequence[Wanted]
) -> Iterator[Asker]:
    """Open the library of an arm anew, so that it remembers no question."""
    with libraries.asked(arm) as engine:
        if every:
            engine.search(UNMEASURED)
        yield Asker(engine, passages)


def _wanted(row: GoldRow, key: str, passages: Passages) -> Wanted:
    needs = passages.needs_of(row)
    files = {name: doc for doc, name in passages.names.items()}
    said = (passages.books[s].name if s in passages.books else s for s in row.expected_sources)
    expected = (file_named(name, files) for name in said)
    return Wanted(
        row=row,
        key=key,
        needs=needs,
        holding=tuple(passages.holding(need) for need in needs),
        documents=frozenset(files[name] for name in expected if name is not None),
    )
