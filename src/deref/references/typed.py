"""A question as people type it, spelled as the grammar of references reads it, and the way back.

    art 33, sec 4.1, sch 2, fig 3       the label word in full
    section seven                       the number in figures
    exhibit b, schedule a of …          the word and its lone letter in capitals; "exhibit a customer sees" has no letter
    section 4 of the lease              a paper behind a place in capitals
    Article 33 and 34 GDPR              the word for several
    rfc 9000                            a series in capitals
    4.1 (a) (ii)                        marks without blanks before them
    TABLE 3 ROW (E) OF THE LEASE        words about places in small letters where all else is in capitals too

Everything else stays as it is, each letter in its place.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from deref.references.words import INSTRUMENTS, LAWS

_SHORT = {
    "art": "Article", "arts": "Articles", "sec": "Section", "sect": "Section", "secs": "Sections", "cl": "Clause", "sch": "Schedule", "sched": "Schedule",
    "para": "paragraph", "ch": "Chapter", "chap": "Chapter", "app": "Appendix", "fig": "Figure", "tab": "Table", "eq": "Equation", "ex": "Exhibit", "pt": "Part",
}  # fmt: skip
_NUMBERS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen",
    "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_PLURALS = {"Article", "Section", "Clause", "Chapter"}
_LETTERED = "annex|appendix|attachment|exhibit|part|schedule"
_NUMBERED = rf"{_LETTERED}|article|section|clause|rule|chapter|paragraph|table|figure"
_NOUNS = "|".join(noun.casefold() for noun in (*INSTRUMENTS, *LAWS) if noun.isalpha() and not noun.isupper())
_AND_ANOTHER = r"(?= ?[\d.]*\d,? (?:and|or|&) [\d.]*\d(?:[(?,;:]|\.?$| (?:of(?! (?:\w+ )?\d)|in|under|says?|mean|apply|differ)\b| (?-i:[A-Z]{2,})))"
_RULES = re.compile(
    rf"(?<![\w.])(?P<short>{'|'.join(_SHORT)})\.?(?= ?\d)"
    rf"|\b(?P<one>article|section|clause|rule|chapter){_AND_ANOTHER}"
    rf"|\b(?P<numbered>{_NUMBERED}) (?P<number>{'|'.join(_NUMBERS)})(?![\w-])"
    rf"|\b(?P<lettered>{_LETTERED}) (?P<letter>[b-hj-z]|a(?=$|[?,.;:]| of\b| in\b))(?![\w-])"
    rf"|(?<=\d|\))(?P<joint>,? (?:of|in|under) (?:the|our|this) )(?P<paper>(?:(?!(?:and|or|the|a|an)\b)[a-z][\w-]* ){{0,3}}(?:{_NOUNS}))\b"
    r"|\b(?P<series>rfc)(?= ?\d)"
    r"|(?<=[\d)])(?P<blank> )(?=\((?:[a-z]|[ivx]{1,4}|\d{1,2})\))",
    re.IGNORECASE,
)
_SHOUTED = re.compile(
    rf"\b(?:(?:{_NUMBERED})S?|ROW|COLUMN|OF|IN|UNDER|TO|THE|OUR|THIS|AND|OR|{_NOUNS})\b", re.IGNORECASE
)


class Typed(NamedTuple):
    """A question in the grammar's spelling; `back` gives for each of its characters, and its end, the place in the question."""

    text: str
    back: tuple[int, ...]
    question: str

    def said(self, start: int, end: int) -> str:
        """Return the words of the question that a piece of the text stands for."""
        return self.question[self.back[start] : self.back[end]]


def typed(question: str) -> Typed:
    """Return a question in the grammar's spelling."""
    text, done = "", 0
    asked = question
    if question.isupper():
        question = _SHOUTED.sub(lambda word: word.group().lower(), question)
    back: list[int] = []
    for match in _RULES.finditer(question):
        spelled = _spelled(match)
        text += question[done : match.start()] + spelled
        back += range(done, match.start())
        # A piece that ends or begins inside of what was spelled anew is all of it.
        back += [match.start() + min(n, len(match.group()) - 1) for n in range(len(spelled))]
        done = match.end()
    return Typed(text + question[done:], (*back, *range(done, len(question) + 1)), asked)


def _spelled(match: re.Match[str]) -> str:
    if match["short"]:
        noun = _SHORT[match["short"].casefold()]
        several = noun in _PLURALS and re.match(_AND_ANOTHER, match.string[match.end() :], re.IGNORECASE)
        return f"{noun}{'s' * bool(several)}" + " " * (not match.string[match.end() :].startswith(" "))
    if match["one"]:
        return f"{match['one']}s"
    if match["numbered"]:
        return f"{match['numbered']} {_NUMBERS.index(match['number'].casefold()) + 1}"
    if match["lettered"]:
        return f"{match['lettered'].capitalize()} {match['letter'].upper()}"
    if match["series"]:
        return match["series"].upper()
    if match["blank"]:
        return ""
    return match["joint"] + match["paper"].title()
