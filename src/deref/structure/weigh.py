"""How much the look of a numbered line speaks for a heading. Zero is "could be"; the sequence decides the rest.

For it: a word before the number, bold or large type, a block of its own, the left margin in an indented text, a short
title without a full stop, capitals. Against it: the middle of a paragraph, a line before that asks for a number
("as set out in / Section 4.2"), a rest that reads on ("applies to …"), figures only, a closing bracket after the number.
"""

from __future__ import annotations

import re

from deref.structure.look import Look
from deref.structure.numbering import CONTAINERS, STEP, Number

NEVER = -9.0

_LEADS_TO_NUMBER = re.compile(
    r"(?:\b(?:in|of|under|to|by|with|see|and|or|per|than|from|this|the|at|as|for|also|on|into|section|sections|article|articles|clause"
    r"|clauses|paragraph|figure|table|exhibit|schedule|chapter|part|appendix|annex|rule|version|release|page|pages|approximately|about|nach|gemäß|des|der|im|von|und|oder|siehe|du|de|la|le|et|ou|au|aux|voir|el|del|y|véase|il|della|di|dell|van|het|zie|artikel|abschnitt|absatz|artículo|cláusula|apartado|articolo|artigo)|[,(/§&])$",
    re.IGNORECASE,
)
_READS_ON = re.compile(
    r"^(?:[,;)\]]|(?:[a-zß-öø-ÿ]|\((?:[a-z]{1,5}|\d{1,2})\)|of |above|below|hereof|thereof))"
)
RUN_IN = re.compile(r"^[\"“‘']?[A-Z][^.:;]{1,90}(?:[.:]|\s[–—-]|[—–])(?:\s|$)")
_CITATION = re.compile(r"^(?:U\.? ?S\.? ?C|C\.? ?F\.? ?R|Stat\b|Fed\. ?Reg)")
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_SMALL_WORDS = frozenset({
    "a", "an", "and", "the", "of", "for", "in", "on", "to", "with", "by", "or", "from", "at", "as", "der", "die", "das",
    "und", "von", "de", "la", "le", "et", "des", "du",
})  # fmt: skip
_LONGEST_TITLE = 100
_LARGEST_BARE = 199 * STEP
_LARGEST_IN_LAW = 999 * STEP
"""Laws count their sections through: "200. Rule-making powers"."""


def weigh(look: Look, n: int, number: Number, *, legal: bool) -> float:
    """Return the weight of line n as a heading with this number; NEVER when it cannot be one."""
    text = look.texts[n]
    rest = text[number.end :]
    bold, large, depth = n in look.bold, look.large(n), number.depth
    if _impossible(look, n, number, rest, outstanding=bold or large, legal=legal):
        return NEVER
    weight = 0.8 if number.word else 0.0
    weight += 0.3 if depth > 1 else 0.0
    weight += (1.0 if bold else 0.0) + (1.2 if large else 0.0)
    if look.blocks:
        weight += 0.5 if look.lines[n].starts_block else (-0.3 if look.starts(n) else -1.3)
    if look.indented:
        weight += -0.8 if look.lines[n].text[:1] == " " else 1.0
    weight += _title_weight(rest, legal=legal)
    if not number.word:
        if number.sep.startswith(")"):
            weight -= 1.5
        if depth == 1 and not (bold or large):
            alone = _is_alone(look, n) and rest[-1:] not in ".;,:"
            if not number.sep:
                weight -= 0.6 if alone else 1.2
            if not legal and not look.indented:
                weight -= 0.5 if alone else 1.0
    return weight


def _is_alone(look: Look, n: int) -> bool:
    """Whether line n of a plain text is a block by itself."""
    if look.has_sizes or not look.lines[n].starts_block:
        return False
    return n + 1 == len(look.lines) or look.lines[n + 1].starts_block


def _impossible(look: Look, n: int, number: Number, rest: str, *, outstanding: bool, legal: bool) -> bool:
    text = look.texts[n]
    if number.word is None:
        if _CITATION.match(rest):
            return True
        largest = _LARGEST_IN_LAW if legal and number.sep == "." else _LARGEST_BARE
        depth = number.depth
        if depth == 1 and number.family == "decimal" and number.key[0] > largest:
            return True
        if not rest and not outstanding:
            return True
        letters = sum(map(len, _LETTERS.findall(rest)))
        blanked = legal and depth > 1 and rest[:1] in "[*_"
        if rest and not blanked and letters < 0.4 * len(rest.replace(" ", "")):
            return True
        if rest[:1].islower() and not outstanding:
            return True
        if rest[:1] and rest[0] in "=+>/%×·|,;)]":
            return True
        if rest[:1] == "<" and not outstanding:
            return True
    elif _READS_ON.match(rest):
        cover = number.word in CONTAINERS and rest.startswith("to ") and len(text) < 90 and look.starts(n)
        if not (cover or (number.sep[:1] in (":", "—", "–", "-") and rest[:1].isalpha())):
            return True
    if n and not look.lines[n].starts_block and _LEADS_TO_NUMBER.search(look.texts[n - 1]):
        return look.lines[n].page == look.lines[n - 1].page
    return False


def _title_weight(rest: str, *, legal: bool) -> float:
    if not rest:
        return 0.4
    weight = 0.0
    if len(rest) <= _LONGEST_TITLE:
        ends = rest[-1]
        if ends in ",;":
            weight -= 0.5
        elif ends in ".:":
            weight += 0.2 if len(rest) <= 60 else 0.0
        else:
            weight += 0.5
        weight += 0.4 if _is_title_case(rest) else 0.0
        if rest.isupper():
            weight += 0.7
    if legal:
        weight += 0.5 if RUN_IN.match(rest) else 0.3
    elif len(rest) > _LONGEST_TITLE:
        weight -= 0.5
    return weight


def _is_title_case(rest: str) -> bool:
    words = large = 0
    for word in _WORD.findall(rest):
        if word.casefold() not in _SMALL_WORDS:
            words += 1
            large += word[0].isupper()
    return words > 0 and large >= 0.7 * words
