"""JSON to a server and JSON back, for embeddings and rerankers: timed, tried again, and no key in any message.

1. One POST. Redirects are not followed: what is sent goes where it was meant to go, or nowhere. On this very machine no proxy is
   asked.
2. 408, 425, 429 and 5xx, and connections that fail, are tried again: after what Retry-After says, else 0.5 s and twice as much each
   time. A server that asks for more than a minute is not waited for.
3. Anything but a JSON object is an error that says what came instead.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from deref.errors import ModelError
from deref.models.extra import needed
from deref.models.hosts import is_loopback
from deref.models.keys import Key

LONGEST_WAIT_S = 60.0
_FIRST_WAIT_S = 0.5
_MAY_PASS = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_CONNECT_S = 10.0
_LONGEST_TOLD = 200


class JsonServer:
    """A server at an address. `what` is what people call it in messages. Keeps its connection; safe to share by threads."""

    def __init__(
        self,
        base_url: str,
        *,
        what: str,
        key: Key | None = None,
        timeout_s: float = 60.0,
        retries: int = 2,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the address, the seconds that a request may take, and how often it is tried again."""
        httpx = needed("httpx2")
        self._base_url = base_url.rstrip("/")
        self._what = what
        self._key = key
        self._retries = retries
        self._sleep = sleep
        self._failed = httpx.HTTPError
        self._client = httpx.Client(
            timeout=httpx.Timeout(timeout_s, connect=min(_CONNECT_S, timeout_s)),
            trust_env=not is_loopback(base_url),
            follow_redirects=False,
        )

    def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what the server answers to an object. Raises ModelError."""
        for attempt in range(self._retries + 1):
            last = attempt == self._retries
            tried = f" ({attempt + 1} attempts)" if attempt else ""
            try:
                answer = self._client.post(f"{self._base_url}/{path}", json=body, headers=self._headers())
            except self._failed as error:
                if last:
                    raise ModelError(
                        f"{self._what} cannot be reached{tried}: {self._told(str(error) or type(error).__name__)}; "
                        "is it running, and is its address right?"
                    ) from None
                self._sleep(_FIRST_WAIT_S * 2.0**attempt)
                continue
            if answer.status_code == 200:
                return self._object(answer)
            wait = _asked_wait(answer.headers.get("retry-after")) or _FIRST_WAIT_S * 2.0**attempt
            if last or answer.status_code not in _MAY_PASS or wait > LONGEST_WAIT_S:
                raise ModelError(
                    f"{self._what} answered {answer.status_code}{tried}: {self._told(answer.text)}"
                )
            self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._key.reveal()}"} if self._key else {}

    def _object(self, answer: Any) -> Mapping[str, Any]:
        try:
            value = json.loads(answer.content)
        except ValueError:
            value = None
        if not isinstance(value, Mapping):
            kind = answer.headers.get("content-type", "nothing")
            raise ModelError(
                f"{self._what} answered with {kind} that is no JSON object: {self._told(answer.text)}; "
                "its address usually ends in /v1"
            )
        return value

    def _told(self, text: str) -> str:
        line = " ".join(text.split())
        # Before it is cut: of a key that is cut in two the beginning would stay.
        line = self._key.without(line) if self._key else line
        return line if len(line) <= _LONGEST_TOLD else f"{line[:_LONGEST_TOLD]}…"


def _asked_wait(header: str | None) -> float | None:
    """Return the seconds that a Retry-After header asks for: a number, or a date."""
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
