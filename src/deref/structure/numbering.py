"""What number a line starts with: "3.2.2 Title", "ARTICLE IV", "§ 12", "A.1", "9.406-1", "GEN 5.3.7R", "第三条".

A number has three sides. `label` is its normal form for the registry. `family` names the sequence that it belongs
to: numbers of one family follow each other. `key` orders them: one integer for each part, 32 apart so that "5A" fits
between "5" and "6"; letters come after figures ("A.1" follows "9.4").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from deref.quick_dataclass import dataclass
from deref.text.labels import is_roman, normalize_label, roman_value, variants
from deref.text.languages import ENGLISH, every_language

STEP = 32
_LETTER_BASE = 1000 * STEP

CONTAINERS = frozenset({"exhibit", "schedule", "annex", "appendix", "attachment", "addendum"})
DIVISIONS = frozenset({"book", "title", "part", "chapter", "subchapter", "division", "subpart", "article"})

_RUSSIAN = {
    "article": "статья",
    "section": "раздел",
    "chapter": "глава",
    "part": "часть",
    "annex": "приложение",
}
_LANGUAGES = every_language()
WORDS = {
    name: word
    for headings in (*(table.headings for table in _LANGUAGES), _RUSSIAN)
    for word, names in headings.items()
    for name in names.split()
}
"""Words before the number of a heading, in every language, and what they are called in English."""
_ORDINALS = {
    form: str(n)
    for table in _LANGUAGES
    if table.pointing is not None
    for n, forms in enumerate(table.figures.split(), 1)
    for form in forms.split("/")
}
_FIGURES = {name: str(n) for n, name in enumerate(ENGLISH.figures.split(), 1)}

_LABEL = (
    r"(?:\d{1,4}(?:[.\-–‑]\d{1,4}){0,8}(?:[A-Za-z]{1,2}(?![A-Za-z]))?"
    r"|[A-Z]{1,2}(?:[.\-–‑]?\d{1,4})(?:[.\-–‑]\d{1,4}){0,6}"
    rf"|(?:{'|'.join(sorted((*_FIGURES, *_ORDINALS), key=len, reverse=True))})\b"
    r"|[IVXLCDM]{1,8}(?:[.\-–‑](?:\d{1,4}|[A-Z]))?"
    r"|[A-Z]{1,2}(?:[.\-–‑](?:\d{1,4}|[IVX]{1,4}))?)"
)
_NAME = "|".join(sorted((re.escape(n) for n in WORDS), key=len, reverse=True))
_WORDED = re.compile(
    rf"(?P<word>{_NAME})(?:\s+|(?<=[§.])|(?=\d))(?:No\.?\s*|Nr\.?\s*|#\s*)?(?P<label>{_LABEL}(?:\([a-z\d]{{1,4}}\))*)(?:\.?[ºª°])?(?P<later> ?(?:bis|ter|quater|quinquies)\b)?(?![\w(]|[.\-]\d)(?P<sep>\s*[.:)\-–—―]*)\s*",
    re.IGNORECASE,
)
_HEADS = frozenset(name[:2] for name in WORDS)
_DECIMAL = re.compile(
    r"(?P<label>\d{1,4}(?:(?:[A-Z](?=\.\d))?\.\d{1,4}){0,8}(?:-\d{1,3})?(?:[A-Z]{1,2})?)(?P<sep>[.)]?(?:\s*[:–—])?)(?=\s|$|(?<=[.)])[^\W\d_]|(?<=\.\d)(?:[\"“][A-Z]|[A-Z][a-z]{2})|(?<=\.\d\d)(?:[\"“][A-Z]|[A-Z][a-z]{2}))\s*"
)
_RULE = re.compile(
    r"(?P<book>[A-Z]{2,8})\s+(?P<label>\d{1,3}[A-Z]?(?:\.\d{1,3}[A-Z]?){1,4}(?:\s?[A-Z](?=\s|$))?)(?P<sep>[.:]?)(?=\s|$)\s*"
)
_LETTERED = re.compile(r"(?P<label>[A-Z](?:[.\-–]?\d{1,3})(?:[.\-–]\d{1,3}){0,6})(?P<sep>[.:)]?)(?=\s|$)\s*")
_LETTER = re.compile(r"(?P<label>[A-Z])(?P<sep>[.)]|(?=\s+[A-Z][\w’']{2}))(?=\s|$|(?<=\.)[^\W\d_])\s*")
_ROMAN = re.compile(r"(?P<label>[IVXLC]{1,7})(?P<sep>[.)]|\s*[–—-]|(?=\s+[A-Z][\w’']{2}))(?=\s|$)\s*")
# "PRIMERA.- Objeto": clauses of Spanish contracts are often headed by their ordinal alone.
_ORDINAL = re.compile(
    rf"(?P<label>{'|'.join(form for form in _ORDINALS if form.endswith('a'))})(?P<sep>\s?(?:\.\s?[-–—]+|[-–—:]|\.(?=\s)))\s*",
    re.IGNORECASE,
)
_LATER = ("bis", "ter", "quater", "quinquies")
_CJK = re.compile(r"第\s*(?P<label>\d{1,4}|[一二三四五六七八九十百]{1,9})\s*(?P<word>[章条條節节部編编])\s*")
_CJK_WORDS = {"章": "chapter", "条": "article", "條": "article", "節": "section", "节": "section"}
_CJK_DIGITS = {c: n for n, c in enumerate("一二三四五六七八九", start=1)}

_ORDINAL_HEADS = frozenset(form[0].upper() for form in _ORDINALS if form.endswith("a"))

_PART = re.compile(r"\d+[A-Za-z]{0,2}|[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Number:
    """A number at the start of a line. `rest` starts at character `end` of the text it was read from."""

    word: str | None
    label: str
    family: str
    key: tuple[int, ...]
    sep: str
    end: int

    @property
    def depth(self) -> int:
        """How many parts the number has."""
        return len(self.key)


def read_numbers(text: str) -> Iterator[Number]:
    """Yield the readings of the number that `text` starts with, best first: "C. Costs" is a letter and a roman number.

    `text` has no leading space. Nothing is yielded for a line that starts with no number.
    """
    first = text[:1]
    if not first:
        return
    if first.isdigit() and first.isascii():
        match = _DECIMAL.match(text)
        if match:
            yield _number(match, "decimal")
        return
    if first == "第":
        match = _CJK.match(text)
        if match:
            label = _cjk_figures(match["label"])
            word = _CJK_WORDS.get(match["word"], "part")
            yield Number(word, label, word, (int(label) * STEP,), "", match.end())
        return
    if not (first.isupper() or first == "§"):
        return
    if first in _ORDINAL_HEADS and (match := _ORDINAL.match(text)):
        label = _ORDINALS[match["label"].casefold()]
        yield Number("clause", label, "clause", (int(label) * STEP,), match["sep"].strip(), match.end())
        return
    # Two letters tell most lines that begin with none of the words; to try all of them is dear.
    head = text[:2]
    match = _WORDED.match(text) if not head.isascii() or head.lower() in _HEADS else None
    if match:
        yield from _worded(match)
        return
    for pattern, family in (
        (_RULE, "decimal"),
        (_LETTERED, "decimal"),
        (_ROMAN, "roman"),
        (_LETTER, "letter"),
    ):
        match = pattern.match(text)
        if match and (family != "roman" or (is_roman(match["label"]) and match["label"] not in "CDLM")):
            yield _number(match, family)


def says_number(text: str, label: str) -> bool:
    """Tell whether a text is nothing but the number `label`, in any writing: "Nine", "IX" and "9." are 9."""
    plain = normalize_label(text)
    return bool(plain) and (_FIGURES.get(plain.casefold()) == label or plain in variants(label))


def _worded(match: re.Match[str]) -> Iterator[Number]:
    word = WORDS[match["word"].casefold()]
    raw = re.sub(r"(?<=\d)er$", "", match["label"])
    if raw.casefold() in _ORDINALS and not match.string[match.end() :][:1].islower():
        raw = _ORDINALS[raw.casefold()]
    if raw.isalpha() and raw[0].islower() and not is_roman(raw):
        return  # "part one of the plan" reads on
    raw = _FIGURES.get(raw.casefold(), raw)
    if "(" in raw and word not in CONTAINERS:
        return
    if not (raw[0].isdigit() or raw.isupper() or is_roman(raw)):
        return
    label = normalize_label(raw)
    if label.isalpha() and len(label) > 1 and not is_roman(label):
        return
    # "§ 3" goes on from "§ 2", never from "Abschnitt 2".
    family = "§" if match["word"] == "§" else word
    if word in ("section", "clause", "rule") and len(_PART.findall(label)) > 1:
        family = "decimal"
    roman = is_roman(label) and label.isupper()
    letters = word in CONTAINERS and len(label) == 1
    key = (roman_value(label) * STEP,) if roman and not letters else _key(label)
    if later := (match["later"] or "").strip().casefold():
        label += later
        key = (*key[:-1], key[-1] + 1 + _LATER.index(later))
    yield Number(word, label, family, key, match["sep"].strip(), match.end())


def _number(match: re.Match[str], family: str) -> Number:
    label = normalize_label(match["label"])
    key = (roman_value(label) * STEP,) if family == "roman" else _key(label)
    return Number(None, label, family, key, match["sep"].strip(), match.end())


def _key(label: str) -> tuple[int, ...]:
    parts: list[int] = []
    for part in _PART.findall(label):
        figures = part.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        if figures:
            suffix = part[len(figures) :].upper()
            parts.append(int(figures) * STEP + (ord(suffix[0]) - 64 if suffix else 0))
        elif len(part) > 1 and is_roman(part):
            parts.append(roman_value(part) * STEP)
        else:
            parts.append(
                _LETTER_BASE + sum((ord(c) - 64) * 26**n for n, c in enumerate(reversed(part.upper()))) * STEP
            )
    return tuple(parts)


def _cjk_figures(text: str) -> str:
    if text[0].isdigit():
        return str(int(text))
    total, current = 0, 0
    for sign in text:
        if sign in ("十", "百"):
            total += (current or 1) * (10 if sign == "十" else 100)
            current = 0
        else:
            current = _CJK_DIGITS.get(sign, 0)
    return str(total + current)


def successors(key: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield the keys that may directly follow: the first child, the next sibling, the next one of each ancestor.

    After "2.9" that is also "3.1": the heading "3" may be a word of its own ("ARTICLE III"), or be written "3.0".
    """
    yield (*key, STEP)
    yield (*key, 0)
    for depth in range(len(key), 0, -1):
        last = key[depth - 1]
        yield (*key[: depth - 1], (last // STEP + 1) * STEP)
        yield (*key[: depth - 1], last + 1)
    if len(key) > 1:
        yield ((key[0] // STEP + 1) * STEP, STEP)
        yield ((key[0] // STEP + 1) * STEP, 0)


def is_first(key: tuple[int, ...]) -> bool:
    """Tell whether a sequence may start here: "1", "0", "1.1", "A", "A.1", "I"."""
    return all(part in (0, STEP) for part in key[1:]) and key[0] in (0, STEP, _LETTER_BASE + STEP)
