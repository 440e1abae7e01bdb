"""Which documents still hold, worked out from marks and from what front pages state.

A mark says it for the bytes it was put on, and nothing else is asked then. A statement counts when each name in it that
matters is that of exactly one other document of the library, and is no name of the document that says it: a number
alone ("Obsoletes: 2616") is one of the series that the document is in itself ("RFC 7230"). Two documents that
supersede each other in a circle say nothing. What is not certain so leaves a document active.

`documents.status` and `standings` have the outcome, brought up to date in the transaction that changes documents or marks. Who does
not see each document that is named there is told the status alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, NamedTuple

from deref.store import statements
from deref.text.names import file_stem, normalize_name, without_extension
from deref.text.standing import Stated, stated
from deref.values import Card, Document
from deref.values.standing import DocumentStatus, Standing, StatusMark

Execute = Callable[[str, dict[str, Any]], Iterable[Sequence[Any]]]
"""Runs one statement with named parameters and returns its rows."""

_SAYS = " says on its front page"
_AND = ", "
_SERIES = re.compile(r"(?P<series>[^\W\d_][^\d]*?)[ ._-]*\d+")


class Known(NamedTuple):
    """A document: its id and name, all it is called, and what its front page states."""

    doc: str
    name: str
    names: tuple[str, ...]
    stated: tuple[Stated, ...]


class WorkedOut(NamedTuple):
    """A standing, and the ids of the other documents that it names."""

    standing: Standing
    named: tuple[str, ...] = ()


def front_page(document: Document) -> list[str]:
    """Return the lines of the first page."""
    first = document.lines[0].page if document.lines else 1
    return [line.text for line in document.lines if line.page == first]


def stated_rows(doc: str, front: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of what a front page states."""
    return [
        {"doc": doc, "n": n, "what": one.what, "names": json.dumps(one.names), "line": one.line, "words": one.words}
        for n, one in enumerate(stated(front))
    ]  # fmt: skip


def called(name: str, title: str, aliases: Iterable[str]) -> tuple[str, ...]:
    """Return what a document is called: path without ending, file, title, aliases."""
    return tuple(n for n in (without_extension(name), file_stem(name), title, *aliases) if n)


def standings(documents: Sequence[Known], marks: Iterable[StatusMark]) -> dict[str, WorkedOut]:
    """Return the documents that are not active, by id."""
    names = {one.doc: one.name for one in documents}
    by_name = {one.name: one.doc for one in documents}
    marked = {mark.doc: mark for mark in marks if mark.doc in names}
    found = {doc: one for doc, one in _by_statements(documents).items() if doc not in marked}
    for doc, mark in marked.items():
        if mark.status is not DocumentStatus.ACTIVE:
            heir = mark.successor if mark.successor in names else by_name.get(mark.successor_name)
            successor = names[heir] if heir is not None else mark.successor_name
            standing = Standing(status=mark.status, successor=successor, why="it was marked so")
            found[doc] = WorkedOut(standing, tuple(one for one in (heir or mark.successor,) if one))
    return found


def _by_statements(documents: Sequence[Known]) -> dict[str, WorkedOut]:
    saying = [one for one in documents if one.stated]
    if not saying:
        return {}
    holders: dict[str, set[str]] = {}
    for one in documents:
        for name in one.names:
            holders.setdefault(_key(name), set()).add(one.doc)
    names = {one.doc: one.name for one in documents}
    found: dict[str, WorkedOut] = {}
    heirs: dict[str, dict[str, str]] = {}
    for one in saying:
        for statement in one.stated:
            others = [_meant(name, one, holders) for name in statement.names]
            why = f"{one.name}{_SAYS}: “{statement.words}”"
            if statement.what == "supersedes":
                for other in others:
                    if other is not None:
                        heirs.setdefault(other, {}).setdefault(one.doc, why)
            elif not statement.names:
                found[one.doc] = WorkedOut(Standing(status=DocumentStatus(statement.what), why=why))
            elif None not in others:
                heirs.setdefault(one.doc, {}).update({other: why for other in others if other is not None})
    for doc, after in heirs.items():
        if not _in_a_circle(doc, heirs):
            successors = _AND.join(sorted(names[heir] for heir in after))
            status = found[doc].standing.status if doc in found else DocumentStatus.SUPERSEDED
            standing = Standing(status=status, successor=successors, why=next(iter(after.values())))
            found[doc] = WorkedOut(standing, tuple(sorted(after)))
    return found


