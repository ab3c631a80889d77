"""The server on HTTP: who is let in, what a client can do there, and an end that owes no answer."""

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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.mcp.talking import CLIENT, PATIENCE, Json
from tests.mcp.test_server import Slow
from tests.mcp.webbing import BOTH, Served, Web, listening
from vault_memory.live.bearing import token_of
from vault_memory.surfaces.cli.app import main
from vault_memory.surfaces.mcp import connections, guard, overhttp, server
from vault_memory.surfaces.mcp.listening import Address
from vault_memory.vault import Vault

PING: Json = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HELLO: Json = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT}
READING = {"recall", "search", "show", "list", "log"}


@pytest.fixture(scope="module")
def ann(root: Path) -> Iterator[Served]:
    """The server of the agent ann."""
    with listening(root) as served:
        yield served


def test_all_that_the_pipes_offer_is_offered_here(ann: Served) -> None:
    web = ann.client()
    assert len(web.send("tools/list")["result"]["tools"]) == 10
    saved = web.well("remember", text="The lock opens at noon", title="Lock")
    assert saved["path"] == "private/ann/lock.md"
    assert "at noon" in web.well("recall", query="lock opens", max_tokens=300)["text"]
    failed = web.call("show", ref="nothing")
    assert failed["isError"] is True
    assert "Next: " in failed["content"][0]["text"]
    assert "zanzibar" not in json.dumps(web.call("search", query="zanzibar")["structuredContent"]["hits"])
    [read] = web.send("resources/read", uri="vmem://memory/shared/port/harbour.md")["result"]["contents"]
    assert "The harbour closes at ten" in read["text"]
    assert web.send("prompts/get", name="save-what-we-learned")["result"]["messages"]


@pytest.mark.parametrize("token", [None, "", "wrong" * 10, "ü"])
def test_nobody_is_let_in_without_the_token_and_nothing_of_it_is_told(ann: Served, token: str | None) -> None:
    answer = Web(ann.port, token).post(HELLO)
    assert answer.status == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert "Authorization: Bearer" in answer.error
    assert ann.token not in json.dumps(answer.messages)
    assert Web(ann.port, ann.token).post(HELLO, Authorization=f"Basic {ann.token}").status == 401


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
    ann: Served, headers: dict[str, str], status: int, says: str
) -> None:
    method = headers.pop("method", "POST")
    answer = Web(ann.port, ann.token).request(method, json.dumps(HELLO).encode(), **headers)
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
def test_a_tunnel_and_a_page_of_this_machine_are_let_in(ann: Served, headers: dict[str, str]) -> None:
    assert Web(ann.port, ann.token).post(HELLO, **headers).status == 200


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
    ann: Served, body: bytes, says: str
) -> None:
    web = ann.client()
    answer = web.request("POST", body)
    assert answer.status == 400
    assert says in answer.error
    assert web.send("ping")["result"] == {}


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_that_is_too_long_is_refused_by_its_length_or_as_it_comes(
    ann: Served, monkeypatch: pytest.MonkeyPatch, chunked: bool
) -> None:
    monkeypatch.setattr(guard, "LONGEST", 100_000)
    web = ann.client()
    text = json.dumps(PING | {"params": {"x": "y" * 150_000}}).encode()
    body, more = text, {}
    if chunked:
        body, more = f"{len(text):x}\r\n".encode() + text + b"\r\n0\r\n\r\n", {"Transfer_Encoding": "chunked"}
    answer = web.request("POST", body, **more)
    assert answer.status == 413
    assert "100,000 bytes" in answer.error
    assert web.send("ping")["result"] == {}


def test_a_tool_that_gets_too_much_says_so_itself(ann: Served) -> None:
    result = ann.client().call("remember", text="x" * 5_000_000)
    assert "5,000,000 bytes" in result["content"][0]["text"]


def test_a_session_that_is_not_there_any_more_is_told_so(ann: Served) -> None:
    web = ann.client()
    assert web.request("DELETE").status == 200
    assert web.post(PING).status == 404
    assert Web(ann.port, ann.token, "made-up").post(PING).status == 404
    assert Web(ann.port, ann.token).post(PING).status == 400


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


