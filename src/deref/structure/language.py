"""The language of a document, by its script and its most common small words. "en" when unsure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_SMALL = {
    "en": "the of and to in is that for with be shall this are on by or",
    "de": "der die und das ist nicht von den mit dem des ein eine für auf werden",
    "fr": "le la les des et est dans pour que une du par sur au aux ne",
    "es": "el la los las de que y en por con para una del se es al",
    "it": "il la di che e le della per con una del dei gli sono nel alla",
    "nl": "de het een van en in is dat op te voor met zijn niet aan door",
    "pt": "o a os as de que e em para com uma do da não dos das",
}
_LANGUAGES: dict[str, list[str]] = {}
for _language, _words in _SMALL.items():
    for _word in sorted(set(_words.split())):
        _LANGUAGES.setdefault(_word, []).append(_language)
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
)
_WORD = re.compile(r"[^\W\d_]+")
_SAMPLE = 20_000
_FEWEST = 20


def guess_language(texts: Sequence[str], said: str | None = None) -> str:
    """Return a two-letter code: what the file says of itself, else a guess from its first 20,000 characters."""
    if said and re.fullmatch(r"[A-Za-z]{2}(?:[-_].*)?", said):
        return said[:2].lower()
    parts: list[str] = []
    size = 0
    for text in texts:
        parts.append(text)
        size += len(text)
        if size > _SAMPLE:
            break
    sample = " ".join(parts)
    for language, script in () if sample.isascii() else _SCRIPTS:
        share = 0.05 if language == "ja" else 0.3
        found = len(script.findall(sample))
        if found and found > share * (sum(c.isalpha() for c in sample) or 1):
            return language
    counts: Counter[str] = Counter()
    for word, times in Counter(_WORD.findall(sample.casefold())).items():
        for language in _LANGUAGES.get(word, ()):
            counts[language] += times
    best = counts.most_common(1)
    return best[0][0] if best and best[0][1] >= _FEWEST and best[0][1] > 1.2 * counts["en"] else "en"
