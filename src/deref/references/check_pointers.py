"""Rules about pointers: those that lead nowhere, to two places, to a thing of another kind, or to themselves.

A pointer without its target is a finding only where the target should be here: the document it is counted in numbers
such things in such a way (`check_form`), the words around the pointer do not give its label to another paper
(`check_elsewhere`), and of a sub-paragraph only when its list was read whole (`check_parts`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from deref.references.check_elsewhere import around, counted_elsewhere, named_in_block
from deref.references.check_form import forms_of
from deref.references.check_parts import lacks_mark, no_part
from deref.references.check_subject import Draft, Subject
from deref.references.check_written import is_headed, written
from deref.references.labelled import word_of
from deref.references.outcome import Missing, Where
from deref.references.places import APPENDED, SECTIONAL
from deref.text.labels import split_sub
from deref.text.lazy import lazy
from deref.values import (
    Document,
    ItemKind,
    Point,
    Reference,
    ReferenceKind,
    Resolution,
    Section,
    Severity,
    Status,
    Target,
    Tier,
)

_ITEMS = frozenset(k.value for k in ItemKind)
_CAPTIONED = frozenset({ItemKind.TABLE, ItemKind.FIGURE, ItemKind.LISTING, ItemKind.EXAMPLE, ItemKind.BOX})
"""What an author may call by the name of another: nobody writes "Figure 2" for an equation."""
_OWN_PLACES = frozenset(
    {ReferenceKind.BIBLIOGRAPHY, ReferenceKind.DEFINITION, ReferenceKind.PAGE, ReferenceKind.LINK}
)
_SELDOM_OWN = frozenset({ReferenceKind.RULE, ReferenceKind.PARAGRAPH})
"""What a document may number under another word, so that a number with this word belongs to another paper or another count."""
_FEW = 3
_TOP = 5
"""Lines."""
_LEAD = lazy(r"(?P<lead>[A-Z][a-z]+):\s*[“\"'‘*_]*$")
_PART_BEHIND = lazy(r"\s?\(\w|\.\w|,? (?:point|paragraph|sentence|item)\b")
_THIS = lazy(
    r"(?:\b(?:this|these|present|said|such|that|diese[rsm]?|présente?|esta?)|[:(—–-])\s*$", re.IGNORECASE
)


def dangling(subject: Subject) -> Iterator[Draft]:
    """Yield pointers whose target should be here and is not."""
    for outcome in subject.outcomes:
        message = _missing(subject, outcome)
        if message is not None and _other_kind(subject, outcome) is None:
            yield _draft(outcome, message)


def _missing(subject: Subject, outcome: Resolution) -> str | None:
    """Why a pointer leads nowhere, or None when it does not, or nothing says for sure that it should."""
    reference = outcome.reference
    kind = reference.kind
    if "\t" in reference.text or _is_cut(subject.document, reference):
        return None
    if kind is ReferenceKind.BIBLIOGRAPHY:
        return _no_entry(subject, outcome)
    if kind in _OWN_PLACES:
        sure = outcome.status is Status.DANGLING and (
            kind is not ReferenceKind.PAGE or _is_own_page(subject, reference)
        )
        return (
            outcome.why
            if sure and not counted_elsewhere(subject.document, reference, subject.own_names)
            else None
        )
    if kind.value not in _ITEMS and kind not in SECTIONAL:
        return None
    if outcome.status is Status.RESOLVED:
        return no_part(subject, outcome)
    if outcome.status is not Status.DANGLING:
        return None
    where = subject.counted_in(reference)
    if isinstance(where, Missing):
        return outcome.why if where.status is Status.DANGLING and _sure_unit(subject, reference) else None
    if (
        where.document is subject.document
        and reference.container is None
        and counted_elsewhere(where.document, reference, subject.own_names)
    ):
        return None
    unit = where.document is subject.document and where.span is not None and not _this(reference)
    if unit and counted_elsewhere(where.document, reference, subject.own_names):
        return None
    missing = [label for label in written(reference) if _should_be(subject, where, reference, label)]
    if not missing or (where.document is subject.document and _in_a_neighbour(subject, reference, missing)):
        return None
    return outcome.why


def _this(reference: Reference) -> bool:
    return (reference.container or "").casefold().startswith(("this ", "that "))


def _in_a_neighbour(subject: Subject, reference: Reference, labels: Sequence[str]) -> bool:
    """Whether a document that the same paragraph names before has these labels: the pointer goes on speaking of it."""
    nearby = subject.outcomes_before(reference)
    for doc in dict.fromkeys(named_in_block(subject.document, reference, nearby)):
        document = subject.view.document(doc)
        if document is None:
            continue
        places = subject.view.places(document)
        if all(places.find(reference.kind, word_of(reference), split_sub(label)[0])[0] for label in labels):
            return True
    return False


def _should_be(subject: Subject, where: Where, reference: Reference, label: str) -> bool:
    """Whether a label that is not in `where` would be there if it were anywhere."""
    base, _ = split_sub(label)
    if (
        reference.kind is not ReferenceKind.PARAGRAPH
        and _this(reference)
        and subject.places.is_fragment
        and any(p.kind == "section" for p in subject.view.shelf.labelled(base))
    ):
        return False
    if not base or label.startswith("(") or (reference.kind is ReferenceKind.PARAGRAPH and "." not in base):
        return lacks_mark(subject, where, reference, label)
    if where.span is not None and reference.kind in SECTIONAL and not any(c in label for c in ".-"):
        return lacks_mark(subject, where, reference, label)
    if reference.kind in _SELDOM_OWN and not subject.speaks_of(reference.kind):
        return False
    if (
        subject.places.find(reference.kind, word_of(reference), base)[0]
        and where.document is subject.document
    ):
        return False
    through = where.document is subject.document and not base.isalnum()
    others = subject.goes_on_in(reference, base) if through else ()
    if base.startswith("0.") or any(is_headed(d, reference, base) for d in (where.document, *others)):
        return False
    return subject.numbers_so(where.document, reference, base)


def _sure_unit(subject: Subject, reference: Reference) -> bool:
    """Whether a container that is itself a missing unit ("Table 2 of Annex 9") should have been here."""
    inner = [
        o
        for o in subject.outcomes
        if o.reference.at.line == reference.at.line and o.reference is not reference
    ]
    return not inner and not counted_elsewhere(subject.document, reference, subject.own_names)


def _no_entry(subject: Subject, outcome: Resolution) -> str | None:
    """Why a tag leads nowhere: the document lists its sources under tags of this form, and this one is not listed."""
    entries = [i.label for i in subject.document.items if i.kind is ItemKind.BIBLIOGRAPHY and i.label]
    known = {e.casefold() for e in entries} | subject.own_tags
    forms = {f for e in entries for f in forms_of(e)}
    missing = [
        tag
        for tag in outcome.reference.labels
        if tag.casefold() not in known and forms.intersection(forms_of(tag))
    ]
    return f"The list of references has no entry [{missing[0]}]." if missing else None


def _is_own_page(subject: Subject, reference: Reference) -> bool:
    """Whether one page is named that the document could have: of a range the pages between may be blank, and "page 702" of
    a thin paper is that of a book.
    """
    label, pages = reference.labels[0], subject.document.pages
    return len(reference.labels) == 1 and pages > 1 and not (label.isdigit() and int(label) > 2 * pages)


def _is_cut(document: Document, reference: Reference) -> bool:
    """Whether the label stands in another block than its word: two things that were read as one."""
    at = reference.at
    return any(document.lines[n].starts_block for n in range(at.line + 1, at.last_line + 1))


def wrong_label(subject: Subject) -> Iterator[Draft]:
    """Yield pointers that name another kind, or another number, than what stands where they lead."""
    for outcome in subject.outcomes:
        if outcome.status is Status.DANGLING and (other := _other_kind(subject, outcome)) is not None:
            yield other
        elif outcome.tier is Tier.LINK and outcome.status is Status.RESOLVED:
            yield from _other_number(subject, outcome)


def _other_kind(subject: Subject, outcome: Resolution) -> Draft | None:
    """The only captioned thing with this number, when it is of another kind than the pointer says."""
    reference = outcome.reference
    document = subject.document
    if len(reference.labels) != 1 or reference.kind.value not in _ITEMS or "\t" in reference.text:
        return None
    if ItemKind(reference.kind.value) not in _CAPTIONED or _is_cut(document, reference):
        return None
    where = subject.counted_in(reference)
    if isinstance(where, Missing):
        return None
    if reference.container is None and counted_elsewhere(document, reference, subject.own_names):
        return None
    others = [
        i
        for i in where.document.items
        if i.kind in _CAPTIONED and i.label and i.label.casefold() == reference.labels[0].casefold()
    ]
    if len(others) != 1 or others[0].kind.value == reference.kind.value:
        return None
    found = others[0]
    message = f"There is no {reference.kind.value} {found.label} here; {found.label} is a {found.kind.value}."
    return _draft(outcome, message, (_point(where.document, found.lines.start),))


def _other_number(subject: Subject, outcome: Resolution) -> Iterator[Draft]:
    """A link whose words name a number that is not the number of the place it goes to."""
    reference = outcome.reference
    if len(reference.labels) != 1 or len(outcome.targets) != 1 or reference.kind in _OWN_PLACES:
        return
    if reference.kind.value not in _ITEMS and reference.kind not in SECTIONAL:
        return
    target = outcome.targets[0]
    said = split_sub(reference.labels[0])[0].casefold()
    label = target.label or _first_label(subject, target)
    there = label.casefold() if label else None
    if there is None or _same_number(said, there) or set(forms_of(said)).isdisjoint(forms_of(there)):
        return
    plain = subject.unlinked(reference)
    if (
        plain.status is Status.RESOLVED
        and plain.targets[0].lines.start != target.lines.start
        and reference.container
    ):
        return
    document = subject.view.document(target.lines.doc)
    related = (_point(document, target.lines.start),) if document is not None else ()
    message = f"Its link goes to {target.kind} {label}, not to {reference.labels[0]}."
    yield _draft(outcome, message, related)


def _first_label(subject: Subject, target: Target) -> str | None:
    """The number that heads a document which a link goes to as a whole."""
    document = subject.view.document(target.lines.doc)
    if target.kind != "document" or document is None or not document.sections:
        return None
    first = document.sections[0]
    return first.label if first.lines.start <= _TOP else None


def _same_number(said: str, there: str) -> bool:
    return (
        said == there
        or there.startswith((said + ".", said + "(", said + "-"))
        or said.startswith((there + ".", there + "-"))
    )


def missing_exhibit(subject: Subject) -> Iterator[Draft]:
    """Yield, once each, exhibits and schedules that are named and neither in the document nor on the shelf."""
    severity = Severity.WARNING if subject.keeps_exhibits() else Severity.NOTE
    named: dict[tuple[str, str], list[Resolution]] = defaultdict(list)
    for outcome in subject.outcomes:
        reference = outcome.reference
        if (
            reference.kind in APPENDED
            and outcome.status is Status.DANGLING
            and len(reference.labels) == 1
            and _missing(subject, outcome) is None
            and not counted_elsewhere(subject.document, reference, subject.own_names)
        ):
            named[reference.kind.value, reference.labels[0]].append(outcome)
    for (kind, label), outcomes in named.items():
        times = f", named {len(outcomes)} times," if len(outcomes) > 1 else ""
        yield _draft(
            outcomes[0],
            f"{kind.capitalize()} {label}{times} is not in this document, and no file on the shelf is it.",
            tuple(o.reference.at for o in outcomes[1:]),
            severity,
        )


def missing_document(subject: Subject) -> Iterator[Draft]:
    """Yield documents named the way in which this shelf names its own ("Document: Risk Memo"), and not on it."""
    for outcome in subject.outcomes:
        missing = outcome.status in (Status.EXTERNAL, Status.DANGLING)
        if outcome.reference.kind is ReferenceKind.DOCUMENT and missing:
            lead = lead_of(subject.document, outcome.reference)
            if lead is not None and subject.leads().get(lead, 0) >= _FEW:
                yield _draft(
                    outcome,
                    f"“{lead}:” names documents of this shelf, and none here is called {outcome.reference.labels[0]}.",
                )


def lead_of(document: Document, reference: Reference) -> str | None:
    """Return the word before a colon right before a reference, or None."""
    found = _LEAD.search(around(document, reference)[0])
    return found["lead"] if found else None


def ambiguous(subject: Subject) -> Iterator[Draft]:
    """Yield labelled pointers to which two or more places answer equally well."""
    for outcome in subject.outcomes:
        reference = outcome.reference
        # Footnotes are numbered by machines, and may count anew where no one can tell.
        labelled = reference.kind in SECTIONAL or (
            reference.kind.value in _ITEMS and reference.kind is not ReferenceKind.FOOTNOTE
        )
        places = all(t.kind != "document" for t in outcome.targets)
        if outcome.status is Status.AMBIGUOUS and labelled and places:
            spots = [(subject.view.document(t.lines.doc), t.lines.start) for t in outcome.targets]
            yield _draft(outcome, outcome.why, tuple(_point(d, n) for d, n in spots if d is not None))


def self_reference(subject: Subject) -> Iterator[Draft]:
    """Yield pointers to the very section that they stand in, but for "this Section 4"."""
    for outcome in subject.outcomes:
        reference = outcome.reference
        if (
            outcome.status is not Status.RESOLVED
            or len(outcome.targets) != 1
            or reference.kind not in SECTIONAL
        ):
            continue
        target = outcome.targets[0]
        here = subject.places.path(reference.at.line)[-1:]
        if (
            not here
            or target.lines != here[0].lines
            or target.focus
            or target.label != reference.labels[0]
            or reference.selector
        ):
            continue
        if (
            _is_heading(here[0], reference)
            or _THIS.search(around(subject.document, reference)[0])
            or _PART_BEHIND.match(around(subject.document, reference)[1])
            or reference.container
        ):
            continue
        yield _draft(outcome, f"It stands in {target.kind} {target.label} itself.")


def _is_heading(section: Section, reference: Reference) -> bool:
    return reference.at.line == section.lines.start


def external(subject: Subject) -> Iterator[Draft]:
    """Yield, once each, the works outside the shelf that the document points at."""
    named: dict[str, list[Resolution]] = defaultdict(list)
    for outcome in subject.outcomes:
        if outcome.status is Status.EXTERNAL:
            named[outcome.why].append(outcome)
    for why, outcomes in named.items():
        times = f" Named {len(outcomes)} times." if len(outcomes) > 1 else ""
        yield _draft(outcomes[0], why + times, tuple(o.reference.at for o in outcomes[1:]))


def _draft(
    outcome: Resolution, message: str, related: tuple[Point, ...] = (), severity: Severity | None = None
) -> Draft:
    reference = outcome.reference
    return Draft(
        at=reference.at,
        text=" ".join(reference.text.split()),
        message=message,
        related=related,
        severity=severity,
    )


def _point(document: Document, line: int) -> Point:
    return Point(doc=document.id, line=line, char_start=0, char_end=len(document.lines[line].text))
