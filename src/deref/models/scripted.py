"""Models that read what they say off a list: the doubles of `Writer` and `Enricher`.

They look at nothing they are given and keep what they were given, so that a test can say both what they answer and
what they were shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from deref.errors import Cancelled, ModelError
from deref.ports import never, unheard_piece
from deref.values import Answer, Chunk, Document, Passage, Query


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

    def write(
        self,
        query: Query,
        passages: Sequence[Passage],
        read: Callable[[str], Document],
        *,
        heard: Callable[[str], None] = unheard_piece,
        cancelled: Callable[[], bool] = never,
    ) -> Answer:
        """Return the next prepared answer; its text is heard in one piece.

        Raises ModelError when there is none left, Cancelled.
        """
        if len(self.shown) == len(self._answers):
            raise ModelError(
                f"the scripted writer has no answer left after {len(self._answers)}; prepare one for each pass"
            )
        if cancelled():
            raise Cancelled("the answer was called off")
        self.shown.append(tuple(passages))
        answer = self._answers[len(self.shown) - 1]
        heard(answer.text)
        return answer


class ScriptedEnricher:
    """Says the prepared preambles in their order. `shown` holds the ids of the passages of each call so far."""

    def __init__(self, preambles: Iterable[str]) -> None:
        """Take the preambles, the first one first."""
        self._preambles = tuple(preambles)
        self.shown: list[str] = []

    @property
    def identity(self) -> str:
        """Name and number of preambles."""
        return f"scripted-{len(self._preambles)}"

    def preamble(self, document: Document, chunk: Chunk) -> str:
        """Return the next prepared preamble.

        Raises ModelError when there is none left.
        """
        if len(self.shown) == len(self._preambles):
            raise ModelError(
                f"the scripted enricher has no preamble left after {len(self._preambles)}; prepare one for each passage"
            )
        self.shown.append(chunk.id)
        return self._preambles[len(self.shown) - 1]
