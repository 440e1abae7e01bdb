"""Results that `--out` wrote: read back, and compared by the comparison of their kind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from deref.errors import DamagedFile, NoSuchSource

VERSIONS: Mapping[str, int] = {"answers": 1, "references": 1, "retrieval": 1}
"""The kinds of result, and the version of each that is written and read."""

_OF_ARMS = (("deref", dict), ("gold", list), ("half", (str, type(None))), ("vectors", str), ("corpora", list), ("arms", dict))  # fmt: skip
_NEEDED = {"answers": _OF_ARMS, "references": (("sets", list),), "retrieval": (*_OF_ARMS, ("k", (int, type(None))))}  # fmt: skip
_OF_ARM = ("settings", "final", "rows")
_OF_SET = ("set", "links", "digest", "slices")


def read_result(path: Path) -> dict[str, Any]:
    """Return the result in a file. Raises NoSuchSource, DamagedFile."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise NoSuchSource(f"{path}: cannot be read ({why}); give a file that --out wrote") from error
    except ValueError as error:
        raise DamagedFile(f"{path}: not JSON ({error}); give a file that --out wrote") from error
    kind = str(value.get("result")) if isinstance(value, dict) else ""
    if kind not in VERSIONS:
        raise DamagedFile(f"{path}: no result of `deref evaluate`; give a file that --out wrote")
    if value.get("version") != VERSIONS[kind]:
        raise DamagedFile(
            f"{path}: of version {value.get('version')!r}, and this Deref reads {VERSIONS[kind]}; score it again"
        )
    missing = next(_missing(value, kind), None)
    if missing is not None:
        raise DamagedFile(f"{path}: a result without {missing}; give a file as --out wrote it")
    return dict(value)


def _missing(value: Mapping[str, Any], kind: str) -> Iterator[str]:
    """Yield what a result has not that those who compare it read, as words."""
    yield from (
        repr(key) for key, type_ in _NEEDED[kind] if key not in value or not isinstance(value[key], type_)
    )
    parts, keys = (value["sets"], _OF_SET) if kind == "references" else (value["arms"].values(), _OF_ARM)
    for part in parts:
        yield from (f"{key!r} of each part" for key in keys if not isinstance(part, dict) or key not in part)


def kind_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the kind of two results. Raises DamagedFile when they are of different kinds."""
    if before["result"] != after["result"]:
        raise DamagedFile(
            f"a result of {before['result']!r} and one of {after['result']!r} cannot be compared; give two of one kind"
        )
    return str(before["result"])
