"""The protocol word for word, through pipes and over HTTP: versions, order, what nobody asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp.types import version as versions

from tests.mcp.talking import CLIENT, PATIENCE, Talk, process, served
from tests.mcp.webbing import Served, Web
from vault_memory.surfaces.mcp.greeting import VERSIONS

NEWEST = VERSIONS[-1]
Client = Talk | Web


@pytest.fixture(params=["pipes", "http"])
def client(request: pytest.FixtureRequest, ann: Talk, web_of_ann: Served) -> Client:
    """A greeted client by each way of transport."""
    return ann if request.param == "pipes" else web_of_ann.client()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_client_of_each_version_gets_that_version_and_can_do_all(root: Path, version: str) -> None:
    with served(root) as talk:
        said = talk.ask("initialize", **CLIENT | {"protocolVersion": version})
        assert said["result"]["protocolVersion"] == version
        talk.tell("notifications/initialized")
        assert "Ferries" in talk.text("recall", query="ferries")
        assert len(talk.ask("tools/list")["result"]["tools"]) == 10


@pytest.mark.parametrize("version", VERSIONS)
def test_so_does_one_over_http(web_of_ann: Served, version: str) -> None:
    web = Web(web_of_ann.port, web_of_ann.token)
    assert web.greet(protocolVersion=version)["protocolVersion"] == version
    assert "Ferries" in web.well("recall", query="ferries")["text"]


@pytest.mark.parametrize("version", ["1999-01-01", "2024-10-07", "2031-01-01", "newest"])
def test_a_version_that_nobody_knows_is_answered_with_one_that_is_known(
    web_of_ann: Served, root: Path, version: str
) -> None:
    web = Web(web_of_ann.port, web_of_ann.token)
    assert web.greet(protocolVersion=version)["protocolVersion"] == NEWEST
    with served(root) as talk:
        said = talk.ask("initialize", **CLIENT | {"protocolVersion": version})
        assert said["result"]["protocolVersion"] == NEWEST


def test_the_version_without_a_handshake_is_spoken_too(web_of_ann: Served) -> None:
    newest = versions.MODERN_PROTOCOL_VERSIONS[-1]
    meta = {
        "io.modelcontextprotocol/protocolVersion": newest,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": CLIENT["clientInfo"],
    }
    web = Web(web_of_ann.port, web_of_ann.token, version=newest)
    params = {"name": "recall", "arguments": {"query": "ferries"}, "_meta": meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = web.post(message, Mcp_Method="tools/call", Mcp_Name="recall")
    assert answer.status == 200, answer
    assert "Ferries" in answer.messages[-1]["result"]["content"][0]["text"]


def test_a_ping_is_answered_and_a_method_that_is_none_is_said(client: Client) -> None:
    assert client.ask("ping")["result"] == {}
    error = client.ask("no/such/method")["error"]
    assert error["code"] == -32601
    assert client.ask("tools/call", name="recall")["result"]["isError"] is True
    assert client.ask("tools/call", arguments={})["error"]["code"] == -32602
    assert client.ask("tools/call", name="no_such_tool", arguments={})["error"]["code"] == -32602


def test_what_is_told_and_not_asked_is_never_answered(client: Client) -> None:
    for method in ("notifications/made-up", "notifications/initialized", "notifications/roots/list_changed"):
        if isinstance(client, Talk):
            client.tell(method)
        else:
            answer = client.post({"jsonrpc": "2.0", "method": method})
            assert (answer.status, answer.messages) == (202, [])
    assert client.ask("ping")["result"] == {}


def test_a_cancelled_request_that_never_was_does_no_harm(client: Client) -> None:
    off = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99_999}}
    if isinstance(client, Talk):
        client.tell("notifications/cancelled", requestId=99_999)
    else:
        assert client.post(off).status == 202
    assert client.ask("ping")["result"] == {}


def test_ids_of_both_kinds_come_back_as_they_were(ann: Talk) -> None:
    for number in (0, -7, 2**40, "", "a b", "7"):
        ann.raw(f'{{"jsonrpc": "2.0", "id": {json.dumps(number)}, "method": "ping"}}'.encode())
        answer = ann.next()
        assert (answer["id"], answer["result"]) == (number, {})


def test_many_questions_at_once_are_all_answered_each_once(ann: Talk) -> None:
    numbers = [ann.send("tools/call", name="list", arguments={"limit": 1}) for _ in range(50)]
    numbers += [ann.send("ping") for _ in range(50)]
    for number in reversed(numbers):
        assert "result" in ann.answer(number)
    assert ann.heard == []


def test_before_the_handshake_nothing_is_done(root: Path) -> None:
    with process("--vault", str(root), "--agent", "ann") as (program, talk):
        answer = talk.ask("tools/call", name="remember", arguments={"text": "Too early by far"})
        assert "error" in answer
        assert talk.ask("ping")["result"] == {}
        talk.greet()
        assert "result" in talk.ask("tools/list")
        assert talk.hang_up() == []
        assert program.wait(PATIENCE) == 0
    assert not list(root.rglob("too-early*.md"))
