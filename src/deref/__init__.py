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

Importing this module loads nothing else: nouns, verbs and the engine are loaded when one is first asked for.
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False  # As `typing` has it, which takes longer to load than all else here.
if TYPE_CHECKING:
    from typing import Any

    from deref.errors import DerefError
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
    from deref.verbs import ask, check, graph, open_library, references, replay, search, sessions

__version__ = "0.1.0"

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
_HOMES = ("deref.values", "deref.errors", "deref.verbs")


def __getattr__(name: str) -> Any:
    """Return a noun, a verb or the module of the errors, loaded when it is first asked for."""
    from importlib import import_module

    if name == "errors":
        return import_module("deref.errors")
    if name in __all__:
        home = next(m for m in map(import_module, _HOMES) if hasattr(m, name))
        globals()[name] = getattr(home, name)
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names, also of what is not loaded yet."""
    return sorted({*globals(), *__all__})


class _Module(ModuleType):
    """This module. Python binds each package to its name in here, and one is called like a verb: the verb stays."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Module

if "IPython" in sys.modules:
    from deref.notebook import register

    register()
