"""The process of a lane (`lanes`), which reads what comes through a pipe until it is closed.

It holds back Ctrl-C, as it was started: that is for the one who started it, who ends this process.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
from multiprocessing.connection import Connection

from deref.ingest.read import read


def work(pipe: Connection) -> None:
    """Say that the process is there, then read one file after the other."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    threading.Thread(target=_end_with, args=(pipe.fileno(),), daemon=True).start()
    with contextlib.suppress(EOFError, ConnectionError, MemoryError):
        pipe.send(None)
        while True:
            job, password, steps = pipe.recv()
            pipe.send(read(job.data, doc=job.doc, name=job.path, password=password, steps=steps))


def _end_with(pipe: int) -> None:
    """Wait until the other end is closed, whatever this process is at: nobody is there for the result."""
    closed = select.poll()
    closed.register(pipe, select.POLLRDHUP)
    closed.poll()
    os._exit(1)
