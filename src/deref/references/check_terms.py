"""Rules about defined terms, for documents that define them: twice, never used, or used and never defined.

A document has a regime of definitions when it says of several terms in quotes what they mean. A term is a name in
capitals; its forms are the plural and the possessive. A phrase looks like a defined term that nobody defined when it is
written in capitals in the middle of sentences, always so, in several sections, and is no name: no heading, document,
party or office of this shelf, and not made of terms that are defined.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from deref.references.check_subject import Draft, Subject
from deref.references.words import INSTRUMENTS, LAWS
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Item, ItemKind, Point, Span

_MEANS = lazy(
    r"\b(?:means?|shall mean|has the meaning|have the meaning|bedeutet|bezeichnet|désigne|significa)\b"
)
_POINTS_ON = lazy(
    r"\bha(?:s|ve) the (?:respective )?meanings?\b|\bmeaning (?:set forth|given|ascribed|assigned|specified|as)\b|\b(?:is|are|as) (?:\w+ )?defined\b",
    re.IGNORECASE,
)
_LOCAL = lazy(
    r"\b(?:in|of) this (?:section|clause|article|paragraph|subpart|part|schedule|exhibit|definition|appendix)\b",
    re.IGNORECASE,
)
_PHRASE = lazy(
    r"(?P<lead>\b[a-z]+ )(?P<term>[A-Z][a-z]+(?: [A-Z][a-z]+){1,3})(?![\w’'-]| [A-Z&]|,? (?:Inc|LLC|Ltd|L\.P|LLP|Co)\b|\.[A-Z])"
)
_LEADS = frozenset({
    "the", "a", "an", "any", "each", "such", "all", "every", "no", "that", "this", "these", "its", "of", "or",
})  # fmt: skip
_QUOTED = '"“”„«»‘'
_NAMES = frozenset(
    w.casefold() for w in (*INSTRUMENTS, *LAWS)
) | frozenset({
    "inc", "llc", "ltd", "corp", "corporation", "company", "bank", "trust", "court", "state", "states",
    "united", "kingdom", "republic", "county", "city", "street", "avenue", "road", "university",
    "institute", "department", "ministry", "office", "agency", "commission", "board", "committee",
    "council", "congress", "parliament", "secretary", "president", "director", "officer", "chairman",
    "chief", "judge", "justice", "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december", "monday", "tuesday", "wednesday",
    "thursday", "friday", "saturday", "sunday", "north", "south", "east", "west", "new",
    "international", "national", "federal", "european", "american", "section", "article", "exhibit",
    "schedule", "annex", "appendix", "chapter", "part", "table", "figure", "code", "standard",
    "standards", "protocol", "system", "service", "services", "program", "programme", "project",
    "union", "association", "organization",
})  # fmt: skip
_REGIME = 5
_LARGE_REGIME = 8
_USES = 4
_SECTIONS = 3
_LONGEST = 60
"""Letters of a term. What is longer is no term but a sentence in quotes."""


def _terms(document: Document) -> list[Item]:
    """The definitions that say what a term in capitals means."""
    return [
        i
        for i in document.items
        if i.kind is ItemKind.DEFINITION
        and i.label is not None
        and i.label[:1].isupper()
        and len(i.label) <= _LONGEST
        and _is_quoted(document.text(i.lines), i.label)
    ]


def _is_quoted(text: str, term: str) -> bool:
    return (
        _MEANS.search(text) is not None and re.search(rf"[{_QUOTED}*_]\s*{re.escape(term)}", text) is not None
    )


def term_twice(subject: Subject) -> Iterator[Draft]:
    """Yield terms that the same section defines a second time."""
    document = subject.document
    seen: dict[tuple[str, str | None], Item] = {}
    terms = _terms(document)
    if len(terms) < _REGIME:
        return
    for item in terms:
        text = " ".join(document.text(item.lines).split())
        if _POINTS_ON.search(text) or _LOCAL.search(text) or not _is_head(text, item.label or ""):
            continue
        path = subject.places.path(item.lines.start)
        key = (normalize_name(item.label or ""), path[-1].id if path else None)
        first = seen.setdefault(key, item)
        if item.lines.start >= first.lines.end:
            line = document.lines[first.lines.start]
            yield Draft(
                at=_term_at(document, item),
                text=item.label or "",
                message=f"“{item.label}” is defined before in the same section (p. {line.page}, l. {line.row}).",
                related=(_term_at(document, first),),
            )


def _is_head(text: str, term: str) -> bool:
    """Whether a definition begins with its term, and is not a mention in another one."""
    return (
        re.match(rf"\W*(?:\(?\w{{1,4}}[).]\s*)?(?:the )?[{_QUOTED}'*_]*{re.escape(term)}", text) is not None
    )


def term_unused(subject: Subject) -> Iterator[Draft]:
    """Yield terms that nothing but their own definition speaks of, in the document and on the shelf."""
    document = subject.document
    terms = _terms(document)
    if len(terms) < _REGIME:
        return
    text = [" ".join(normalize_name(line.text).split()) for line in document.lines]
    for item in terms:
        whole = document.text(item.lines)
        if _POINTS_ON.search(whole):
            continue
        names = {n for n in map(normalize_name, _also_called(item.label or "", whole)) if n}
        words = [re.compile(rf"(?<!\w){_stem(n)}(?!\w)") for n in names]
        if names and not any(_is_used(text, item.lines, word) for word in words):
            yield Draft(
                at=_term_at(document, item),
                text=item.label or "",
                message=f"“{item.label}” is defined and not used.",
            )


def _also_called(term: str, text: str) -> list[str]:
    """Return the term without an ending in brackets, and its other names: “Case Report Form” or “CRF” means …"""
    head = _MEANS.split(text)[0]
    return [
        re.sub(r"\s*\([^)]*\)$", "", term),
        *re.findall(rf"[{_QUOTED}]([^{_QUOTED}]{{2,60}})[{_QUOTED}]", head),
    ]


def _stem(name: str) -> str:
    """Return a pattern for a name and its plural, possessive and verb forms."""
    base = re.escape(re.sub(r"(?:y|ies|e|(?<=[^s])s)$", "", name))
    return rf"{base}(?:e?s|e?d|y|ies|ing|e|er|ers)?"


def _is_used(text: Sequence[str], own: Span, word: re.Pattern[str]) -> bool:
    """Whether a term stands anywhere but once in its own definition, over the end of a line too."""
    inside = sum(len(word.findall(text[n])) for n in range(own.start, min(own.end, len(text))))
    if inside > 1 or any(word.search(x) for n, x in enumerate(text) if n not in own):
        return True
    return any(
        n not in own and word.search(f"{a} {b}")
        for n, (a, b) in enumerate(pairwise(text))
        if n + 1 not in own
    )


def term_undefined(subject: Subject) -> Iterator[Draft]:
    """Yield phrases that are written like defined terms all through a document that defines its terms, and are not defined."""
    document = subject.document
    if len(_terms(document)) < _LARGE_REGIME:
        return
    known = {normalize_name(i.label or "") for i in document.items if i.kind is ItemKind.DEFINITION}
    titles = {normalize_name(s.title.strip(" .:*_")) for s in document.sections} | {
        normalize_name(t) for t in (document.title, *document.aliases) if t
    }
    whole = " ".join(line.text for line in document.lines)
    headed = {s.lines.start for s in document.sections}
    uses: dict[str, list[Point]] = defaultdict(list)
    sections: dict[str, Counter[str | None]] = defaultdict(Counter)
    for line in document.lines:
        if line.n in headed or line.text.isupper():
            continue
        for match in _PHRASE.finditer(line.text):
            if match["lead"].strip() in _LEADS:
                term = match["term"]
                uses[term].append(
                    Point(
                        doc=document.id,
                        line=line.n,
                        char_start=match.start("term"),
                        char_end=match.end("term"),
                    )
                )
                path = subject.places.path(line.n)
                sections[term][path[-1].id if path else None] += 1
    for term, places in uses.items():
        if len(places) < _USES or len(sections[term]) < _SECTIONS or _is_known(subject, term, known, titles):
            continue
        if re.search(rf"[{_QUOTED}]\W*{re.escape(term)}", whole) or re.search(
            rf"\b{re.escape(term.lower())}\b", whole
        ):
            continue
        yield Draft(at=places[0], text=term, message=f"“{term}” is written like a defined term {len(places)} times, and is not defined.",
                    related=tuple(places[1:]))  # fmt: skip


def _is_known(subject: Subject, term: str, known: set[str], titles: set[str]) -> bool:
    """Whether a phrase is defined, a name, a heading, or made of what is defined."""
    key = normalize_name(term)
    words = key.split()
    forms = {key, key.removesuffix("s"), key + "s", key.removesuffix("ies") + "y"}
    if forms & known or forms & titles or any(w in _NAMES or w.removesuffix("s") in _NAMES for w in words):
        return True
    if any(" ".join(words[:n]) in known or " ".join(words[n:]) in known for n in range(1, len(words))):
        return True
    return any(subject.view.shelf.defined(f) for f in forms) or bool(subject.view.names.named(term, None)[0])


def _term_at(document: Document, item: Item) -> Point:
    for n in range(item.lines.start, item.lines.end):
        at = document.lines[n].text.find(item.label or "")
        if at >= 0:
            return Point(doc=document.id, line=n, char_start=at, char_end=at + len(item.label or ""))
    return Point(doc=document.id, line=item.lines.start, char_start=0, char_end=0)
