"""Sessions as people and programs take them away: text for the terminal, Markdown, JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from deref.conversations import Position, Session, Standing, Turn
from deref.text.citation_marks import own_numbers_told
from deref.text.hidden import on_one_line

Positions = Sequence[Sequence[Position]]
"""What became of the documents of the citations, for each turn."""

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")
_ENDS = re.compile(r"\r\n?|[\v\f\x1c-\x1e\x85\u2028\u2029]")
"""What some readers of Markdown take for the end of a line besides a line end."""
_LIST = re.compile(r"^(\s*)(\d+)([.)])(?=\s)|^(\s*)([-+=])", re.MULTILINE)


def moment(seconds: float) -> str:
    """Return a time as people read it, in UTC: "2026-03-01 14:05 UTC"."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"


def iso(seconds: float) -> str:
    """Return a time as programs read it, in UTC: "2026-03-01T14:05:09+00:00"."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def session_values(session: Session, positions: Positions) -> dict[str, Any]:
    """Return a session as a JSON-ready object: see docs/json.md."""
    return {
        "session": session.name,
        "turns": [_turn_values(turn, at) for turn, at in zip(session.turns, positions, strict=True)],
    }


def _turn_values(turn: Turn, positions: Sequence[Position]) -> dict[str, Any]:
    cited = [
        {**citation, "document": turn.documents.get(citation["source"]), "standing": p.standing.value, "now": p.name or None}
        for citation, p in zip(turn.answer["citations"], positions, strict=True)
    ]  # fmt: skip
    return {
        "question": turn.question,
        "read_as": turn.read_as,
        "where": turn.where or None,
        "asked_at": iso(turn.asked_at),
        "answer": {**turn.answer, "citations": cited},
    }


def as_text(session: Session, positions: Positions) -> str:
    """Return a session for the terminal."""
    return "\n".join(
        _text_of(n, *one) for n, one in enumerate(zip(session.turns, positions, strict=True), start=1)
    )


def _text_of(n: int, turn: Turn, positions: Sequence[Position]) -> str:
    lines = [f"{n}. {turn.question}", f"   {_about(turn)}", "", turn.answer["text"], ""]
    lines += [
        f"  [{number}] {_place(citation)}{_told(position)}"
        for number, (citation, position) in enumerate(
            zip(turn.answer["citations"], positions, strict=True), start=1
        )
    ]
    if own := _own(turn):
        lines.append(f"  {own}")
    lines += [f"  open: {row['text']}: {row['why']}" for row in turn.answer["pending"]]
    return "\n".join(lines).rstrip() + "\n"


def as_markdown(session: Session, positions: Positions) -> str:
    """Return a session as a Markdown document; what was asked and quoted cannot be taken for its marks."""
    parts = [f"# {_plain(session.name)}\n"]
    for n, (turn, at) in enumerate(zip(session.turns, positions, strict=True), start=1):
        parts.append("\n".join(_markdown_of(n, turn, at)))
    return "\n".join(parts)


def _markdown_of(n: int, turn: Turn, positions: Sequence[Position]) -> Iterator[str]:
    yield f"## {n}. {_in_line(turn.question)}\n"
    yield f"*{_in_line(_about(turn))}*\n"
    yield _plain(turn.answer["text"]).replace("\n", "  \n") + "\n"
    cited = list(zip(turn.answer["citations"], positions, strict=True))
    if cited:
        yield "### Sources\n"
    for number, (citation, position) in enumerate(cited, start=1):
        pointer = citation["reference"]
        followed = (
            f", followed from “{_in_line(pointer)}” on {_in_line(_origin(citation['referenced_from']))}"
            if pointer
            else ""
        )
        yield f"{number}. **{_in_line(_place(citation))}**{followed}{_noted(position)}\n"
        yield (
            "\n".join(f"   > {_plain(line)}  " for line in _ENDS.sub("\n", citation["quote"]).split("\n"))
            + "\n"
        )
    if own := _own(turn):
        yield f"{_in_line(own)}\n"
    for title, name in (("Still open", "pending"), ("Off the shelf", "external")):
        rows = turn.answer[name]
        if rows:
            yield f"### {title}\n"
            yield "\n".join(f"- “{_in_line(row['text'])}”: {_in_line(row['why'])}" for row in rows) + "\n"
    if turn.answer["conditions"]:
        yield "### Holds on condition\n"
        yield (
            "\n".join(f"- {_in_line(c['text'])} ({_in_line(_origin(c))})" for c in turn.answer["conditions"])
            + "\n"
        )


def _own(turn: Turn) -> str:
    return own_numbers_told(turn.answer["text"], [c["quote"] for c in turn.answer["citations"]])


def _about(turn: Turn) -> str:
    told = [moment(turn.asked_at), turn.answer["completeness"].replace("_", " ")]
    if turn.read_as != " ".join(turn.question.split()):
        told.append(f"read as “{turn.read_as}”")
    if turn.where:
        told.append(f"only where {turn.where}")
    return ", ".join(told)


def _place(citation: Mapping[str, Any]) -> str:
    until = ""
    if citation["end_page"] != citation["page"]:
        until = f" to p. {citation['end_page']}, l. {citation['end_row']}"
    elif citation["end_row"] != citation["row"]:
        until = f"–{citation['end_row']}"
    return f"{citation['source']}, p. {citation['page']}, l. {citation['row']}{until}"


def _origin(origin: Mapping[str, Any]) -> str:
    return f"{origin['source']}, p. {origin['page']}, l. {origin['row']}"


def _told(position: Position) -> str:
    match position.standing:
        case Standing.HERE:
            return ""
        case Standing.RENAMED:
            return f" (now {position.name})"
        case Standing.CHANGED:
            return " (the document has changed since)"
        case Standing.GONE:
            return " (the document is not here any more)"


def _noted(position: Position) -> str:
    return f" {told}" if (told := _in_line(_told(position))) else ""


def _in_line(text: str) -> str:
    """Return text that stays in its line, whatever a document is called: no line end, no sign that nobody sees."""
    return _plain(on_one_line(_ENDS.sub(" ", text)))


def _plain(text: str) -> str:
    """Return text whose signs Markdown does not take for marks."""
    text = _ENDS.sub("\n", text)
    escaped = _MARKS.sub(r"\\\1", text.replace("&", "&amp;"))
    return _LIST.sub(lambda m: f"{m[1]}{m[2]}\\{m[3]}" if m[2] else f"{m[4]}\\{m[5]}", escaped)
