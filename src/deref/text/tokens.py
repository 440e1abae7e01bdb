"""Words, sentences and stems, for ranking and quoting. Any script: words are runs of letters and digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, cast

import Stemmer

# Vowel signs and accents that stand apart belong to the letter before them, though \\w leaves them out.
_MARKS = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0711\u0730-\u074a"
    r"\u0900-\u0903\u093a-\u094f\u0951-\u0963\u0981-\u0983\u09bc-\u09e3\u0a01-\u0a03\u0a3c-\u0a51\u0a70-\u0a83\u0abc-\u0ae3"
    r"\u0b01-\u0b03\u0b3c-\u0b63\u0b82\u0bbe-\u0bd7\u0c00-\u0c04\u0c3e-\u0c63\u0c81-\u0c83\u0cbc-\u0ce3\u0d00-\u0d03\u0d3b-\u0d63"
    r"\u0d81-\u0d83\u0dca-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ecd\u0f71-\u0f84\u102b-\u103e\u1056-\u109d\u17b4-\u17d3"
    r"\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a"
)
_WORD = re.compile(rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*(?:['’][^\W_]+)*")
_ONLY_WORDS = "".join(chr(n) if chr(n).isalnum() or chr(n) == "'" else " " for n in range(128))
"""Of plain text what words are made of. To split what is left takes an eighth of the time that matching takes."""
_BETWEEN_WORDS = "“”‘•–—…·§\u00a0\u2212\ufffe⟨⟩"
"""Signs of texts that are plain but for them. Each is sought in next to no time."""
_CJK_SIGN = r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af\U00020000-\U0003ffff]"
_FIRST_CJK = "\u3040"
_ABBREVIATIONS = frozenset({
    "no", "nos", "sec", "secs", "art", "arts", "fig", "figs", "eq", "eqs", "ch", "chs", "para", "paras", "pt", "p",
    "pp", "vol", "rev", "ver", "cl", "cls", "sch", "exh", "reg", "regs", "ed", "eds", "al", "cf", "vs", "v", "e.g",
    "i.e", "etc", "inc", "ltd", "co", "corp", "dr", "mr", "mrs", "ms", "st", "jr", "approx", "ca", "u.s", "u.k", "abs",
    "nr", "bzw", "z.b", "vgl",
})  # fmt: skip
# A run of signs is read once, from its first one and without going back: a page of dots must not take minutes.
_END = re.compile(r"(?<![.!?。！？])[.!?。！？]++[\"'”’)\]]*+(?=\s|$)|[。！？]")
_AFTER_SPACE = re.compile(r"\s*+(\S?)")

STOPWORDS = frozenset({
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "could", "did", "do", "does",
    "doing", "down", "during", "each", "few", "for", "from", "further", "had", "has", "have", "having", "he", "her",
    "here", "hers", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "itself", "just", "let", "me",
    "more", "most", "must", "my", "no", "nor", "not", "of", "off", "on", "once", "only", "or", "other", "our", "ours",
    "out", "over", "own", "per", "same", "shall", "she", "should", "so", "some", "such", "than", "that", "the", "their",
    "theirs", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too", "under", "until", "up",
    "upon", "use", "used", "very", "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom",
    "whose", "why", "will", "with", "within", "would", "you", "your", "yours", "tell", "give", "say", "says", "said",
    "much", "many", "please", "find", "show",
})  # fmt: skip


def words(text: str) -> list[str]:
    """Return the words in order, as written; each CJK sign is a word of its own, and so is what stands between them."""
    curled = False
    if not text.isascii():
        for sign in _BETWEEN_WORDS:
            text = text.replace(sign, " ")
        curled = "’" in text and "'" not in text
        if curled:
            text = text.replace("’", "'")
    if text.isascii():
        text = text.translate(_ONLY_WORDS)
        if "'" not in text:
            return text.split()
    found = []
    for run in text.split():
        if run.isalnum() and run.isascii():
            found.append(run)
        else:
            found += _words_of(run.replace("'", "’") if curled else run)
    return found


def _words_of(run: str) -> list[str]:
    if max(run) < _FIRST_CJK:
        return _WORD.findall(run)
    return [part for word in _WORD.findall(run) for part in _cjk_parts().findall(word)]


@cache
def _cjk_parts() -> re.Pattern[str]:
    """Compile when the first such text is met: sets of so many signs take milliseconds."""
    return re.compile(rf"{_CJK_SIGN}[\u3099\u309a]?|(?:(?!{_CJK_SIGN}).)+")


@cache
def _stemmer(language: str) -> Any:
    return Stemmer.Stemmer(language)


@cache
def stem(word: str) -> str:
    """Return the English stem of a word, casefolded."""
    return cast(str, _stemmer("english").stemWord(word.casefold()))


def content_stems(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, in order, repeats kept. All words when none would be left."""
    every = words(text.lower()) if text.isascii() else [w.casefold() for w in words(text)]
    kept = [w for w in every if w not in STOPWORDS]
    return [stem(w) for w in (kept or every)]


def stems_of(text: str) -> frozenset[str]:
    """Return the different stems of `content_stems`."""
    return meaning_of(text) or frozenset(map(stem, _folded(text)))


@lru_cache(maxsize=2048)
def meaning_of(text: str) -> frozenset[str]:
    """Return the different stems of the words that carry meaning; none when none does.

    One question comes back to a text several times, and it is read once.
    """
    return frozenset(map(stem, _folded(text) - STOPWORDS))


def _folded(text: str) -> frozenset[str]:
    return frozenset(words(text.lower()) if text.isascii() else [w.casefold() for w in words(text)])


def count_tokens(text: str) -> int:
    """Return the number of words and CJK signs."""
    return _counted(text) if len(text) <= _LONGEST_KEPT else len(words(text))


_LONGEST_KEPT = 4_000
"""Characters."""


@lru_cache(maxsize=1024)
def _counted(text: str) -> int:
    return len(words(text))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each sentence, covering all text that is not white space, in order.

    A full stop after an abbreviation ("Sec. 4", "No. 7"), inside a number or label ("3.2") or before a small
    letter ends nothing.
    """
    start = 0
    for match in _END.finditer(text):
        end = match.end()
        if match.group().startswith(".") and not _ends_sentence(text, match.start(), end):
            continue
        yield from _trimmed(text, start, end)
        start = end
    yield from _trimmed(text, start, len(text))


def _ends_sentence(text: str, dot: int, end: int) -> bool:
    before = re.search(r"[\w.]*$", text[max(0, dot - 12) : dot])
    word = before.group().casefold() if before else ""
    if word in _ABBREVIATIONS or (len(word) == 1 and word.isalpha()):
        return False
    after = _AFTER_SPACE.match(text, end)
    return after is None or not after.group(1).islower()


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        yield start, end
