"""Numbers, dates, money and percentages: does each one that is said stand in the evidence?

A figure is compared by what it means, not by how it is written: "1,450" is "1450" and "1 450", "5 %" is "five per cent",
"1 May 2024" is "2024-05-01", "USD 3m" is "$3,000,000". What a number is of must agree too, where it is said: dollars are no
pounds, and a bare number in the evidence is of a unit only when that unit stands somewhere in the same evidence, as in the
head of a table. A sign with letters and digits ("B-1", "7.4.1", "Q3") stands where it is written so.

Number words are read in English, in what is said only before a unit: "two events" may be counted, "two months" is stated.
Names of months are read in English; a date in another language is compared as its words and numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from deref.text.clean import fold_spaces
from deref.text.hidden import without_hidden

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_MONTH_OF = {form: n for n, m in enumerate(_MONTHS, 1) for form in (m.casefold(), m[:3].casefold())}
_MONTH_OF["sept"] = 9
_MONTH = rf"(?P<month>{'|'.join(f'{m}|{m.upper()}|{m[:3]}' for m in _MONTHS)}|Sept)\b\.?"
_DAY, _YEAR = r"(?P<day>\d{1,2})", r"(?P<year>\d{4})"
_DATES = tuple(
    re.compile(rf"(?<![\w.,/-]){form}(?![\w/-])")
    for form in (
        rf"{_YEAR}-(?P<month>\d{{1,2}})-{_DAY}",
        rf"{_DAY}(?:st|nd|rd|th|\.)?(?: day)?(?: of)? {_MONTH}(?:,? {_YEAR})?",
        rf"{_MONTH} {_DAY}(?:st|nd|rd|th)?(?:,? {_YEAR})?(?!,?\d)",
        rf"{_MONTH},? {_YEAR}",
        rf"(?P<first>\d{{1,2}})([./-])(?P<second>\d{{1,2}})\2{_YEAR}",
    )
)
_UNITS = {
    "%": "%", "percent": "%", "per cent": "%", "pct": "%", "prozent": "%",
    "$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD",
    "£": "GBP", "gbp": "GBP", "pounds": "GBP", "sterling": "GBP",
    "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
    "¥": "JPY", "jpy": "JPY", "yen": "JPY", "chf": "CHF", "sek": "SEK", "nok": "NOK", "dkk": "DKK",
    "cad": "CAD", "c$": "CAD", "aud": "AUD", "a$": "AUD", "inr": "INR", "₹": "INR", "cny": "CNY", "rmb": "CNY",
}  # fmt: skip
_SAID = "|".join(re.escape(u) for u in sorted(_UNITS, key=len, reverse=True))
_BEFORE = re.compile(rf"(?:(?<!\w)|(?<=\d))(?P<unit>{_SAID}) ?[-−]?$", re.IGNORECASE)
_BEHIND = 24
"""Characters that are looked at before a number: a unit is shorter."""
_AFTER = re.compile(rf"(?P<scale> ?(?:{{0}})\b)? ?(?P<unit>{_SAID})?(?!\w)".format(
    "thousand|million|billion|trillion|mn|bn|k|m"), re.IGNORECASE)  # fmt: skip
_ANY_UNIT = re.compile(rf"(?<![^\W\d_])(?:{_SAID})(?![^\W\d_])", re.IGNORECASE)
_SCALE = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "bn": 9, "billion": 9, "trillion": 12}

_SIGN = re.compile(r"[^\W_]+(?:[-./:,'’][^\W_]+)*")
_NUMBER = re.compile(r"(\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+|\d{1,3}(?:['’]\d{3})+|\d+)([.,]\d+)?")
_SUFFIXED = re.compile(r"(?P<number>\d[\d.,'’]*)(?P<suffix>st|nd|rd|th|x|k|m|mn|bn)?", re.IGNORECASE)
_HYPHENED = re.compile(r"(\d[\d.,]*)-[^\W\d_][\w-]*")
_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?: \d{3})+(?![\w,]|\.\d)")
_RAISED = re.compile("[\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u2089\u2150-\u2188\u2460-\u249b\u24ea]+")
"""Numbers that are no digits to a program: raised and lowered ones, fractions, ones in circles."""
_PLAIN_SIGNS = str.maketrans({**dict.fromkeys("–—‑‐−", "-"), **dict.fromkeys("’‘ʼ", "'")})

_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {w: n for n, w in enumerate(_SMALL)} | {w: 10 * n for n, w in enumerate(_TENS, 2)}
_TIMES = {"dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
# "27.5 million" is read with its digits.
_SPOKEN = re.compile(
    rf"(?<!\d )\b(?:{'|'.join((*_WORDS, *_TIMES))})\b(?:[ -](?:and )?(?:{'|'.join((*_WORDS, *_TIMES))})\b)*",
    re.IGNORECASE,
)
_OF_UNIT = re.compile(
    r"(?: \(\d+\))?[ -](?:(?:business|working|calendar|consecutive|full) )?(?:day|week|month|year|hour|minute|second|"
    rf"quarter|fortnight|times|percent|per cent|{_SAID})",
    re.IGNORECASE,
)

_Date = tuple[int, int, int]
"""Year, month and day; 0 where it is not said."""


class Figure(NamedTuple):
    """A figure as it is written, and what it may mean: `values`, or `dates`, or the sign itself. `unit` "" is not said."""

    text: str
    values: frozenset[Decimal] = frozenset()
    unit: str = ""
    dates: frozenset[_Date] = frozenset()


class Figures:
    """The figures of some evidence."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Read the texts of the evidence."""
        self._numbers: dict[Decimal, set[str]] = {}
        self._signs: set[str] = set()
        self._dates: set[_Date] = set()
        self._units: set[str] = set()
        for text in map(_plain, texts):
            self._units |= {_UNITS[u.casefold()] for u in _ANY_UNIT.findall(text)}
            for figure in [*_figures(text), *_spoken(text), *_grouped(text), *_inside_dates(text)]:
                self._add(figure)

    def _add(self, figure: Figure) -> None:
        if figure.dates:
            self._dates |= figure.dates
        elif figure.values:
            for value in figure.values:
                self._numbers.setdefault(value, set()).add(figure.unit)
                self._numbers.setdefault(abs(value), set()).add(figure.unit)
        else:
            self._signs.add(figure.text.casefold())

    def lacks(self, said: str) -> tuple[str, ...]:
        """Return the figures of a text that do not stand here, as they are written, in order."""
        text = _plain(said)
        stated = list(_spoken(text, of_unit=True))
        grouped = [f for f in _grouped(text) if self._holds(f)]
        covered = {part for f in grouped for part in f.text.split()}
        return tuple(
            dict.fromkeys(
                f.text for f in [*_figures(text), *stated] if f.text not in covered and not self._holds(f)
            )
        )

    def _holds(self, figure: Figure) -> bool:
        if figure.dates:
            return any(self._holds_date(date) for date in figure.dates)
        if not figure.values:
            return figure.text.casefold() in self._signs
        return any(self._is_of(self._numbers[v], figure.unit) for v in figure.values if v in self._numbers)

    def _is_of(self, units: set[str], unit: str) -> bool:
        return not unit or unit in units or ("" in units and unit in self._units)

    def _holds_date(self, date: _Date) -> bool:
        year = date[0]
        return any(
            all(said in (0, there) for said, there in zip(date[1:], other[1:], strict=True))
            and (year in (0, other[0]) or (other[0] == 0 and Decimal(year) in self._numbers))
            for other in self._dates
        )


