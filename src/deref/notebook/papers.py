"""The documents of the libraries that were opened in this process, to be named in what is shown.

A library may be closed, gone or changed by the time: each is opened again for as long as something is shown, the one that was
opened last first. What is not found keeps its id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deref.engine import Engine
    from deref.settings import Settings
    from deref.values import Document

Read = Callable[[str], "Document | None"]
"""A document by its id, None when no library that was opened has it."""


class Papers:
    """The libraries that were opened."""

    def __init__(self) -> None:
        """Begin with none."""
        self._folders: dict[Path, Settings | None] = {}

    def add(self, folder: Path, settings: Settings | None) -> None:
        """Remember a library; `settings` are those that it was opened with."""
        folder = folder.absolute()
        self._folders.pop(folder, None)
        self._folders[folder] = settings

    @contextmanager
    def reading(self) -> Iterator[Read]:
        """Yield what reads documents, opening libraries as they are needed, and close them. Raises LibraryError."""
        with ExitStack() as opened:
            engines = self._opened(opened)
            at_hand: list[Engine] = []
            found: dict[str, Document | None] = {}

            def read(doc: str) -> Document | None:
                if doc not in found:
                    known = (engine.find_document(doc) for engine in at_hand)
                    found[doc] = next((d for d in known if d is not None), None) or further(doc)
                return found[doc]

            def further(doc: str) -> Document | None:
                for engine in engines:
                    at_hand.append(engine)
                    if (document := engine.find_document(doc)) is not None:
                        return document
                return None

            yield read

    def _opened(self, stack: ExitStack) -> Iterator[Engine]:
        from deref.engine import open_engine

        for folder, settings in reversed(self._folders.items()):
            if folder.is_dir():
                yield stack.enter_context(open_engine(folder, settings=settings))
