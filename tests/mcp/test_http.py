"""The server on HTTP: what a client can do there, and an end that owes no answer."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.mcp.slow import Slow
from tests.mcp.talking import PATIENCE, Json
from tests.mcp.webbing import BOTH, HELLO, PING, Served, Web, listening
from vault_memory.surfaces.mcp import connections, guard, overhttp, server
from vault_memory.surfaces.mcp.listening import Address
from vault_memory.vault import Vault

READING = {"recall", "search", "show", "list", "log"}


def test_all_that_the_pipes_offer_is_offered_here(web_of_ann: Served) -> None:
    web = web_of_ann.client()
    assert len(web.ask("tools/list")["result"]["tools"]) == 10
    saved = web.well("remember", text="The lock opens at noon", title="Lock")
    assert saved["path"] == "private/ann/lock.md"
    assert "at noon" in web.well("recall", query="lock opens", max_tokens=300)["text"]
    failed = web.call("show", ref="nothing")
    assert failed["isError"] is True
    assert "Next: " in failed["content"][0]["text"]
    assert "zanzibar" not in json.dumps(web.call("search", query="zanzibar")["structuredContent"]["hits"])
    [read] = web.ask("resources/read", uri="vmem://memory/shared/port/harbour.md")["result"]["contents"]
    assert "The harbour closes at ten" in read["text"]
    assert web.ask("prompts/get", name="save-what-we-learned")["result"]["messages"]


def test_a_tool_that_gets_too_much_says_so_itself(web_of_ann: Served) -> None:
    result = web_of_ann.client().call("remember", text="x" * 5_000_000)
    assert "5,000,000 bytes" in result["content"][0]["text"]


def test_clients_at_once_are_one_agent_and_lose_no_write(web_of_ann: Served, root: Path) -> None:
    clients, rounds = 4, 5
    webs = [web_of_ann.client() for _ in range(clients)]

    def work(number: int) -> list[str]:
        paths = []
        for turn in range(rounds):
            text = f"Over the web client {number} saw beacon {turn}"
            paths.append(str(webs[number].well("remember", text=text, namespace="beacons")["path"]))
            assert webs[number].well("recall", query="beacon")["text"]
            webs[number].well("edit", ref=paths[-1], add_tags=["lit"])
            assert text in webs[number].well("show", ref=paths[-1])["text"]
        return paths

    with ThreadPoolExecutor(clients) as pool:
        paths = [path for found in pool.map(work, range(clients)) for path in found]
    assert len(set(paths)) == clients * rounds
    with Vault.open(root) as vault:
        assert {one.path for one in vault.person.list(tag="lit")} >= set(paths)
        assert vault.upkeep.status(vault.person.scope).waiting == ()
    assert run_git(root, "status", "--porcelain", "--", "shared") == ""


def test_a_server_that_only_reads_offers_nothing_else_and_has_a_token_of_its_own(
    root: Path, web_of_ann: Served
) -> None:
    with listening(root, read_only=True) as served:
        assert served.token != web_of_ann.token
        assert Web(served.port, web_of_ann.token).post(HELLO).status == 401
        web = served.client()
        assert {tool["name"] for tool in web.ask("tools/list")["result"]["tools"]} == READING
        assert "error" in web.ask("tools/call", name="remember", arguments={"text": "x"})
        assert "Ferries" in web.well("recall", query="ferries")["text"]


def test_a_long_call_says_that_it_is_at_work_and_can_be_called_off(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "HEARTBEAT", 0.01)
    reach = Slow()
    with listening(root, reach=reach) as served:
        web = served.client()
        told: list[Json] = []

        def hear(message: Json) -> None:
            told.append(message)
            if message.get("method") == "notifications/progress" and len(told) == 2:
                off = {
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": {"requestId": web.number},
                }
                assert web.post(off).status == 202

        web.on = hear
        last = web.ask("tools/call", name="list", arguments={}, _meta={"progressToken": 0})
        assert [one["params"]["progressToken"] for one in told[:2]] == [0, 0]
        assert told[1]["params"]["progress"] > told[0]["params"]["progress"]
        assert "ancelled" in last["error"]["message"]
        reach.go.set()
        assert web.call("list")["isError"] is False


def test_the_end_answers_what_was_asked_and_lets_nobody_in_after_it(root: Path) -> None:
    reach = Slow()
    with listening(root, reach=reach) as served, ThreadPoolExecutor(2) as pool:
        web = served.client()
        listener = Web(served.port, served.token, web.session, web.version)
        stream = pool.submit(listener.request, "GET")
        asked = pool.submit(web.call, "remember", text="Said last")
        assert listener.begun.wait(PATIENCE)
        assert reach.begun.wait(PATIENCE)
        served.ending.end()
        while Web(served.port, served.token).post(HELLO).status != 503:
            pass
        reach.go.set()
        assert asked.result(PATIENCE)["structuredContent"]["path"] == "a.md"
        assert stream.result(PATIENCE).status == 200
        served.thread.join(PATIENCE)
    assert reach.asked == ["remember"]


def test_a_write_whose_client_hung_up_is_done_to_its_end(root: Path) -> None:
    reach = Slow()
    with listening(root, reach=reach) as served:
        web = served.client()
        body = json.dumps(
            PING | {"method": "tools/call", "params": {"name": "remember", "arguments": {"text": "x"}}}
        )
        with socket.create_connection(("127.0.0.1", served.port)) as line:
            line.sendall(
                f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {served.token}\r\n"
                f"Accept: {BOTH}\r\nContent-Type: application/json\r\nMcp-Session-Id: {web.session}\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            assert reach.begun.wait(PATIENCE)
        reach.go.set()
    assert reach.asked == ["remember"]


def test_as_a_process_it_says_where_it_is_and_keeps_stdout_empty(root: Path) -> None:
    argv = ["mcp", "--vault", str(root), "--agent", "cleo", "--http", "--port", "0"]
    with subprocess.Popen(
        [sys.executable, "-m", "vault_memory", *argv],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=dict(os.environ) | {"PYTHONWARNINGS": "default", "PYTHONDEVMODE": "1"},
    ) as program:  # fmt: skip
        assert program.stdout is not None
        assert program.stderr is not None
        where, token_is = program.stderr.readline(), program.stderr.readline()
        found = re.fullmatch(r"vmem mcp: serving cleo at http://127\.0\.0\.1:(\d+)/mcp\n", where)
        assert found is not None, where
        file = Path(token_is.removeprefix("vmem mcp: the token of its clients lies in ").rstrip("\n"))
        assert file == root / ".vmem" / "local" / "mcp-tokens" / "cleo"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
        token = file.read_text("ascii").strip()
        web = Web(int(found[1]), token)
        web.greet()
        assert web.well("remember", text="Cleo was here")["path"] == "private/cleo/cleo-was-here.md"
        argument = Path(f"/proc/{program.pid}/cmdline")
        assert not argument.exists() or token not in argument.read_text()
        program.send_signal(signal.SIGTERM)
        rest, said = program.communicate(timeout=PATIENCE)
        assert (program.returncode, rest) == (0, "")
    assert token not in where + token_is + said
    assert "Traceback" not in said
    assert run_git(root, "status", "--porcelain", "--", "private/cleo") == ""


def test_threads_of_a_server_that_ended_are_gone(root: Path) -> None:
    before = {one.name for one in threading.enumerate()}
    with listening(root) as served:
        served.client().well("list")
    assert {one.name for one in threading.enumerate() if not one.name.startswith("AnyIO")} <= before


def test_the_page_says_what_there_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
    [section] = re.findall(r"^### Over HTTP\n(.*?)^## ", page, re.DOTALL | re.MULTILINE)
    assert f"http://{Address().host}:{Address().port}/mcp" in section
    assert f"{guard.LONGEST // 2**20} MB a message, {overhttp.MOST_SESSIONS} sessions" in section
    assert f"{overhttp.IDLE_SECONDS / 60:g} minutes" in section
    assert f"{guard.BODY_SECONDS:g} seconds" in section
    assert f"{connections.MOST} connections" in section
    for said in ("vmem mcp: serving claude at http://", "vmem mcp: the token of its clients lies in /"):
        assert said in section
