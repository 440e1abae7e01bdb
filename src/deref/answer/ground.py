"""Grounding: where do the words that a model quotes really stand?

A quote is looked for in the lines it cites, and nowhere else:

1. exact: it stands there sign for sign;
2. normalised: it does when only letters and digits count (case, accents, dashes, quotation marks, markup, line ends and
   hidden signs do not), and its figures are the same;
3. fuzzy: most of it does, as far as slips of the pen go: its figures and its negations are the same, and each word has
   one that is nearly it.

What is given back is whole lines, so that a quote is verbatim and its highlight covers it; what the model wrote is not
shown. Words left out of a quote ("…") part it, and each part has to stand there. A part begins and ends with a word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from deref.answer.figures import Figures, same_figures
from deref.text.tokens import content_stems, words
from deref.values import Document, Point, Span

NEARLY = 90.0
"""A fuzzy match is at least this like, 0..100 (share of letters that agree in the best place)."""
SHORTEST_FUZZY = 24
"""Letters and digits. A shorter quote has to stand as it is."""
_LEFT_OUT = re.compile(r"\[?\s*(?:…|\.\.\.+)\s*\]?")
_NEGATIONS = frozenset(
    words(
        "no not nor none never neither without unless except cannot nothing nobody non nicht kein keine keinen keiner nie ohne "
        "ne pas sans jamais aucun aucune senza mai sin nunca ninguno ninguna sem não niet geen zonder"
    )
)


class Level(StrEnum):
    """How a quote was found."""

    EXACT = "exact"
    NORMALISED = "normalised"
    FUZZY = "fuzzy"


class Grounded(NamedTuple):
    """Where a quote stands: whole lines, and how it was found."""

    lines: Span
    level: Level


class _Skeleton(NamedTuple):
    """Letters and digits of some lines; of each its line and character, and whether a word begins before and ends behind it."""

    text: str
    places: tuple[tuple[int, int], ...]
    begins: tuple[bool, ...]
    ends: tuple[bool, ...]


def ground(quote: str, document: Document, spans: Sequence[Span], near: str = "") -> tuple[Grounded, ...]:
    """Return where the parts of a quote stand in these lines, in order of the quote; () when one of them does not.

    Of several places the one is taken whose lines hold most of the words of `near`, then the first.
    """
    parts = [p for p in _LEFT_OUT.split(quote) if skeleton_of(p)]
    found = [_part(p, document, spans, near) for p in parts]
    return tuple(f for f in found if f is not None) if None not in found else ()


def _part(quote: str, document: Document, spans: Sequence[Span], near: str) -> Grounded | None:
    exact = [s for span in spans for s in _exact(quote.strip(), document, span)]
    if exact:
        return Grounded(_nearest(exact, document, near), Level.EXACT)
    wanted = skeleton_of(quote)
    bones = [(span, _skeleton(document, span)) for span in spans]
    same = [
        lines
        for span, bone in bones
        for lines in _same(wanted, bone, span)
        if not Figures([document.text(lines)]).lacks(quote)
    ]
    if same:
        return Grounded(_nearest(same, document, near), Level.NORMALISED)
    if len(wanted) < SHORTEST_FUZZY:
        return None
    close = [c for span, bone in bones if (c := _close(quote, wanted, bone, document, span)) is not None]
    return Grounded(_nearest(close, document, near), Level.FUZZY) if close else None


def _nearest(found: Sequence[Span], document: Document, near: str) -> Span:
    if len(found) == 1 or not words(near):
        return found[0]
    asked = set(content_stems(near))

    def holds(span: Span) -> int:
        text = document.text(span)
        return len(asked & set(content_stems(text))) if words(text) else 0

    return max(found, key=holds)


def _exact(quote: str, document: Document, span: Span) -> Iterator[Span]:
    text = document.text(span)
    at = text.find(quote)
    while at >= 0:
        end = at + len(quote)
        if not (_within(text, at) or _within(text, end)):
            first = span.start + text.count("\n", 0, at)
            yield Span(doc=span.doc, start=first, end=first + quote.count("\n") + 1)
        at = text.find(quote, at + 1)


def _within(text: str, at: int) -> bool:
    """Tell whether a place lies within a word or a number."""
    if not 0 < at < len(text):
        return False
    if text[at - 1].isalnum() and text[at].isalnum():
        return True
    return text[at - 1 : at + 1][0] in ".," and text[at].isdecimal() and text[at - 2 : at - 1].isdecimal()


def skeleton_of(text: str) -> str:
    """Return the letters and digits of a text, in lower case, without accents."""
    return "".join(map(_bare, text))


@lru_cache(maxsize=8192)
def _bare(sign: str) -> str:
    if sign.isascii():
        return sign.lower() if sign.isalnum() else ""
    parts = unicodedata.normalize("NFKD", sign.casefold()).casefold()
    return "".join(
        c
        for c in parts
        if c.isalnum() or (unicodedata.category(c)[0] == "M" and not "\u0300" <= c <= "\u036f")
    )


def _skeleton(document: Document, span: Span) -> _Skeleton:
    text: list[str] = []
    places: list[tuple[int, int]] = []
    begins: list[bool] = []
    ends: list[bool] = []
    for line in document.lines[span.start : span.end]:
        parted = True
        for at, sign in enumerate(line.text):
            bare = _bare(sign)
            if not bare:
                parted = parted or not _is_mark(sign)
                if parted and ends:
                    ends[-1] = True
                continue
            text.append(bare)
            places += [(line.n, at)] * len(bare)
            begins += [parted] + [False] * (len(bare) - 1)
            ends += [False] * len(bare)
            parted = False
        if ends:
            ends[-1] = True
    return _Skeleton("".join(text), tuple(places), tuple(begins), tuple(ends))


def _is_mark(sign: str) -> bool:
    """Tell whether a sign parts no word: an accent that stands apart, or a sign that nobody sees."""
    return unicodedata.category(sign) in ("Mn", "Cf")


def _same(wanted: str, bone: _Skeleton, span: Span) -> Iterator[Span]:
    at = bone.text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        if bone.begins[at] and bone.ends[end - 1]:
            yield Span(doc=span.doc, start=bone.places[at][0], end=bone.places[end - 1][0] + 1)
        at = bone.text.find(wanted, at + 1)


def _close(quote: str, wanted: str, bone: _Skeleton, document: Document, span: Span) -> Span | None:
    from rapidfuzz import fuzz  # noqa: PLC0415 - the writer without a model never comes here

    if len(wanted) > len(bone.text):
        return None
    best = fuzz.partial_ratio_alignment(wanted, bone.text, score_cutoff=NEARLY)
    if best is None or best.dest_end <= best.dest_start:
        return None
    start, end = best.dest_start, best.dest_end
    while start > 0 and not bone.begins[start]:
        start -= 1
    while end < len(bone.text) and not bone.ends[end - 1]:
        end += 1
    (first, a), (last, b) = bone.places[start], bone.places[end - 1]
    lines = document.lines[first : last + 1]
    texts = [line.text for line in lines]
    texts[-1] = texts[-1][: b + 1]
    texts[0] = texts[0][a:]
    there = "\n".join(texts)
    if not _differs_by_slips(quote, there):
        return None
    return Span(doc=span.doc, start=first, end=last + 1)


def _differs_by_slips(quote: str, there: str) -> bool:
    """Tell whether two texts differ by slips of the pen: the same figures and negations in the same order, nearly the same words."""
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 - as above

    if not same_figures(quote, there) or _negations(quote) != _negations(there):
        return False
    said, stands = ([skeleton_of(w) for w in words(text)] for text in (quote, there))
    run = "".join(stands)
    for step in Levenshtein.opcodes(said, stands):
        mine, its = said[step.src_start : step.src_end], stands[step.dest_start : step.dest_end]
        if step.tag == "replace" and not all(_nearly(a, b, run) for a, b in zip(mine, its, strict=True)):
            return False
        if step.tag == "delete" and not all(len(a) > 3 and a in run for a in mine):
            return False
        if step.tag == "insert" and 0 < step.src_start < len(said) and any(map(_has_digit, its)):
            return False
    return True


def _nearly(said: str, stands: str, run: str) -> bool:
    """Tell whether a word is nearly another, or parted by a line end; a number is only itself."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - as above

    if _has_digit(said + stands):
        return said == stands
    most = len(said) // 5
    return (len(said) > 3 and said in run) or OSA.distance(said, stands, score_cutoff=most) <= most


def _has_digit(word: str) -> bool:
    return any(c.isdigit() for c in word)


def _negations(text: str) -> Counter[str]:
    every = (w.casefold() for w in words(text.replace("’", "'")))
    return Counter("not" if w.endswith("n't") else w for w in every if w in _NEGATIONS or w.endswith("n't"))


def point_of(quote: str, document: Document, lines: Span) -> Point | None:
    """Return the characters of a quote in the lines it was grounded in, exact or normalised; None when it is not there."""
    wanted, bone = skeleton_of(quote), _skeleton(document, lines)
    at = bone.text.find(wanted)
    while at >= 0 and not (bone.begins[at] and bone.ends[at + len(wanted) - 1]):
        at = bone.text.find(wanted, at + 1)
    if at < 0 or not wanted:
        return None
    (first, start), (last, end) = bone.places[at], bone.places[at + len(wanted) - 1]
    return Point(
        doc=document.id,
        line=first,
        char_start=start,
        char_end=end + 1,
        end_line=None if first == last else last,
    )
