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

import deref
from deref.evaluate.answers.figures import counts, slices, summary
from deref.evaluate.answers.judge import Judgement
from deref.evaluate.answers.run import Run
from deref.evaluate.references.rows import digest
from deref.evaluate.results import VERSIONS
from deref.evaluate.retrieval.comparison import Comparison, flips_of
from deref.evaluate.retrieval.result import code_digest, comparison_json
from deref.evaluate.retrieval.stored import ArmFlips, StoredComparison

KIND = "answers"
_RIGHT = frozenset({("answerable", "right"), ("unanswerable", "refused")})


def as_json(
    run: Run, comparisons: Sequence[Comparison], gold: Sequence[Path], *, half: str | None, lazy: bool
) -> dict[str, Any]:
    """Return the result of a run over these gold files."""
    return {
        "result": KIND,
        "version": VERSIONS[KIND],
        "deref": {"version": deref.__version__, "code": code_digest()},
        "half": half,
        "vectors": "lazy" if lazy else "whole",
        "gold": [{"file": path.name, "digest": digest(path)} for path in gold],
        "left_out": [
            {"file": one.row.file.name, "line": one.row.line, "id": one.row.id, "reason": one.reason}
            for one in run.left_out
        ],
        "corpora": [asdict(facts) for facts in run.corpora],
        "arms": {name: _arm(run, name) for name in run.judged},
        "comparisons": [comparison_json(c) for c in comparisons],
    }


def _arm(run: Run, name: str) -> dict[str, Any]:
    rows, arm = run.judged[name], run.arms[name]
    return {
        "arm": arm.name,
        "overlay": dict(arm.overlay),
        "settings": {"stored": arm.settings.stored_fingerprint, "asked": arm.settings.asked_fingerprint},
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
    """Return what differs between two results of answers."""
    notes = list(_notes(before, after))
    changed: list[tuple[str, str, float | None, float | None]] = []
    flips: list[ArmFlips] = []
    old, new = before["arms"], after["arms"]
    for arm in dict.fromkeys((*old, *new)):
        if arm not in old or arm not in new:
            notes.append(f"{arm}: only in the {'second' if arm not in old else 'first'} result")
            continue
        was, now = old[arm], new[arm]
        if was["settings"] != now["settings"]:
            notes.append(f"{arm}: the settings differ")
        changed += [
            (arm, name, was["final"].get(name), now["final"].get(name))
            for name in dict.fromkeys((*was["final"], *now["final"]))
            if name != "ms" and was["final"].get(name) != now["final"].get(name)
        ]
        if before["gold"] == after["gold"]:
            common = [key for key in was["rows"] if key in now["rows"]]
            found = flips_of([(k, _right(now["rows"][k]), _right(was["rows"][k])) for k in common])
            if found.gained or found.lost:
                flips.append(ArmFlips(arm=arm, depth="right", flips=found))
    return StoredComparison(changed=tuple(changed), flips=tuple(flips), notes=tuple(notes))


def _right(row: Sequence[Any]) -> bool:
    return (row[0], row[1]) in _RIGHT or row[1] == "named"


def _notes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    if before["gold"] != after["gold"]:
        yield "the gold files differ, so no flips are told"
    for key, said in (("half", "half of the questions"), ("vectors", "vectors")):
        if before[key] != after[key]:
            yield f"{said}: {before[key]} → {after[key]}"
    if before["deref"] != after["deref"]:
        one, two = (f"{r['deref']['version']} ({r['deref']['code']})" for r in (before, after))
        yield f"the code differs: {one} → {two}"
    old, new = ({c["name"]: c for c in r["corpora"]} for r in (before, after))
    for name in dict.fromkeys((*old, *new)):
        if name in old and name in new and old[name]["digest"] != new[name]["digest"]:
            yield f"{name}: the documents differ"
