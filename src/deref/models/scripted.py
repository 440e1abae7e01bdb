"""A writer that reads its answers off a list: the double of `Writer`.

It looks at nothing it is given and keeps what it was given, so that a test can say both what the writer answers and
what it was shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from deref.errors import ModelError
from deref.values import Answer, Document, Passage, Query


class ScriptedWriter:
    """Answers prepared beforehand, in their order. `shown` holds the passages of each call so far."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        """Take the answers, the first one first."""
        self._answers = tuple(answers)
        self.shown: list[tuple[Passage, ...]] = []

    @property
    def identity(self) -> str:
        """Name and number of answers."""
        return f"scripted-{len(self._answers)}"

    def write(self, query: Query, passages: Sequence[Passage], read: Callable[[str], Document]) -> Answer:
        """Return the next prepared answer.

        Raises ModelError when there is none left.
        """
        if len(self.shown) == len(self._answers):
            raise ModelError(
                f"the scripted writer has no answer left after {len(self._answers)}; prepare one for each pass"
            )
        self.shown.append(tuple(passages))
        return self._answers[len(self.shown) - 1]
