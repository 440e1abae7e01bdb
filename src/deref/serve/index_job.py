"""The process of one index job: `python -m deref.serve.index_job LIBRARY SETTINGS JOB`, started by `jobs` and by nobody else.

Reads what changed, then computes vectors, and keeps in the records how far it is. It is gentle: at low priority, for those
who ask come first. It ends with the server: its standard input is a pipe that closes when the server is gone, however it
went. What it had read by then is kept, and the next attempt goes on from there.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import threading
from collections import Counter

from deref.engine import Engine
from deref.errors import DerefError
from deref.ingest.walk import walk
from deref.parse import SUFFIXES
from deref.serve.broken import end_broken
from deref.serve.libraries import Served, from_text
from deref.serve.records import Records
from deref.settings import Settings, settings_of
from deref.trace.events import Event, FileRead, plain

_NICE_READING, _NICE_VECTORS = 10, 9


def run(served: Served, settings: Settings, job: str) -> int:
    """Do a job; return the exit code. What goes wrong with the library is kept in the records."""
    os.nice(_NICE_READING)
    records = Records(served.kept / "records.db")
    try:
        with served.engine(settings) as engine:
            _read(served, settings, engine, records, job)
            records.set_job(job, phase="vectors")
            os.nice(_NICE_VECTORS)
            _embed(served, engine)
    except DerefError as error:
        records.set_job(job, error=str(error))
        return 1
    finally:
        records.close()
    return 0


def _read(served: Served, settings: Settings, engine: Engine, records: Records, job: str) -> None:
    found = walk(served.source, suffixes=SUFFIXES).found
    records.set_job(job, totals=dict(Counter(served.collection(find.path, settings) for find in found)))

    def note(event: Event) -> None:
        if isinstance(event, FileRead):
            collection = served.collection(event.path, settings)
            records.note_file(job, event.path, collection, event.outcome, plain(event))

    engine.index(served.source, emit=note)


def _embed(served: Served, engine: Engine) -> None:
    """Compute the missing vectors, unless that is switched off or another process is at it."""
    if not engine.settings.models.background or not engine.is_behind():
        return
    with (served.folder / "vectors.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        engine.embed()


def _end_with_server() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    sys.excepthook = end_broken
    threading.Thread(target=_end_with_server, daemon=True).start()
    code = run(from_text(sys.argv[1]), settings_of(json.loads(sys.argv[2])), sys.argv[3])
    # A library with threads of its own may take longer to take down than the job took.
    os._exit(code)
