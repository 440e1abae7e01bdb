"""`deref evaluate answers`."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from deref.cli.evaluate_options import (
    ArmOption,
    ByOption,
    DocumentsOption,
    ForceOption,
    GoldOption,
    HalfOption,
    KeptOption,
    LazyOption,
    OutOption,
    apart,
    arms_of,
    beside,
    known_keys,
    libraries_in,
    rows_of,
    tell_failed,
    writable,
)
from deref.cli.options import JsonOption
from deref.cli.progress import ProgressSink
from deref.cli.streams import complain, save, say_json
from deref.language_models import sent_to, with_language_model
from deref.settings import user_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deref.evaluate.answers.run import Run
    from deref.evaluate.retrieval.arms import Arm
    from deref.evaluate.retrieval.comparison import Comparison
    from deref.settings import Settings


def answers(
    gold: GoldOption,
    data: DocumentsOption,
    arm: ArmOption = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="A language model that writes, e.g. ollama/qwen3:4b, measured beside them; may be given again.",
        ),
    ] = None,
    half: HalfOption = None,
    force: ForceOption = False,
    lazy: LazyOption = False,
    library: KeptOption = None,
    by: ByOption = None,
    as_json: JsonOption = False,
    out: OutOption = None,
) -> None:
    """Score answers on gold questions, with the loop and without: facts, citations, refusals, what they cost, flips.

    docs/evaluation.md tells what the columns mean.

    Example: deref evaluate answers --gold examples/deal-room.gold.jsonl --data examples/deal-room
    """
    from deref.evaluate.answers.result import as_json as result_of
    from deref.evaluate.answers.run import run
    from deref.evaluate.retrieval.result import written

    writable("--out", out)
    mine = user_settings()
    arms = arms_of(arm or (), mine) + [_with_model(name, mine) for name in model or ()]
    apart(arms, options="--arm, --model")
    for host in dict.fromkeys(host for a in arms for host in sent_to(a.settings)):
        complain(f"questions and passages of the documents are sent to {host}, as the settings say")
    rows = rows_of(gold, half)
    known_keys(by or (), rows)
    with ExitStack() as stack:
        place = stack.enter_context(libraries_in(library))
        progress = stack.enter_context(ProgressSink())
        done = run(data, rows, arms, place=place, force=force, lazy=lazy, step=progress.show)
    comparisons = _compared(done, [a.name for a in arms])
    result = result_of(done, comparisons, gold, half=half.value if half else None, lazy=lazy)
    tell_failed(done.corpora, asked="asked")
    if out is not None:
        save(out, written(result).encode())
    if as_json:
        say_json(result)
    else:
        from deref.cli.evaluate_answers_table import tell

        tell(done, comparisons, result, by or ())


def _with_model(name: str, mine: Settings) -> Arm:
    from deref.evaluate.retrieval.arms import Arm

    overlay = {"models": {"writer": "model", "language_model": name}}
    return Arm(name=name, settings=with_language_model(mine, name), overlay=overlay)


def _compared(done: Run, arms: Sequence[str]) -> list[Comparison]:
    """Compare each arm with the base, and each with its controls."""
    from deref.evaluate.answers.comparison import compare_arms
    from deref.evaluate.answers.run import TOKENS, WITHOUT

    return [
        compare_arms(one, done.judged[one], other, done.judged[other])
        for one, other in beside(arms, (WITHOUT, TOKENS))
        if other in done.judged
    ]
