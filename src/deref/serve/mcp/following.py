"""`follow`: a reference that is written in a document, and the text that it points at.

The words are looked for among the references of the document: as they are, else in more or fewer words. What is not
written there is not followed: a label alone is opened, and nothing is guessed.
"""

from __future__ import annotations

import re

from deref.engine import Engine
from deref.errors import NoSuchSource
from deref.serve import verbs
from deref.serve.mcp import asked, given
from deref.serve.mcp.reading import named, part, place, pointer
from deref.serve.mcp.room import Room
from deref.values import Document, Reference, Resolution, Scope, Target

_MOST_WAYS = 5
_MOST_TARGETS = 6


def follow(engine: Engine, scope: Scope, ask: asked.ToFollow) -> given.Trail:
    """Return where the references that are written so lead. Raises NoSuchSource when none is."""
    document = named(engine, ask.document, scope)
    meant = _meant(engine.references_of(document, scope), ask)
    if not meant:
        at = "" if ask.line is None else f" on line {ask.line}"
        raise NoSuchSource(
            f"{document.name}: no reference “{ask.words}” is written{at}; `references` lists those that are, and `open` takes "
            "the label of a section or item"
        )
    ways = _ways(engine, scope, meant)
    room = Room()
    if len(ways) > _MOST_WAYS:
        lines = ", ".join(str(way.reference.at.line) for way in ways[_MOST_WAYS:][:20])
        room.left_out.append(
            f"{len(ways) - _MOST_WAYS} of {len(ways)} references are left out; give one line of: {lines}"
        )
    led = [_followed(engine, scope, way, room) for way in ways[:_MOST_WAYS]]
    return given.Trail(references=led, left_out=room.left_out, problems=[])


def _meant(references: list[Reference], ask: asked.ToFollow) -> list[Reference]:
    here = [r for r in references if ask.line is None or r.at.line <= ask.line <= r.at.last_line]
    wanted = _folded(ask.words)
    exact = [r for r in here if _folded(r.text) == wanted]
    return exact or [r for r in here if _within(wanted, r.text) or _within(_folded(r.text), ask.words)]


def _within(words: str, text: str) -> bool:
    """Tell whether folded words stand in a text as such: "section 9" does not in "Section 9.2" or "Section 9(a)"."""
    return bool(words and re.search(rf"(?<![\w.]){re.escape(words)}(?![\w(]|[.–-]\w)", _folded(text)))


def _folded(words: str) -> str:
    return " ".join(words.replace("’", "'").casefold().split()).strip("“”\"'.,;")


def _ways(engine: Engine, scope: Scope, references: list[Reference]) -> list[Resolution]:
    """Return the resolutions of references, the first of those that come to the same end."""
    ways: dict[object, Resolution] = {}
    for reference in references:
        resolution = engine.resolve(reference, scope)
        ways.setdefault((resolution.status, resolution.targets, resolution.why), resolution)
    return list(ways.values())


def _followed(engine: Engine, scope: Scope, resolution: Resolution, room: Room) -> given.Followed:
    row = verbs.reference_row(engine, resolution, scope)
    ends = [(t, engine.find_document(t.lines.doc, scope)) for t in resolution.targets]
    there = [(target, document) for target, document in ends if document is not None]
    if len(there) > _MOST_TARGETS:
        room.left_out.append(
            f"“{resolution.reference.text}”: {len(there) - _MOST_TARGETS} of {len(there)} targets are left out; "
            "`references` lists their places"
        )
    targets = [
        _target(target, document, shown.get("standing"), room)
        for (target, document), shown in zip(there[:_MOST_TARGETS], row["targets"], strict=False)
    ]
    return given.Followed(pointer=pointer(row), targets=targets)


def _target(target: Target, document: Document, standing: str | None, room: Room) -> given.Target:
    where = place(document, target.lines)
    # What is meant comes first, so that it is not what there is no room for.
    picked = [part(document, span, room) for span in target.focus]
    text, _ = room.lines(document, target.lines, where)
    return given.Target(
        cite=where,
        source=document.name,
        lines=f"{target.lines.start}-{target.lines.end}",
        kind=target.kind,
        label=target.label,
        title=target.title,
        standing=standing,
        picked=picked,
        text=text,
    )
