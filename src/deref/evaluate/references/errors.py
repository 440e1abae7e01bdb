"""The misses of a run with their context, by class, for whoever improves the grammar or the resolver."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, TypeVar

from deref.evaluate.references.score import SetScore
from deref.evaluate.references.verdict import RIGHT, Verdict

_T = TypeVar("_T")


def error_rows(score: SetScore, most: int) -> Iterator[dict[str, Any]]:
    """Yield up to `most` misses of each class of a set, spread evenly over it, then as many of our hits without a label."""
    classes: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in score.verdicts:
        if verdict.outcome != RIGHT:
            classes[verdict.mention.slice, verdict.outcome].append(verdict)
    for (part, outcome), verdicts in sorted(classes.items()):
        for verdict in _spread(verdicts, most):
            yield {
                "set": score.name,
                "slice": part,
                "outcome": outcome,
                "of": len(verdicts),
                **_context(verdict),
            }
    for name, part_registry in score.registry.items():
        for outcome, words in (("missing", part_registry.missing), ("surplus", part_registry.surplus)):
            for said in _spread(words, most):
                yield {"set": score.name, "slice": name, "outcome": outcome, "of": len(words), "text": said}
    for doc, reference in _spread(score.stray, most):
        yield {
            "set": score.name, "slice": "hits without a label", "outcome": reference.kind.value, "of": len(score.stray),
            "doc": doc, "line": reference.at.line + 1, "text": reference.text,
        }  # fmt: skip


def _spread(rows: list[_T], most: int) -> list[_T]:
    step = max(1, -(-len(rows) // most)) if most else len(rows) + 1
    return rows[::step][:most]


def _context(verdict: Verdict) -> dict[str, Any]:
    mention, reference = verdict.mention, verdict.reference
    told: dict[str, Any] = {
        "number": mention.number,
        "doc": mention.doc,
        "page": mention.page,
        "line": verdict.place.line + 1 if verdict.place else None,
        "before": mention.before[-60:],
        "text": mention.text,
        "after": mention.after[:40],
        "label": mention.label,
        "goes_to": [{"doc": g.doc, "page": g.page, "text": g.text[:60]} for g in mention.goals],
    }
    if reference is not None:
        told["reference"] = {
            "text": reference.text, "kind": reference.kind.value, "labels": list(reference.labels),
            "container": reference.container, "said": verdict.said,
        }  # fmt: skip
    return told
