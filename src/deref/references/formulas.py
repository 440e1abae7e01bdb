"""Numbers in brackets that are equations of the document at hand, without the word: "the relation (2.3)", "By (6) and (7), …".

A dotted number behind a word is one where an equation has exactly that number. A plain number in brackets may as well count the
members of a list in a sentence ("in (1) the hull, (2) the mast"). It is taken where the document numbers three equations
or more so, where the word before leads to a formula, and where what comes behind goes on with the sentence and begins no member; a
number that "and", "or", a comma or a dash joins to one that is taken is taken as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from deref.text.lazy import lazy
from deref.values import Document, ItemKind, Line, Point, Reference, ReferenceKind

_DOTTED = lazy(r"(?<=[a-z] )\((?P<label>\d{1,2}\.\d{1,3})\)(?=[\s.,;:)]|$)")
_PLAIN = lazy(r"(?<!\w)\((?P<labels>\d{1,3}[a-z]?(?:(?:, ?| ?[–-] ?)\d{1,3}[a-z]?)*)\)")
_LABEL = lazy(r"\d{1,3}[a-z]?")
_LEADS = lazy(
    r"\b(?:[Bb]y|[Ff]rom|[Ii]n|[Oo]f|[Uu]sing|[Tt]o|[Ww]ith|[Vv]ia|[Ss]ee|[Uu]nder|[Ii]nto|[Tt]hat|[Ff]or|[Ss]olve|[Ss]atisfy|"
    r"(?:[Ee]xpression|[Rr]elation|[Ff]ormula|[Ee]stimate|[Cc]onstraint|[Cc]ondition|[Ss]ystem|[Pp]roblem|[Bb]ound|[Oo]bjective|"
    r"[Mm]odel|[Uu]pdate)s?|(?:[Ii]dentit|[Ii]nequalit)(?:y|ies)|[Ff]ormulae)\s*$"
)
_JOINED = lazy(r"\s*(?:,|and|or|to|–|-|, and|, or)\s*$")
_GOES_ON = lazy(
    r"$|[.,;:)\]’]|[–-]\(|\s(?:and|or|is|are|was|were|has|have|holds?|we|it|one|can|may|must|should|will|shows?|gives?|yields?|"
    r"becomes?|reduces?|implies|follows|for|in|by|with|as|into|to|at|on|that|which|if|when|where|over|under|does|do|be|"
    r"above|below|then|also|again|–|-)(?![\w’])|\s\("
)
_FEWEST = 3


def formula_numbers(document: Document) -> dict[str, set[int]]:
    """Return the numbers of the document's equations, each with the lines that it stands in itself; plain ones where there are several."""
    out: dict[str, set[int]] = {}
    for item in document.items:
        if item.kind is ItemKind.EQUATION and item.label:
            out.setdefault(item.label, set()).update(range(item.lines.start, item.lines.end))
    plain = [label for label in out if "." not in label]
    return out if len(plain) >= _FEWEST else {label: lines for label, lines in out.items() if "." in label}


def bare_formulas(
    lines: Sequence[Line], skip: Sequence[bool], own: Mapping[str, Collection[int]]
) -> Iterator[Reference]:
    """Yield the numbers in brackets that are equations of the document, whose `formula_numbers` are `own`."""
    if not own:
        return
    plain = any("." not in label for label in own)
    before = ""
    for n, line in enumerate(lines):
        if not skip[n] and "(" in line.text:
            for match in _DOTTED.finditer(line.text):
                if line.n not in own.get(match["label"], (line.n,)):
                    yield _equation(line, match["label"], *match.span("label"))
            if plain:
                yield from _plain(line, "" if line.starts_block else before, own)
        before = line.text


def _plain(line: Line, before: str, own: Mapping[str, Collection[int]]) -> Iterator[Reference]:
    end_of_last = -1
    for match in _PLAIN.finditer(line.text):
        labels = _LABEL.findall(match["labels"])
        if any(line.n in own.get(label, (line.n,)) for label in labels):
            continue
        lead = line.text[: match.start()]
        joined = end_of_last >= 0 and _JOINED.fullmatch(lead, end_of_last)
        if not joined and not _LEADS.search(lead if lead.strip() else before):
            continue
        if not _GOES_ON.match(line.text, match.end()):
            continue
        end_of_last = match.end()
        for found in _LABEL.finditer(line.text, match.start(), match.end()):
            yield _equation(line, found.group(), *found.span())


def _equation(line: Line, label: str, start: int, end: int) -> Reference:
    return Reference(
        text=line.text[start:end],
        kind=ReferenceKind.EQUATION,
        labels=(label,),
        at=Point(doc=line.doc, line=line.n, char_start=start, char_end=end),
    )
