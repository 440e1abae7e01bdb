"""A scored run as JSON: small, without a word of the documents, enough to be kept and compared.

    {"result": "references", "version": 1, "sets": [{"set", "links", "digest", "slices": {kind: {…, "misses": {outcome: "3-5,9"}}}, …}]}

`misses` are line numbers of the file of references by outcome; every other one of the slice is right. Times are left out of
what `compare` looks at, since they differ from run to run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from deref.evaluate.references.labelled import NUMBERED
from deref.evaluate.references.registry import Registered
from deref.evaluate.references.score import DENSE, SetScore, Slice, pooled
from deref.evaluate.results import VERSIONS

KIND = "references"


def as_json(scores: Sequence[SetScore]) -> dict[str, Any]:
    """Return the result of a run."""
    return {"result": KIND, "version": VERSIONS[KIND], "sets": [_set(score) for score in scores]}


def _set(score: SetScore) -> dict[str, Any]:
    dense = is_dense(score)
    megabytes = score.text_bytes / 1e6
    return {
        "set": score.name,
        "links": "used" if score.links else "hidden",
        "digest": score.digest,
        "documents": score.documents,
        "text_mb": round(megabytes, 3),
        "cpu_s_per_mb": {
            "build": round(score.build_s / megabytes, 3),
            "find": round(score.find_s / megabytes, 3),
            "resolve": round(score.resolve_s / megabytes, 3),
        },
        "density": _share(score.density),
        "slices": {name: _slice(part, precise=dense) for name, part in score.slices.items()},
        "all numbered": _slice(numbered(score), precise=dense, misses=False),
        "hits": {kind: {"all": all_of, "unlabelled": alone} for kind, (all_of, alone) in score.unlabelled.items()},
        "left_out": dict(score.left_out),
        "registry": {name: _registered(part) for name, part in score.registry.items()},
    }  # fmt: skip


def is_dense(score: SetScore) -> bool:
    """Tell whether nearly every hit of a set has a label, so that precision can be told."""
    return score.density is not None and score.density >= DENSE


def numbered(score: SetScore) -> Slice:
    """Return the numbered kinds of a set as one slice, those off the shelf included."""
    return pooled(part for name, part in score.slices.items() if name.split(",")[0] in NUMBERED)


def _slice(part: Slice, *, precise: bool, misses: bool = True) -> dict[str, Any]:
    told: dict[str, Any] = {
        "all": part.total,
        "located": part.located,
        "found": part.found,
        "labelled": part.labelled,
        "selector": list(part.selector),
        "container": list(part.container),
        "precision": _share(part.precision) if precise else None,
        "recall": _share(part.recall),
        "ambiguity": _share(part.outcomes["ambiguous"] / part.total if part.total else None),
        "exact": part.exact,
        "wrong_places": part.wrong_places,
        "right_section": part.right_section,
        "right_document": part.right_document,
        "outcomes": dict(part.outcomes),
    }
    if misses:
        told["misses"] = {outcome: _packed(numbers) for outcome, numbers in sorted(part.misses.items())}
    return told


def _registered(part: Registered) -> dict[str, Any]:
    return {
        "wanted": part.wanted, "met": part.met, "ours": part.ours, "named": part.named,
        "precision": _share(part.precision), "recall": _share(part.recall),
    }  # fmt: skip


def _share(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _packed(numbers: Iterable[int]) -> str:
    """Write numbers as ranges: "3-5,9"."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def _unpacked(text: str) -> Iterable[int]:
    for part in text.split(",") if text else ():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def written(result: Mapping[str, Any]) -> str:
    """Return a result as the text of a file: a set a line, so that a difference is readable."""
    sets = ",\n".join(json.dumps(s, ensure_ascii=False) for s in result["sets"])
    return f'{{"result": "{result["result"]}", "version": {result["version"]}, "sets": [\n{sets}\n]}}\n'


@dataclass(frozen=True, slots=True, kw_only=True)
class Flip:
    """A reference that came out differently. `number` is its line in the file of references of `set`."""

    set: str
    links: str
    slice: str
    number: int
    before: str
    after: str

    @property
    def gained(self) -> bool:
        """Whether it is right now."""
        return self.after == "right"

    @property
    def lost(self) -> bool:
        """Whether it was right before."""
        return self.before == "right"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two results side by side. `changed` are (set, slice, measure, before, after); `notes` say what cannot be compared."""

    flips: tuple[Flip, ...]
    changed: tuple[tuple[str, str, str, float | None, float | None], ...]
    notes: tuple[str, ...]


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> Comparison:
    """Return what differs between two results, in both directions."""
    flips: list[Flip] = []
    changed: list[tuple[str, str, str, float | None, float | None]] = []
    notes: list[str] = []
    old, new = _by_name(before), _by_name(after)
    for key in [*old, *(k for k in new if k not in old)]:
        name = f"{key[0]}, links {key[1]}"
        if key not in old or key not in new:
            notes.append(f"{name}: only in the {'second' if key not in old else 'first'} result")
            continue
        was, is_now = old[key], new[key]
        for part in [*was["slices"], *(s for s in is_now["slices"] if s not in was["slices"])]:
            one, two = was["slices"].get(part, {}), is_now["slices"].get(part, {})
            changed += [
                (name, part, measure, one.get(measure), two.get(measure))
                for measure in ("all", "precision", "recall", "ambiguity")
                if one.get(measure) != two.get(measure)
            ]
        if was["digest"] != is_now["digest"]:
            notes.append(f"{name}: the references themselves differ, so no flips are told")
            continue
        flips += _flips(key, was, is_now)
    return Comparison(flips=tuple(flips), changed=tuple(changed), notes=tuple(notes))


def _by_name(result: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    return {(s["set"], s["links"]): s for s in result["sets"]}


def _flips(key: tuple[str, str], was: Mapping[str, Any], is_now: Mapping[str, Any]) -> Iterable[Flip]:
    one, two = _outcomes(was), _outcomes(is_now)
    for number in sorted({*one, *two}):
        first, second = one.get(number), two.get(number)
        before, after = first[1] if first else "right", second[1] if second else "right"
        if before != after:
            part = (second or first or ("", ""))[0]
            yield Flip(set=key[0], links=key[1], slice=part, number=number, before=before, after=after)


def _outcomes(scored: Mapping[str, Any]) -> dict[int, tuple[str, str]]:
    return {
        number: (part, outcome)
        for part, told in scored["slices"].items()
        for outcome, numbers in told["misses"].items()
        for number in _unpacked(numbers)
    }
