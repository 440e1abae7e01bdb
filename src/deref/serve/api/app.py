"""The application: routes, problems, security, metrics, and the pages at `/` where there are some.

app = make_app(server, loopback_only=True)
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from starlette.applications import Starlette
from starlette.routing import Match, Mount
from starlette.types import Scope

from deref import __version__
from deref.serve.api import document_routes, library_routes, question_routes, shapes
from deref.serve.api.access import Admin
from deref.serve.api.metrics import Measuring, Metrics
from deref.serve.api.problems import MEDIA_TYPE, add_problems
from deref.serve.api.security import Security
from deref.serve.mcp.mounted import add_mcp
from deref.serve.server import Server, web_folder

PREFIX = "/api/v1"

_ABOUT = (
    "Answers over a shelf of documents, with the text that references point at, both ends cited to the line. The rows are "
    "those of the command line (docs/json.md), the events those of a trace (docs/events.md). docs/serve.md tells more."
)
_PROBLEMS = {
    400: "The request makes no sense: a filter that cannot be read, say.",
    401: "There is no valid token.",
    403: "The token has not the role, or another site's page calls.",
    404: "There is nothing of that name for this caller.",
    409: "It cannot be done now: a file has changed since it was indexed, or the question was called off.",
    411: "The length of the body is not said.",
    413: "The body or the file is over the limit.",
    415: "No parser reads files that end so.",
    421: "The server is for this machine alone and was called by another name.",
    422: "The request has not the form that it must have.",
    500: "Something failed inside Deref.",
    503: "The library is busy or cannot serve.",
}
_LIST: dict[int | str, dict[str, Any]] = {
    status: {
        "description": told,
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemShape"}}},
    }
    for status, told in _PROBLEMS.items()
}

_server_routes = APIRouter(tags=["server"])


@_server_routes.get("/health", response_model=shapes.Health)
async def health() -> dict[str, str]:
    """Tell that the server is there. Needs no token, and tells nothing else."""
    return {"status": "ok"}


@_server_routes.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(request: Request, caller: Admin) -> Response:
    """Give the numbers of the server in the text form of Prometheus."""
    return Response(request.app.state.metrics.text(caller), media_type="text/plain; version=0.0.4")


def make_app(server: Server, *, loopback_only: bool, web: Path | None = None) -> FastAPI:
    """Return the application over a server that is open. `web` is the folder of the pages at `/`, the one in the package when None.

    Where the SDK of MCP is installed, the tools of `deref mcp` are at `/mcp`.
    """
    app = _routed()
    app.state.server = server
    app.state.metrics = Metrics(server)
    if offers_mcp():
        add_mcp(app, lambda: _tools(server))
    folder = web or web_folder()
    if folder.is_dir():
        app.router.routes.append(_Pages("/", StaticFiles(directory=folder, html=True)))
    app.add_middleware(Measuring, metrics=app.state.metrics)
    app.add_middleware(Security, loopback_only=loopback_only)
    return app


class _Pages(Mount):
    """The pages at `/`. What is below `/api` is none of them: a method that a route has not is refused there with those that it has."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Leave the paths of the API alone."""
        return (Match.NONE, {}) if scope["path"].startswith("/api/") else super().matches(scope)


def _tools(server: Server) -> Starlette:
    from deref.serve.mcp.http import tools_app  # noqa: PLC0415 - it may not be installed
    from deref.serve.mcp.lent import lent_by  # noqa: PLC0415 - as above

    return tools_app(lent_by(server), tokens=server.tokens)


def offers_mcp() -> bool:
    """Tell whether the SDK of MCP is installed."""
    return find_spec("mcp") is not None


def description() -> dict[str, Any]:
    """Return the OpenAPI description of the routes, without a server."""
    return _routed().openapi()


def _routed() -> FastAPI:
    app = FastAPI(
        title="Deref",
        version=__version__,
        description=_ABOUT,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_operation,
    )
    add_problems(app)
    for routes in (_server_routes, library_routes.routes, document_routes.routes, question_routes.routes):
        app.include_router(routes, prefix=PREFIX, responses=_LIST)
    app.openapi = lambda: _described(app)  # type: ignore[method-assign]
    return app


def _operation(route: APIRoute) -> str:
    return route.name


def _described(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description, with the shape of problems in the place of the one that the framework brings."""
    if app.openapi_schema is None:
        made = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        schemas = made["components"]["schemas"]
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        schemas["ProblemShape"] = shapes.ProblemShape.model_json_schema()
        app.openapi_schema = made
    return app.openapi_schema
