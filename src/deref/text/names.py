"""Names of documents: what a file, a title and a short name have in common.

A document is called by many names: "02_credit_agreement.pdf", "CREDIT AGREEMENT", "the Credit Agreement".
`normalize_name` is the one form in which they are compared.
"""

from __future__ import annotations

import re
import unicodedata

from deref.text.lazy import lazy

_EXTENSION = lazy(r"\.(?:pdf|docx?|html?|xhtml|md|markdown|txt|text|rst|json|rtf|odt|epub)$", re.IGNORECASE)
_ORDINAL = lazy(r"^\s*(?:\(?\d{1,3}\)?|[a-z]\d{1,2})\s*[._\-–—)\s]+(?=[^\W\d_]{2})", re.IGNORECASE)
_SEPARATORS = lazy(r"[\s_\-–—./\\,:;'\"“”‘’()\[\]]+")
_ARTICLES = lazy(r"^(?:the|this|that|said|such|a|an|our|your|its) ")


def file_stem(name: str) -> str:
    """Return the last part of a path, without extension and ordinal prefix: "a/02_credit_agreement.pdf" → "credit_agreement"."""
    base = re.split(r"[/\\]", name)[-1]
    return _ORDINAL.sub("", without_extension(base))


def without_extension(name: str) -> str:
    """Return a path without the extension of its file."""
    return _EXTENSION.sub("", name)


def normalize_name(text: str) -> str:
    """Return the form in which names are compared: NFKC, casefolded, separators one space, leading article dropped."""
    name = unicodedata.normalize("NFKC", text).casefold()
    name = " ".join(_SEPARATORS.sub(" ", name).split())
    return _ARTICLES.sub("", name)


_JOINING = frozenset(["AND", "OF", "THE", "FOR", "TO", "IN", "ON", "WITH", "OR", "BY", "AT", "A", "AN"])


def initials(text: str) -> str:
    """Return the capital initials of a name of two words or more ("Prudential Rulebook" → "PR"), else "".

    Of a name in capitals the joining words count for nothing: "SERVICES AND MARKETS ACT" → "SMA".
    """
    words = [w for w in re.findall(r"[^\W_]+", text) if w[0].isupper()]
    if text.isupper():
        words = [w for w in words if w not in _JOINING]
    return "".join(w[0] for w in words) if len(words) > 1 else ""
