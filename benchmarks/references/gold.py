"""The labelled references of one shared set, in one shape, and its documents built by our own parsers."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deref.parse import SUFFIXES, parse
from deref.structure import build_document
from deref.values import Document

SKIPPED = frozenset(
    {
        "named",
        "index",
        "contents",
        "citation",
        "bib",
        "footnote",
        "page",
        "url",
        "external",
        "link",
        "term",
        "heading",
        "toc",
        "equation_target",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A reference with its known target: `line` is 0-based in the raw text where known, `outside` leaves the set."""

    doc: str
    page: int | None
    text: str
    before: str
    after: str
    kind: str
    num: str | None
    target: str | None
    target_text: str | None
    target_page: int | None
    outside: bool
    dangling: bool


def rows(data: Path, name: str) -> Iterator[Gold]:
    """Yield the gold of a set, contents lists and unnumbered links left out."""
    packed = data / name / "refs.jsonl.gz"
    text = (
        gzip.decompress(packed.read_bytes()).decode()
        if packed.exists()
        else (data / name / "refs.jsonl").read_text()
    )
    for line in text.splitlines():
        row = json.loads(line)
        gold = _gold(name, row)
        if gold is not None and not row.get("toc"):
            yield gold


def _gold(name: str, row: dict[str, Any]) -> Gold | None:
    kind = row.get("kind") or ""
    num = row.get("num")
    if kind in SKIPPED or (num is None and kind != "document"):
        return None
    if row.get("status") not in (None, "resolved"):
        return None
    outside = "external" in kind or row.get("tgt_in_set") is False
    target = (
        row.get("tgt_doc") if name not in ("gdpr", "cuad-dev") and not name.startswith("pdf") else row["doc"]
    )
    return Gold(
        doc=row["doc"], page=row.get("page"), text=row.get("mention") or row["text"], before=row.get("before") or "",
        after=row.get("after") or "", kind=kind, num=None if num is None else str(num), target=target,
        target_text=row.get("tgt_text"), target_page=row.get("tgt_page"), outside=outside,
        dangling=not outside and row.get("tgt_text") is None,
    )  # fmt: skip


def documents(data: Path, name: str, wanted: set[str], limit: int | None) -> dict[str, Document]:
    """Build the documents of a set that are wanted (all that targets may lie in), by file name."""
    folder = data / name / "docs"
    out: dict[str, Document] = {}
    for path in sorted(folder.iterdir()):
        if limit is not None and len(out) >= limit and path.name not in wanted:
            continue
        if path.suffix.lower() not in SUFFIXES:
            continue
        parsed = parse(path.read_bytes(), doc=path.name, name=path.name)
        out[path.name] = build_document(parsed, doc=path.name, name=path.name, fingerprint="bench")
    return out


def squash(text: str) -> str:
    """Letters and digits only, in small letters: what survives every rendering."""
    return re.sub(r"[^0-9a-z§]", "", text.casefold())


class Located:
    """A document as one squashed string with the way back to (line, character)."""

    def __init__(self, document: Document) -> None:
        self.document = document
        parts: list[str] = []
        self.back: list[tuple[int, int]] = []
        for line in document.lines:
            for n, char in enumerate(line.text.casefold()):
                if ("0" <= char <= "9") or ("a" <= char <= "z") or char == "§":
                    parts.append(char)
                    self.back.append((line.n, n))
        self.text = "".join(parts)
        self.used: set[int] = set()

    def find(self, gold: Gold) -> tuple[tuple[int, int], tuple[int, int]] | None:
        """Return the first and last (line, character) of a mention, by its surroundings."""
        words = squash(gold.text)
        number = squash(gold.num or "") or words
        for mention, size in ((words, 30), (words, 14), (number, 30), (number, 14), (words, 7)):
            before, after = squash(gold.before)[-size:], squash(gold.after)[:size]
            at = -1
            while (at := self.text.find(before + mention + after, at + 1)) >= 0:
                start = at + len(before)
                page = self.document.lines[self.back[start][0]].page
                if start in self.used or (gold.page is not None and abs(page - gold.page) > 1):
                    continue
                self.used.add(start)
                return self.back[start], self.back[start + len(mention) - 1]
        return None
