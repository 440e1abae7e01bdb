"""Amendments: sentences of other papers that change the very place which an answer quotes, told with the answer.

A sentence amends what its pointer names when the pointer is the subject of a verb that changes it ("Section 4.1 of the Lease is hereby
amended"), when words inside the place are changed ("In Section 4.1, the words … are replaced"), when the verb governs the
pointer ("the parties hereby delete Section 5.2", "by replacing Section 4.1"), or when a value in the place is changed once and for all ("the fee in
Section 4.1 is hereby reduced by 10 %"): "hereby" or a day from which it holds tells that from a rule ("is reduced by 10 % for each day of delay"). What may, must not or would be changed under a
condition is not changed; a lamp that is replaced under Section 4.1 leaves the section as it is. English, German, French and
Spanish.

What is quoted is the paragraph with the pointer and, where that leads it in, the new text behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from deref.answer.cite import cite
from deref.answer.compose import told_lines
from deref.answer.pointers import sentence_lines
from deref.answer.units import longer_than
from deref.text.clean import join_lines
from deref.text.lazy import lazy
from deref.values import (
    Amendment,
    Answer,
    Arrived,
    Citation,
    Document,
    Passage,
    Point,
    Reference,
    Span,
    Target,
)

MOST_AMENDMENTS = 3
"""Amendments that are told with one answer, those of the smallest places first."""
LONGEST_PARAGRAPH, LONGEST_NEW_TEXT = 220, 220
"""Words. Of a longer paragraph the sentence with the pointer is quoted; new text is quoted up to so many."""

WORDS = "amended deleted replaced reduced increased geändert ersetzt modifié remplacé modifica sustituye"
"""What amending passages say, for a search by words."""

_CHANGED = (
    r"(?:amended|deleted|replaced|restated|superseded|modified|varied|revoked|repealed|removed|struck|supplemented|rescinded|substituted|"
    r"ge[äa]ndert|ersetzt|gestrichen|aufgehoben|(?:neu|wie folgt) gefasst|"
    r"modifiée?s?|remplacée?s?|supprimée?s?|abrogée?s?|modificad[oa]s?|sustituid[oa]s?|suprimid[oa]s?|derogad[oa]s?)"
)
_IS = (
    r"(?:(?:is|are|was|were|shall be|will be|has been|have been)(?:,?\s+(?:hereby|further|also|thereby|accordingly|deemed|each|both|entirely))*"
    r"|(?:wird|werden|ist|sind)(?:\s+(?:hiermit|wie folgt|ersatzlos|durch [^.;]{1,80}))*|(?:est|sont)(?:\s+par les présentes)?|queda|quedan|es|son)"
)
_CHANGES_A_VALUE = r"\b(?:is|are|shall be|will be)(?:\s+(?:hereby|further|accordingly))*\s+(?:reduced|increased|raised|lowered|extended|shortened|halved|doubled)\b"
_MAY_CHANGE = lazy(
    rf"\b{_IS}\s+(?:hereby\s+)?{_CHANGED}\b|\berhält (?:die )?folgende Fassung\b|\bse (?:modifica|sustituye|suprime|deroga)n?\b|"
    r"\b(?:hereby|agreed? to|resolves?|resolved) (?:to |further )?(?:amend|delete|replace|restate|supersede|revoke|vary|modify|cancel)|"
    r"\b(?:amends|deletes|replaces|restates|supersedes|revokes|varies|modifies|cancels)\b|"
    r"\bby (?:deleting|replacing|amending|restating|substituting|striking)\b|"
    rf"{_CHANGES_A_VALUE}",
    re.IGNORECASE,
)
_SAID = ("amend", "delet", "replac", "restat", "supersed", "modif", "vari", "revok", "repeal", "remov", "struck", "striking", "supplement",
         "rescind", "substitut", "vary", "cancel", "ändert", "andert", "ersetzt", "gestrichen", "gehoben", "fass", "remplac", "supprim",
         "abrog", "sustitu", "suprim", "derog",
         "reduced", "increased", "raised", "lowered", "extended", "shortened", "halved", "doubled")  # fmt: skip
"""What the verbs have in them, for a first look: hardly any text has one of these."""
_OF_THE_PLACE = (
    r"(?:\s*\([^)]{0,80}\)|\s*[“\"„«][^”\"“»]{0,80}[”\"“»]|,?\s+as (?:\w+\s+)?amended[^,;.]{0,60},|,?\s+in (?:its|their) entirety,?"
    r"|\s+(?:of|to|des|der|du|de la|del|de los)\s+[^,;:.]{1,70}?|,?\s+(?:and|und|et|y)\s+(?:\w+\s+)?(?:\d[\w.()]*|[A-Z][-.]?\d*)(?![\w.]))*"
)
_SUBJECT = lazy(
    rf"^{_OF_THE_PLACE},?\s+(?:{_IS}\s+{_CHANGED}\b|erhält (?:die )?folgende Fassung\b|se (?:modifica|sustituye|suprime|deroga)n?\b)",
    re.IGNORECASE,
)
_NO_SUBJECT = lazy(
    r"\b(?:in|under|of|by|with|to|per|from|on|at|into|see|pursuant|nach|gemäß|unter|in|selon|en|según|bajo)\s+(?:the\s+)?$"
    r"|\b(?:if|unless|until|where|when|whenever|whether|once|extent(?: that)?|wenn|falls|sofern|si|cuando)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_INSIDE = lazy(
    r"^[^.;:]{0,80}?[,:]?\s+(?:the\s+|each\s+)?(?:words?|phrases?|references?|figures?|expressions?|definitions?|dates?|amounts?|sentences?|texts?|numbers?)\b"
    rf"[^;:]{{0,120}}?\b(?:is|are|shall be|will be)\s+(?:hereby\s+)?{_CHANGED}\b",
    re.IGNORECASE,
)
_GOVERNED = lazy(
    r"(?:\b(?:hereby|agree to|agreed to|resolves? to|resolved to)\s+(?:further\s+)?(?:amend|delete|replace|restate|supersede|revoke|vary|modify|cancel)s?"
    r"|\b(?:amendment|agreement|deed|letter|standard|policy|notice|resolution|regulation|document|version|edition)\s+(?:hereby\s+)?(?:amends|deletes|replaces|restates|supersedes|revokes|varies|modifies|cancels)"
    r"|\bby (?:deleting|replacing|amending|restating|substituting|striking))"
    r"(?:\s+and\s+(?:restate|replace)s?)?(?:\s+(?:the\s+(?:whole|text|wording|words [^.;]{1,60}) of|all of|in (?:its|their) entirety))?,?\s+(?:the\s+)?(?:existing\s+)?$",
    re.IGNORECASE,
)
_VALUE_IN = lazy(
    r"\b(?:fees?|price|rent|rates?|amounts?|sums?|periods?|terms?|limits?|cap|deposit|charges?|interest|salary|commission|percentages?|number|threshold|royalt(?:y|ies)"
    r"|premium|penalt(?:y|ies)|discount|notice|budget|margin|date|deadline)(?:\s+(?:set out|set forth|stated|specified|fixed|given|laid down|mentioned|referred to|payable|due))?\s+(?:in|under|by)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_ITS_VALUE = lazy(rf"^{_OF_THE_PLACE},?\s+{_CHANGES_A_VALUE}", re.IGNORECASE)
_FOR_GOOD = lazy(
    r"\bhereby\b|\bwith effect (?:from|as of|on)\b|\b(?:as of|as from|from|on and from|effective)\s+(?:and including\s+)?(?:the\s+)?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
_AT_TIMES = lazy(
    r"\b(?:if|unless|where|when|whenever|whether|until|while|during|to the extent|in the event|provided|in case|for (?:each|every|any|as long)|per (?!cent\b))",
    re.IGNORECASE,
)
_LEADS_IN = (":", ":—", ": –", "as follows", "as follows.", "folgende Fassung")
_OPENS, _CLOSES = '“"„«', '”"“»'


class Amending(NamedTuple):
    """A pointer in a sentence that amends what it names: the places, and the lines to be quoted of the paper that says so."""

    reference: Reference
    targets: tuple[Target, ...]
    lines: Span


def may_amend(text: str) -> bool:
    """Tell whether a text has a verb in a form that changes something: a first look."""
    folded = text.lower()
    return any(said in folded for said in _SAID) and _MAY_CHANGE.search(" ".join(text.split())) is not None


def amends(sentence: str, pointer: str) -> bool:
    """Tell whether a sentence amends what a pointer in it, given by its words, names."""
    text = " ".join(sentence.split())
    before, found, behind = text.partition(" ".join(pointer.split()))
    if not found:
        return False
    if _GOVERNED.search(before):
        return True
    if before.casefold().endswith(("in ", "in the ")) and _INSIDE.match(behind):
        return True
    if _VALUE_IN.search(before) and _ITS_VALUE.match(behind):
        return _FOR_GOOD.search(text) is not None and _AT_TIMES.search(text) is None
    return not _NO_SUBJECT.search(before) and _SUBJECT.match(behind) is not None


def amending_lines(document: Document, at: Point) -> Span:
    """Return the lines of the paragraph with a pointer, and of the new text that it leads in."""
    paragraph = _block(document, at.line)
    if longer_than(LONGEST_PARAGRAPH, document, [paragraph]):
        return sentence_lines(document, at)
    said = join_lines(document.lines[paragraph.start : paragraph.end]).text.rstrip()
    end = paragraph.end
    if not said.endswith(_LEADS_IN) or end >= len(document.lines):
        return paragraph
    opened = document.lines[end].text.lstrip(" >*_")[:1] in tuple(_OPENS)
    while end < len(document.lines):
        block = _block(document, end)
        if longer_than(
            LONGEST_NEW_TEXT, document, [Span(doc=document.id, start=paragraph.end, end=block.end)]
        ):
            break
        end = block.end
        if not opened or document.text(block).rstrip(" *_.;").endswith(tuple(_CLOSES)):
            break
    return Span(doc=document.id, start=paragraph.start, end=end)


def _block(document: Document, line: int) -> Span:
    first = line
    while first > 0 and not document.lines[first].starts_block:
        first -= 1
    end = line + 1
    while end < len(document.lines) and not document.lines[end].starts_block:
        end += 1
    return Span(doc=document.id, start=first, end=end)


def with_amendments(answer: Answer, found: Sequence[Amending], read: Callable[[str], Document]) -> Answer:
    """Return the answer with what amends the lines that it quotes: cited behind its own citations, unless it cites that already."""
    citations, amendments, text = list(answer.citations), list(answer.amendments), answer.text
    for one in sorted(
        found, key=lambda one: (min(len(t.lines) for t in one.targets), one.lines.doc, one.lines.start)
    ):
        amended = [n for n, c in enumerate(answer.citations, start=1) if _is_amended(c, one)]
        if not amended or len({a.amending for a in amendments}) == MOST_AMENDMENTS:
            continue
        by = next((n for n, c in enumerate(citations, start=1) if _holds(c.lines, one.lines)), None)
        if by is None:
            document = read(one.lines.doc)
            cited = cite(document, one.lines, Passage(lines=one.lines), read)
            citation = replace(cited, arrived=Arrived.AMENDMENT, reference=one.reference.text)
            citations.append(citation)
            by = len(citations)
            text += f"\n\nAmended by {citation.source}, p. {citation.page}:\n{told_lines(document, citation.lines)} [{by}]"
        amendments += [Amendment(amended=n, amending=by) for n in amended if n != by]
    return replace(answer, text=text, citations=tuple(citations), amendments=tuple(amendments))


def _is_amended(citation: Citation, one: Amending) -> bool:
    lines = citation.lines
    return any(
        s.doc == lines.doc and s.start < lines.end and lines.start < s.end
        for t in one.targets
        for s in t.focus or (t.lines,)
    )


def _holds(lines: Span, other: Span) -> bool:
    return lines.doc == other.doc and lines.start <= other.start and other.end <= lines.end
