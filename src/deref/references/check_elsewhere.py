"""Whether the words around a pointer say that its label is counted elsewhere, though the grammar could not read where.

"section 743 of Division E", "29 CFR 23.240(b) and 23.280", "GSAR subpart 538-72", "paragraph (c) of the clause at …",
"the standard's section 4.4.3.2": the label belongs to a paper that is not at hand, so that it is missing here says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from deref.text.clean import join_lines
from deref.text.lazy import lazy
from deref.values import Document, Reference, ReferenceKind, Resolution, Status

_AROUND = 160
_SUB = r"(?:\s?\([\w ,–-]{1,40}\))"
_MORE = (
    r"(?:,?\s*(?:,|and|or|and/or|to|through|&|und|oder|et|ou)\s*(?:[A-Za-z§][a-z.]{1,12}\s+)?(?:\d[\w.-]*)?"
    + _SUB
    + r"*(?<![\s,]))"
)
_SKIPPED = lazy(
    rf"^{_SUB}*(?:\s*\([“\"‘'][^()]{{1,90}}[”\"’']\))?{_MORE}{{0,4}}(?:, as (?:\w+ ){{0,2}}amended,?)?",
    re.IGNORECASE,
)
"""What may stand between a label and the paper it is counted in: its parts, its title, the further members of a list."""
_OF = lazy(
    r"^,?\s*(?:of|des|der|du|de la|del)\s+(?!this\b|these\b|the (?:agreement|document)\b)[\w“\"\[]"
    r"|^,?\s*\(?(?:title|division|volume|chapter|subchapter|subpart|public law|pub\.|united states code|u\.s\.c|\d+\s+(?:cfr|c\.f\.r|u\.s\.c))",
    re.IGNORECASE,
)
_OF_PART = lazy(r"^,?\s*(?:of|in|to|at|under|from|for)\s+(?!this\b)[\w“\"\[]", re.IGNORECASE)
_BEFORE = lazy(
    r"(?:\b[A-Z]{2,}s?|\b(?:[A-Z]\.\s?){2,}(?:Code|App\.?)?|[A-Za-z]['’]s?|U\.S\.C\.\s+App\.?|[A-Z]\.)\s*\(?$"
    r"|\[[^\]\s]{2,30}\],?\s(?:(?:in|and|see|most) )?(?:especially |particularly |particular,? |notably |specifically |at |see )?\(?$(?<!\] and )"
)
_NAME = lazy(r"(?<![\w.])([A-Z]{2,})\s*$")
_NAME_BEHIND = lazy(r",?\s*of\s+(?:the\s+)?([A-Z]{2,})(?!\w)")
_LISTED = lazy(
    r"(?:C\.?F\.?R\.?|U\.?\s?S\.?\s?C\.?|Stat\.|Code|Act|Law|Circular|Directive|Regulations?)\b(?:[^.;:]|\.(?=\d)){0,90}(?:,|and|or|through|to|&)\s*(?:at\s+)?$"
)
_OF_THE_LABEL = lazy(r"\d[\w.-]*(?:\s?\(\w+\))*,\s+(?:in\s+)?$")
"""A part behind a comma is one of the label before it: "52.225-11, paragraph (b)(3)"."""
_ALTERED = lazy(
    r"\b(?:substitut|add|insert|replac|delete|deleting|redesignat|renumber|include|including)\w*\b[^.;]{0,80}$",
    re.IGNORECASE,
)


def around(document: Document, reference: Reference) -> tuple[str, str]:
    """Return up to 160 characters of running text before and behind a reference, of its own block."""
    at = reference.at
    lines = document.lines
    first = at.line
    while first > max(0, at.line - 3) and not lines[first].starts_block:
        first -= 1
    last = at.last_line
    while last + 1 < min(len(lines), at.last_line + 4) and not lines[last + 1].starts_block:
        last += 1
    head = join_lines(lines[first : at.line]).text
    before = (
        f"{head} {lines[at.line].text[: at.char_start]}" if head else lines[at.line].text[: at.char_start]
    )
    tail = join_lines(lines[at.last_line + 1 : last + 1]).text
    after = (
        f"{lines[at.last_line].text[at.char_end :]} {tail}"
        if tail
        else lines[at.last_line].text[at.char_end :]
    )
    return " ".join(before.split(" "))[-_AROUND:], after[:_AROUND]


def counted_elsewhere(
    document: Document, reference: Reference, own_names: Callable[[], Collection[str]]
) -> bool:
    """Tell whether the words around a reference without a container give its label to some other paper.

    `own_names` gives the abbreviations that do not: "FAR" on a shelf that holds it.
    """
    before, after = around(document, reference)
    of = _OF_PART if reference.kind is ReferenceKind.PARAGRAPH else _OF
    for rest in (after, _SKIPPED.sub("", after)):
        if of.match(rest):
            behind = _NAME_BEHIND.match(rest)
            return behind is None or behind[1] not in own_names()
    part = reference.kind is ReferenceKind.PARAGRAPH
    if _LISTED.search(before) or (part and (_ALTERED.search(before) or _OF_THE_LABEL.search(before))):
        return True
    if before.isupper() or not _BEFORE.search(before):
        return False
    name = name_before(before)
    return name is None or name not in own_names()


def name_before(before: str) -> str | None:
    """Return the abbreviation in capitals that ends a text: "as prescribed in FAR " → "FAR"."""
    found = _NAME.search(before)
    return found[1] if found else None


def named_in_block(document: Document, reference: Reference, others: Sequence[Resolution]) -> list[str]:
    """Return the ids of the documents that the block of a reference cites before it, by a tag: "[QUIC-TLS]"."""
    first = reference.at.line
    while first > 0 and not document.lines[first].starts_block:
        first -= 1
    return [
        t.lines.doc
        for o in others
        if o.status is Status.RESOLVED
        and first <= o.reference.at.line
        and o.reference.at.begins < reference.at.begins
        for t in o.targets
        if t.lines.doc != document.id
    ]
