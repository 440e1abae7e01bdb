"""`deref evaluate retrieval`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
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
from deref.settings import user_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deref.evaluate.retrieval.comparison import Comparison
    from deref.evaluate.retrieval.run import Run


def retrieval(
    gold: GoldOption,
    data: DocumentsOption,
    arm: ArmOption = None,
    top: Annotated[
        int | None,
        typer.Option(
            "-k", "--top", min=1, max=100, help="Passages asked for. Default: what each arm's settings say."
        ),
    ] = None,
    half: HalfOption = None,
    force: ForceOption = False,
    lazy: LazyOption = False,
    library: KeptOption = None,
    by: ByOption = None,
    as_json: JsonOption = False,
    out: OutOption = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="FILE", help="Draw recall against tokens, a line an arm, as PNG (extra plots)."
        ),
    ] = None,
) -> None:
    """Score retrieval on gold questions, arm beside arm: metrics of every stage, flips, intervals, equal budget.

    Exit code 1 when the final list is not the head of the first stage's though nothing may reorder.
    docs/evaluation.md tells what the columns mean.

    Example: deref evaluate retrieval --gold examples/deal-room.gold.jsonl --data examples/deal-room
    """
    from deref.evaluate.retrieval.plots import curves, picture, require_matplotlib
    from deref.evaluate.retrieval.result import as_json as result_of
    from deref.evaluate.retrieval.result import written
    from deref.evaluate.retrieval.run import run

    if plot is not None:
        require_matplotlib()
    writable("--out", out)
    writable("--plot", plot)
    arms = arms_of(arm or (), user_settings())
    apart(arms, options="--arm")
    rows = rows_of(gold, half)
    known_keys(by or (), rows)
    with ExitStack() as stack:
        place = stack.enter_context(libraries_in(library))
        progress = stack.enter_context(ProgressSink())
        done = run(data, rows, arms, place=place, k=top, force=force, lazy=lazy, step=progress.show)
    comparisons = _compared(done, [a.name for a in arms])
    result = result_of(done, comparisons, gold, k=top, half=half.value if half else None, lazy=lazy)
    tell_failed(done.corpora, asked="searched")
    if out is not None:
        save(out, written(result).encode())
    if plot is not None:
        save(plot, picture(curves(done.outcomes)))
    if as_json:
        say_json(result)
    else:
        from deref.cli.evaluate_retrieval_table import tell

        tell(done, comparisons, result, by or ())
    broken = [name for name, told in result["arms"].items() if _broken(told["final equals first stage"])]
    if broken:
        complain(
            f"{', '.join(broken)}: the final list is not the head of the first stage's, and nothing may reorder"
        )
        raise typer.Exit(1)


def _broken(order: dict[str, int]) -> bool:
    return order["held"] < order["asked"]


def _compared(done: Run, arms: Sequence[str]) -> list[Comparison]:
    """Compare each arm with the base, and each that has them with its controls at equal budget."""
    from deref.evaluate.retrieval.comparison import compare_arms
    from deref.evaluate.retrieval.run import SLOTS, TOKENS

    return [
        compare_arms(one, done.outcomes[one], other, done.outcomes[other])
        for one, other in beside(arms, (SLOTS, TOKENS))
        if other in done.outcomes
    ]
