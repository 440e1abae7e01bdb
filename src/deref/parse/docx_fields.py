"""Fields of Word: what an instruction such as `REF _Ref123 \\r \\h` points at, and fields that are still open.

Between the begin and the separator of a field stands its instruction, which nobody sees; between the separator and
the end stands the result that Word cached, which is the text. Fields nest, and one may run over many paragraphs.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from deref.values import LinkSource

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_CONTENTS = re.compile(r"\s*(?:TOC|INDEX|TOA)\b", re.IGNORECASE)
_TO_BOOKMARK = frozenset(("REF", "PAGEREF", "NOTEREF"))


@dataclass(slots=True)
class Field:
    """A field that has begun. `start` is where its result begins in the block at hand, once `shown`.

    `is_contents` tells that the result is a table of contents or an index.
    """

    instruction: str = ""
    shown: bool = False
    start: int = 0
    is_contents: bool = False

    def show(self, start: int) -> None:
        """Begin the result."""
        self.shown, self.start = True, start
        self.is_contents = bool(_CONTENTS.match(self.instruction))


def target_of(instruction: str) -> tuple[str, LinkSource] | None:
    """Return where a field leads ("#bookmark" or a URL) and how that link is written, or None when nowhere."""
    tokens = [quoted or plain for quoted, plain in _TOKEN.findall(instruction)]
    if len(tokens) < 2:
        return None
    kind = tokens[0].upper()
    if kind in _TO_BOOKMARK and not tokens[1].startswith("\\"):
        return f"#{tokens[1]}", LinkSource.FIELD
    if kind == "HYPERLINK":
        place = next((b for a, b in itertools.pairwise(tokens) if a.lower() == "\\l"), "")
        address = tokens[1].replace("\\\\", "\\") if not tokens[1].startswith("\\") else ""
        return (address + (f"#{place}" if place else "")) or "#", LinkSource.ANCHOR
    return None
