"""Who is let in over HTTP: by token, name and page, with what is a message, and not too many at once."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.mcp.talking import PATIENCE
from tests.mcp.webbing import HELLO, PING, Served, Web, listening
from vault_memory.surfaces.mcp import connections, guard, overhttp


@pytest.mark.parametrize("token", [None, "", "wrong" * 10, "ü"])
def test_nobody_is_let_in_without_the_token_and_nothing_of_it_is_told(
    web_of_ann: Served, token: str | None
) -> None:
    answer = Web(web_of_ann.port, token).post(HELLO)
    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert "Authorization: Bearer" in answer.error
    assert web_of_ann.token not in json.dumps(answer.messages)
    assert (
        Web(web_of_ann.port, web_of_ann.token).post(HELLO, Authorization=f"Basic {web_of_ann.token}").status
        == 401
    )


@pytest.mark.parametrize(
    ("headers", "status", "says"),
    [
        ({"Host": "evil.example"}, 403, "evil.example"),
        ({"Host": "localhost.evil.example"}, 403, "evil.example"),
        ({"Host": "127.0.0.1@evil.example"}, 403, "call it by localhost"),
        ({"Host": "127.0.0.1#evil.example"}, 403, "call it by localhost"),
        ({"Host": "localhost/evil"}, 403, "call it by localhost"),
        ({"Host": "[::1]evil"}, 403, "call it by localhost"),
        ({"Host": "localhost, evil.example"}, 403, "call it by localhost"),
        ({"Host": "192.168.7.7:8636"}, 403, "192.168.7.7"),
        ({"Origin": "https://evil.example"}, 403, "evil.example"),
        ({"Origin": "null"}, 403, "null"),
        ({"Origin": "http://localhost.evil.example"}, 403, "evil.example"),
        ({"Content_Type": "text/plain"}, 415, "application/json"),
        ({"path": "/mcp/../x"}, 404, "/mcp"),
        ({"path": "/"}, 404, "/mcp"),
        ({"method": "OPTIONS"}, 405, "POST"),
        ({"method": "PUT"}, 405, "POST"),
    ],
)
def test_what_does_not_belong_here_is_refused_in_json_and_with_a_way_out(
    web_of_ann: Served, headers: dict[str, str], status: int, says: str
) -> None:
    method = headers.pop("method", "POST")
    answer = Web(web_of_ann.port, web_of_ann.token).request(method, json.dumps(HELLO).encode(), **headers)
    assert answer.status == status
    assert answer.headers["content-type"] == "application/json"
    assert "access-control-allow-origin" not in answer.headers
    assert says in answer.error


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost:1"},
        {"Host": "[::1]:8636"},
        {"Host": "LOCALHOST."},
        {"Origin": "http://localhost:3000"},
    ],
)
def test_a_tunnel_and_a_page_of_this_machine_are_let_in(web_of_ann: Served, headers: dict[str, str]) -> None:
    assert Web(web_of_ann.port, web_of_ann.token).post(HELLO, **headers).status == 200


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"", "not JSON"),
        (b"{nonsense", "not JSON"),
        (b"[]", "one JSON object"),
        (b'[{"jsonrpc": "2.0", "id": 3, "method": "ping"}]', "one JSON object"),
        (b'{"id": 3, "method": "ping"}', '"jsonrpc"'),
        (b'{"jsonrpc": "2.0", "id": 3, "method": "x", "params": {"a": NaN}}', "NaN"),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "x"}', "an id"),
    ],
)
def test_a_body_that_is_no_message_is_refused_and_the_session_goes_on(
    web_of_ann: Served, body: bytes, says: str
) -> None:
    web = web_of_ann.client()
    answer = web.request("POST", body)
    assert answer.status == 400
    assert says in answer.error
    assert web.ask("ping")["result"] == {}


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_long_is_refused_by_its_length_or_as_it_comes(
    web_of_ann: Served, monkeypatch: pytest.MonkeyPatch, chunked: bool
) -> None:
    monkeypatch.setattr(guard, "LONGEST", 100_000)
    web = web_of_ann.client()
    text = json.dumps(PING | {"params": {"x": "y" * 150_000}}).encode()
    body, more = text, {}
    if chunked:
        body, more = f"{len(text):x}\r\n".encode() + text + b"\r\n0\r\n\r\n", {"Transfer_Encoding": "chunked"}
    answer = web.request("POST", body, **more)
    assert answer.status == 413
    assert "100,000 bytes" in answer.error
    assert web.ask("ping")["result"] == {}


def test_a_session_that_is_not_there_any_more_is_told_so(web_of_ann: Served) -> None:
    web = web_of_ann.client()
    assert web.request("DELETE").status == 200
    assert web.post(PING).status == 404
    assert Web(web_of_ann.port, web_of_ann.token, "made-up").post(PING).status == 404
    assert Web(web_of_ann.port, web_of_ann.token).post(PING).status == 400


def test_who_holds_connections_open_keeps_nobody_out(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST", 8)
    with listening(root) as served, ExitStack() as stack:
        held = [stack.enter_context(socket.create_connection(("127.0.0.1", served.port))) for _ in range(30)]
        for one in held[:20]:
            with suppress(ConnectionError):  # gone already
                one.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        web = served.client()
        assert web.well("recall", query="lock")["text"]
        held[0].settimeout(PATIENCE)
        with suppress(ConnectionError):
            assert held[0].recv(1) == b"", "the one that was idle longest is closed"


def test_sessions_are_bounded_and_idle_ones_are_dropped(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overhttp, "MOST_SESSIONS", 2)
    monkeypatch.setattr(overhttp, "IDLE_SECONDS", 0.3)
    with listening(root) as served:
        first, _ = served.client(), served.client()
        refused = Web(served.port, served.token).post(HELLO)
        while refused.status == 503:  # until one was idle for long enough
            assert "sessions" in refused.error
            refused = Web(served.port, served.token).post(HELLO)
        assert refused.status == 200
        assert first.post(PING).status == 404
