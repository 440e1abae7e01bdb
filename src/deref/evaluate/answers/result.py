"""A run as JSON: small, without a word of the documents, questions or answers, enough to be kept and compared.

    {"result": "answers", "version": 1, "deref": {…}, "half": null, "vectors": "whole", "gold": […], "corpora": […],
     "arms": {name: {"settings": {…}, "final": {figure: value}, "counts": {share: [part, whole]}, "slices": {…},
                     "rows": {key: [status, outcome, completeness, passes]}}},
     "comparisons": […]}

Everything but times is the same in two runs of one code over the same documents. `changes` tells what differs between
two results: arms are matched by name, rows by key, times are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from deref.evaluate.answers.figures import counts, slices, summary
from deref.evaluate.answers.judge import Judgement
from deref.evaluate.answers.run import Run
from deref.evaluate.retrieval.comparison import Comparison, flips_of
from deref.evaluate.retrieval.result import comparison_json, head_of, head_of_arm
from deref.evaluate.retrieval.stored import ArmFlips, StoredComparison, compared_by_arms

KIND = "answers"
_FACTS = (("vectors", "vectors"),)
_RIGHT = frozenset({("answerable", "right"), ("unanswerable", "refused")})


def as_json(
    run: Run, comparisons: Sequence[Comparison], gold: Sequence[Path], *, half: str | None, lazy: bool
) -> dict[str, Any]:
    """Return the result of a run over these gold files."""
    return {
        **head_of(KIND, gold, run.left_out, half=half, lazy=lazy),
        "corpora": [asdict(facts) for facts in run.corpora],
        "arms": {name: _arm(run, name) for name in run.judged},
        "comparisons": [comparison_json(c) for c in comparisons],
    }


def _arm(run: Run, name: str) -> dict[str, Any]:
    rows, arm = run.judged[name], run.arms[name]
    return {
        **head_of_arm(arm),
        "final": summary(rows),
        "counts": counts(rows),
        "slices": {label: {"rows": len(some), **summary(some)} for label, some in slices(rows).items()},
        "outcomes": dict(sorted(Counter(f"{j.status}: {j.outcome}" for j in rows).items())),
        "degraded": dict(Counter(what for j in rows for what in j.degraded)),
        "rows": {j.key: _row(j) for j in rows},
    }


def _row(judged: Judgement) -> list[str | int]:
    return [judged.status, judged.outcome, judged.completeness, judged.cost.passes]


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> StoredComparison:
    """Return what differs between two results of answers. Raises UsageError when they are of other questions or documents."""
    return compared_by_arms(before, after, facts=_FACTS, flips=_flips)


def _flips(arm: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[ArmFlips]:
    common = [key for key in was["rows"] if key in now["rows"]]
    found = flips_of([(k, _right(now["rows"][k]), _right(was["rows"][k])) for k in common])
    if found.gained or found.lost:
        yield ArmFlips(arm=arm, depth="right", flips=found)


def _right(row: Sequence[Any]) -> bool:
    return (row[0], row[1]) in _RIGHT or row[1] == "named"
