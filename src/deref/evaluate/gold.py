"""Gold questions: one JSON object a line with `id`, `query`, `expected` (verbatim strings), `match` (any or all).

Optional: `expected_sources`, `corpus`, `dimensions` (`kind`, `status`, `pointer_only`, `requires_crossref`).
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deref.errors import DamagedFile, NoSuchSource

_GAP = re.compile(r"[\s\u00ad\ufffe]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldRow:
    """One gold question. `match` is "any" or "all" of `expected`; `dimensions` are its slices."""

    id: str
    query: str
    expected: tuple[str, ...]
    match: str
    expected_sources: tuple[str, ...]
    corpus: str
    dimensions: Mapping[str, Any]

    def met_by(self, texts: Iterable[str]) -> bool:
        """Tell whether the expected strings stand in the texts, white space and case folded.

        A row that expects nothing is met by nothing: it asks for a refusal.
        """
        folded = [folded_text(t) for t in texts]
        found = [any(folded_text(e) in t for t in folded) for e in self.expected]
        return bool(found) and (all(found) if self.match == "all" else any(found))


def folded_text(text: str) -> str:
    """Return the text in the form in which gold strings are compared: NFKC, no white space or soft hyphens, no case."""
    return _GAP.sub("", unicodedata.normalize("NFKC", text)).casefold()


def read_gold(path: Path) -> list[GoldRow]:
    """Return the rows of a gold file.

    Raises NoSuchSource when it cannot be read, DamagedFile that names the line which is no gold row.
    """
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise NoSuchSource(f"{path}: the gold file cannot be read ({error})") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            rows.append(_row(json.loads(line)))
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedFile(
                f"{path}, line {number}: not a gold row ({error!r}); it needs id, query, expected"
            ) from error
    return rows


def _row(value: Any) -> GoldRow:
    match = value.get("match", "any") if isinstance(value, dict) else None
    if match not in ("any", "all"):
        raise ValueError('match is "any" or "all" in a JSON object')
    dimensions = value.get("dimensions", {})
    if not isinstance(dimensions, dict):
        raise TypeError("dimensions is an object")
    return GoldRow(
        id=str(value["id"]),
        query=str(value["query"]),
        expected=_strings(value, "expected"),
        match=match,
        expected_sources=_strings(value, "expected_sources"),
        corpus=str(value.get("corpus", "")),
        dimensions=dimensions,
    )


def _strings(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = value.get(key, [])
    if not isinstance(found, list) or not all(isinstance(f, str) for f in found):
        raise TypeError(f"{key} is a list of strings")
    return tuple(found)
