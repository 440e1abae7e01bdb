"""The baseline: one pattern, a label word in any case and a number or capital behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.precision.documents import Places
from deref.values import Document, Reference

BARE = re.compile(
    r"\b(?P<word>sections?|clauses?|articles?|parts?|chapters?|rules?|paragraphs?|tables?|figures?|equations?|exhibits?|schedules?|annex|"
    r"appendix|attachments?|examples?|footnotes?|pages?)\s+(?P<label>(?-i:[\dA-Z])[\d.]*)(?-i:(?![a-z]))",
    re.IGNORECASE,
)


def bare_hits(
    set_name: str, doc: str, document: Document, places: Places, hits: Sequence[Reference]
) -> Iterator[dict[str, Any]]:
    """Yield, as rows, the places of the bare pattern that no hit of the finder meets."""
    taken = {
        (n, c)
        for hit in hits
        for n in range(hit.at.line, hit.at.last_line + 1)
        for c in range(
            hit.at.char_start if n == hit.at.line else 0, hit.at.char_end if n == hit.at.last_line else 400
        )
    }
    for line in document.lines:
        for match in BARE.finditer(line.text):
            if any((line.n, c) in taken for c in range(match.start(), match.end())):
                continue
            yield {
                "set": set_name, "doc": doc, "line": line.n, "char": match.start(), "words": match.group(), "by": "bare",
                "around": places.digest(places.offset(line.n, match.start())), "kind": match.group("word").lower().rstrip("s"),
                "labels": [match.group("label").rstrip(".")], "container": None, "selector": None,
            }  # fmt: skip
