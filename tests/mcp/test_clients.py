"""Clients of other makes find all and save: the library's own, and one that shares no code with it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.mcp.talking import PATIENCE
from tests.mcp.webbing import Served


def test_the_library_s_own_client_finds_all_over_http(web_of_ann: Served) -> None:
    async def talk() -> None:
        headers = {"Authorization": f"Bearer {web_of_ann.token}"}
        url = f"http://127.0.0.1:{web_of_ann.port}/mcp"
        async with (
            httpx2.AsyncClient(headers=headers) as line,
            Client(streamable_http_client(url, http_client=line), read_timeout_seconds=PATIENCE) as client,
        ):
            assert len((await client.list_tools()).tools) == 10
            saved = await client.call_tool("remember", {"text": "The pilot boards at the outer buoy"})
            assert saved.is_error is False
            found = await client.call_tool("recall", {"query": "pilot boards", "max_tokens": 300})
            assert "outer buoy" in str(found.content)
            assert (await client.read_resource("vmem://working-set")).contents
            assert (await client.get_prompt("save-what-we-learned", {})).messages

    anyio.run(talk)


def test_a_client_of_another_make_finds_all_through_pipes(root: Path) -> None:
    _find_all("pipes", str(root), "The crane lifts four tonnes")


def test_a_client_of_another_make_finds_all_over_http(web_of_ann: Served) -> None:
    _find_all(f"http://127.0.0.1:{web_of_ann.port}/mcp", web_of_ann.token, "The crane turns by night")


def _find_all(where: str, what: str, text: str) -> None:
    """In a process of its own: that client leaves things open, of which Python warns."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.mcp.otherclient", where, what, text],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["server"] == "vault-memory"
    assert len(found["tools"]) == 10
    assert found["saved"].startswith("Saved · private/ann/")
    assert text in found["recalled"]
    assert found["failed"] is True
    assert "vmem://working-set" in found["resources"]
    assert "The harbour closes at ten" in found["read"]
    assert found["prompts"] == ["save-what-we-learned"]
    assert "Above all: cranes" in found["prompt"]
