"""The tables of `deref evaluate retrieval`: what was measured, flips, intervals, and recall against tokens."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deref.cli.streams import say
from deref.cli.tell import styled

if TYPE_CHECKING:
    from deref.evaluate.retrieval.comparison import Comparison, Flips
    from deref.evaluate.retrieval.run import Run

_NAME = 30
_LEAST_ROWS = 3
"""A part of fewer rows is told when it is asked for."""
_MOST_IDS = 40


def tell(run: Run, comparisons: Sequence[Comparison], result: Mapping[str, Any], by: Collection[str]) -> None:
    """Write everything for a person; `by` are the keys by which figures are told apart, the flags when none is given."""
    from deref.evaluate.retrieval.plots import curves, sketch

    _tell_ground(run)
    _tell_metrics(result["arms"])
    _tell_hops(result["arms"])
    _tell_slices(result["arms"], by)
    for comparison in comparisons:
        tell_comparison(comparison)
    say(styled("Share of questions met, by tokens handed on", "bold") + "\n")
    say(sketch(curves(run.outcomes)))


def _tell_ground(run: Run) -> None:
    """What was asked over what: rows that are left out first, and what cannot be reached at all."""
    for one in run.left_out:
        say(f"{one.row.file}, line {one.row.line}: {one.row.id}: {one.reason}\n")
    for facts in run.corpora:
        with_vectors = ", ".join(
            f"{arm} {there} of {every}" for arm, (there, every) in facts.vectors.items() if there < every
        )
        say(f"{styled(facts.name, 'bold')}: {facts.rows} questions over {facts.documents} documents, ")
        say(f"{facts.passages} passages{f'; vectors: {with_vectors}' if with_vectors else ''}\n")
    rows = sum(facts.rows for facts in run.corpora)
    say(f"gold in a passage: {rows - len(run.unreachable)} of {rows}")
    say(f"; not reachable, counted as zero: {' '.join(run.unreachable)}\n" if run.unreachable else "\n")
    if run.left_out:
        say(f"left out as not fit: {len(run.left_out)}; --force keeps them\n")
    if run.refusals:
        say(f"answer off the shelf, not a matter of retrieval: {run.refusals}\n")
    say("\n")


def _tell_metrics(arms: Mapping[str, Any]) -> None:
    names = list(dict.fromkeys(name for told in arms.values() for name in told["final"]))
    _head("", names)
    for arm, told in arms.items():
        say(styled(arm, "bold") + "\n")
        for stage, figures in told["stages"].items() if told["arm"] == arm else ():
            _row(f"  after {stage}", figures, names)
        _row("  final", told["final"], names)
        order = told["final equals first stage"]
        if order["asked"]:
            say(f"  final is the head of the first stage: {order['held']} of {order['asked']}\n")
        if told["without a passage"]:
            say(f"  no passage at all: {told['without a passage']} questions\n")
        for what, times in told["degraded"].items():
            say(f"  {times} times: {what}\n")
    say("\n")


def _tell_hops(arms: Mapping[str, Any]) -> None:
    names = list(dict.fromkeys(name for told in arms.values() for name in told["hop"]))
    shown = {arm: told["hop"] for arm, told in arms.items() if any(told["hop"].values())}
    if shown:
        _head("references followed (questions)", names)
        for arm, counted in shown.items():
            say(f"{arm:{_NAME}}" + "".join(f"{counted[name]:>11}" for name in names) + "\n")
        say("\n")


def _tell_slices(arms: Mapping[str, Any], by: Collection[str]) -> None:
    labels = {label: figures["rows"] for told in arms.values() for label, figures in told["slices"].items()}
    names = list(dict.fromkeys(name for told in arms.values() for name in told["final"]))
    for label, rows in sorted(labels.items()):
        key, _, value = label.partition("=")
        if key in by if by else value in ("true", "false") and rows >= _LEAST_ROWS:
            _head(f"{label} ({rows})", names)
            for arm, told in arms.items():
                if label in told["slices"]:
                    _row(f"  {arm}", told["slices"][label], names)


def _head(title: str, names: Sequence[str]) -> None:
    say(f"{title:{_NAME}}" + "".join(f"{name:>11}" for name in names) + "\n")


def _row(title: str, figures: Mapping[str, float], names: Sequence[str]) -> None:
    say(f"{title:{_NAME}}" + "".join(f"{_figure(name, figures.get(name)):>11}" for name in names) + "\n")


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if name in ("passages", "tokens", "ms") else f"{value:.4f}"


def tell_comparison(comparison: Comparison) -> None:
    """Write one comparison: flips by depth, with the rows, and differences with their intervals."""
    say("\n" + styled(f"{comparison.arm} beside {comparison.against}", "bold") + "\n")
    for depth, flips in comparison.flips.items():
        say(f"  {depth:10} gained {len(flips.gained)}, lost {len(flips.lost)}; p = {flips.p:.4g}\n")
        _tell_flips(flips)
    for name, found in comparison.differences.items():
        say(
            f"  {name:12} {found.mean:+.4f}   95 % [{found.low:+.4f}, {found.high:+.4f}]   {found.rows} rows\n"
        )


def _tell_flips(flips: Flips) -> None:
    for sign, keys in (("+", flips.gained), ("-", flips.lost)):
        if keys:
            more = f" … {len(keys) - _MOST_IDS} more (--json)" if len(keys) > _MOST_IDS else ""
            say(f"      {sign} {' '.join(keys[:_MOST_IDS])}{more}\n")
