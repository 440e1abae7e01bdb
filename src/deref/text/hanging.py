"""The sentence that a pointer stands in, with the one before it where it says nothing without that.

"(See Section 4.2.)" says where, not what: the sentence before it says what. A sentence about "this procedure" or "these
files" leaves it to the one before which they are. Both are read with the sentence before them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deref.text.lazy import lazy
from deref.text.tokens import stems_of, words

BARE = 3
"""Stems besides those of the pointer. A sentence with fewer says no more than where."""
FEW = 15
"""Words. A longer sentence says something."""
_SAYS_NOTHING = stems_of(
    "see refer reference consult compare cf also details detail information further full"
)
_SPOKEN_OF = lazy(
    r"^[\W_]*(?:it|they)\b|\b(?:this|these|such)\s+(?!section|chapter|article|clause|part|document)\w+",
    re.IGNORECASE,
)


def sentence_of(
    text: str, spans: Sequence[tuple[int, int]], at: int, size: int | None
) -> tuple[int, int] | None:
    """Return (start, end) of the sentence at a place, None when none is there; `spans` are the sentences of the text.

    `size` is that of the pointer which stands there: with it, the sentence before belongs to one that says nothing alone.
    """
    n = next((n for n, (a, b) in enumerate(spans) if a <= at < b), None)
    if n is None:
        return None
    start, end = spans[n]
    hangs = n > 0 and size is not None and hangs_on(text[start:at] + " " + text[at + size : end])
    return (spans[n - 1][0] if hangs else start), end


def hangs_on(said: str) -> bool:
    """Tell whether a sentence, without its pointer, says nothing alone."""
    count = len(words(said))
    if count < FEW and (not count or len(stems_of(said) - _SAYS_NOTHING) < BARE):
        return True
    return _SPOKEN_OF.search(said) is not None
