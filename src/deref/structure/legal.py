"""Whether a document is written as law: contracts, regulations, rulebooks, statutes.

In those, numbered paragraphs are places of their own ("Article 6(1)(a)"), and a clause carries its title run into its text.
Elsewhere a numbered paragraph is a list item.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_TERMS = re.compile(
    r"\b(?:hereby|herein|hereof|hereto|hereunder|hereinafter|thereof|thereto|pursuant|whereas|notwithstanding|undersigned"
    r"|this (?:agreement|regulation|directive|subpart|part|article|act|section|rule|note|deed|contract|paragraph|warrant)"
    r"|paragraphs? \(?(?:\d|[a-z]\))|(?:sub)?part \d|\d{1,3} (?:u\.?s\.?c|c\.?f\.?r)\b|subparagraphs?|point \([a-z]\)|the part(?:y|ies)"
    r"|§+ ?\d|im sinne|absatz|vertrag|gemäß|alinéa|présent contrat)\b",
    re.IGNORECASE,
)
_SHALL = re.compile(r"\bshall (?:be|not|have)\b", re.IGNORECASE)
_SAMPLE = 200_000
_SHARE = 0.0025


def is_legal(texts: Sequence[str]) -> bool:
    """Tell whether terms of law are at least 2.5 in 1,000 words of the first 200,000 characters, and at least three.

    "Shall" counts no more often than the others: technical standards are full of it.
    """
    parts: list[str] = []
    size = 0
    for text in texts:
        parts.append(text)
        size += len(text)
        if size > _SAMPLE:
            break
    sample = "\n".join(parts)
    found = len(_TERMS.findall(sample))
    found += min(found, len(_SHALL.findall(sample)))
    words = sample.count(" ") + len(parts)
    return found >= 3 and found >= _SHARE * words
