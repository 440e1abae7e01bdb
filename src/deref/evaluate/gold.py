"""Gold questions: one JSON object a line with `id`, `query`, `expected` (verbatim strings), `match` (any or all).

Optional: `expected_sources`, `anchor_doc` (file names), `corpus` (the set to ask over), `dimensions` and flags beside them
(`multi_document`, …), by which figures are told apart. `dimensions.status` is "answerable" unless it says that the answer
is off the shelf; only then `expected` may be empty. `anchor_text` is the text that points, where the answer stands behind a pointer. `turns` in the place of
`query` are the questions of one conversation, of which the last is asked. A row with `qa_id`, `question`, `source_doc`, `source_id`, `target_doc`, `target_id` asks for a *pair*
of passages of a set of rulebooks instead: the one that points, and the one it points at. Other keys are for people, unless
they are nearly one of these: a slip must not make a question one that has no answer.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from deref.errors import DamagedFile, NoSuchSource
from deref.text.tokens import words

_GAP = re.compile(r"[\s\u00ad\ufffe]+")
HALVES = ("dev", "rest")
"""Settings are fixed on the first half of the questions, and reported on the second."""
ANSWERABLE = "answerable"
STATUSES = (ANSWERABLE, "external", "dangling", "unanswerable")
_KEYS = ("id", "query", "turns", "expected", "match", "expected_sources", "anchor_doc", "anchor_text", "corpus", "dimensions")  # fmt: skip
_NEARLY = 0.8
"""Likeness from which a key is one of these with a slip in it."""
_PAIR_SLICES = ("persona", "origin", "cross_doc", "final_test")


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A passage of a rulebook: its file and the id it has there."""

    doc: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldRow:
    """One gold question. `match` is "any" or "all" of `expected`; `dimensions` are its slices, flags included.

    `pair` are the passages that it needs where it expects no strings: the pointing one, the one pointed at. `history` are
    the questions before it, oldest first. `file` and the 1-based `line` say where it stands.
    """

    id: str
    query: str
    expected: tuple[str, ...]
    match: str
    expected_sources: tuple[str, ...]
    corpus: str
    dimensions: Mapping[str, Any]
    anchor_doc: str = ""
    anchor_text: str = ""
    history: tuple[str, ...] = ()
    pair: tuple[Passage, Passage] | None = None
    file: Path = field(default=Path())
    line: int = 0

    @property
    def status(self) -> str:
        """What its answer is, one of STATUSES."""
        return str(self.dimensions.get("status", ANSWERABLE))

    @property
    def answerable(self) -> bool:
        """Whether its answer should stand on the shelf."""
        return self.status == ANSWERABLE

    @property
    def half(self) -> str:
        """The half that it belongs to, by a hash of the question: the same for the same words in any file."""
        return HALVES[hashlib.sha256(self.query.strip().encode()).digest()[0] % 2]

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

    Raises NoSuchSource when it cannot be read, DamagedFile that names the line which is no gold row, or when it has none.
    """
    try:
        lines = path.read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise NoSuchSource(f"{path}: the gold file cannot be read ({why}); name one of JSON lines") from error
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            rows.append(_row(json.loads(line), path, number))
        except (ValueError, KeyError, TypeError) as error:
            raise DamagedFile(
                f"{path}, line {number}: not a gold row ({_wrong(error)}); it needs id, query, expected"
            ) from error
    if not rows:
        raise DamagedFile(
            f"{path}: holds no gold row; write one JSON object a line, with id, query, expected"
        )
    return rows


def _wrong(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON: {error.msg} at character {error.colno}"
    return f"it has no {error}" if isinstance(error, KeyError) else str(error)


def _row(value: Any, path: Path, number: int) -> GoldRow:
    if not isinstance(value, dict):
        raise TypeError("no JSON object")
    if {"source_id", "target_id"} <= value.keys():
        return _pair_row(value, path, number)
    for key in value.keys() - set(_KEYS):
        if near := get_close_matches(key, _KEYS, n=1, cutoff=_NEARLY):
            raise ValueError(f"{key!r} is no key; did you mean {near[0]!r}?")
    match = value.get("match", "any")
    if match not in ("any", "all"):
        raise ValueError(f'match is "any" or "all", and not {match!r}')
    dimensions = value.get("dimensions", {})
    if not isinstance(dimensions, dict):
        raise TypeError("dimensions is an object")
    *before, query = _strings(value, "turns") or (value["query"],)
    flags = {key: flag for key, flag in value.items() if isinstance(flag, bool)}
    row = GoldRow(
        id=_id(value["id"]),
        query=_question(query),
        history=tuple(before),
        expected=_strings(value, "expected"),
        match=match,
        expected_sources=_strings(value, "expected_sources"),
        corpus=str(value.get("corpus") or ""),
        dimensions={**flags, **dimensions},
        anchor_doc=str(value.get("anchor_doc") or ""),
        anchor_text=str(value.get("anchor_text") or ""),
        file=path,
        line=number,
    )
    if row.status not in STATUSES:
        raise ValueError(f"its status is one of {', '.join(STATUSES)}, and not {row.status!r}")
    if row.answerable and not row.expected:
        raise ValueError("it expects nothing, and its status does not say that the answer is off the shelf")
    return row


def _id(said: Any) -> str:
    if not isinstance(said, (str, int)) or said == "":
        raise TypeError("its id is a text or a number")
    return str(said)


def _question(said: Any) -> str:
    if not isinstance(said, str) or not words(said):
        raise TypeError("a question is text with a word in it")
    return said


def _pair_row(value: Mapping[str, Any], path: Path, number: int) -> GoldRow:
    source, target = (
        Passage(doc=str(value[f"{end}_doc"]), id=str(value[f"{end}_id"])) for end in ("source", "target")
    )
    return GoldRow(
        id=_id(value["qa_id"]),
        query=_question(value["question"]),
        expected=(),
        match="all",
        expected_sources=tuple(dict.fromkeys((source.doc, target.doc))),
        corpus=str(value.get("corpus") or ""),
        dimensions={key: value[key] for key in _PAIR_SLICES if key in value},
        pair=(source, target),
        file=path,
        line=number,
    )


def _strings(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = value.get(key, [])
    if not isinstance(found, list) or not all(isinstance(f, str) for f in found):
        raise TypeError(f"{key} is a list of strings")
    return tuple(found)
