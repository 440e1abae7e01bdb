"""The verbs of Deref: each opens the library of a path, asks it, and closes it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from deref.errors import NoSuchSource, UsageError

if TYPE_CHECKING:
    import networkx as nx

    from deref.conversations import Session
    from deref.engine import Engine
    from deref.replaying import Replayed
    from deref.settings import Settings
    from deref.values import Answer, Candidates, Finding, Resolution
    from deref.values.filters import Filter


@contextmanager
def open_library(
    path: str | Path,
    *,
    library: str | Path | None = None,
    settings: Settings | None = None,
    password: str | None = None,
) -> Iterator[Engine]:
    """Yield the engine over the library of a folder or file, indexed first when it is new or changed.

    `library` is the folder that holds what is stored (default: one of its own in the user's data folder); `settings`
    those of the user when None. Files that could not be read are rows of `Engine.index`, not errors, unless none could be.
    Raises NoSuchSource for a path that is not there or holds nothing that can be read, and LibraryError.
    """
    from deref.engine import open_engine
    from deref.notebook import remember
    from deref.settings import library_folder

    root = Path(path)
    if not root.exists():
        raise NoSuchSource(f"{root}: no such file or folder; name one that is there")
    folder = library_folder(root, Path(library) if library else None)
    with open_engine(folder, settings=settings) as engine:
        failed = [row.error for row in engine.index(root, password=password) if row.error is not None]
        if failed and not engine.shelf().cards():
            raise NoSuchSource(f"{root}: nothing there that could be read: {'; '.join(failed[:3])}")
        # What a notebook shows is named from the libraries that were opened.
        remember(folder, settings)
        yield engine


def ask(
    path: str | Path,
    question: str,
    *,
    where: Filter | str | None = None,
    library: str | Path | None = None,
    budget: int | None = None,
    trace: str | Path | None = None,
    session: str | None = None,
) -> Answer:
    """Answer a question over a folder or file; `budget` passes may follow references (the setting when None).

    `where` is a filter, as an object of `deref.values.filters` or as text: docs/filters.md. `trace` is a file to write the
    trace to, for `replay`. `session` names a session: its questions are the history of this one, which is kept in it.
    Raises UsageError for a question or a filter that is none, or a trace that cannot be written, and what
    `open_library` raises.
    """
    from deref.trace.sinks import trace_file

    with ExitStack() as stack:
        out = None if trace is None else stack.enter_context(trace_file(Path(trace)))
        engine = stack.enter_context(open_library(path, library=library))
        if session is None:
            return engine.ask(question, where=where, budget=budget, trace=out)
        from deref.conversations import Conversations

        return Conversations(engine).ask(session, question, where=where, budget=budget, trace=out)


def sessions(path: str | Path, *, library: str | Path | None = None) -> Sequence[Session]:
    """Return the sessions of a folder or file, the one that was asked last first: their turns, with every position cited.

    `deref.conversations.Conversations` asks in a session of an open library, reads, and deletes them.
    Raises LibraryDamaged for a session that cannot be read, and what `open_library` raises.
    """
    from deref.conversations import Conversations

    with open_library(path, library=library) as engine:
        conversations = Conversations(engine)
        return [conversations.read(name) for name in conversations.names()]


def replay(trace: str | Path) -> Replayed:
    """Ask the question of a trace file again, from the trace alone: no library, document or model is needed.

    `Replayed.same` says whether the same happened, the clock aside, `Replayed.difference` where it first differs.
    Raises NoSuchSource for a file that cannot be read, DamagedFile for one that is no whole trace of this version.
    """
    from deref.replaying import replay as again

    return again(trace)


def search(
    path: str | Path,
    question: str,
    *,
    where: Filter | str | None = None,
    k: int | None = None,
    library: str | Path | None = None,
) -> Candidates:
    """Return the best `k` passages for a question (the setting when None), and behind them those that their references point at.

    `where` is a filter, as an object of `deref.values.filters` or as text: docs/filters.md.
    Raises UsageError for a question or a filter that is none, and what `open_library` raises.
    """
    with open_library(path, library=library) as engine:
        return engine.search(question, where=where, k=k)


def references(path: str | Path, *, library: str | Path | None = None) -> Sequence[Resolution]:
    """Return what becomes of every reference of a folder or file, by document name and place.

    Raises what `open_library` raises.
    """
    with open_library(path, library=library) as engine:
        return list(engine.references())


def graph(
    path: str | Path, *, level: Literal["section", "document"] = "section", library: str | Path | None = None
) -> nx.DiGraph[str]:
    """Return the references of a folder or file as a networkx graph; docs/graph.md tells the attributes.

    At the level "section" it is a MultiDiGraph: documents, sections and items are nodes, each reference an edge. At
    "document" it is a DiGraph: documents are nodes, and the `weight` of an edge is the number of its references.
    Raises UsageError for another level, and what `open_library` raises.
    """
    from deref.references.graph import document_map
    from deref.references.graph_reading import with_degrees

    if level not in ("section", "document"):
        raise UsageError(f"level is {level!r}; give section or document")
    with open_library(path, library=library) as engine:
        places = engine.graph()
    if level == "section":
        return places
    documents = document_map(places)
    with_degrees(documents)
    return documents


def check(
    path: str | Path, *, library: str | Path | None = None, rules: Sequence[str] = ()
) -> Sequence[Finding]:
    """Return what the checker finds in a folder or file, by document name and place; `rules` names some, all when empty.

    Raises UsageError for a rule that is none, and what `open_library` raises.
    """
    with open_library(path, library=library) as engine:
        return list(engine.check(rules=rules))
