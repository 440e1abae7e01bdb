"""How many tokens a text is, when the tokenizer of a model is not known: an estimate that is rather too high.

A text that is thought shorter than it is would be cut by the server without a word, so each part is taken at what the
vocabularies of small models need for it: a word of up to six letters is one token and a longer one begins another every five,
each digit is one, each mark is one, runs of spaces and ends of lines are one; a letter outside ASCII counts by its bytes, two
a token. A fifth is added, for words that no vocabulary has.
"""

from __future__ import annotations

import re

_PARTS = re.compile(r"[A-Za-z]+|[0-9]|[ \t]*\n|  +|[!-/:-@\[-`{-~]|[^\x00-\x7f]+")


def estimated_tokens(text: str) -> int:
    """Return the estimate; 0 for an empty text."""
    return -(-sum(_of(part) for part in _PARTS.findall(text)) * 6 // 5)


def _of(part: str) -> int:
    if part[0].isascii():
        return 1 + max(0, len(part) - 2) // 5 if part[0].isalpha() else 1
    return (len(part.encode(errors="surrogatepass")) + 1) // 2
