"""What stands before every request: which hosts and pages may call, how much a body may hold, and which headers go out.

On loopback without tokens whoever can reach the port is the user. So that no page of the web can: the Host must be one of
this machine (a name that is made to resolve to 127.0.0.1 is not), and what has an Origin must come from this server.
There are no CORS headers, so no other page can read an answer; nothing that was uploaded goes out as HTML, and if it did,
the policy lets no script of it run.
"""

from __future__ import annotations

import ipaddress
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deref.serve.api.problems import response
from deref.serve.problems import Problem, problem

MOST_BODY = 2**20
"""Bytes of a request that is no upload."""

_API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
_WEB_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


def is_loopback(host: str) -> bool:
    """Tell whether a name or address is of this machine alone."""
    if host.casefold().rstrip(".") == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def at_once(listening: socket) -> socket:
    """Have what is written to connections of a socket sent at once; returns it.

    asyncio does that for sockets that it made itself alone. Without it the second packet of an answer waits for the client to tell that it
    has the first one, which clients put off by 40 ms.
    """
    listening.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    return listening


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path.startswith("/api/") or path == "/mcp"


class Security:
    """The middleware. `loopback_only` says that only this machine may call, and no token is asked for: the Host is checked."""

    def __init__(self, app: ASGIApp, *, loopback_only: bool) -> None:
        """Take the application behind it."""
        self._app = app
        self._loopback_only = loopback_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse the request, or pass it on and add the headers to what is answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        api = _is_api(scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers["Content-Security-Policy"] = _API_POLICY if api else _WEB_POLICY
                if "Cache-Control" not in headers:
                    # The files of the page are of one version: a browser asks whether each is still that one.
                    headers["Cache-Control"] = "no-store" if api else "no-cache"
            await send(message)

        refused = self._refused(scope)
        if refused is not None:
            await response(refused)(scope, receive, send_with_headers)
        else:
            await self._app(scope, receive, send_with_headers)

    def _refused(self, scope: Scope) -> Problem | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        try:
            called = urlsplit(f"//{host}").hostname or ""
            calling = None if origin is None else urlsplit(origin).netloc.casefold()
        except ValueError:
            return problem("not-understood", 400, "what the headers Host or Origin say is no address")
        if self._loopback_only and not is_loopback(called):
            return problem(
                "wrong-host", 421, "this server is for this machine alone; call it by localhost or 127.0.0.1"
            )
        if calling is not None and calling != host.casefold():
            return problem("wrong-origin", 403, "pages of other sites may not call this server")
        # A link on another site may lead to the page, which holds nothing; what it then asks for is from here.
        if _is_api(scope) and headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return problem("wrong-origin", 403, "pages of other sites may not call this server")
        upload = scope["method"] == "PUT"  # Measured as it comes, against a limit of its own.
        if not upload and "transfer-encoding" in headers:
            return problem("no-length", 411, "say the length of the body in Content-Length")
        length = headers.get("content-length", "0")
        if not upload and (not length.isdecimal() or int(length) > MOST_BODY):
            return problem("too-large", 413, f"a request may hold {MOST_BODY} bytes")
        return None