def figures_of(text: str) -> list[Figure]:
    """Return the figures of a text that are written with digits, dates first, then in order."""
    return list(_figures(_plain(text)))


def same_figures(one: str, other: str) -> bool:
    """Tell whether two texts have the same figures, each as often; how they are written and where does not matter."""
    return _counted(one) == _counted(other)


def _counted(text: str) -> Counter[object]:
    return Counter((f.values or f.dates or f.text.casefold(), f.unit) for f in figures_of(text))


def _plain(text: str) -> str:
    """Return the text with plain spaces, dashes and apostrophes, without invisible signs; a space within a number is gone."""
    text = re.sub(r"(?<=\d)[\u00a0\u202f\u2009](?=\d{3}(?!\d))", "", text)
    if not text.isascii():
        text = _RAISED.sub(_as_digits, text)
    return " ".join(without_hidden(fold_spaces(text).translate(_PLAIN_SIGNS)).split())


def _as_digits(raised: re.Match[str]) -> str:
    """Return such numbers as digits, apart from those before them: "5²" is no 52, "2½" is 2 and 1/2."""
    apart = " " if raised.string[raised.start() - 1 : raised.start()].isdecimal() else ""
    return apart + unicodedata.normalize("NFKC", raised.group()).replace("\u2044", "/")


def _figures(text: str) -> Iterator[Figure]:
    """Yield the figures that are written with digits, in order of kind, then of place."""
    rest, taken = text, []

    def take(found: re.Match[str]) -> str:
        if not (dates := _dates(found)):
            return found.group()
        taken.append(Figure(found.group(), dates=dates))
        return "\0" * len(found.group())

    for form in _DATES:
        rest = form.sub(take, rest)
    yield from taken
    for found in _SIGN.finditer(rest):
        if any(c.isdecimal() for c in found.group()):
            yield from _signs(rest, found.group(), found.start())


