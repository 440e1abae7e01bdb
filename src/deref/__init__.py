"""Deref answers questions over a shelf of documents and follows the references it meets.

A few verbs, and the nouns they return:

    with deref.open_library("contracts/") as library:
        answer = library.ask("What is the monthly fee?")

    deref.ask("contracts/", "What is the monthly fee?")
    deref.search("contracts/", "monthly fee")
    deref.references("contracts/")
    deref.check("contracts/")
    deref.graph("contracts/")
    deref.replay("trace.jsonl")
    deref.sessions("contracts/")

Importing this module is cheap; the engine loads when a verb is first used.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from deref.errors import DerefError

__version__ = "0.1.0"

if TYPE_CHECKING:
    import networkx as nx

    from deref.conversations import Session
    from deref.engine import Engine
    from deref.replaying import Replayed
    from deref.settings import Settings
    from deref.values import (
        Answer,
        Candidate,
        Candidates,
        Citation,
        Completeness,
        Document,
        Finding,
        Item,
        Line,
        Reference,
        Resolution,
        Section,
        Severity,
        Span,
        Status,
        Target,
    )
    from deref.values.filters import Filter

__all__ = [
    "Answer",
    "Candidate",
    "Candidates",
    "Citation",
    "Completeness",
    "DerefError",
    "Document",
    "Finding",
    "Item",
    "Line",
    "Reference",
    "Resolution",
    "Section",
    "Severity",
    "Span",
    "Status",
    "Target",
    "ask",
    "check",
    "graph",
    "open_library",
    "references",
    "replay",
    "search",
    "sessions",
]


def __getattr__(name: str) -> Any:
    """Return a noun, loaded when it is first asked for: a command line that only prints its help needs none."""
    if name in __all__:
        from deref import values

        globals()[name] = getattr(values, name)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    those of the user when None. Files that could not be read are rows of `Engine.index`, not errors.
    Raises NoSuchSource for a path that is not there, and LibraryError.
    """
    from deref.engine import open_engine
    from deref.errors import NoSuchSource
    from deref.notebook import remember
    from deref.settings import library_folder

    root = Path(path)
    if not root.exists():
        raise NoSuchSource(f"{root}: no such file or folder; name one that is there")
    folder = library_folder(root, Path(library) if library else None)
    with open_engine(folder, settings=settings) as engine:
        engine.index(root, password=password)
        if (
            "deref.notebook" in sys.modules
        ):  # What is shown there is named from the libraries that were opened.
            from deref.notebook import remember

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
    k: int = 8,
    library: str | Path | None = None,
) -> Candidates:
    """Return the best `k` passages for a question, and behind them those that their references point at.

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
    Raises what `open_library` raises.
    """
    from deref.references.graph import document_map
    from deref.references.graph_reading import with_degrees

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


class _Module(ModuleType):
    """This module. Python binds each package to its name in here, and one is called like a verb: the verb stays."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name == references.__name__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Module

if "IPython" in sys.modules:
    from deref.notebook import register

    register()
