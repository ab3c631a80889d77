"""All that a client does, by one that shares no code with the library of the server: `WHERE WHAT TEXT`.

WHERE is `pipes`, and WHAT the vault; or WHERE is an address of HTTP, and WHAT the token. One object of JSON
tells what was found.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import anyio
from chuk_mcp.client import connect_to_server  # type: ignore[import-untyped]
from chuk_mcp.transports.http import (  # type: ignore[import-untyped]
    StreamableHTTPParameters,
    StreamableHTTPTransport,
)
from chuk_mcp.transports.stdio import StdioParameters, StdioTransport  # type: ignore[import-untyped]


def transport(where: str, what: str) -> Any:
    """The way to the server."""
    if where != "pipes":
        return StreamableHTTPTransport(StreamableHTTPParameters(url=where, bearer_token=what))
    argv = ["-m", "vault_memory", "mcp", "--vault", what, "--agent", "ann"]
    return StdioTransport(StdioParameters(command=sys.executable, args=argv, env=dict(os.environ)))


async def find_all(where: str, what: str, text: str) -> None:
    """Save, recall, fail, read a resource and a prompt."""
    found: dict[str, Any] = {}
    async with connect_to_server(transport(where, what)) as client:
        found["server"] = client.server_info.name
        found["tools"] = [tool.name for tool in await client.list_tools()]
        found["saved"] = said(await client.call_tool("remember", {"text": text}))
        found["recalled"] = said(await client.call_tool("recall", {"query": text, "max_tokens": 300}))
        found["failed"] = (await client.call_tool("show", {"ref": "nothing at all"})).isError
        found["resources"] = [one.uri for one in await client.list_resources()]
        found["read"] = str((await client.read_resource("vmem://memory/shared/port/harbour.md")).contents)
        found["prompts"] = [one.name for one in await client.list_prompts()]
        asked = await client.get_prompt("save-what-we-learned", {"focus": "cranes"})
        found["prompt"] = str(asked.messages)
    print(json.dumps(found))


def said(answer: Any) -> str:
    """The text of an answer."""
    [content] = answer.content
    return str(content["text"] if isinstance(content, dict) else content.text)


if __name__ == "__main__":
    _, WHERE, WHAT, TEXT = sys.argv
    anyio.run(find_all, WHERE, WHAT, TEXT)
