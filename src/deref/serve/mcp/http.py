"""The server over HTTP at `/mcp`: behind the same checks of host, origin and size as the HTTP API, and behind the same tokens.

Each request stands for itself, there are no sessions: a token that is removed is refused from the next request on, and no
session of one caller can be taken up by another.
"""

from __future__ import annotations

import logging

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from deref.errors import DerefError
from deref.serve.access import LOCAL, Caller
from deref.serve.api.problems import response
from deref.serve.api.security import MOST_BODY, Security
from deref.serve.mcp.mounted import PATH
from deref.serve.mcp.protocol import Context, mcp_server
from deref.serve.mcp.shelves import Shelves
from deref.serve.problems import Problem, problem, problem_of
from deref.serve.tokens import TokenFile

_CALLER = "deref.caller"
_LOG = logging.getLogger("deref.mcp")


def mcp_app(shelves: Shelves, *, tokens: TokenFile | None, loopback_only: bool) -> Starlette:
    """Return the application. Without `tokens` whoever calls is the local user; `loopback_only` has the Host checked."""
    app = tools_app(shelves, tokens=tokens)
    app.add_middleware(Security, loopback_only=loopback_only)
    return app


def tools_app(shelves: Shelves, *, tokens: TokenFile | None) -> Starlette:
    """Return the application for one that has its own guard of hosts and origins."""
    app = _unguarded(shelves)
    app.add_middleware(_Calling, tokens=tokens)
    return app


def _unguarded(shelves: Shelves) -> Starlette:
    return mcp_server(shelves, _caller_of).streamable_http_app(
        streamable_http_path=PATH,
        stateless_http=True,
        max_request_body_size=MOST_BODY,
        # What stands before it checks host and origin, by the rules of the HTTP API.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )


def _caller_of(context: Context) -> Caller:
    assert context.request is not None
    caller = context.request.scope[_CALLER]
    assert isinstance(caller, Caller)
    return caller


class _Calling:
    """Puts who calls beside each request, and refuses one of nobody."""

    def __init__(self, app: ASGIApp, *, tokens: TokenFile | None) -> None:
        self._app, self._tokens = app, tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        found = self._found(Headers(scope=scope).get("authorization", ""))
        if isinstance(found, Caller):
            await self._app({**scope, _CALLER: found}, receive, send)
        else:
            refused = response(found, {"WWW-Authenticate": "Bearer"} if found.status == 401 else None)
            await refused(scope, receive, send)

    def _found(self, header: str) -> Caller | Problem:
        if self._tokens is None:
            return LOCAL
        scheme, _, secret = header.partition(" ")
        try:
            caller = self._tokens.caller(secret.strip()) if scheme.casefold() == "bearer" else None
        except DerefError as error:
            _LOG.error("%s", error)
            return problem_of(error)
        return caller or problem("no-token", 401, "send a token that is valid: Authorization: Bearer deref_…")
