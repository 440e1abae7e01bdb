"""A run as JSON: small, without a word of the documents or questions, enough to be kept and compared.

    {"result": "retrieval", "version": 1, "deref": {…}, "k": null, "half": null, "gold": […], "corpora": […],
     "arms": {name: {"settings": {…}, "final": {metric: mean}, "stages": {…}, "slices": {…}, "hop": {…},
                     "rows": {key: [rank at which the row is met or null, 1 when it is met in the context]}}},
     "comparisons": […]}

Everything but times is the same in two runs of one code over the same documents.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

import deref
from deref.evaluate.references.rows import digest
from deref.evaluate.results import VERSIONS
from deref.evaluate.retrieval.arms import Arm
from deref.evaluate.retrieval.comparison import Comparison, row_metrics
from deref.evaluate.retrieval.hops import COLUMNS
from deref.evaluate.retrieval.metrics import means, measured
from deref.evaluate.retrieval.outcome import Listed, Outcome
from deref.evaluate.retrieval.run import Run
from deref.evaluate.retrieval.validity import LeftOut

KIND = "retrieval"
_PLACES = 4


def as_json(
    run: Run,
    comparisons: Sequence[Comparison],
    gold: Sequence[Path],
    *,
    k: int | None,
    half: str | None,
    lazy: bool,
) -> dict[str, Any]:
    """Return the result of a run over these gold files."""
    return {
        **head_of(KIND, gold, run.left_out, half=half, lazy=lazy),
        "k": k,
        "refusals": run.refusals,
        "unreachable": run.unreachable,
        "corpora": [asdict(facts) for facts in run.corpora],
        "arms": {name: _arm(run, name) for name in run.outcomes},
        "comparisons": [comparison_json(c) for c in comparisons],
    }


def head_of(
    kind: str, gold: Sequence[Path], left_out: Sequence[LeftOut], *, half: str | None, lazy: bool
) -> dict[str, Any]:
    """Return what every result of gold questions begins with: what it is, of which code, over which questions."""
    return {
        "result": kind,
        "version": VERSIONS[kind],
        "deref": {"version": deref.__version__, "code": _code_digest()},
        "half": half,
        "vectors": "lazy" if lazy else "whole",
        "gold": [{"file": path.name, "digest": digest(path)} for path in gold],
        "left_out": [
            {"file": one.row.file.name, "line": one.row.line, "id": one.row.id, "reason": one.reason}
            for one in left_out
        ],
    }


def head_of_arm(arm: Arm) -> dict[str, Any]:
    """Return what the figures of an arm begin with: its name and its settings."""
    return {
        "arm": arm.name,
        "overlay": dict(arm.overlay),
        "settings": {"stored": arm.settings.stored_fingerprint, "asked": arm.settings.asked_fingerprint},
    }


def _code_digest() -> str:
    """Return 12 hex digits that change when a line of Deref's own code does."""
    hashed = hashlib.sha256()
    top = Path(deref.__file__).parent
    for path in sorted(top.rglob("*.py")):
        hashed.update(path.relative_to(top).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return hashed.hexdigest()[:12]


def _arm(run: Run, name: str) -> dict[str, Any]:
    outcomes = run.outcomes[name]
    order = [o.kept_order for o in outcomes if o.kept_order is not None]
    return {
        **head_of_arm(run.arms[name]),
        "final": summary(outcomes),
        "stages": {stage: _stage(outcomes, stage) for stage in (outcomes[0].stages if outcomes else ())},
        "slices": {
            label: {"rows": len(some), **summary(some)} for label, some in slices(outcomes).items()
        },
        "hop": hop_counts(outcomes),
        "final equals first stage": {"asked": len(order), "held": sum(order)},
        "without a passage": sum(not o.final.size for o in outcomes),
        "degraded": dict(Counter(what for o in outcomes for what in o.degraded)),
        "rows": {o.wanted.key: [o.final.ranked.rank, int(o.in_context)] for o in outcomes},
    }  # fmt: skip


def summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return the means of the final lists, and what they cost: passages, tokens (means) and ms (the median)."""
    return _rounded({**means([row_metrics(o) for o in outcomes]), **_cost([o.final for o in outcomes])})


def _stage(outcomes: Sequence[Outcome], stage: str) -> dict[str, float]:
    lists = [o.stages[stage] for o in outcomes]
    return _rounded({**means([measured(one.ranked) for one in lists]), **_cost(lists)})


def _cost(lists: Sequence[Listed]) -> dict[str, float]:
    n = max(len(lists), 1)
    return {
        "passages": sum(one.size for one in lists) / n,
        "tokens": sum(one.tokens for one in lists) / n,
        "ms": median([one.ms for one in lists] or [0.0]),
    }


def slices(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """Return the rows by what the gold says of them ("difficulty=easy"), every part that is not all of them."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        for key, value in outcome.wanted.row.dimensions.items():
            if isinstance(value, (bool, str, int)):
                said = str(value).lower() if isinstance(value, bool) else str(value)
                found.setdefault(f"{key}={said}", []).append(outcome)
    return {label: some for label, some in sorted(found.items()) if len(some) < len(outcomes)}


def hop_counts(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """Return for each step of the funnel the number of rows that came so far, and the passages appended in all."""
    counted = {column: sum(getattr(o.hop, column) for o in outcomes) for column in COLUMNS}
    return {**counted, "appended": sum(o.appended for o in outcomes)}


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison."""
    return {
        "arm": comparison.arm,
        "against": comparison.against,
        "flips": {
            depth: {"gained": list(f.gained), "lost": list(f.lost), "p": round(f.p, 6)}
            for depth, f in comparison.flips.items()
        },
        "differences": {name: _rounded(asdict(d)) for name, d in comparison.differences.items()},
    }


def _rounded(values: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, _PLACES) for name, value in values.items()}


def written(result: Mapping[str, Any]) -> str:
    """Return a result as the text of a file: an arm a line, so that a difference is readable."""
    head = {key: value for key, value in result.items() if key != "arms"}
    arms = ",\n".join(f"{json.dumps(name)}: {json.dumps(arm)}" for name, arm in result["arms"].items())
    return f'{json.dumps(head)[:-1]},\n"arms": {{\n{arms}\n}}}}\n'
