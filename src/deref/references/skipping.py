"""Lines in which no reference is looked for: printed contents lists, and code that is no prose."""

from __future__ import annotations

from collections.abc import Sequence

from deref.text.lazy import lazy
from deref.values import Document, Line

_CODE_SIGNS = lazy(r"[{}=<>|\\]|::|\(\)|//|;$(?<!\w;)|--|  \S")
_SMALL_WORD = lazy(r"(?<!\S)[a-z]{2,}(?=[\s,.;:)])")


def skipped(document: Document, lines: Sequence[Line]) -> list[bool]:
    """Tell for each of some consecutive lines whether it stands in a contents list or in code that is no prose."""
    base = lines[0].n if lines else 0
    skip = [False] * len(lines)
    for span in (*document.contents, *document.code):
        for n in range(max(span.start - base, 0), min(span.end - base, len(lines))):
            skip[n] = True
    for span in document.code:
        for n in range(max(span.start - base, 0), min(span.end - base, len(lines))):
            skip[n] = not _is_prose(lines[n].text)
    return skip


def _is_prose(text: str) -> bool:
    """Whether a line that is marked as code, as an indented paragraph of Markdown is, reads as a sentence."""
    body = text.strip()
    if len(body) < 50 or _CODE_SIGNS.search(body):
        return False
    return len(_SMALL_WORD.findall(body)) >= 8
