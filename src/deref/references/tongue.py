"""The grammar of one language other than English, compiled from its table in `text.languages`.

Every pattern is made when it is first used. `triggers` tells where in a text a reference may begin; `worded`,
`counted_in` and `in_english` read on from there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, cached_property
from typing import NamedTuple

from deref.references.label_words import alternation
from deref.references.listing import SUB, SUBS
from deref.text.languages import Language, Pointing, language
from deref.text.lazy import lazy
from deref.values import Effect, ReferenceKind

WEAK = "point"
"""The row of words that are pointers only in front of a container: "Nr. 1 des Absatzes 2", "letra b) del apartado 1"."""

_NOT_LABELLED = r"(?!\w)(?!\s*(?:[\d(]|[A-Z](?!\w)|[IVXLC]+(?!\w)))"
_GAP = r"(?: |(?<=['’]))"
_SIGN = r"(?:\([\w.+-]{1,6}\)|\d{1,3}(?!\w)|[A-Z](?!\w)|[„“«\"‘][^”“»\"’]{1,40}[”“»\"’])"


class TongueWord(NamedTuple):
    """A label word as written: the name of its row, the kind of its references, and whether it is a plural."""

    row: str
    kind: ReferenceKind
    plural: bool


def split_words(words: str) -> list[str]:
    """Return the words of a field of a table."""
    return [word.replace("·", " ") for word in words.split()]


def _forms(word: str) -> tuple[str, ...]:
    return (word, word.upper()) if word[:1].isupper() else (word, word[:1].upper() + word[1:], word.upper())


def _any(words: str) -> str:
    """A pattern for any of some words parted by spaces, with a small or a capital first letter."""
    return alternation([form for word in words.split() for form in _forms(word)[:2]])


def _either(patterns: Mapping[str, str]) -> str:
    return "|".join(patterns.values())


class Tongue:
    """The compiled grammar of one language."""

    def __init__(self, table: Language, pointing: Pointing) -> None:
        """Take the table of a language and the part of it that tells how it points."""
        self.table = table
        self.code = table.code
        t = self.pointing = pointing
        lead = rf"(?:{t.of}){_GAP}"
        self.of = lazy(rf",? {lead}")
        self.to = lazy(rf",? (?:{t.to}){_GAP}")
        unit, paper = _either(t.units), _either(t.papers)
        self.here = lazy(
            rf"(?P<which>(?P<this>{t.this})|(?P<that>{t.that})){_GAP}(?P<noun>{unit}|{paper})(?!\w)"
        )
        far = rf"(?:{t.preceding}|{t.following})"
        self.away = lazy(rf"(?:{far} (?:{unit})|(?:{unit}) {far})(?!\w)(?! ?[\d(])")
        self.paper = lazy(
            rf"(?i:{paper})(?: (?:(?:de|du|des|del|della|dello|di|do|da|dos|van|van de|van het) (?:la |l['’])?|d['’])[^\W\d_][\w-]+)?(?!\w)"
        )
        self.thereof = lazy(rf",? (?P<text>{t.thereof})(?!\w)")
        self.act = lazy(
            rf"(?:{_either(t.acts)}) (?:\((?:EU|UE|EG|CE|EWG|CEE|Euratom|EURATOM)\) )?(?:(?:Nr\.|n[.°º]|nº|n\.º|n\.o|núm\.|nr\.) ?)?"
            r"\d{1,4}/\d{1,4}(?:/(?:EU|UE|EG|CE|EWG|CEE|JI|JAI))?(?![\d/])"
        )
        self.act_ahead = lazy(rf"(?<!\w)(?:{_either(t.acts)})(?= \(| \d| [Nn])")
        self.name = lazy(t.names)
        self.law = lazy(t.laws)
        self.law_behind = lazy(rf",? (?:{lead})?(?P<law>{t.laws})")
        self.law_before = lazy(rf"(?:^|(?<=[\s(„«\"]))(?P<law>{t.laws}),? $")
        self.label = lazy(self._label)
        self.next = lazy(self._next)
        self.onward = lazy(rf" (?:{t.onward})(?![\w])") if t.onward else None
        self.more_parts = lazy(
            rf"(?: (?P<range>{alternation(split_words(t.ranges))}) |,? (?:{alternation(split_words(t.lists))}) |, )(?P<number>\d{{1,3}})(?![\w%(]|[.,]\d)"
        )
        self.part = lazy(
            rf",? ?(?P<word>{_any(t.parts)})(?: |(?<=[§.]))?\(?(?:(?P<number>\d{{1,3}})(?:{t.marks or '(?!)'})?(?![\w%])|(?P<letter>[a-z]{{1,2}}|[ivx]{{1,4}})(?!\w))(?P<close>\)?)"
            rf"(?P<more>{SUBS})"
        )
        self.direct = lazy(r" ?(?P<letter>[a-z])\)(?![\w])")
        self.start = lazy(rf" (?:{alternation(t.starts.split())}) (?=\d)") if t.starts else None
        ordinals = "|".join(f"(?:{o})" for o in t.ordinals[:-1])
        piece = rf"(?P<nth>(?i:{ordinals})) (?:{_any(t.counted_pieces)})" if t.counted_pieces else ""
        self.counted = lazy(rf",? {piece}(?!\w)") if piece else None
        self.counted_before = lazy(rf"(?:^|[\s('’]){piece},? {lead}$") if piece else None
        self.pick_after = lazy(rf"(?:,? ?|,? {lead})(?P<text>{self._pick})|,? ?\((?P<inside>{self._pick})\)")
        self.pick_before = lazy(rf"(?:^|[\s('’„«])(?P<text>{self._pick}),? {lead}$")
        self.incorporated = lazy(t.incorporated, re.IGNORECASE)
        self.mark = lazy(rf"(?<=[\dIVX])(?:{t.marks or '(?!)'})(?!\w)")
        self.goes_on = lazy(
            rf" ?(?:[.;:)\]”\"“»]|,(?! ?\d)|$|(?: (?:{alternation([*t.goes_on.split(), *t.lists.split(), *table.small.split()])}|d['’]\w+|l['’]\w+))(?!\w))"
        )
        self.counting = lazy(rf" (?:{alternation(t.counts.split())})(?!\w)|[%€°]| [%€$]", re.IGNORECASE)
        self.page_lead = lazy(rf"(?:^|[\s(])(?:{t.pages}) $|[(,;–-] ?$", re.IGNORECASE)
        self.of_count = lazy(r" (?:von|sur|de|di|van|von insgesamt) \d")

    @cached_property
    def words(self) -> dict[str, TongueWord]:
        """Each form of each label word and what it is."""
        out: dict[str, TongueWord] = {}
        for row, forms in self.table.labels.items():
            kind = ReferenceKind.PARAGRAPH if row == WEAK else ReferenceKind(row)
            for n, group in enumerate(forms.split("|")):
                for word in split_words(group):
                    for form in _forms(word):
                        out.setdefault(form, TongueWord(row=row, kind=kind, plural=n == 1))
        return out

    @cached_property
    def figures(self) -> dict[str, str]:
        """Numbers in words, in small letters, and their digits."""
        groups = self.table.figures.split()
        return {form: str(n) for n, group in enumerate(groups, 1) for form in group.split("/")}

    @cached_property
    def letters(self) -> frozenset[str]:
        """Each form of each word behind which a letter stands."""
        return frozenset(form for word in self.pointing.letters.split() for form in _forms(word)[:2])

    @cached_property
    def effects(self) -> dict[Effect, re.Pattern[str]]:
        """What stands before a pointer and tells its effect."""
        return {
            Effect(effect): re.compile(rf"(?<![\w-])(?:{pattern})(?!\w)", re.IGNORECASE)
            for effect, pattern in self.pointing.effects.items()
        }

    def _label(self) -> str:
        marks = rf"(?:{self.pointing.marks})(?!\w)|" if self.pointing.marks else ""
        after = alternation(self.pointing.later.split())
        later = rf"(?: ?(?:{after})(?!\w))?" if after else ""
        number = (
            rf"(?:[A-Z]{{1,2}}[.-]?|[A-Z]\. |\d{{1,2}}:)?\d{{1,5}}(?:\.\d{{1,4}})*(?:\.[a-z](?![\w.]))?(?:{marks}[A-Za-z]{{0,2}}(?![\w%]))"
            rf"(?!\.\d|,\d{{3}}(?!\d)){later}"
        )
        roman = rf"[IVXLC]{{1,7}}(?:{marks}[A-Z]?(?!['’\w]))(?:\.\d{{1,3}})*|[A-Z]{{1,2}}(?!['’\w])(?:[.-]\d{{1,3}})*"
        core = rf"(?:{number}|{roman})"
        words = "|".join(sorted(self.figures, key=len, reverse=True))
        worded = rf"|(?i:{words})(?!\w)" if words else ""
        return rf"(?:(?:Nr\.|n[.°º]|núm\.|nº) ?)?(?:{core}(?:[-‑]{core})*{SUBS}|{SUB}(?: ?{SUB})*){worded}"

    def _next(self) -> str:
        t = self.pointing
        lists, ranges = (alternation(split_words(w)) for w in (t.lists, t.ranges))
        again = alternation([w for w, known in self.words.items() if known.row != WEAK])
        article = rf"(?:(?:{t.articles}){_GAP})?"
        return (
            rf"(?: ?[–—−] ?|-(?=[\dA-Z])| (?P<range>{ranges}) +|,? (?P<and>{lists}) +|, *)"
            rf"(?P<lead>{article}(?P<again>(?:{again}) ?)?)(?P<label>{self._label()})"
        )

    @property
    def _pick(self) -> str:
        t = self.pointing
        named = rf"(?:{_any(' '.join(t.picks.values()))}) {_SIGN}(?:(?:, | (?:{alternation([*split_words(t.lists), *split_words(t.ranges)])}) |–){_SIGN})*"
        ordinal = "|".join(f"(?:{o})" for o in t.ordinals)
        piece = _either(t.pieces)
        return rf"{named}|(?i:{ordinal}) (?:{piece})(?!\w)|(?:{piece}) (?i:{ordinal})(?!\w)"

    @cached_property
    def _word_ahead(self) -> re.Pattern[str]:
        words = alternation(list(self.words))
        letters = alternation([f for w in self.pointing.letters.split() for f in _forms(w)])
        figures = "|".join(sorted(self.figures, key=len, reverse=True))
        worded = rf"|\s(?=(?i:{figures})(?!\w))" if figures else ""
        starts = alternation(self.pointing.starts.split())
        worded += rf"|\s(?=(?:{starts}) \d)" if starts else ""
        return re.compile(rf"({words})(?:\s*(?=[\dA-Z(]){worded})|({letters})\s*(?=\(?[a-z]{{1,2}}(?!\w))")

    @cached_property
    def relative(self) -> re.Pattern[str]:
        """A relative pointer: "dieser Abschnitt", "le paragraphe précédent", "la tabla siguiente", "siehe unten"."""
        t = self.pointing
        unit, way, far = _either(t.units), f"{t.preceding}|{t.following}", f"{t.above}|{t.below}"
        article = rf"(?:{t.articles}){_GAP}"
        return re.compile(
            rf"(?<![\w'’-])(?:(?i:{t.this}|{t.that}){_GAP}(?:{unit}){_NOT_LABELLED}"
            rf"|(?i:{article})(?:(?i:{way}) (?:{unit}){_NOT_LABELLED}|(?:{unit}),? (?i:{way}|{far}){_NOT_LABELLED})"
            rf"|(?i:{t.see}) (?:{far})(?!\w))"
        )

    def triggers(self, text: str) -> list[tuple[int, int, bool]]:
        """Return (offset, end of the trigger, whether it is a whole relative pointer), in no order."""
        found = [
            (m.start(), m.end(1) if m.group(1) else m.end(2), False) for m in self._word_ahead.finditer(text)
        ]
        found += [(m.start(), m.end(), True) for m in self.relative.finditer(text)]
        found += [(m.start(), m.start(), False) for m in self.act_ahead.finditer(text)]
        return found


@cache
def tongue(code: str) -> Tongue | None:
    """Return the grammar of a language by its two-letter code; None for English and for languages without a table."""
    table = language(code)
    return Tongue(table, table.pointing) if table is not None and table.pointing is not None else None
