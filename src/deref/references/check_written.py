"""What a document shows of a label though the reading of its structure missed it, and what a pointer itself writes.

A line that begins with the label, or with its word and the label, as a heading does, is a place that is there: whoever
reads will find it, so a pointer to it is no finding. Members that a range only implies ("29.201 through 29.302") are not
written, and so not checked.
"""

from __future__ import annotations

import re

from deref.text.labels import normalize_label, split_sub
from deref.values import Document, Reference

_MARK = r"[\s#>*_\[–—•-]*(?:\(\w{1,4}\)\s*|\w{1,3}[.)]\s+)?"


def written(reference: Reference) -> tuple[str, ...]:
    """Return the labels of a reference that stand in its text, or all when none can be told."""
    text = normalize_label(reference.text).casefold()
    plain = tuple(x for x in reference.labels if split_sub(x)[0].casefold() in text)
    return plain or reference.labels


def is_headed(document: Document, reference: Reference, label: str) -> bool:
    """Tell whether some block begins with the label, or its word and the label, as a heading does.

    On the line of the pointer itself, where the pointer may stand first, only what no pointer looks like counts.
    """
    lines = [line for line in document.lines if label in line.text and line.starts_block]
    here = [line for line in lines if (line.doc, line.n) == reference.at.begins[:2]]
    words = (reference.kind.value, *re.findall(r"^[^\W\d_]+", reference.text))
    number = re.escape(label)
    word = "|".join(sorted({re.escape(w) for w in words}))
    bare = r"(?!)" if not any(c.isdigit() for c in label) else rf"{number}[.:)]?"
    if here:
        own = re.compile(
            rf"{_MARK}(?:(?:{word})\s+{number}(?:\s*[.:–—-]|(?-i:,\s+[A-Z])|\s*$)|{bare}\s+[^\W\d_])",
            re.IGNORECASE,
        )
        if any(own.match(line.text) for line in here):
            return True
    if len(lines) == len(here):
        return False
    # A number alone on its line is the label of something only when no list or cover sheet counts so.
    alone = "" if label.isdigit() else r"|\s*$"
    other = re.compile(
        rf"{_MARK}(?:(?:{word})\s+{number}(?:\s*[.,:–—-]|\s*$)|{bare}(?:\s+[^\W\d_]{alone}))", re.IGNORECASE
    )
    return any(other.match(line.text) for line in lines if line not in here)
