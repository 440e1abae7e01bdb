"""What can go wrong with a request to a language model: whether it may pass, how long to wait, and what people are told.

A key is never told, though servers like to repeat the one that they refuse; for the same reason nobody is shown the error of
the library behind ours.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from urllib.parse import urlsplit

from deref.errors import ModelError
from deref.models.extra import needed
from deref.models.hosts import place_of
from deref.models.keys import Key
from deref.models.providers import Served
from deref.models.structured import FormRefused
from deref.text.hidden import on_one_line

LONGEST_WAIT_S = 60.0
_FIRST_WAIT_S = 0.5
_MAY_PASS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_REFUSES_FORM = frozenset({400, 404, 415, 422, 501})
"""What servers answer that do not know a field of the request; 404 is a gateway's for "nobody here can do this"."""
_LONGEST_TOLD = 300


class BrokenOff(Exception):
    """A stream ended in the middle of a reply."""


def failures() -> tuple[type[Exception], ...]:
    """Return what a request raises when it fails; anything else is a mistake of ours."""
    library = needed("pydantic_ai.exceptions")
    return (
        library.AgentRunError,
        library.UserError,
        needed("httpx2").HTTPError,
        needed("openai").OpenAIError,
        BrokenOff,
    )


def unreadable(error: Exception) -> Exception:
    """Return what to raise for a reply whose values are of other types than the library takes for granted."""
    said: Exception = needed("pydantic_ai.exceptions").UnexpectedModelBehavior(
        f"values of its reply are of the wrong type ({error})"
    )
    return said


def pause_before_another(error: Exception, attempt: int) -> float | None:
    """Return the seconds to wait before another attempt (`attempt` counts from 0); None when there is to be none."""
    if not _may_pass(error):
        return None
    asked = getattr(error, "retry_after", None)
    if asked is not None:
        return float(asked) if asked <= LONGEST_WAIT_S else None
    # Jitter spreads callers that failed together.
    return min(_FIRST_WAIT_S * 2.0**attempt, LONGEST_WAIT_S) * random.uniform(0.75, 1.0)


def _may_pass(error: Exception) -> bool:
    library = needed("pydantic_ai.exceptions")
    if isinstance(error, library.ModelQuotaExceededError):
        return False
    if isinstance(error, library.ModelTimeoutError):
        return getattr(error, "phase", None) in ("pool", "connect")
    status = getattr(error, "status_code", None)
    if status is not None:
        return status in _MAY_PASS
    return isinstance(error, library.ModelConnectionError | needed("httpx2").TransportError | BrokenOff)


def told_failure(
    error: Exception, served: Served, *, attempts: int, timeout_s: float, prompted: bool
) -> ModelError:
    """Return the error to raise: who, what, how often it was tried, and what to do.

    FormRefused when the server does not take the form; with `prompted` there is no other form, and that is no excuse.
    """
    library = needed("pydantic_ai.exceptions")
    status = getattr(error, "status_code", None)
    said = _message_of(error, served.key)
    who, tried = served.identity, f" ({attempts} attempts)" if attempts > 1 else ""
    if isinstance(error, library.ModelContextWindowExceededError):
        return ModelError(f"{who}: the prompt is longer than its window; lower models.window")
    if isinstance(error, library.ModelAuthenticationError) or status in (401, 403):
        return ModelError(
            f"{who} refused the key ({status}): {said}. models.key_env or models.key_file names it"
        )
    if isinstance(error, library.ModelRequestTimeout | library.ModelTimeoutError):
        return ModelError(
            f"{who} did not finish in {timeout_s:g} s{tried}; raise models.timeout_s, or use a smaller model"
        )
    if status in _REFUSES_FORM and not prompted:
        return FormRefused(f"{who}: {said}")
    if status is not None:
        return ModelError(f"{who} answered {status}{tried}: {said}")
    redirect = _redirect_in(error)
    if redirect is not None:
        return ModelError(
            f"{who} sends on to {redirect}, which is not followed; if it is there, set models.base_url to it"
        )
    if isinstance(error, library.ModelConnectionError):
        return ModelError(
            f"{who} cannot be reached{tried}: {said}; is it running, and is models.base_url right?"
        )
    if isinstance(error, library.UnexpectedModelBehavior):
        return ModelError(
            f"{who} did not answer as a chat model does: {said}; models.base_url usually ends in /v1"
        )
    return ModelError(f"{who}{tried}: {said}")


def _redirect_in(error: Exception) -> str | None:
    """Return where a server sends on to, without user and question; None when it does not."""
    response = getattr(error.__cause__, "response", None)
    if response is None or not 300 <= response.status_code < 400:
        return None
    try:
        to = urlsplit(response.headers.get("location", ""))
    except ValueError:
        return "what is no address"
    return (
        on_one_line(f"{to.scheme}://{place_of(to.geturl())}{to.path}", 200) if to.netloc else "another path"
    )


def _message_of(error: Exception, key: Key | None) -> str:
    """Return what a server or the library says is wrong, on one line, without the key."""
    body = getattr(error, "body", None)
    told = body.get("error", body) if isinstance(body, Mapping) else body
    if isinstance(told, Mapping):
        told = told.get("message", told)
    text = " ".join(str(told or error).split())
    # Before it is cut: of a key that is cut in two the beginning would stay.
    text = key.without(text) if key else text
    return text if len(text) <= _LONGEST_TOLD else f"{text[:_LONGEST_TOLD]}…"
