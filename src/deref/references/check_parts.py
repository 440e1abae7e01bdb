"""Sub-paragraphs that should be in a section that is here, and are not.

"Section 4(d)", "paragraph (d) of the clause at 4", "Section 4, Paragraph 9": the section was found, and its list of marks
was read whole (`check_marks`) without this one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from deref.references.check_elsewhere import counted_elsewhere
from deref.references.check_marks import lacks
from deref.references.check_subject import Subject
from deref.references.outcome import Where
from deref.text.labels import split_sub
from deref.text.lazy import lazy
from deref.values import Document, Reference, ReferenceKind, Resolution, Target

_COUNTED = lazy(r",\s*paragraph \d", re.IGNORECASE)


def lacks_mark(subject: Subject, where: Where, reference: Reference, label: str) -> bool:
    """Return whether the sub-paragraph of this label is missing for sure where it is counted."""
    parts = _marks_of(label)
    if parts == ("s",) and "(s)" in reference.text:
        return False  # "paragraph (s)" leaves open how many.
    if where.span is not None:
        return lacks(where.document, where.span, parts) is not None
    around_it = subject.places.path(reference.at.line) if where.document is subject.document else ()
    return any(lacks(where.document, s.lines, parts) is not None for s in around_it)


def _is_whole(outcome: Resolution, target: Target) -> bool:
    """Whether a paragraph of a section was sought, and the section itself given: "paragraph (b) of the clause at 7.2"."""
    reference = outcome.reference
    sought = reference.kind is ReferenceKind.PARAGRAPH and reference.container is not None
    return (
        sought
        and len(outcome.targets) == 1
        and "." in (target.label or "")
        and "(" not in (target.label or "")
    )


def _marks_of(label: str) -> tuple[str, ...]:
    """The marks of a sub-paragraph, the outermost first: "(d)(2)", "d(2)"."""
    return tuple(p for p in label.replace(")", "(").split("(") if p)


def no_part(subject: Subject, outcome: Resolution) -> str | None:
    """Return why a sub-paragraph of a section that was found is missing for sure, or None."""
    for target in outcome.targets:
        if target.focus or target.kind != "section":
            continue
        for label in outcome.reference.labels:
            base, parts = split_sub(label)
            if _is_whole(outcome, target):
                parts = _marks_of(label)
            elif base != target.label:
                continue
            if parts and (message := _lacking(subject, outcome.reference, target, parts)) is not None:
                return message
    return None


def _lacking(subject: Subject, reference: Reference, target: Target, parts: Sequence[str]) -> str | None:
    document = subject.view.document(target.lines.doc)
    if document is None:
        return None
    if (
        document is subject.document
        and reference.container is None
        and counted_elsewhere(document, reference, subject.own_names)
    ):
        return None
    last = lacks(document, target.lines, parts)
    # What counts as a paragraph is the author's own affair; there are never more of them than lines.
    counted = _COUNTED.search(reference.text) is not None and parts[0].isdigit()
    if last is None and counted and int(parts[0]) > len(target.lines):
        return f"{target.label} has no paragraph {parts[0]}; it is only {len(target.lines)} lines long."
    if last is None or (counted and _in_an_index(subject.document, reference.at.line)):
        return None  # an index counts the blocks of a section, whatever numbered list stands among them
    return f"{target.label} has no part {''.join(f'({p})' for p in parts)}; the last there is {last}."


def _in_an_index(document: Document, line: int) -> bool:
    return any(s.title.casefold() == "index" and line in s.lines for s in document.sections)
