"""All that a server holds, without a word of HTTP: libraries, engines, questions, jobs, pictures, tokens.

with Server(served(paths, library), settings=user_settings(), tokens=None) as server:
    server.library(LOCAL, "contracts").engines.do(Lane.LOOKS, …)
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Self

from deref.conversations import MOST_HISTORY, Session, Turn
from deref.embedders import chosen_embedder
from deref.engine import Engine
from deref.errors import LibraryError, UsageError
from deref.ingest.collections import UNNAMED
from deref.ingest.read import holds
from deref.ports import FileRecord
from deref.serve.access import LOCAL, Caller
from deref.serve.answering import Answering, InThreads
from deref.serve.engines import Engines
from deref.serve.jobs import Jobs
from deref.serve.libraries import Served
from deref.serve.offered import Offered
from deref.serve.pictures import Pictures
from deref.serve.problems import NotThere, problem_of
from deref.serve.processes import Processes
from deref.serve.questions import Questions
from deref.serve.records import Records, Row
from deref.serve.tokens import TokenFile
from deref.serve.uploads import Incoming, file_label, is_label, label
from deref.serve.verbs import seen
from deref.settings import Settings
from deref.trace.secrets import Hiding, secrets_in
from deref.values import Scope

_KEPT_VALUES = 16


class Library:
    """One library at work."""

    def __init__(
        self,
        served: Served,
        settings: Settings,
        *,
        grace: float,
        open_engine: Callable[[], Engine],
        processes: int = 0,
    ) -> None:
        """Take the parts; `processes` answer questions, 0 has threads of this one do it. Nothing is read before `start`. Raises LibraryDamaged, UsageError for a recipe that is none."""
        self.served, self._settings = served, settings
        served.kept.mkdir(parents=True, exist_ok=True)
        self.records = Records(served.kept / "records.db")
        self.engines = Engines(open_engine)
        self.jobs = Jobs(served, settings, self.records)
        self.offered = Offered(served.settings(settings))
        self.answering: Answering
        if processes:
            self.answering = Processes(served, settings, processes)
        else:
            self.answering = InThreads(self.engines, self.offered, served.id, Hiding(secrets_in(os.environ)))
        self.questions = Questions(
            served.kept / "traces", self.answering, self.records, self.offered, lambda e: problem_of(e).values(), grace=grace
        )  # fmt: skip
        self._lock = threading.Lock()
        self._worked_out: dict[tuple[Any, ...], tuple[str, Any]] = {}

    def start(self) -> None:
        """Go on with what a former server left, and bring a library of a folder up to date."""
        self.records.break_off_questions(
            problem_of(UsageError("the server was ended meanwhile; ask again")).values()
        )
        if not self.served.uploads:
            self.records.add_job(LOCAL.name, None)
        self.jobs.start()

    def close(self) -> None:
        """Call off the questions, end the job, and let go of the library."""
        self.questions.cancel_all()
        self.jobs.stop()
        self.answering.close()
        self.engines.close()
        self.records.close()

    def collections(self, caller: Caller) -> list[str]:
        """Return the collections of uploads that are there for the caller, also empty ones, and those of its token that are yet to be made."""
        if not self.served.uploads:
            return []
        folders = [f.name for f in self.served.source.iterdir() if f.is_dir() and not f.name.startswith(".")]
        # A name that is no label is that of no folder to come.
        to_be_made = [name for name in caller.scope.collections or () if is_label(name)]
        return [name for name in {UNNAMED, *folders, *to_be_made} if caller.sees_collection(name)]

    def incoming(self, caller: Caller, collection: str, name: str) -> Incoming:
        """Return the door for a file to come in. `collection` and `name` are what the client says, and become labels.

        Raises NotThere for a collection that is not the caller's, UsageError, UnsupportedFile, and UsageError for a library of a folder.
        """
        plain = label(collection)
        if not caller.sees_collection(plain):
            raise NotThere
        if not self.served.uploads:
            raise UsageError(
                "this is the library of a folder: put files there; only a library of uploads takes them"
            )
        return Incoming(
            self.served.source, plain, file_label(name), limit=self._settings.read.max_file_mb * 2**20
        )

    def remove_files(self, engine: Engine, doc: str, scope: Scope) -> None:
        """Remove the uploaded files of a document, but for those that were replaced since and are yet to be read.

        Raises NotThere, LibraryError, and UsageError for a library of a folder.
        """
        document = seen(engine, doc, scope)
        if not self.served.uploads:
            raise UsageError(
                "this is the library of a folder: remove files there; only what was uploaded is removed here"
            )
        for record in engine.store.files(scope):
            if record.doc == document.id:
                _remove(self.served.source / record.path, document.id, record)

    def remembered(self, engine: Engine, key: tuple[Any, ...], work: Callable[[], Any]) -> Any:
        """Return what `work` gives, kept until the library changes. `key` holds the scope and all that it depends on."""
        generation = engine.store.generation()
        with self._lock:
            known = self._worked_out.get(key)
        if known is not None and known[0] == generation:
            return known[1]
        made = work()
        with self._lock:
            self._worked_out.pop(key, None)
            self._worked_out[key] = (generation, made)
            while len(self._worked_out) > _KEPT_VALUES:
                self._worked_out.pop(next(iter(self._worked_out)))
        return made

    def session(self, caller: Caller, name: str) -> Row:
        """Return a session of the caller's. Raises NotThere."""
        row = self.records.session(name)
        if row is None or not caller.owns(row["owner"]):
            raise NotThere
        return row

    def history(self, caller: Caller, session: str | None) -> tuple[str, ...]:
        """Return the last questions of a session, oldest first; none without a session. Raises NotThere."""
        if session is None:
            return ()
        asked = self.records.questions_in(self.session(caller, session)["id"])
        return tuple(row["asked"]["text"] for row in asked[-MOST_HISTORY:])

    def exported(self, caller: Caller, name: str) -> Session:
        """Return a session as it is taken along: its questions that were answered, oldest first. Raises NotThere."""
        row = self.session(caller, name)
        answered = [one for one in self.records.questions_in(row["id"]) if one["answer"] is not None]
        turns = tuple(
            Turn(
                question=one["asked"]["text"],
                asked_at=one["created"],
                read_as=self.questions.read_as(one),
                where=one["asked"]["where"] or "",
                answer=one["answer"],
                documents={c["source"]: c["document"] for c in one["answer"]["citations"]},
            )
            for one in answered
        )
        return Session(row["title"] or "Untitled", turns)

    def drop_session(self, caller: Caller, name: str) -> None:
        """Forget a session with its questions. Raises NotThere."""
        row = self.session(caller, name)
        for question in self.records.questions_in(row["id"]):
            self.questions.drop(question["id"])
        self.records.drop_session(row["id"])


