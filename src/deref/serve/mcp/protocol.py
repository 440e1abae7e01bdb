"""The libraries as a server of the official SDK: tools, and documents as resources.

The low-level server of the SDK is used, since what there is depends on who calls, and since an error is to be one line that a
model can act on. Who calls is told by a function of the request: the user on stdio, a token on HTTP.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from deref import __version__
from deref.engine import Engine
from deref.errors import DerefError, InputError
from deref.serve import verbs
from deref.serve.access import LOCAL, Caller
from deref.serve.mcp import given
from deref.serve.mcp.reading import place
from deref.serve.mcp.room import Room
from deref.serve.mcp.shelves import Readable, Shelves
from deref.serve.mcp.tools import INSTRUCTIONS, TOOLS, Tool
from deref.serve.problems import NOT_THERE, NotThere, problem_of, told_in_the_log
from deref.text.hidden import on_one_line, without_hidden
from deref.values import Scope, Span

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
CallerOf = Callable[[Context], Caller]

_LOG = logging.getLogger("deref.mcp")
_SCHEME = "deref://documents/"
_MOST_LISTED = 100
_MOST_RESOURCE = 200_000
_READS = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def the_user(_context: Context) -> Caller:
    """Return the user of this machine: who calls on stdio, and on loopback where no tokens are in use."""
    return LOCAL


def mcp_server(shelves: Shelves, caller_of: CallerOf = the_user) -> Server[Any]:
    """Return the server over these libraries; `caller_of` tells who calls."""
    return _Serving(shelves, caller_of).server()


class _Serving:
    """The handlers of one server."""

    def __init__(self, shelves: Shelves, caller_of: CallerOf) -> None:
        self._shelves, self._caller_of = shelves, caller_of
        self._tools = {tool.name: tool for tool in TOOLS}

    def server(self) -> Server[Any]:
        return Server(
            "deref",
            title="Deref",
            version=__version__,
            instructions=INSTRUCTIONS,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
        )

    # Tools

    async def list_tools(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        caller = self._caller_of(context)
        try:
            return _result(await self._called(caller, params.name, params.arguments or {}))
        except ValidationError as error:
            places = (
                f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}" for one in error.errors()
            )
            return _failed(f"{params.name}: {'; '.join(places)}")
        except (DerefError, NotThere) as error:
            return _failed(_told(error, caller))
        except MCPError:
            raise
        except Exception as error:
            raise _untold(error) from error

    async def _called(self, caller: Caller, name: str, arguments: dict[str, Any]) -> given.Given:
        tool = self._tools.get(name)
        if tool is None:
            raise InputError(f"there is no tool {name!r}; there are {', '.join(self._tools)}")
        asked = tool.takes.model_validate(arguments)
        shelf = self._shelves.named(caller, asked.library)
        told = await shelf.up_to_date(caller)
        made = await tool.work(shelf, caller.scope, asked)
        return made.model_copy(update={"problems": [*told, *getattr(made, "problems", ())]})

    # Documents as resources

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        caller = self._caller_of(context)
        return await _answered(self._listed(caller, params.cursor if params else None), caller)

    async def _listed(self, caller: Caller, cursor: str | None) -> types.ListResourcesResult:
        seen = list(self._shelves.seen_by(caller))
        at, _, start = (cursor or "0:0").partition(":")
        if not (at.isdecimal() and start.isdecimal() and len(cursor or "") < 20):
            raise InputError(f"cursor {cursor!r}: give back what `nextCursor` held")
        for number in range(int(at), len(seen)):
            shelf = seen[number]
            await shelf.up_to_date(caller)
            first = int(start) if number == int(at) else 0
            rows, following, _ = await shelf.done(partial(_documents, scope=caller.scope, start=first))
            after = f"{number}:{following}" if following is not None else f"{number + 1}:0"
            if rows:
                return types.ListResourcesResult(
                    resources=[_resource(shelf, row) for row in rows],
                    next_cursor=after if following is not None or number + 1 < len(seen) else None,
                )
        return types.ListResourcesResult(resources=[])

    async def list_templates(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            name="document",
            title="A document",
            uri_template=_SCHEME + "{library}/{document}",
            description="The text of a document, each line with its page and its line on that page before it.",
            mime_type="text/plain",
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        caller = self._caller_of(context)
        return await _answered(self._read(caller, str(params.uri)), caller)

    async def _read(self, caller: Caller, uri: str) -> types.ReadResourceResult:
        library, _, doc = uri.removeprefix(_SCHEME).partition("/")
        shelf = next((s for s in self._shelves.seen_by(caller) if s.id == library), None)
        if not uri.startswith(_SCHEME) or shelf is None:
            raise NotThere
        await shelf.up_to_date(caller)

        def text(engine: Engine) -> str:
            document = verbs.seen(engine, doc, caller.scope)
            room = Room(in_all=_MOST_RESOURCE, each=_MOST_RESOURCE)
            whole = Span(doc=document.id, start=0, end=len(document.lines))
            told = room.lines(document, whole, place(document, whole))[0] if len(whole) else ""
            return "\n".join([told, *room.left_out])

        told = without_hidden(await shelf.done(text))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, text=told, mime_type="text/plain")]
        )


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.told,
        input_schema=tool.takes.model_json_schema(),
        output_schema=tool.gives.model_json_schema(mode="serialization"),
        annotations=_READS,
    )


def _documents(engine: Engine, *, scope: Scope, start: int) -> tuple[list[dict[str, Any]], int | None, int]:
    return verbs.documents(engine, scope, start=start, limit=_MOST_LISTED)


def _resource(shelf: Readable, row: dict[str, Any]) -> types.Resource:
    return types.Resource(
        uri=f"{_SCHEME}{shelf.id}/{row['document']}",
        name=on_one_line(row["source"]),
        title=on_one_line(row["title"]) or None,
        description=f"{row['pages']} page(s), {row['status']}",
        mime_type="text/plain",
    )


def _result(made: given.Given) -> types.CallToolResult:
    """Return a result as JSON text and as structured content, without signs that nobody sees."""
    values = _shown(made.model_dump(mode="python"))
    text = json.dumps(values, ensure_ascii=False)
    return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=values)


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        return without_hidden(value)
    if isinstance(value, dict):
        return {name: _shown(one) for name, one in value.items()}
    return [_shown(one) for one in value] if isinstance(value, list) else value


def _failed(told: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=on_one_line(told))], is_error=True)


def _told(error: DerefError | NotThere, caller: Caller) -> str:
    """Return what went wrong. The user of this machine is told all of it; others nothing of where the server keeps things."""
    if isinstance(error, NotThere):
        return NOT_THERE.detail
    if told_in_the_log(error):
        _LOG.error("%s", error)
    return str(error) if caller is LOCAL else problem_of(error).detail


def _untold(error: Exception) -> MCPError:
    """Return what a client may know of an error inside Deref: that there is one. The log has the rest."""
    _LOG.error("a call failed inside Deref", exc_info=error)
    return MCPError(types.INTERNAL_ERROR, problem_of(error).detail)


async def _answered(work: Awaitable[T], caller: Caller) -> T:
    """Return what is awaited; an error becomes one of the protocol."""
    try:
        return await work
    except (DerefError, NotThere) as error:
        raise MCPError(types.INVALID_PARAMS, on_one_line(_told(error, caller))) from error
    except MCPError:
        raise
    except Exception as error:
        raise _untold(error) from error
