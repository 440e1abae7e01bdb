"""A reranker that a server has, by `/rerank` as Cohere, Jina, vLLM and llama.cpp speak it.

Servers disagree on what a score is: some give a probability, some (llama.cpp) the logit before it. `load` asks of two passages, one that
answers and one that says nothing on it: a score outside 0 to 1 means logits, for the whole session. A model that does not put the one
above the other is no reranker, and that is an error too: a chat model behind the same door gives numbers as well.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence

from deref.errors import ModelError
from deref.models.hosts import place_of
from deref.models.http_json import JsonServer
from deref.models.keys import Key
from deref.models.onnx_wheel import encodable

_QUESTION = "On which day is the rent due?"
_ANSWER = "The rent is due on the first day of each month."
_UNRELATED = "Whales are mammals that live in the sea."


class ServerReranker:
    """The `Reranker` of a server. Nothing is asked before `load()` or the first passage. Safe to share by threads."""

    def __init__(
        self, base_url: str, model: str, *, key: Key | None = None, timeout_s: float = 60.0, retries: int = 2
    ) -> None:
        """Take address and model. Raises ModelError without the extra `models`."""
        self._model = model
        self._identity = f"server/{model}@{place_of(base_url)}"
        self._server = JsonServer(
            base_url, what=f"the reranker {self._identity}", key=key, timeout_s=timeout_s, retries=retries
        )
        self._lock = threading.Lock()
        self._logits: bool | None = None

    @property
    def identity(self) -> str:
        """Name of the model, and the host."""
        return self._identity

    def load(self) -> None:
        """Ask what its scores are. Raises ModelError when it is not there, or is no reranker."""
        with self._lock:
            if self._logits is not None:
                return
            answers, unrelated = self._asked(_QUESTION, [_ANSWER, _UNRELATED])
            if answers <= unrelated:
                raise ModelError(
                    f"the reranker {self._identity} puts a passage on whales above the one that answers; "
                    "is it a reranker, and served as one?"
                )
            self._logits = not (unrelated >= 0 and answers <= 1)

    def scores(self, question: str, passages: Sequence[str]) -> Sequence[float]:
        """Return a score from 0 to 1 for each passage, in order. Raises ModelError."""
        self.load()
        if not passages:
            return []
        scores = self._asked(question, passages)
        if self._logits:
            return [1 / (1 + math.exp(-max(score, -700.0))) for score in scores]
        if any(not 0 <= score <= 1 for score in scores):
            raise ModelError(
                f"the reranker {self._identity} gave a score that is not from 0 to 1: {max(scores)}"
            )
        return scores

    def _asked(self, question: str, passages: Sequence[str]) -> list[float]:
        texts = [encodable(text) or "-" for text in passages]
        body = {"model": self._model, "query": encodable(question), "documents": texts}
        answer = self._server.post("rerank", body)
        try:
            rows = answer["results"]
            found = {int(row["index"]): float(row["relevance_score"]) for row in rows}
            scores = [found[n] for n in range(len(texts))]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(
                f"the reranker {self._identity} did not answer with a score for each passage ({error!r})"
            ) from error
        if not all(math.isfinite(score) for score in scores):
            raise ModelError(f"the reranker {self._identity} gave a score that is no number")
        return scores