def _inside_dates(text: str) -> Iterator[Figure]:
    """Yield the years and days of the dates as numbers: "in 2024" stands where "1 May 2024" does."""
    for form in _DATES:
        for found in form.finditer(text):
            for number in re.findall(r"\d+", found.group()):
                yield Figure(number, frozenset([Decimal(number)]))


def _dates(found: re.Match[str]) -> frozenset[_Date]:
    named = found.groupdict()
    year = int(named.get("year") or 0)
    if "first" in named:
        first, second = int(named["first"]), int(named["second"])
        pairs = [(first, second), (second, first)]
    else:
        month = named["month"]
        pairs = [
            (int(month) if month.isdecimal() else _MONTH_OF[month.casefold()], int(named.get("day") or 0))
        ]
    return frozenset((year, m, d) for m, d in pairs if 1 <= m <= 12 and d <= 31)


def _signs(text: str, sign: str, at: int) -> Iterator[Figure]:
    """Yield the figures of one run of letters and digits: a number, several, or a sign that is compared as it stands."""
    before, end = text[max(0, at - _BEHIND) : at], at + len(sign)
    suffixed = _SUFFIXED.fullmatch(sign)
    hyphened = _HYPHENED.fullmatch(sign)
    if suffixed and (values := _values(suffixed["number"])):
        scale = _SCALE.get((suffixed["suffix"] or "").casefold(), 0)
        after = _AFTER.match(text, end)
        unit = ""
        if after is not None:
            unit = after["unit"] or ""
            scale = scale or _SCALE.get((after["scale"] or "").strip().casefold(), 0)
        ahead = _BEFORE.search(before)
        unit = ahead["unit"] if ahead else unit
        negative = re.search(r"(?:^|[\s(])-$", before) is not None
        yield Figure(
            sign,
            frozenset((-v if negative else v) * 10**scale for v in values),
            _UNITS.get(unit.casefold(), ""),
        )
    elif hyphened and (values := _values(hyphened[1])):
        yield Figure(hyphened[1], values)
    elif re.fullmatch(r"\d+(?:,\d+)+|\d[\d.]*[-/]\d[\d.]*", sign):
        for number in re.findall(r"\d+(?:\.\d+)?", sign):
            yield Figure(number, _values(number))
    else:
        yield Figure(sign.removesuffix("'s"))


def _values(number: str) -> frozenset[Decimal]:
    """Return what a number may be: "1.450" is 1.45 or, as many write it, 1450; "12,5" is 12.5; none when it is no number."""
    number = number.rstrip(".,'’")
    found = _NUMBER.fullmatch(number)
    if found is None:
        return frozenset()
    whole, part = re.sub(r"\D", "", found[1]), found[2]
    values = {Decimal(f"{whole}.{part[1:]}" if part else whole)}
    if re.fullmatch(r"\d{1,3}\.\d{3}", number) or re.fullmatch(r"0,\d{3}", number):
        values.add(Decimal(number.replace(",", ".")))
    return frozenset(values)


def _grouped(text: str) -> Iterator[Figure]:
    """Yield the numbers that spaces may group: "27 500" is one number, or two cells."""
    for found in _GROUPED.finditer(text):
        before = text[max(0, found.start() - _BEHIND) : found.start()]
        ahead, after = _BEFORE.search(before), _AFTER.match(text, found.end())
        unit = ahead["unit"] if ahead else (after["unit"] or "" if after else "")
        value = Decimal(found.group().replace(" ", ""))
        yield Figure(found.group(), frozenset([value]), _UNITS.get(unit.casefold(), ""))


def _spoken(text: str, *, of_unit: bool = False) -> Iterator[Figure]:
    """Yield the numbers that are written as words; `of_unit`: those that stand before a unit."""
    for found in _SPOKEN.finditer(text):
        if of_unit and not _OF_UNIT.match(text, found.end()):
            continue
        total = here = 0
        for word in re.findall(r"[a-z]+", found.group().casefold()):
            if word in _WORDS:
                here += _WORDS[word]
            elif word in _TIMES and _TIMES[word] > 100:
                total, here = total + (here or 1) * _TIMES[word], 0
            elif word in _TIMES:
                here = (here or 1) * _TIMES[word]
        after = _AFTER.match(text, found.end())
        unit = (after["unit"] or "") if after else ""
        yield Figure(found.group(), frozenset([Decimal(total + here)]), _UNITS.get(unit.casefold(), ""))
