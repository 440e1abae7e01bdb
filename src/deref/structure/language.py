"""The languages of a document: by its script, else by the small words of the languages that have a table.

1. Lines are taken evenly from the whole document, some 20,000 characters.
2. A script that one language has tells it.
3. A language is told when at least 12 in 100 words are its small words (half of that among much code, where it has more than
   four times as many as English), and a fifth more than any other's; English also wins a near tie. What the file says of itself counts only where its words do not tell: editors write their own
   language into every file.
4. A second language is told when at least a fifth of the lines that tell any are in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from deref.structure.sample import taken_evenly
from deref.text.languages import small_words

_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
)
_ANY_SCRIPT = re.compile(r"[\u0400-\u06ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_CODE = re.compile(r"[A-Za-z]{2}(?:[-_].*)?")
_SAMPLE = 20_000
_SHARE = 0.12
_FEWEST = 5
_AHEAD = 1.2
_FAR_AHEAD = 4
_LEAST_LINES = 3
_ENOUGH_LINES = 150
_LEAST_WORDS = 6
_SECOND = 0.2
_RIVAL = 0.05
_LEAST_STRANGE = 5


def guess_language(texts: Sequence[str], said: str | None = None) -> str:
    """Return a two-letter code, or two when a document is written in two languages, the main one first: "de, en".

    `said` is what the file says of itself. "en" when nothing tells.
    """
    lines = taken_evenly(texts, _SAMPLE)
    sample = " ".join(lines)
    claimed = said[:2].lower() if said and _CODE.fullmatch(said) else "en"
    for language, script in _SCRIPTS if _ANY_SCRIPT.search(sample) else ():
        share = 0.05 if language == "ja" else 0.3
        found = len(script.findall(sample))
        if found and found > share * (sum(c.isalpha() for c in sample) or 1):
            return language
    found_words, words = small_words(sample)
    counts = Counter({code: len(found) for code, found in found_words.items()})
    (best, most), *others = counts.most_common(2) or [("en", 0)]
    share = _SHARE / 2 if best != "en" and most > _FAR_AHEAD * max(counts["en"], _FEWEST) else _SHARE
    if most < _FEWEST or most < share * words or len(set(found_words[best])) < _FEWEST:
        return claimed
    if others and most <= _AHEAD * counts["en"]:
        best = "en"
    elif others and most <= _AHEAD * others[0][1]:
        return claimed
    second = _second(lines, best) if _has_rival(found_words, best) else None
    return f"{best}, {second}" if second else best


def _has_rival(found: Mapping[str, Sequence[str]], main: str) -> bool:
    """Whether another language may have a fifth of the lines: each of them has a small word that the main one has not."""
    own = frozenset(found[main])
    least = max(_LEAST_LINES, _RIVAL * len(found[main]))
    strange = ([w for w in words if w not in own] for code, words in found.items() if code != main)
    return any(len(words) >= least and len(set(words)) >= _LEAST_STRANGE for words in strange)


def _second(lines: Sequence[str], main: str) -> str | None:
    """The other language that at least a fifth of the lines are written in; some hundred of them tell."""
    told: dict[str, list[list[str]]] = {}
    for line in lines[:: max(1, len(lines) // _ENOUGH_LINES)]:
        found, _ = small_words(line)
        leaders = sorted(found.items(), key=lambda pair: -len(pair[1]))[:2]
        if (
            leaders
            and len(set(leaders[0][1])) > 1
            and (len(leaders) == 1 or len(leaders[0][1]) > len(leaders[1][1]))
        ):
            told.setdefault(leaders[0][0], []).append(leaders[0][1])
    every = sum(map(len, told.values()))
    others = sorted(((len(rows), code) for code, rows in told.items() if code != main), reverse=True)
    for size, code in others[:1]:
        distinct = {word for row in told[code] for word in row}
        if size >= _LEAST_LINES and size >= _SECOND * every and len(distinct) >= _LEAST_WORDS:
            return code
    return None
