"""The process of `processes`: `python -m deref.serve.question_process LIBRARY SETTINGS`, started by that and by nobody else.

A thread reads the requests, so that it hears at once when one is called off, and when the server is gone: then it ends. An error inside Deref
ends it as well, with its trace in the log.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import queue
import sys
import threading
from typing import IO, Any

from deref.embedders import chosen_embedder
from deref.engine import Engine
from deref.errors import DerefError
from deref.serve.answering import Asked, Sought, answered, searched
from deref.serve.broken import end_broken
from deref.serve.libraries import Served, from_text
from deref.serve.offered import Offered
from deref.serve.processes import DONE, FAILED, PIECE, TRACE
from deref.settings import Settings, settings_of
from deref.trace.codec import decode
from deref.trace.secrets import Hiding, secrets_in


class Requests:
    """What comes in, and which request is called off."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.coming: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.called_off = 0

    def read(self, lines: IO[bytes]) -> None:
        """Take requests as they come; end the process when there are no more."""
        for line in lines:
            values = json.loads(line)
            if "call_off" in values:
                self.called_off = values["call_off"]
            else:
                self.coming.put(values)
        os._exit(0)


class Speaking:
    """The listener of one request: what it is told goes out as lines."""

    def __init__(self, out: IO[bytes], requests: Requests, number: int) -> None:
        """Take where lines go, and the number of the request."""
        self._out, self._requests, self._number = out, requests, number
        self._lock = threading.Lock()

    def say(self, letter: str, text: str) -> None:
        """Send a line."""
        with self._lock:
            self._out.write(f"{letter}{text}".encode("utf-8", "backslashreplace") + b"\n")
            self._out.flush()

    def write(self, text: str) -> int:
        """Take a line of the trace."""
        self.say(TRACE, text.rstrip("\n"))
        return len(text)

    def flush(self) -> None:
        """Have each line out already."""

    def hear(self, n: int, text: str) -> None:
        """Take a piece of the answer."""
        self.say(PIECE, json.dumps([n, text]))

    def called_off(self) -> bool:
        """Tell whether the request is called off."""
        return self._requests.called_off == self._number


def serve(served: Served, settings: Settings, lines: IO[bytes], out: IO[bytes]) -> None:
    """Answer requests until there are no more."""
    requests = Requests()
    threading.Thread(target=requests.read, args=(lines,), daemon=True).start()
    offered = Offered(served.settings(settings))
    hide = Hiding(secrets_in(os.environ))
    engine: Engine | None = None
    embedder = chosen_embedder(settings, warm=True)
    while True:
        request = requests.coming.get()
        speaking = Speaking(out, requests, request["number"])
        scope = decode(request["scope"])
        try:
            engine = engine or served.engine(settings, embedder)
            if "ask" in request:
                asked = Asked(**{**request["ask"], "history": tuple(request["ask"]["history"])})
                values = answered(
                    engine, asked, scope, offered=offered, called=served.id, to=speaking, hide=hide
                )
            else:
                values = searched(engine, Sought(**request["search"]), scope, offered=offered, to=speaking)
        except DerefError as error:
            speaking.say(FAILED, json.dumps([type(error).__name__, str(error)]))
        else:
            speaking.say(DONE, json.dumps(values))


if __name__ == "__main__":
    sys.excepthook = end_broken
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    # As the command line has it: else a twentieth of a question is looking through what it made for garbage.
    gc.set_threshold(200_000, 20, 20)
    # What a library prints must not come between the lines.
    to_server = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    serve(from_text(sys.argv[1]), settings_of(json.loads(sys.argv[2])), sys.stdin.buffer, to_server)
