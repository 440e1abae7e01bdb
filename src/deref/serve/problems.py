"""Errors as problems (RFC 9457): a kind, a status, and one sentence that says what to do.

What is not there and what may not be seen have one and the same problem. An error of ours tells nothing of itself.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from deref.errors import (
    Cancelled,
    DerefError,
    InputError,
    LibraryBusy,
    LibraryError,
    ModelError,
    NoSuchSource,
    OversizedFile,
    UnreadableFile,
    UnsupportedFile,
    UsageError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A problem. `type` names the kind; `detail` is for people; `places` say what is wrong where, in a request."""

    type: str
    title: str
    status: int
    detail: str
    places: tuple[dict[str, str], ...] = ()

    def values(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        values = asdict(self)
        places = values.pop("places")
        return {
            **values,
            "type": f"urn:deref:problem:{self.type}",
            **({"places": list(places)} if places else {}),
        }


NOT_THERE = Problem(
    type="not-there", title="Not there", status=404, detail="There is nothing here for this caller; see what the lists give."
)  # fmt: skip


class NotThere(LookupError):
    """There is nothing of that name for this caller; whether there is for others is told to nobody."""


class NotOffered(UsageError):
    """A question chooses what the server does not offer to it."""


class Busy(LibraryBusy):
    """There is more to do than there is room for; said in words of the server's own, which name nothing of it."""


_OF_ERRORS: tuple[tuple[type[DerefError], str, int], ...] = (
    (Cancelled, "called-off", 409),
    (NoSuchSource, "not-there", 404),
    (OversizedFile, "too-large", 413),
    (UnsupportedFile, "unsupported-type", 415),
    (UnreadableFile, "unreadable-file", 409),
    (NotOffered, "not-offered", 400),
    (UsageError, "not-understood", 400),
    (InputError, "not-understood", 400),
    (LibraryBusy, "busy", 503),
    (LibraryError, "library-cannot-serve", 503),
    (ModelError, "model-cannot-serve", 503),
    (DerefError, "cannot-serve", 503),
)


_GENERAL = {
    "library-cannot-serve": "The library cannot serve; try again soon. The log of the server says why and what to do.",
    "model-cannot-serve": "The model cannot serve: ask again, or have another one write, or none. The log of the server says why.",
    "cannot-serve": "This cannot be served; the log of the server says why and what to do.",
    "busy": "Another process writes to the library; try again in a few seconds.",
}
"""What is said by kind instead of errors that name folders and addresses of the server."""


def problem(kind: str, status: int, detail: str, places: tuple[dict[str, str], ...] = ()) -> Problem:
    """Return a problem with the title that its status has."""
    return Problem(type=kind, title=HTTPStatus(status).phrase, status=status, detail=detail, places=places)


def told_in_the_log(error: BaseException) -> bool:
    """Tell whether an error is told to a caller in general words alone, so that the log has to have its own."""
    return problem_of(error).detail in _GENERAL.values()


def problem_of(error: BaseException) -> Problem:
    """Return the problem that an error is to a caller."""
    for kind, name, status in _OF_ERRORS:
        if isinstance(error, kind):
            return problem(name, status, _detail(name, error))
    return problem("internal", 500, "Something failed inside Deref; the log of the server says what.")


def _detail(name: str, error: DerefError) -> str:
    return str(error) if isinstance(error, Busy) else _GENERAL.get(name, str(error))
