"""A sign that fences text off: made of the text, and nowhere in it.

What stands between two lines that bear the sign cannot end itself, or begin something else, since nobody can write a text
that holds the hash of itself. The same texts give the same sign, so that a question can be asked again to the letter.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def sign_for(texts: Iterable[str]) -> str:
    """Return twelve hex digits that stand in none of the texts."""
    everything = "\n".join(texts)
    counted = 0
    while True:
        sign = hashlib.sha256(f"{counted} {everything}".encode(errors="replace")).hexdigest()[:12]
        if sign not in everything:
            return sign
        counted += 1
