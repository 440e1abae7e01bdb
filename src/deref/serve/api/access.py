"""What a route is given: the server, who calls, the library, a window of a list; and work done with an engine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, NamedTuple, TypeVar, cast

from fastapi import Depends, Path, Query, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from deref.engine import Engine
from deref.serve.access import Caller, Role
from deref.serve.api.problems import Refused
from deref.serve.engines import Lane
from deref.serve.problems import problem
from deref.serve.server import Library, Server

T = TypeVar("T")
_BEARER = HTTPBearer(auto_error=False, description="A token of `deref tokens add`. Not needed on loopback.")
_MOST = 500


async def server_of(request: Request) -> Server:
    """Return the server."""
    return cast(Server, request.app.state.server)


async def _caller(
    server: Annotated[Server, Depends(server_of)],
    given: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
) -> Caller:
    caller = server.caller(None if given is None else given.credentials)
    if caller is None:
        raise Refused(
            problem("no-token", 401, "send a token that is valid: Authorization: Bearer deref_…"),
            {"WWW-Authenticate": "Bearer"},
        )
    return caller


def _with(role: Role) -> Callable[[Caller], Awaitable[Caller]]:
    async def check(caller: Annotated[Caller, Depends(_caller)]) -> Caller:
        if not caller.role.includes(role):
            raise Refused(problem("not-allowed", 403, f"this takes a token with the role {role.value}"))
        return caller

    return check


ServerHere = Annotated[Server, Depends(server_of)]
Reader = Annotated[Caller, Depends(_with(Role.READ))]
WriterHere = Annotated[Caller, Depends(_with(Role.WRITE))]
Admin = Annotated[Caller, Depends(_with(Role.ADMIN))]
"""Who calls, with the role that the route takes at least."""

_LIBRARY = Path(description="Id of the library, as `/libraries` lists it.", max_length=200)


async def _library(server: ServerHere, caller: Reader, library: Annotated[str, _LIBRARY]) -> Library:
    return server.library(caller, library)


LibraryHere = Annotated[Library, Depends(_library)]
DocumentId = Annotated[str, Path(description="Id of a document, as the lists give it.", max_length=64)]


class Window(NamedTuple):
    """A part of a list: where it starts, and how many it holds at the most."""

    start: int
    limit: int


async def _window(
    cursor: Annotated[int, Query(ge=0, le=2**31, description="Where to go on: what `next` holds.")] = 0,
    limit: Annotated[int, Query(ge=1, le=_MOST, description="How many at the most.")] = 50,
) -> Window:
    return Window(cursor, limit)


WindowHere = Annotated[Window, Depends(_window)]


def listed(
    request: Request, response: Response, items: Sequence[Any], following: int | None, **more: Any
) -> dict[str, Any]:
    """Return a page of a list, with the address of the next one in `next` and in the header `Link`."""
    link = None
    if following is not None:
        url = request.url.include_query_params(cursor=following)
        link = f"{url.path}?{url.query}"
        response.headers["Link"] = f'<{link}>; rel="next"'
    return {"items": items, "next": link, **more}


async def done(library: Library, work: Callable[[Engine], T], lane: Lane = Lane.LOOKS) -> T:
    """Return what work gives that is done with an engine of the library. Raises what it raises, and LibraryBusy."""
    return await asyncio.wrap_future(library.engines.do(lane, work))
