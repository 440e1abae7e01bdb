"""Whether a document is written as law: contracts, regulations, rulebooks, statutes.

In those, numbered paragraphs are places of their own ("Article 6(1)(a)"), and a clause carries its title run into its text.
Elsewhere a numbered paragraph is a list item.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deref.text.languages import language

# The word edge stands behind the first letter of each: a pattern that begins with letters skips to the next of them.
_TERMS = re.compile(
    r"(?:h(?<!\wh)ere(?:by|in|of|to|under|inafter)"
    r"|t(?<!\wt)h(?:ere(?:of|to)|e part(?:y|ies)"
    r"|is (?:agreement|regulation|directive|subpart|part|article|act|section|rule|note|deed|contract|paragraph|warrant))"
    r"|p(?<!\wp)(?:ursuant|aragraphs? \(?(?:\d|[a-z]\))|art \d|oint \([a-z]\)|résent contrat)"
    r"|w(?<!\ww)hereas|n(?<!\wn)otwithstanding|u(?<!\wu)ndersigned|s(?<!\ws)ub(?:part \d|paragraphs?)"
    r"|[0-9](?<!\w[0-9])\d{0,2} (?:u\.?s\.?c|c\.?f\.?r)\b|§(?<=\w§)§* ?\d"
    r"|i(?<!\wi)m sinne|a(?<!\wa)(?:bsatz|linéa)|v(?<!\wv)ertrag|g(?<!\wg)emäß)\b"
)
_SHALL = re.compile(r"s(?<!\ws)hall (?:be|not|have)\b")
_SAMPLE = 200_000
_SHARE = 0.0025


def is_legal(texts: Sequence[str], spoken: str = "en") -> bool:
    """Tell whether terms of law are at least 2.5 in 1,000 words of the first 200,000 characters, and at least three.

    `spoken` are the languages of the document, as `Document.language` says them: their own terms of law count too.
    "Shall" counts no more often than the others: technical standards are full of it. The beginning tells: the tables and
    forms behind the body of a rulebook have no terms of law.
    """
    sample = "\n".join(texts[: _lines_of(texts, _SAMPLE)]).lower()
    found = len(_TERMS.findall(sample))
    for code in spoken.split(", "):
        table = language(code)
        if table is not None and table.legal:
            found += len(re.findall(rf"\b(?:{table.legal})", sample))
    found += min(found, len(_SHALL.findall(sample)))
    words = sample.count(" ") + sample.count("\n") + 1
    return found >= 3 and found >= _SHARE * words


def _lines_of(texts: Sequence[str], characters: int) -> int:
    """How many of the first lines hold so many characters."""
    size = 0
    for n, text in enumerate(texts, 1):
        size += len(text)
        if size > characters:
            return n
    return len(texts)
