"""Conversations: questions of one session with their answers, kept beside the library so that what they cite can be lit again.

A session is a file of JSON lines in the folder `sessions` of the library: a header, then a turn a line, each written at once and at
the end, so that two processes lose nothing of each other. An answer is kept in the form of docs/json.md, and of each document that it cites
the id: the hash of its bytes. Whoever comes back is told of each citation whether its document is still there as it was, was renamed, has
changed, or is gone; the quote, its lines and its boxes stand in the turn itself.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import time
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, NamedTuple

from deref.answer.wire import answer_values
from deref.engine import Engine
from deref.errors import LibraryDamaged, NoSuchSource, UsageError
from deref.trace.events import Event, RunStarted
from deref.trace.sinks import Sink, nowhere, tee
from deref.values import Answer

SESSION_SCHEMA = 1
FOLDER = "sessions"
MOST_HISTORY = 20
"""Questions before the one that is asked that count as its history, the last ones."""
_NAME = re.compile(r"\w(?:[\w .-]{0,62}\w)?")
_MOST_BYTES = 240
"""A name of a file may have 255."""
_FIX = "take the line out, or drop the session with `deref sessions delete`"


class Turn(NamedTuple):
    """A question and its answer. `asked_at` is in seconds since the epoch; `read_as` is the question as it was understood.

    `answer` has the fields of docs/json.md (`ask`), `documents` the id of each document that it names, by name. `where` is the
    filter as text, "" without one.
    """

    question: str
    asked_at: float
    read_as: str
    where: str
    answer: Mapping[str, Any]
    documents: Mapping[str, str]


class Session(NamedTuple):
    """A session: its name, and its turns, oldest first."""

    name: str
    turns: tuple[Turn, ...]


class Standing(StrEnum):
    """What became of a cited document: there as it was (under another name), of other bytes now, or gone."""

    HERE = "here"
    RENAMED = "renamed"
    CHANGED = "changed"
    GONE = "gone"


class Position(NamedTuple):
    """What became of the document of a citation, and its name today; "" when it is gone."""

    standing: Standing
    name: str


class Conversations:
    """The sessions of one open library."""

    def __init__(self, engine: Engine) -> None:
        """Take the engine, which stays the caller's. Raises UsageError for a library without a folder."""
        place = Path(str(engine.store.describe()["place"]))
        if not place.is_dir():
            raise UsageError("this library has no folder and keeps no sessions; open one that has")
        self._engine = engine
        self._folder = place / FOLDER

    def names(self) -> list[str]:
        """Return the names of the sessions, the one that was asked last first."""
        found = []
        for file in self._folder.glob("*.jsonl"):
            with suppress(FileNotFoundError):  # Another process may just have dropped it.
                found.append((file.stat(), file.stem))
        # A file is empty when its process was killed before its first turn.
        return [name for stat, name in sorted(found, key=lambda f: (-f[0].st_mtime_ns, f[1])) if stat.st_size]

    def read(self, name: str) -> Session:
        """Return a session. Raises NoSuchSource, UsageError for a name that is none, LibraryDamaged."""
        file = self._existing(name)
        try:
            lines = file.read_text("utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise LibraryDamaged(f"{file}: the session cannot be read ({error}); make it readable") from error
        return Session(file.stem, tuple(_turns(lines, file)))

    def delete(self, name: str) -> None:
        """Drop a session. Raises NoSuchSource, UsageError for a name that is none."""
        self._existing(name).unlink()

    def ask(
        self, name: str, text: str, *, emit: Sink = nowhere, trace: IO[str] | None = None, **how: Any
    ) -> Answer:
        """Answer a question as the next one of a session, which begins with it when there is none of that name.

        The questions before it are its history; `how` are the other arguments of `Engine.ask`. Raises what `Engine.ask`
        raises, UsageError for a name that is none, LibraryDamaged when the turn cannot be kept.
        """
        file = self._file(name)
        self._check_writable(file)
        before = self.read(name).turns[-MOST_HISTORY:] if file.exists() else ()
        read_as: list[str] = []

        def listen(event: Event) -> None:
            if isinstance(event, RunStarted):
                read_as.append(event.query.text)

        asked_at = time.time()
        answer = self._engine.ask(
            text, history=tuple(t.question for t in before), emit=tee([emit, listen]), trace=trace, **how
        )
        where = how.get("where")
        self._append(
            file,
            Turn(
                question=text,
                asked_at=asked_at,
                read_as=read_as[0] if read_as else text,
                where=where if isinstance(where, str) else "" if where is None else where.said(),
                answer=answer_values(answer, self._engine.row),
                documents=self._documents(answer),
            ),
        )
        return answer

    def positions(self, turn: Turn) -> list[Position]:
        """Return what became of the document of each citation of a turn, in order."""
        names = {card.id: card.name for card in self._engine.shelf().cards()}
        return [
            position_of(c["source"], turn.documents.get(c["source"]), names) for c in turn.answer["citations"]
        ]

    def _documents(self, answer: Answer) -> dict[str, str]:
        ids = {card.name: card.id for card in self._engine.shelf().cards()}
        pointing = {c.referenced_from.source for c in answer.citations if c.referenced_from is not None}
        return {c.source: c.lines.doc for c in answer.citations} | {n: ids[n] for n in pointing if n in ids}

    def _existing(self, name: str) -> Path:
        file = self._file(name)
        if not file.exists():
            known = ", ".join(self.names()[:8]) or "none"
            raise NoSuchSource(f"there is no session {name!r} in this library; there are: {known}")
        return file

    def _file(self, name: str) -> Path:
        named = unicodedata.normalize("NFC", name)
        if not _NAME.fullmatch(named) or len(named.encode()) > _MOST_BYTES:
            told = name if len(name) <= 80 else f"{name[:80]}…"
            raise UsageError(
                f"{told!r} is no name of a session: it takes up to 64 letters, digits, spaces, dots and hyphens, "
                f"a letter or digit first and last, and {_MOST_BYTES} bytes as it is stored"
            )
        return self._folder / f"{named}.jsonl"

    def _check_writable(self, file: Path) -> None:
        """Tell before the question is asked that it could not be kept."""
        try:
            self._folder.mkdir(exist_ok=True)
        except OSError as error:
            raise _not_kept(file, error.strerror) from error
        if not os.access(file if file.exists() else self._folder, os.W_OK):
            raise _not_kept(file, "it may not be written")

    def _append(self, file: Path, turn: Turn) -> None:
        try:
            out = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                fcntl.flock(out, fcntl.LOCK_EX)
                end = os.fstat(out).st_size
                head = "" if end else _line({"kind": "session", "schema": SESSION_SCHEMA})
                _write_whole(out, (head + _line({"kind": "turn", **turn._asdict()})).encode("ascii"), end)
            finally:
                os.close(out)
        except OSError as error:
            raise _not_kept(file, error.strerror) from error


def _not_kept(file: Path, why: str | None) -> LibraryDamaged:
    return LibraryDamaged(f"{file}: the turn cannot be kept ({why}); make room, or make the folder writable")


def _write_whole(out: int, data: bytes, end: int) -> None:
    """Append the bytes, all of them or none: half a turn on a full disk would make the session unreadable."""
    try:
        while data:
            data = data[os.write(out, data) :]
    except OSError:
        os.ftruncate(out, end)
        raise


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value) + "\n"


