"""The server itself: what the protocol's library asks, answered by tools, resources and a prompt."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from vault_memory import __version__
from vault_memory.config import environ
from vault_memory.errors import NotFoundError, VmemError
from vault_memory.model import wireerror
from vault_memory.plugins import without_secrets
from vault_memory.surfaces.mcp import prompts, resources
from vault_memory.surfaces.mcp.arguments import arguments
from vault_memory.surfaces.mcp.greeting import INSTRUCTIONS, NAME
from vault_memory.surfaces.mcp.pipes import Pipes
from vault_memory.surfaces.mcp.reach import Reach
from vault_memory.surfaces.mcp.tools import Tool, offered
from vault_memory.surfaces.mcp.wires import wired
from vault_memory.surfaces.mcp.words import Answer

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
NO_RESOURCE = -32002
HEARTBEAT = 1.0
"""Seconds between two words that a long call is still at work."""


class Answering:
    """Answers the library's questions about one vault; work that takes time is done in threads."""

    def __init__(self, reach: Reach, *, read_only: bool) -> None:
        self._reach = reach
        self._tools = offered(read_only=read_only)

    async def list_tools(self, _: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(name, tool) for name, tool in self._tools.items()])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            there = ", ".join(self._tools)
            raise MCPError(
                types.INVALID_PARAMS, f"there is no tool {params.name!r:.100} here; there are {there}"
            )
        given = params.arguments or {}
        outcome = await _outcome(
            context,
            params.name,
            lambda: tool.act(self._reach, arguments(params.name, tool.schema, given)),
            abandon=tool.reads,
        )
        return _failed(outcome) if isinstance(outcome, Failure) else _answered(outcome)

    async def list_resources(
        self, context: Context, _: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        found = await _got(context, "resources", partial(resources.listed, self._reach))
        rows = [
            types.Resource(uri=one.uri, name=one.name, description=one.about, mime_type=resources.KIND)
            for one in found
        ]
        return types.ListResourcesResult(resources=rows)

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        rows = [
            types.ResourceTemplate(
                uri_template=address, name=name, description=about, mime_type=resources.KIND
            )
            for name, (address, about) in resources.TEMPLATES.items()
        ]
        return types.ListResourceTemplatesResult(resource_templates=rows)

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        text = await _got(context, uri, partial(resources.read, self._reach, uri))
        contents = types.TextResourceContents(uri=uri, text=text, mime_type=resources.KIND)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        focus = types.PromptArgument(name=prompts.FOCUS, description=prompts.FOCUS_ABOUT, required=False)
        one = types.Prompt(
            name=prompts.NAME, title=prompts.TITLE, description=prompts.ABOUT, arguments=[focus]
        )
        return types.ListPromptsResult(prompts=[one])

    async def get_prompt(self, _: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        if params.name != prompts.NAME:
            raise MCPError(
                types.INVALID_PARAMS, f"there is no prompt {params.name!r:.100}; there is {prompts.NAME}"
            )
        text = prompts.save_what_we_learned((params.arguments or {}).get(prompts.FOCUS))
        said = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(description=prompts.ABOUT, messages=[said])


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong: the fact and the next step, in words and as an object."""

    text: str
    value: dict[str, Any]
    code: int = types.INTERNAL_ERROR
    """Where the protocol wants an error of its own in place of an answer."""


async def _outcome(context: Context, what: str, act: Callable[[], T], *, abandon: bool) -> T | Failure:
    """What a thread makes of `act`, with a word once a second for a client that wants to see progress.

    With `abandon` a question that is called off is left to itself; a write goes on to its end.
    """

    async def beat() -> None:
        seconds = 0
        while True:
            await anyio.sleep(HEARTBEAT)
            seconds += 1
            await context.session.report_progress(seconds, None, f"{what}: at work for {seconds} s")

    if "progress_token" not in (context.meta or {}):  # nobody wants to see any
        return await anyio.to_thread.run_sync(_tried, what, act, abandon_on_cancel=abandon)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(beat)
        found = await anyio.to_thread.run_sync(_tried, what, act, abandon_on_cancel=abandon)
        tasks.cancel_scope.cancel()
    return found


def _tried(what: str, act: Callable[[], T]) -> T | Failure:
    try:
        return act()
    except VmemError as error:
        code = NO_RESOURCE if isinstance(error, NotFoundError) else types.INTERNAL_ERROR
        return Failure(_told(error), {"error": _without_secrets(wireerror.error(error))}, code)
    except Exception as error:
        if environ.debug():
            raise
        said = f"this is a bug in vmem: {type(error).__name__}; your files and their history are not affected"
        print(f"vmem mcp: {what:.100}: {said}", file=sys.stderr)
        return Failure(said, {"error": {"kind": "bug", "message": said}})


async def _got(context: Context, what: str, act: Callable[[], T]) -> T:
    """The outcome of a question; a failure as an error of the protocol."""
    found = await _outcome(context, what, act, abandon=True)
    if isinstance(found, Failure):
        raise MCPError(found.code, found.text, found.value)
    return found


def run(pipes: Pipes, reach: Reach, *, read_only: bool) -> None:
    """`serve`, from code that waits for it."""
    anyio.run(partial(serve, pipes, reach, read_only=read_only))


async def serve(pipes: Pipes, reach: Reach, *, read_only: bool) -> None:
    """Answer until the client hangs up."""
    server = server_of(reach, read_only=read_only)
    async with wired(pipes) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def server_of(reach: Reach, *, read_only: bool) -> Server[Any]:
    """The library's server of one vault, for any way of transport."""
    answering = Answering(reach, read_only=read_only)
    return Server(
        NAME,
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=answering.list_tools,
        on_call_tool=answering.call_tool,
        on_list_resources=answering.list_resources,
        on_list_resource_templates=answering.list_templates,
        on_read_resource=answering.read_resource,
        on_list_prompts=answering.list_prompts,
        on_get_prompt=answering.get_prompt,
    )


def _described(name: str, tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.reads,
        destructive_hint=tool.destroys,
        idempotent_hint=tool.reads or tool.repeatable,
        open_world_hint=False,
    )
    return types.Tool(name=name, description=tool.about, input_schema=tool.schema, annotations=hints)


def _answered(answer: Answer) -> types.CallToolResult:
    text = types.TextContent(type="text", text=answer.text)
    return types.CallToolResult(content=[text], structured_content=answer.value)


def _failed(failure: Failure) -> types.CallToolResult:
    said = types.TextContent(type="text", text=failure.text)
    return types.CallToolResult(content=[said], structured_content=failure.value, is_error=True)


def _told(error: VmemError) -> str:
    """Fact and next step; what was given by mistake can be a secret, and a message may repeat it."""
    hint = f"\nNext: {error.hint}" if error.hint else ""
    return without_secrets(f"{error.message}{hint}")


def _without_secrets(value: dict[str, object]) -> dict[str, object]:
    return {name: without_secrets(one) if isinstance(one, str) else one for name, one in value.items()}
