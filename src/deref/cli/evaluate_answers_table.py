"""The tables of `deref evaluate answers`: shares with what they are taken over, costs, parts, what is not right, flips."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deref.cli.evaluate_retrieval_table import tell_comparison
from deref.cli.streams import say
from deref.cli.tell import styled

if TYPE_CHECKING:
    from deref.evaluate.answers.run import Run
    from deref.evaluate.retrieval.comparison import Comparison

_NAME = 26
_LEAST_ROWS = 3
"""A part of fewer rows is told when it is asked for."""


def tell(run: Run, comparisons: Sequence[Comparison], result: Mapping[str, Any], by: Collection[str]) -> None:
    """Write everything for a person; `by` are the keys by which figures are told apart, the flags when none is given."""
    from deref.evaluate.answers.figures import COSTS, SHARES

    for one in run.left_out:
        say(f"{one.row.file}, line {one.row.line}: {one.row.id}: {one.reason}\n")
    for facts in run.corpora:
        say(f"{styled(facts.name, 'bold')}: {facts.rows} questions over {facts.documents} documents, ")
        say(f"{facts.passages} passages\n")
    if run.left_out:
        say(f"left out as not fit: {len(run.left_out)}; --force keeps them\n")
    arms = result["arms"]
    _tell_shares(arms, SHARES)
    _tell_costs(arms, COSTS)
    _tell_slices(arms, by)
    for name, told in arms.items():
        wrong = [f"{key}:{row[1]}" for key, row in told["rows"].items() if row[1] in ("missed", "refused", "answered") and row[:2] != ["unanswerable", "refused"]]  # fmt: skip
        if told["arm"] == name and wrong:
            say(f"\n{styled(name, 'bold')}, not right: {' '.join(wrong)}\n")
    for comparison in comparisons:
        tell_comparison(comparison)


def _tell_shares(arms: Mapping[str, Any], names: Sequence[str]) -> None:
    say(f"\n{'':{_NAME}}" + "".join(f"{arm:>20}" for arm in arms) + "\n")
    for name in names:
        cells = [arms[arm]["counts"][name] for arm in arms]
        if any(whole for _, whole in cells):
            say(f"{name:{_NAME}}" + "".join(f"{_share(*cell):>20}" for cell in cells) + "\n")


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f} {part:>4}/{whole:<4}" if whole else "–"


def _tell_costs(arms: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in names:
        say(f"{name:{_NAME}}" + "".join(f"{arms[arm]['final'][name]:>20.1f}" for arm in arms) + "\n")


def _tell_slices(arms: Mapping[str, Any], by: Collection[str]) -> None:
    base = next(iter(arms.values()))
    for label, figures in base["slices"].items():
        key, _, value = label.partition("=")
        if key in by if by else value in ("true", "false") and figures["rows"] >= _LEAST_ROWS:
            say(f"{label} ({figures['rows']})\n")
            for arm, told in arms.items():
                here = told["slices"].get(label, {})
                shares = [f"{name} {here[name]:.3f}" for name in told["counts"] if name in here]
                say(f"  {arm:{_NAME}}{'  '.join(shares)}\n")
