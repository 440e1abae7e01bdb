"""Questions at work: each is asked in the lane of questions, and its trace is stored line by line while it runs.

A listener reads the lines of the trace by number, whether they are being written or lie on the disk from long ago: so who
comes back after a cut connection goes on behind the last line that it has. When the last listener has gone and none has
come back within the grace, the work is called off at its next event.

Behind the lines of the trace stands how it ended: the answer in the form of docs/json.md, or the problem.
"""

from __future__ import annotations

import json
import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, NamedTuple

from deref.errors import Cancelled, DerefError
from deref.serve.access import Caller
from deref.serve.answering import Answering, Asked
from deref.serve.offered import Offered
from deref.serve.problems import told_in_the_log
from deref.serve.records import Records, Row, State

_LOG = logging.getLogger(__name__)

_HEAD = re.compile(r'\{"seq": (\d+), "at": [^,]+, "kind": "(\w+)"')
"""How a line of an event begins, as `events.encode` makes it: lines are long, and need not be read whole."""

AsProblem = Callable[[BaseException], Row]
"""An error as the JSON-ready values of a problem."""


class Line(NamedTuple):
    """A line of a trace: its sequence number, the kind of its event, and the very JSON."""

    seq: int
    kind: str
    json: str


class Piece(NamedTuple):
    """A piece of an answer, as JSON {"pass": 0, "text": "…"}, and the number of the line that it came behind, 0 for none."""

    behind: int
    json: str


class Asking:
    """One question that is being answered. Safe to share by threads."""

    def __init__(self, name: str, out: IO[str], grace: float) -> None:
        """Take its name, the file of its trace, and the seconds after which work that nobody listens to is called off."""
        self.name = name
        self._out = out
        self._grace = grace
        self._lock = threading.Condition()
        self._lines: list[Line] = []
        self._pieces: list[Piece] = []
        self._listeners: dict[Callable[[], None], bool] = {}
        self._unheard_since: float | None = None
        self._cancelled = False
        self._ended = False
        self.unkept: Row | None = None
        """The problem, when how it ended could not be kept on record."""

    # What the sink of the trace writes to: one line at a time.

    def write(self, text: str) -> int:
        """Take a line of the trace, keep it in the file, and tell the listeners."""
        self._out.write(text)
        if (head := _HEAD.match(text)) is not None:  # The header of the file has none, and is no event.
            with self._lock:
                self._lines.append(Line(int(head[1]), head[2], text.rstrip("\n")))
            self._tell()
        return len(text)

    def flush(self) -> None:
        """Bring what was written to the file."""
        self._out.flush()

    def hear(self, n: int, text: str) -> None:
        """Take a piece of the answer of pass `n` while it is written; "" says that it begins anew."""
        with self._lock:
            behind = self._lines[-1].seq if self._lines else 0
            self._pieces.append(Piece(behind, json.dumps({"pass": n, "text": text})))
        self._tell()

    # What listeners read.

    def pieces(self, start: int) -> Sequence[Piece]:
        """Return the pieces of answers from one on. They are no part of the trace."""
        with self._lock:
            return self._pieces[start:]

    def after(self, seq: int) -> tuple[Sequence[Line], bool]:
        """Return the lines behind a number, and whether these are all that there will be."""
        with self._lock:
            return self._lines[max(seq, 0) :], self._ended

    @contextmanager
    def heard_by(self, listener: Callable[[], None], *, at_the_end: bool = False) -> Iterator[None]:
        """Have a listener told, from whichever thread, that there is more to read, or only that it has ended."""
        with self._lock:
            self._listeners[listener] = at_the_end
            self._unheard_since = None
        try:
            yield
        finally:
            with self._lock:
                self._listeners.pop(listener, None)
                if not self._listeners:
                    self._unheard_since = time.monotonic()

    def wait(self, timeout: float) -> bool:
        """Wait until it has ended; tell whether it has."""
        with self._lock:
            return self._lock.wait_for(lambda: self._ended, timeout)

    def cancel(self) -> None:
        """Call it off at its next event."""
        self._cancelled = True

    def called_off(self) -> bool:
        """Tell whether it is called off, or nobody has listened for longer than the grace."""
        since = self._unheard_since
        return self._cancelled or (since is not None and time.monotonic() - since > self._grace)

    def end(self) -> None:
        """Say that nothing more comes."""
        with self._lock:
            self._ended = True
            self._lock.notify_all()
        self._tell()

    def _tell(self) -> None:
        with self._lock:
            listeners = [one for one, at_the_end in self._listeners.items() if self._ended or not at_the_end]
        for listener in listeners:
            listener()


