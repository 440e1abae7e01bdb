"""Two results that were kept, side by side: figures of each arm, and its flips in both directions.

Arms are matched by name, rows by key. Times are left out, since they differ from run to run. Results of other questions or
other documents are refused: what differs between them is no doing of the code or the settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from deref.errors import UsageError
from deref.evaluate.retrieval.comparison import CONTEXT, Flips, flips_of

_TIMES = frozenset({"ms"})
_FACTS = (("k", "passages asked for"), ("vectors", "vectors"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmFlips:
    """The rows of an arm that flipped at a depth."""

    arm: str
    depth: str
    flips: Flips


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredComparison:
    """`changed` are (arm, metric, before, after); `notes` say what else differs."""

    changed: tuple[tuple[str, str, float | None, float | None], ...]
    flips: tuple[ArmFlips, ...]
    notes: tuple[str, ...]

    @property
    def lost(self) -> bool:
        """Whether a row that was met is not met any more."""
        return any(f.flips.lost for f in self.flips)


FlipsOfArm = Callable[[str, Mapping[str, Any], Mapping[str, Any]], Iterable[ArmFlips]]
"""From the name of an arm and what two results say of it to its flips."""


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> StoredComparison:
    """Return what differs between two results of retrieval. Raises UsageError when they are of other questions or documents."""
    return compared_by_arms(before, after, facts=_FACTS, flips=_flips)


def compared_by_arms(
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    *,
    facts: Iterable[tuple[str, str]],
    flips: FlipsOfArm,
) -> StoredComparison:
    """Return what differs between two results of one kind; `facts` are (key, name) of what holds for all arms.

    Raises UsageError when they are of other questions or documents.
    """
    _refuse_others(before, after)
    notes = list(_notes(before, after, facts))
    changed: list[tuple[str, str, float | None, float | None]] = []
    flipped: list[ArmFlips] = []
    old, new = before["arms"], after["arms"]
    for arm in dict.fromkeys((*old, *new)):
        if arm not in old or arm not in new:
            notes.append(f"{arm}: only in the {'second' if arm not in old else 'first'} result")
            continue
        was, now = old[arm], new[arm]
        if was["settings"] != now["settings"]:
            notes.append(f"{arm}: the settings differ")
        changed += [
            (arm, metric, was["final"].get(metric), now["final"].get(metric))
            for metric in dict.fromkeys((*was["final"], *now["final"]))
            if metric not in _TIMES and was["final"].get(metric) != now["final"].get(metric)
        ]
        alone = len(was["rows"].keys() ^ now["rows"].keys())
        if alone:
            notes.append(f"{arm}: {alone} questions are in one result only, and the figures count them")
        flipped += flips(arm, was, now)
    return StoredComparison(changed=tuple(changed), flips=tuple(flipped), notes=tuple(notes))


def _refuse_others(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for key, said in (("gold", "gold"), ("half", "another half of the gold")):
        if before[key] != after[key]:
            one, two = (_named(result[key]) for result in (before, after))
            raise UsageError(
                f"the results are of other questions ({said}: {one}, then {two}); score both over the same"
            )
    old, new = ({c["name"]: c["digest"] for c in result["corpora"]} for result in (before, after))
    other = [name for name in dict.fromkeys((*old, *new)) if old.get(name) != new.get(name)]
    if other:
        raise UsageError(f"the results are of other documents ({', '.join(other)}); score both over the same")


def _named(value: Any) -> str:
    """Return the gold files with what tells their contents apart, or the half."""
    if not isinstance(value, list):
        return str(value or "all")
    return " + ".join(f"{file['file']} {file['digest']}" for file in value)


def _notes(
    before: Mapping[str, Any], after: Mapping[str, Any], facts: Iterable[tuple[str, str]]
) -> Iterator[str]:
    for key, said in facts:
        if before[key] != after[key]:
            yield f"{said}: {before[key]} → {after[key]}"
    if before["deref"] != after["deref"]:
        yield f"the code differs: {_code(before)} → {_code(after)}"


def _code(result: Mapping[str, Any]) -> str:
    return f"{result['deref']['version']} ({result['deref']['code']})"


def _flips(arm: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[ArmFlips]:
    common = [key for key in was["rows"] if key in now["rows"]]
    for depth in _depths(now["final"]):
        told = [(k, _met(now["rows"][k], depth), _met(was["rows"][k], depth)) for k in common]
        flips = flips_of(told)
        if flips.gained or flips.lost:
            yield ArmFlips(arm=arm, depth=depth, flips=flips)


def _depths(final: Mapping[str, float]) -> list[str]:
    kinds = (metric.partition("@") for metric in final)
    found = sorted({int(k) for name, _, k in kinds if name in ("recall", "Both")})
    return [*(f"@{k}" for k in found), CONTEXT]


def _met(row: list[int | None], depth: str) -> bool:
    rank, in_context = row
    return bool(in_context) if depth == CONTEXT else rank is not None and rank <= int(depth[1:])
