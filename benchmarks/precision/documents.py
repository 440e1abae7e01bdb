"""The documents that hits were drawn from, built by our own parsers, and places in them that outlive a new parser.

A place is known by what stands around it: the digest of the 40 characters before and after the start of a hit, white
space left out. So a row is checked against the text, and found again where the lines are cut in another way.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from deref.parse import parse
from deref.structure import build_document
from deref.values import Document, Line

AROUND = 40
HITS = Path(__file__).with_name("hits.jsonl")


def build(data: Path, set_name: str, doc: str) -> Document:
    """Return one document of a set; a rulebook kept as passages (JSON) is its passages, a block each."""
    path = data / set_name / doc
    raw = path.read_bytes()
    if path.suffix == ".json":
        raw = passages_as_text(raw).encode()
        path = path.with_suffix(".txt")
    return build_document(
        parse(raw, doc=doc, name=path.name), doc=doc, name=path.name, fingerprint="precision"
    )


def passages_as_text(raw: bytes) -> str:
    """Passages as paragraphs, each behind its number."""
    blocks = [f"{row['PassageID']} {row['Passage']}".strip() for row in json.loads(raw)]
    return "\n\n".join(blocks) + "\n"


class Places:
    """The characters of a document without white space, and the way from and to (line, character)."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._starts: list[int] = []
        parts: list[str] = []
        size = 0
        for line in lines:
            self._starts.append(size)
            bare = "".join(line.text.split())
            parts.append(bare)
            size += len(bare)
        self.text = "".join(parts)

    def offset(self, line: int, char: int) -> int:
        """Return how many characters that are no white space stand before a place."""
        return self._starts[line] + len("".join(self._lines[line].text[:char].split()))

    def place(self, offset: int) -> tuple[int, int]:
        """Return the (line, character) of the character at an offset."""
        line = bisect_right(self._starts, offset) - 1
        left = offset - self._starts[line]
        for char, sign in enumerate(self._lines[line].text):
            if not sign.isspace():
                if not left:
                    return line, char
                left -= 1
        raise IndexError(f"no character at offset {offset}")

    def digest(self, offset: int) -> str:
        """Return the digest of what stands around an offset."""
        around = self.text[max(0, offset - AROUND) : offset + AROUND]
        return hashlib.sha256(around.encode()).hexdigest()[:16]

    def find(self, words: str, digest: str) -> int | None:
        """Return the offset at which these words stand in these surroundings, or None."""
        bare = "".join(words.split())
        at = self.text.find(bare)
        while at >= 0:
            if self.digest(at) == digest:
                return at
            at = self.text.find(bare, at + 1)
        return None