def _meant(name: str, by: Known, holders: Mapping[str, set[str]]) -> str | None:
    """Return the one document that is called so, or None when that is not certain."""
    keys = {_key(name)}
    if name.isdigit():
        series = {match["series"] for own in by.names if (match := _SERIES.fullmatch(own))}
        keys = {_key(f"{one} {name}") for one in series}
    elif len(name.split()) < 2 and not any(sign.isdigit() for sign in name):
        return None
    found = {doc for key in keys for doc in holders.get(key, ())}
    return found.pop() if len(found) == 1 and by.doc not in found else None


def _key(name: str) -> str:
    return normalize_name(name).replace(" ", "")


def _in_a_circle(doc: str, heirs: Mapping[str, Mapping[str, str]]) -> bool:
    seen: set[str] = set()
    ahead = list(heirs.get(doc, ()))
    while ahead:
        heir = ahead.pop()
        if heir == doc:
            return True
        if heir not in seen:
            seen.add(heir)
            ahead += heirs.get(heir, ())
    return False


def marks_of(rows: Iterable[Sequence[Any]]) -> tuple[StatusMark, ...]:
    """Return the marks in rows (doc, name, status, successor, successor_name)."""
    return tuple(
        StatusMark(
            doc=doc, name=name, status=DocumentStatus(status), successor=heir, successor_name=heir_name
        )
        for doc, name, status, heir, heir_name in rows
    )


def marks_told(marks: Sequence[StatusMark], seen: Collection[str] | None) -> tuple[StatusMark, ...]:
    """Return the marks that name none but documents that are seen, by id; None sees everything."""
    return tuple(m for m in marks if seen is None or (m.doc in seen and m.successor in ("", *seen)))


def standing_of(row: Sequence[Any]) -> Standing:
    """Return the standing in a row that begins with (id, status, successor, why)."""
    return Standing(status=DocumentStatus(row[1]), successor=row[2], why=row[3])


def told_to(standing: Standing, names: Collection[str]) -> Standing:
    """Return a standing as it is told to who sees only the documents of these names: whole, or the status alone."""
    by, says, _ = standing.why.partition(_SAYS)
    named = [standing.successor] if standing.successor in names else standing.successor.split(_AND)
    if all(name in names for name in named if name) and (not says or by in names):
        return standing
    return replace(standing, successor="", why="")


def tell_names(found: Mapping[str, Standing], cards: Sequence[Card]) -> dict[str, Standing]:
    """Return standings by document id as they are told to who sees only the documents of these cards."""
    names = {card.name for card in cards}
    return {doc: told_to(one, names) for doc, one in found.items()}


def cards_told(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return cards as they are told to who sees only these documents."""
    names = {card.name for card in cards}

    def told(card: Card) -> Card:
        if card.status == DocumentStatus.ACTIVE:
            return card
        known = Standing(status=DocumentStatus(card.status), successor=card.successor, why=card.status_why)
        seen = told_to(known, names)
        return replace(card, successor=seen.successor, status_why=seen.why)

    return tuple(map(told, cards))


def restate(execute: Execute) -> None:
    """Bring `documents.status` and `standings` up to date with what the catalogue now holds."""
    said = {
        doc: tuple(
            Stated(what, tuple(json.loads(names)), line, words) for _, what, names, line, words in rows
        )
        for doc, rows in groupby(execute(statements.STATED, {}), key=lambda row: row[0])
    }
    marks = marks_of(execute(statements.MARKS, {}))
    before = {doc: tuple(rest) for doc, *rest in execute(statements.NOT_ACTIVE, {})}
    now: dict[str, tuple[str, str, str, str]] = {}
    if said or marks:
        aliases: dict[str, list[str]] = {}
        for doc, alias in execute(statements.ALIASES, {}):
            aliases.setdefault(doc, []).append(alias)
        documents = [
            Known(doc, name, called(name, title, aliases.get(doc, ())), said.get(doc, ()))
            for doc, name, title in execute(statements.NAMES, {})
        ]
        found = standings(documents, marks)
        now = {
            doc: (one.status.value, one.successor, one.why, json.dumps(named))
            for doc, (one, named) in found.items()
        }
    for doc in sorted(before.keys() | now.keys()):
        if before.get(doc) != now.get(doc):
            status, successor, why, named = now.get(doc, ("active", "", "", ""))
            execute(statements.RESTATE, {"doc": doc, "status": status})
            execute(statements.FORGET_STANDING, {"doc": doc})
            if doc in now:
                execute(
                    statements.KEEP_STANDING, {"doc": doc, "successor": successor, "why": why, "named": named}
                )
