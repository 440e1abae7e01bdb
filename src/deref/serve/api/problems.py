"""Every error as `application/problem+json` (RFC 9457), also those of the framework."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from deref.errors import DerefError
from deref.serve.problems import NOT_THERE, NotThere, Problem, problem, problem_of, told_in_the_log

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("deref.serve")
_KINDS = {
    401: "no-token",
    403: "not-allowed",
    404: "not-there",
    405: "no-such-method",
    415: "unsupported-type",
}
_DETAILS = {
    400: "the body cannot be read; send JSON in UTF-8",
    405: "this address has no such method; /api/v1/openapi.json has what does",
}
"""What is told of what the framework refuses in words that say little."""


class Refused(HTTPException):
    """A request that is refused before anything is looked up."""

    def __init__(self, told: Problem, headers: Mapping[str, str] | None = None) -> None:
        """Take the problem, and headers of its own."""
        super().__init__(told.status, told.detail, dict(headers) if headers else None)
        self.problem = told


def response(told: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem as a response."""
    return Response(
        json.dumps(told.values(), ensure_ascii=False).encode("utf-8", "backslashreplace"),
        told.status,
        headers,
        MEDIA_TYPE,
    )


def add_problems(app: FastAPI) -> None:
    """Have every error of the application answered as a problem."""
    app.add_exception_handler(NotThere, _not_there)
    app.add_exception_handler(DerefError, _ours)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _of_framework)
    app.add_exception_handler(Exception, _unexpected)


async def _not_there(_request: Request, _error: Exception) -> Response:
    return response(NOT_THERE)


async def _ours(_request: Request, error: Exception) -> Response:
    if told_in_the_log(error):
        _LOG.error("%s", error)
    told = problem_of(error)
    return response(told, {"Retry-After": "5"} if told.status == 503 else None)


async def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    places = tuple(
        {"where": " → ".join(str(part) for part in one["loc"]), "what": str(one["msg"])}
        for one in error.errors()
    )
    detail = "; ".join(f"{place['where']}: {place['what']}" for place in places[:5])
    return response(problem("not-understood", 422, detail, places))


async def _of_framework(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if isinstance(error, Refused):
        return response(error.problem, error.headers)
    if error.status_code == 404:
        return response(NOT_THERE)
    kind = _KINDS.get(error.status_code, "refused")
    detail = _DETAILS.get(error.status_code, error.detail)
    return response(problem(kind, error.status_code, f"{request.method}: {detail}"), error.headers)


async def _unexpected(_request: Request, error: Exception) -> Response:
    # The framework logs it with its trace, and it is told nothing of.
    return response(problem_of(error))
