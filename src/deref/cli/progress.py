"""Progress on stderr, for anything longer than two seconds: a bar on a terminal, a line every five seconds elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

from deref.trace.events import Enriched, Event, FileRead, VectorsComputed

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

QUIET_SECONDS = 2.0
_EVERY_SECONDS = 5.0


class ProgressSink:
    """A sink that shows how far files and vectors are. Silent when all is done within two seconds."""

    def __init__(self) -> None:
        """Note the time."""
        self._begun = time.monotonic()
        self._last = self._begun
        self._bar: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        """Return the sink."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, event: Event) -> None:
        """Show one event."""
        match event:
            case FileRead(done=done, total=total, path=path):
                self.show("Reading", done, total, path)
            case VectorsComputed(done=done, total=total):
                self.show("Vectors", done, total, "")
            case Enriched(document=document, done=done, total=total):
                self.show("Preambles", done, total, document)
            case _:
                pass

    def show(self, what: str, done: int, total: int, detail: str) -> None:
        """Show how many of how many are done, and of what."""
        now = time.monotonic()
        if now - self._begun < QUIET_SECONDS:
            return
        if sys.stderr.isatty():
            self._draw(what, done, total, detail)
        elif now - self._last >= _EVERY_SECONDS:
            self._last = now
            sys.stderr.write(
                f"{what}: {done} of {total} {detail!r}\n" if detail else f"{what}: {done} of {total}\n"
            )

    def _draw(self, what: str, done: int, total: int, detail: str) -> None:
        from rich.console import Console
        from rich.markup import escape
        from rich.progress import Progress

        if self._bar is None:
            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.start()
        if what not in self._tasks:
            self._tasks[what] = self._bar.add_task(what, total=total)
        self._bar.update(
            self._tasks[what],
            completed=done,
            total=total,
            description=f"{what} {escape(detail[-40:])}",
        )
