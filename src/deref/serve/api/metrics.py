"""What the server does, in numbers, in the text form of Prometheus. Requests are told apart by route, never by who or what was asked."""

from __future__ import annotations

import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deref.serve.access import Caller
from deref.serve.engines import Lane
from deref.serve.server import Server

_BUCKETS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class Metrics:
    """The numbers of one server."""

    def __init__(self, server: Server) -> None:
        """Take the server."""
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "deref_requests", "Requests answered.", ("method", "route", "status"), registry=self._registry
        )
        self.seconds = Histogram(
            "deref_request_seconds", "Seconds until a request was answered to its end.", ("method", "route"),
            buckets=_BUCKETS, registry=self._registry,
        )  # fmt: skip
        self._server = server

    def text(self, caller: Caller) -> bytes:
        """Return the numbers as text, those by library of the libraries that the caller sees."""
        now = CollectorRegistry()
        running = Gauge("deref_questions_running", "Questions at work.", ("library",), registry=now)
        waiting = Gauge(
            "deref_work_waiting", "Work that waits for an engine or is being done.", ("library", "lane"), registry=now
        )  # fmt: skip
        for library in self._server.libraries(caller):
            name = library.served.id
            running.labels(name).set(library.questions.running())
            waiting.labels(name, Lane.QUESTIONS.value).set(library.answering.waiting())
            waiting.labels(name, Lane.LOOKS.value).set(library.engines.waiting(Lane.LOOKS))
        return generate_latest(self._registry) + generate_latest(now)


class Measuring:
    """The middleware that counts."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        """Take the application behind it."""
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and count it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status = time.perf_counter(), "500"

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = str(message["status"])
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        finally:
            route = str(getattr(scope.get("route"), "path", "none"))
            # A client may make up methods, each of which would be kept.
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.requests.labels(method, route, status).inc()
            self._metrics.seconds.labels(method, route).observe(time.perf_counter() - begun)