def _turns(lines: Sequence[str], file: Path) -> Iterator[Turn]:
    kinds: set[str] = set()
    for number, line in enumerate(lines, start=1):
        try:
            values = json.loads(line)
            kind = values.pop("kind")
            kinds.add(kind)
            if kind == "session":
                if values["schema"] != SESSION_SCHEMA:
                    raise LibraryDamaged(
                        f"{file}: a session of schema {values['schema']}, and this version reads {SESSION_SCHEMA}; read it with "
                        "the version that wrote it"
                    )
            elif kind == "turn":
                yield _checked(Turn(**values))
            else:
                raise ValueError(f"there is no {kind} in a session")
        except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            raise LibraryDamaged(f"{file}, line {number}: this is no turn of a session; {_FIX}") from error
    if kinds == {"session"}:
        raise LibraryDamaged(f"{file}: a session without a turn; drop it with `deref sessions delete`")


def _checked(turn: Turn) -> Turn:
    """Return a turn as it was written. Raises ValueError, KeyError, TypeError, OverflowError for one whose values are others."""
    datetime.fromtimestamp(turn.asked_at, UTC)
    answer = turn.answer
    texts = [turn.question, turn.read_as, turn.where, answer["text"], answer["completeness"]]
    texts += [*turn.documents, *turn.documents.values()]
    origins = list(answer["conditions"])
    for citation in answer["citations"]:
        texts += [citation["source"], citation["quote"], citation["reference"] or ""]
        origins += [o for o in (citation, citation["referenced_from"]) if o is not None]
        numbers = [citation["end_page"], citation["end_row"]]
        if not all(isinstance(n, int) for n in numbers):
            raise ValueError("a place has another form")
    for row in (*answer["pending"], *answer["external"]):
        texts += [row["text"], row["why"]]
    for origin in origins:
        texts += [origin["source"], origin.get("text", "")]
        if not (isinstance(origin["page"], int) and isinstance(origin["row"], int)):
            raise ValueError("a place has another form")
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a text has another form")
    return turn


def position_of(source: str, doc: str | None, names: Mapping[str, str]) -> Position:
    """Return what became of a document that was cited under a name, by its id; `names` are those of today by id."""
    if doc is not None and doc in names:
        return Position(Standing.HERE if names[doc] == source else Standing.RENAMED, names[doc])
    if source in names.values():
        return Position(Standing.CHANGED, source)
    return Position(Standing.GONE, "")
