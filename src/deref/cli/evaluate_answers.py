"""`deref evaluate answers`."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deref.cli.evaluate_retrieval import Half
from deref.cli.options import JsonOption
from deref.cli.progress import ProgressSink
from deref.cli.streams import complain, say_json
from deref.errors import UsageError
from deref.language_models import sent_to, with_language_model
from deref.settings import user_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deref.evaluate.answers.run import Run
    from deref.evaluate.retrieval.arms import Arm
    from deref.evaluate.retrieval.comparison import Comparison
    from deref.settings import Settings


def answers(
    gold: Annotated[
        list[Path],
        typer.Option("--gold", metavar="FILE", help="Gold questions, JSON lines; may be given again."),
    ],
    data: Annotated[
        Path,
        typer.Option(
            "--data", metavar="DIR", help="The folder that holds the sets of documents, or the documents."
        ),
    ],
    arm: Annotated[
        list[str] | None,
        typer.Option(
            "--arm",
            metavar="NAME=FILE",
            help="Settings laid over yours, TOML, measured beside them; may be given again.",
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="NAME",
            help="A language model that writes, e.g. ollama/qwen3:4b, measured beside them; may be given again.",
        ),
    ] = None,
    half: Annotated[
        Half | None,
        typer.Option(
            "--half", help="Only this half of the questions: fix settings on dev, report them on rest."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Keep gold rows that are not fit to measure with.")
    ] = False,
    lazy: Annotated[
        bool,
        typer.Option("--lazy", help="Compute no vectors first: the dense leg embeds what it needs."),
    ] = False,
    library: Annotated[
        Path | None,
        typer.Option(
            "--library",
            metavar="DIR",
            help="Keep the libraries here, for the next run. Default: they are thrown away.",
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            metavar="KEY",
            help="Tell figures apart by this key of the gold's dimensions; may be given again. Default: its flags.",
        ),
    ] = None,
    as_json: JsonOption = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", help="Write the result here, without any text of the documents."
        ),
    ] = None,
) -> None:
    """Score answers on gold questions, with the loop and without: facts, citations, refusals, what they cost, flips.

    docs/evaluation.md tells what the columns mean.

    Example: deref evaluate answers --gold examples/deal-room.gold.jsonl --data examples/deal-room
    """
    from deref.evaluate.answers.result import as_json as result_of
    from deref.evaluate.answers.run import run
    from deref.evaluate.gold import read_gold
    from deref.evaluate.retrieval.arms import BASE, Arm, read_arm
    from deref.evaluate.retrieval.result import written

    if out is not None and not out.parent.is_dir():
        raise UsageError(f"--out {out}: no such folder; make it first")
    mine = user_settings()
    arms = [Arm(name=BASE, settings=mine), *(read_arm(said, mine) for said in arm or ())]
    arms += [_with_model(name, mine) for name in model or ()]
    if len({a.name for a in arms}) < len(arms):
        raise UsageError("--arm, --model: two arms have one name; give each its own")
    for host in dict.fromkeys(host for a in arms for host in sent_to(a.settings)):
        complain(f"questions and passages of the documents are sent to {host}, as the settings say")
    rows = [row for file in gold for row in read_gold(file) if half is None or row.half == half.value]
    with ExitStack() as stack:
        place = library or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="deref-evaluate-")))
        progress = stack.enter_context(ProgressSink())
        done = run(data, rows, arms, place=place, force=force, lazy=lazy, step=progress.show)
    comparisons = _compared(done, [a.name for a in arms])
    result = result_of(done, comparisons, gold, half=half.value if half else None, lazy=lazy)
    for facts in done.corpora:
        for file in facts.failed:
            complain(f"{facts.name}: {file} could not be read and is not asked")
    if out is not None:
        out.write_text(written(result), "utf-8")
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

    pairs = [(name, arms[0]) for name in arms[1:]]
    pairs += [(name, control.format(name)) for name in arms for control in (WITHOUT, TOKENS)]
    return [
        compare_arms(one, done.judged[one], other, done.judged[other])
        for one, other in pairs
        if other in done.judged
    ]
