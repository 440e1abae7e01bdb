"""A document named beside a label without being its container by grammar: "Section 3.1 of the due diligence report".

Right after the label, joined by "of", "to" or "in": a name of the shelf in whatever case. Or, only for labels that the home
document does not have: the first words of one document's name (a table cell may break off there), and the container of the
reference before it in the same list ("Section 4 of the Master Lease, Sections 5 and 6") or after it ("Article IV, Section 4.1 of the Lease").
What stands behind the last of some like pointers may be meant for all: "Article 25(6) or Article 26(4) of the Directive".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from deref.references.counted import documents_called, where_counted
from deref.references.labelled import word_of
from deref.references.outcome import Missing, Where
from deref.references.told import words_behind
from deref.references.view import View, called
from deref.text.lazy import lazy
from deref.text.names import normalize_name
from deref.values import Document, Reference, Resolution, Status, Tier

_JOINED = lazy(r"\s*(?:of|to|in|under)\s+(?:the\s+)?(?P<words>[\w’'-]+(?:[ -][\w’'&-]+){1,9})")
_GLOSS = lazy(r"^\s*(?:\((?:[^()]|\([^()]{1,40}\)){1,90}\)|(?:, ?)?on pages? [\d–-]{1,9})(?=\s+of\s)")
"""What may stand between a label and the name: "Section 4 (other than paragraph (b)) of the Lease"."""
_ANNOUNCED = lazy(
    r"\s*(?:[-–—:] ?[A-Z][\w &’'-]{1,60}? )?(?:of|to|in|under) (?:the )?Document: (?P<name>[A-Z][\w&’'-]*(?: (?:(?:of|and|for|on|the) )*[A-Z][\w&’'-]*)*)"
)
_CAPITALS = lazy(r"[A-Z][\w’'-]+(?: [A-Z][\w’'&-]+)+")
_LISTED = lazy(
    r"\s*(?:,|;|and|or|,\s*and|,\s*or|as well as|and also)\s+(?:in |by |under |to |with )?(?:the )?\s*$"
)
_LIKE = lazy(r"\s*(?:,?\s*(?:and/or|and|or)\s|,(?=\s))\s*")
_AT_HOME = lazy(r"(?i)(?:this|these|such|each|both|the same|here\w+)\b")
_LONGEST = 100
_READ_ON = 4 * _LONGEST
_LONGEST_LIST = 50
_OVERLAPPING = 8
"""References that may begin before another one and reach into it."""


def shared_behind(view: View, home: Document, reference: Reference) -> Reference | None:
    """Return the last of a list of like pointers that this one opens, whose container may be meant for all; None without one.

    Like is what has the same label word. "This Section" and "hereof" say nothing more than where the pointers stand.
    """
    if not _LIKE.match(words_behind(home, reference, _LONGEST)):
        return None
    word, before = word_of(reference), reference
    here = reference.at
    end = min(here.last_line + 4, len(home.lines))
    for other in islice(view.found_from(home, here.last_line, here.char_end, end), _LONGEST_LIST):
        if (other.at.line, other.at.char_start) < (before.at.last_line, before.at.char_end):
            continue
        between = _LIKE.fullmatch(_between(home, before, other))
        if between is None or other.kind is not reference.kind or word_of(other) != word:
            return None
        if other.container is not None:
            return (
                None if other.text.startswith(other.container) or _AT_HOME.match(other.container) else other
            )
        before = other
    return None


def _between(home: Document, a: Reference, b: Reference) -> str:
    """The words between two references, the first of which ends before the second begins."""
    first, last = a.at.last_line, b.at.line
    if first == last:
        return home.lines[first].text[a.at.char_end : b.at.char_start]
    lines = [home.lines[n].text for n in range(first, last + 1)]
    return " ".join((lines[0][a.at.char_end :], *lines[1:-1], lines[-1][: b.at.char_start]))


def named_after(view: View, home: Document, reference: Reference) -> Where | Missing | None:
    """Return the document whose whole name follows the reference, in any case; None when there is none or it is home.

    One that is announced, "Exhibit B of the Document: Lease", is external when the shelf does not know it.
    """
    after = words_behind(home, reference, _LONGEST)
    if (announced := _ANNOUNCED.match(after)) is not None:
        return _announced(view, home, announced.group("name"))
    joined = _JOINED.match(_GLOSS.sub("", after))
    if joined is None:
        return None
    words = normalize_name(joined.group("words")).split()
    ids = view.names.opening(tuple(words))
    return _there(view, home, ids[0]) if len(ids) == 1 else None


def _announced(view: View, home: Document, name: str) -> Where | Missing | None:
    found = documents_called(view, home, name)
    if found is None:
        return Missing(status=Status.EXTERNAL, tier=Tier.CONTAINER, why=f"{name} is not on the shelf")
    return _there(view, home, found[0][0].id) if len(found[0]) == 1 else None


def named_beside(
    view: View, home: Document, reference: Reference, resolve: Callable[[Reference], Resolution]
) -> Iterator[Where]:
    """Yield the documents in which a label that home does not have may be counted, the surest first."""
    joined = _JOINED.match(words_behind(home, reference, _LONGEST))
    cut = _CAPITALS.match(joined.group("words")) if joined else None
    if cut is not None:
        ids = view.names.beginning(tuple(normalize_name(cut.group()).split()))
        if len(ids) == 1 and (where := _there(view, home, ids[0])) is not None:
            yield where
    for other in (_listed_after(view, home, reference), _listed_before(view, home, reference)):
        outcome = (
            where_counted(view, home, other, resolve)
            if other is not None
            else Missing(status=Status.UNRESOLVED, why="")
        )
        if not isinstance(outcome, Missing) and outcome.outside:
            yield outcome


def held_over(
    view: View,
    home: Document,
    reference: Reference,
    resolve: Callable[[Reference], Resolution],
    *,
    same: bool,
) -> Where | Missing | None:
    """Return where the container leads that stands before the whole list: "SP 9, Section 3, Section 4", or None.

    `same` wants every reference of the list to be of one kind: then the container holds whatever the home document has.
    """
    before: Reference | None = reference
    for _ in range(_LONGEST_LIST):
        if before is None or before.container is not None:
            break
        start = before.at.char_start
        if start and not _LISTED.search(home.lines[before.at.line].text, max(0, start - _LONGEST), start):
            return None
        kind, before = before.kind, _before(view, home, before)
        if before is None or not before.labels or (same and before.kind is not kind):
            return None
    if before is None or before.container is None or not before.text.startswith(before.container):
        return None
    return where_counted(view, home, before, resolve)


def _listed_before(view: View, home: Document, reference: Reference) -> Reference | None:
    """The reference with a container that stands right before this one in a list."""
    other = _before(view, home, reference)
    return other if other is not None and other.container is not None else None


def _before(view: View, home: Document, reference: Reference) -> Reference | None:
    """The reference that stands right before this one in a list."""
    at = reference.at
    place = (home.id, at.line, at.char_start)
    if place not in view.before_in_list:
        view.before_in_list[place] = _directly_before(view, home, reference)
    return view.before_in_list[place]


def _directly_before(view: View, home: Document, reference: Reference) -> Reference | None:
    at = reference.at
    first = max(0, at.line - 2)
    for other in islice(view.found_before(home, at.line, at.char_start, first), _OVERLAPPING):
        if (other.at.last_line, other.at.char_end) > (at.line, at.char_start):
            continue
        between = _between(home, other, reference)
        return other if _LISTED.fullmatch(between) else None
    return None


def _listed_after(view: View, home: Document, reference: Reference) -> Reference | None:
    """The reference with a container that follows this one at once: "Article IV, Section 4.1 of the Lease"."""
    at = reference.at
    for other in view.found_from(home, at.last_line, at.char_end, min(at.last_line + 2, len(home.lines))):
        between = home.lines[at.last_line].text[at.char_end : at.char_end + _READ_ON]
        if other.at.line == at.last_line:
            between = home.lines[at.last_line].text[at.char_end : other.at.char_start]
        elif (
            other.at.line > at.last_line + 1 or home.lines[other.at.line].text[: other.at.char_start].strip()
        ):
            return None
        return other if other.container is not None and _LISTED.fullmatch(between + " ") else None
    return None


def _there(view: View, home: Document, doc: str) -> Where | None:
    document = view.document(doc)
    if document is None or document.id == home.id:
        return None
    return Where(
        document=document, tier=Tier.CONTAINER, said=f"{called(document)} (named beside it)", outside=True
    )