def _remove(file: Path, doc: str, record: FileRecord) -> None:
    """Remove a file that still is what is on record for it."""
    try:
        now = file.stat()
        as_it_was = (now.st_size, now.st_mtime_ns) == (record.size, record.mtime_ns)
        if as_it_was or holds(file.read_bytes(), doc, record.path):
            file.unlink()
    except FileNotFoundError:
        return  # Somebody else has removed it.
    except OSError as error:
        raise LibraryError(
            f"{file}: cannot be removed ({error.strerror}); see that its folder may be written"
        ) from error


class Server:
    """The libraries that are served, and who may see them. Use as a context manager."""

    def __init__(
        self,
        served: Sequence[Served],
        *,
        settings: Settings,
        tokens: TokenFile | None,
        grace: float = 3.0,
        open_engine: Callable[[Served], Engine] | None = None,
    ) -> None:
        """Take the libraries, the settings of the user, the tokens (None: whoever calls is the local user), the seconds of grace.

        `open_engine` is for a caller that makes engines of its own.
        """
        self.settings, self.tokens = settings, tokens
        self.pictures = Pictures()
        self._served, self._grace = served, grace
        self._open_engine = open_engine
        self._libraries: dict[str, Library] = {}
        self._held = ExitStack()

    def __enter__(self) -> Self:
        """Open the libraries and start their jobs. Raises LibraryError."""
        with ExitStack() as opened:
            open_engine = self._open_engine or self._sharing_an_embedder()
            for served in self._served:
                opened.enter_context(served.held())
                open_engine(served).close()  # A library that cannot serve is told of now.
                # Engines of a caller's own are objects of this process.
                library = Library(
                    served, self.settings, grace=self._grace, open_engine=partial(open_engine, served),
                    processes=0 if self._open_engine else self.settings.serve.processes,
                )  # fmt: skip
                opened.callback(library.close)
                library.start()
                self._libraries[served.id] = library
            self._held = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """Close everything."""
        self._held.close()

    def caller(self, secret: str | None) -> Caller | None:
        """Return who calls with this token (None: with none), or None when nobody does. Raises LibraryError for a damaged token file."""
        if self.tokens is None:
            return LOCAL
        return None if secret is None else self.tokens.caller(secret)

    def every_library(self) -> Sequence[Library]:
        """Return the libraries, whoever may see them."""
        return tuple(self._libraries.values())

    def libraries(self, caller: Caller) -> Iterator[Library]:
        """Yield the libraries that are there for the caller."""
        for name, library in self._libraries.items():
            if caller.sees_library(name):
                yield library

    def library(self, caller: Caller, name: str) -> Library:
        """Return a library. Raises NotThere."""
        library = self._libraries.get(name)
        if library is None or not caller.sees_library(name):
            raise NotThere
        return library

    def _sharing_an_embedder(self) -> Callable[[Served], Engine]:
        embedder = chosen_embedder(self.settings)
        return lambda served: served.engine(self.settings, embedder)


def web_folder() -> Path:
    """Return the folder of the pages that are served at `/`, which need not be there."""
    return Path(__file__).parent / "web"
