"""How many passages of each document there are, and how many have their vector: read once for each state of the catalogue."""

from __future__ import annotations

from collections.abc import Callable

from deref.ports import Progress
from deref.store import statements
from deref.store.reading import Reader, Rows
from deref.store.view import View
from deref.values import Scope


class Counts:
    """Counts passages and vectors. What a whole scope has is remembered: every question asks for it."""

    def __init__(self, reader: Reader, model: str) -> None:
        """Take the reader, and the embedder whose vectors count."""
        self._reader = reader
        self._model = model
        self._state: tuple[str, str] | None = None
        self._rows: Rows = []
        self._scopes: dict[Scope, Progress] = {}

    def of(self, view: View, scope: Scope, touches: Callable[[str], bool] | None) -> Progress:
        """Return how far the documents of a scope are; of those alone that `touches` takes, None for all."""
        if self._state != (view.generation, view.vectors):
            rows = self._reader.rows(statements.PROGRESS, {"model": self._model})
            self._state, self._rows, self._scopes = (view.generation, view.vectors), rows, {}
        if touches is not None:
            return self._counted(touches)
        if scope not in self._scopes:
            self._scopes[scope] = self._counted(lambda doc: view.sees(doc, scope))
        return self._scopes[scope]

    def _counted(self, takes: Callable[[str], bool]) -> Progress:
        taken = [row for row in self._rows if takes(row[0])]
        return Progress(chunks=sum(row[1] for row in taken), embedded=sum(row[2] for row in taken))
