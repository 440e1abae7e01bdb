"""Files in: walk a folder, read what changed, write it to the store, compute vectors in the background.

`ingest` is loaded when it is first asked for: most questions find nothing changed, and `settled_report` says so without
the machinery of reading.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from deref.ingest.settled import Report, settled_report
from deref.ingest.vectors import embed_missing

if TYPE_CHECKING:
    from deref.ingest.run import ingest

__all__ = ["Report", "embed_missing", "ingest", "settled_report"]


def __getattr__(name: str) -> Any:
    if name == "ingest":
        return import_module("deref.ingest.run").ingest
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