class Questions:
    """The questions of one library: those at work, and those on record."""

    def __init__(
        self,
        folder: Path,
        answering: Answering,
        records: Records,
        offered: Offered,
        problem: AsProblem,
        *,
        grace: float = 3.0,
        keep: int = 1000,
    ) -> None:
        """Take a folder for traces, who answers, what may be chosen, and how many questions outside of sessions are kept."""
        self._folder = folder
        self._answering, self._records, self._problem = answering, records, problem
        self._offered = offered
        self._grace, self._keep = grace, keep
        self._live: dict[str, Asking] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def ask(self, caller: Caller, asked: Asked, *, session: str | None = None) -> Asking:
        """Begin to answer a question. Raises NotOffered, and LibraryBusy when too many wait."""
        self._offered.settings(asked.choice)
        name = self._records.add_question(caller.name, session, asdict(asked))
        out = self.trace_file(name).open("w", encoding="utf-8")
        asking = self._live[name] = Asking(name, out, self._grace)
        try:
            future = self._answering.ask(asked, caller.scope, asking)
        except DerefError as error:
            self._finish(asking, out, error, None)
            raise
        future.add_done_callback(
            lambda done: self._finish(
                asking,
                out,
                Cancelled("the server is shutting down; ask again") if done.cancelled() else done.exception(),
                None if done.cancelled() or done.exception() else done.result(),
            )
        )
        self._prune()
        return asking

    def at_work(self, name: str) -> Asking | None:
        """Return the question when it is being answered now."""
        return self._live.get(name)

    def running(self) -> int:
        """Return how many questions are being answered or wait."""
        return len(self._live)

    def found(self, caller: Caller, name: str) -> Row | None:
        """Return a question of this caller's, or None."""
        row = self._records.question(name)
        return row if row is not None and caller.owns(row["owner"]) else None

    def stored(self, name: str, after: int) -> list[Line]:
        """Return the lines of a stored trace behind a number."""
        try:
            written = self.trace_file(name).read_text("utf-8").split("\n")
        except FileNotFoundError:
            return []
        heads = [(_HEAD.match(text), text) for text in written if text.endswith("}")]
        return [Line(int(h[1]), h[2], text) for h, text in heads if h is not None and int(h[1]) > after]

    def read_as(self, row: Row) -> str:
        """Return a question as it was understood: its trace begins with that."""
        for line in self.stored(row["id"], 0)[:1]:
            return str(json.loads(line.json)["query"]["text"])
        return str(row["asked"]["text"])

    def trace_file(self, name: str) -> Path:
        """Return where the trace of a question is kept; `name` is one of the records, never of a client."""
        return self._folder / f"{name}.jsonl"

    def drop(self, name: str) -> None:
        """Call a question off when it is at work, and forget it."""
        if (asking := self._live.get(name)) is not None:
            asking.cancel()
            asking.wait(30.0)
        self._records.drop_question(name)
        self.trace_file(name).unlink(missing_ok=True)

    def cancel_all(self) -> None:
        """Call off everything that is at work."""
        for asking in list(self._live.values()):
            asking.cancel()

    def _finish(self, asking: Asking, out: IO[str], error: BaseException | None, answer: Row | None) -> None:
        """Keep how a question ended, then say so: who is told finds it on record."""
        if isinstance(error, Cancelled):
            state = State.CANCELLED
        else:
            state = State.DONE if error is None else State.FAILED
        if error is not None and not isinstance(error, DerefError):
            _LOG.error("a question failed inside Deref", exc_info=error)
        elif error is not None and told_in_the_log(error):
            _LOG.error("%s", error)
        problem = None if error is None else self._problem(error)
        try:
            out.close()
            self._records.end_question(asking.name, state, answer=answer, problem=problem)
        except (DerefError, OSError) as unkept:
            _LOG.error("how a question ended cannot be kept: %s", unkept)
            asking.unkept = self._problem(unkept)
        del self._live[asking.name]
        asking.end()

    def _prune(self) -> None:
        for name in self._records.old_questions(self._keep):
            self.drop(name)


def ending(row: Row) -> tuple[str, Any]:
    """Return how a question on record ended, as kind and values: `answer`, or `problem`."""
    return ("answer", row["answer"]) if row["problem"] is None else ("problem", row["problem"])