def test_clients_at_once_are_one_agent_and_lose_no_write(ann: Served, root: Path) -> None:
    clients, rounds = 4, 5
    webs = [ann.client() for _ in range(clients)]

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
    root: Path, ann: Served
) -> None:
    with listening(root, read_only=True) as served:
        assert served.token != ann.token
        assert Web(served.port, ann.token).post(HELLO).status == 401
        web = served.client()
        assert {tool["name"] for tool in web.send("tools/list")["result"]["tools"]} == READING
        assert "error" in web.send("tools/call", name="remember", arguments={"text": "x"})
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
        last = web.send("tools/call", name="list", arguments={}, _meta={"progressToken": 0})
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


def test_the_token_stays_the_same_and_two_that_make_it_at_once_agree(root: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = [pool.submit(token_of, root, "dora", read_only=False, file=None) for _ in range(16)]
        tokens = {one.result()[0] for one in made}
    assert len(tokens) == 1
    assert tokens == {token_of(root, "dora", read_only=False, file=None)[0]}
    assert len(tokens | {token_of(root, None, read_only=False, file=None)[0]}) == 2
    own = tmp_path / "own"
    assert token_of(root, "dora", read_only=False, file=own)[0] == own.read_text("ascii").strip()


def refused(root: Path, capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """What `vmem mcp --http` says that can't begin."""
    assert main(["mcp", "--vault", str(root), "--http", "--port", "0", *argv]) == 78
    heard = capsys.readouterr()
    assert heard.out == ""
    return heard.err


def test_a_token_that_others_can_read_or_that_is_none_is_refused(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "token"
    file.write_text("x" * 40)
    file.chmod(0o644)
    assert "others can read it" in refused(root, capsys, "--token-file", str(file))
    file.chmod(0o600)
    (tmp_path / "link").symlink_to(file)
    assert "it is a link" in refused(root, capsys, "--token-file", str(tmp_path / "link"))
    for text in ("", "short", "two words " * 10, "x" * 40 + "ü"):
        file.write_text(text)
        said = refused(root, capsys, "--token-file", str(file))
        assert "no token of at least 20" in said
        assert len(text) < 6 or text[:6] not in said


def test_a_token_that_came_with_the_repository_lets_nobody_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs, clone = tmp_path / "theirs", tmp_path / "clone"
    Vault.create(theirs)
    tokens = theirs / ".vmem" / "local" / "mcp-tokens"
    tokens.mkdir()
    (tokens / "cleo").write_text("known-to-whoever-committed-it\n")
    run_git(theirs, "add", "--force", ".vmem")
    run_git(theirs, "commit", "-qm", "x")
    run_git(tmp_path, "clone", "-q", str(theirs), str(clone))
    brought = clone / ".vmem" / "local" / "mcp-tokens"
    (brought / "cleo").chmod(0o600)  # as a umask of 077 leaves it
    said = refused(clone, capsys, "--agent", "cleo")
    assert "it came with the repository" in said
    assert "known-to" not in said
    assert len(token_of(clone, "dora", read_only=False, file=None)[0]) == 64
    run_git(clone, "rm", "-q", "-r", ".vmem/local")
    (brought / "dora").unlink()
    brought.rmdir()
    brought.symlink_to(tmp_path)
    assert "it is a link" in refused(clone, capsys, "--agent", "cleo")
    assert not (tmp_path / "cleo").exists()


def test_an_address_that_is_not_this_machine_s_alone_is_refused_unless_allowed(
    root: Path, capsys: pytest.CaptureFixture[str], ann: Served
) -> None:
    assert "other machines could call" in refused(root, capsys, "--host", "0.0.0.0")
    assert "no address of this machine" in refused(root, capsys, "--host", "no.such.name.invalid")
    assert f"port {ann.port}" in refused(root, capsys, "--port", str(ann.port))
    with listening(root, address=Address("0.0.0.0", 0, remote=True)) as served:
        for host, status in (("192.168.7.7:80", 200), ("evil.example", 403), ("0.0.0.0", 200)):
            assert Web(served.port, served.token).post(HELLO, Host=host).status == status
            assert Web(served.port, "wrong").post(HELLO, Host=host).status in (401, 403)


def test_its_options_are_no_use_without_it(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--port", "1"], ["--host", "::1"], ["--allow-remote"], ["--token-file", "x"]):
        assert main(["mcp", "--vault", str(root), *options]) == 2
        assert "add --http" in capsys.readouterr().err


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
