"""Signs that nobody sees: marks of direction, spaces without width, tags, control signs.

They can make a text read otherwise than it is stored, or say to a program what no person can read. What is shown to a
language model, and what comes back from one, is without them. The joiners that some scripts spell with are kept.
"""

from __future__ import annotations

import unicodedata

_KEPT = frozenset("\n\t\u200c\u200d")
_HIDDEN = frozenset(["Cc", "Cf", "Co", "Cs", "Cn"])


def is_hidden(sign: str) -> bool:
    """Tell whether a sign is one that nobody sees, line ends, tabs and joiners of letters aside."""
    return sign not in _KEPT and unicodedata.category(sign) in _HIDDEN


def without_hidden(text: str) -> str:
    """Return the text without hidden signs, line ends and tabs kept."""
    return text if text.isprintable() else "".join(c for c in text if not is_hidden(c))


def on_one_line(text: str, most: int = 0) -> str:
    """Return the text without hidden signs and with every run of space as one; cut to `most` characters unless 0."""
    folded = " ".join(without_hidden(text).split())
    return folded if not most or len(folded) <= most else folded[: most - 1] + "…"
