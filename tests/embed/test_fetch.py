"""Downloading a model: from a model hub that this test serves itself, and where there is no way to one."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import pytest

from vault_memory.adapters.embedders.fetch import fetch
from vault_memory.errors import EmbedderUnavailableError, MissingExtraError, UsageError

pytestmark = [pytest.mark.embedder, pytest.mark.timeout(300)]

COMMIT = "c0ffee" + "0" * 34
FILES = {
    "config.json": b'{"hidden_size": 384}',
    "modules.json": b"[]",
    "tokenizer.json": b"{}",
    "model.safetensors": bytes(range(256)) * 12_000,
    "pytorch_model.bin": b"the same weights again",
    "onnx/model.onnx": b"and again",
    "README.md": b"read me",
}
HIDDEN = "/secret/"

FETCH = """
import sys
from vault_memory.adapters.embedders.fetch import fetch
from vault_memory.errors import VmemError
told = []
try:
    print(fetch(sys.argv[1], lambda *what: told.append(what), onnx=sys.argv[2:] == ["onnx"]))
    print(told)
except VmemError as error:
    print(type(error).__name__, "|", error.message, "|", error.hint)
"""


class Hub(BaseHTTPRequestHandler):
    """As much of the protocol of huggingface.co as a download asks for."""

    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name of the base class
        """Say nothing."""

    def _answer(self) -> None:
        path = urlsplit(self.path).path
        name = path.rpartition(f"/resolve/{COMMIT}/")[2]
        if "/owner/small/" not in f"{path}/":
            code = "GatedRepo" if HIDDEN in path else "RepoNotFound"
            self._send(403 if HIDDEN in path else 404, b"{}", {"X-Error-Code": code})
        elif path.startswith("/api/") and "/tree/" in path:
            self._send(200, json.dumps([_row(name, content) for name, content in FILES.items()]).encode())
        elif path.startswith("/api/"):
            siblings = [{"rfilename": name} for name in FILES]
            self._send(200, json.dumps({"id": "owner/small", "sha": COMMIT, "siblings": siblings}).encode())
        else:
            self._send(200, FILES[name], {"ETag": f'"{_oid(FILES[name])}"', "X-Repo-Commit": COMMIT})

    def _send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _oid(content: bytes) -> str:
    return hashlib.sha1(content).hexdigest()


def _row(name: str, content: bytes) -> dict[str, object]:
    return {"type": "file", "path": name, "size": len(content), "oid": _oid(content)}


@pytest.fixture
def hub() -> Iterator[str]:
    """The address of a hub that has the one model `owner/small`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def nowhere() -> str:
    """An address where nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


def run_fetch(name: str, endpoint: str, cache: Path, *form: str) -> subprocess.CompletedProcess[str]:
    """In a process of its own: the library reads its endpoint once, when it is imported."""
    online = {key: value for key, value in os.environ.items() if not key.endswith("_OFFLINE")}
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", FETCH, name, *form],
        env={**online, "HF_ENDPOINT": endpoint, "HF_HUB_CACHE": str(cache), "NO_PROXY": "127.0.0.1"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip


def test_a_model_is_downloaded_in_one_form_and_progress_is_told_in_megabytes(
    hub: str, tmp_path: Path
) -> None:
    run = run_fetch("owner/small", hub, tmp_path)
    folder, told = run.stdout.splitlines()
    assert run.stderr == ""
    assert folder == str(tmp_path / "models--owner--small" / "snapshots" / COMMIT)
    there = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    assert there == {name: FILES[name] for name in there}
    assert set(there) == {"config.json", "modules.json", "tokenizer.json", "model.safetensors"}
    assert "('MB downloaded', 3, 3)" in told


def test_an_onnx_model_is_downloaded_as_a_graph_without_the_weights_of_others(
    hub: str, tmp_path: Path
) -> None:
    run = run_fetch("owner/small", hub, tmp_path, "onnx")
    folder, _ = run.stdout.splitlines()
    assert run.stderr == ""
    there = {str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file()}
    assert there == {"config.json", "modules.json", "tokenizer.json", "onnx/model.onnx"}


def test_where_the_network_refuses_the_message_says_so_and_what_else_to_do(
    nowhere: str, tmp_path: Path
) -> None:
    run = run_fetch("all-MiniLM-L6-v2", nowhere, tmp_path)
    kind, message, hint = run.stdout.strip().split(" | ")
    assert run.stderr == ""
    assert kind == "EmbedderUnavailableError"
    assert message.startswith("sentence-transformers/all-MiniLM-L6-v2 could not be downloaded: ")
    assert "refused" in message
    assert "copy the model's folder from another machine" in hint


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("owner/none", "huggingface.co has no public model owner/none"),
        ("secret/x", "secret/x is only given to people"),
    ],
)
def test_a_model_that_is_not_there_or_not_for_all_is_told_apart(
    hub: str, tmp_path: Path, name: str, message: str
) -> None:
    run = run_fetch(name, hub, tmp_path)
    assert run.stdout.startswith(f"EmbedderUnavailableError | {message}")
    assert run.stderr == ""


def test_offline_mode_of_the_library_is_respected_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(EmbedderUnavailableError, match="offline mode"):
        fetch("owner/small")


@pytest.mark.parametrize(
    "name", ["", " ", "./folder", "/folder", "~/folder", "a/b/c", "owner/na me", "-x/-y"]
)
def test_what_is_no_name_is_refused_before_anything_is_asked(name: str) -> None:
    with pytest.raises(UsageError):
        fetch(name)


def test_without_the_package_the_line_that_installs_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError) as caught:
        fetch("owner/small")
    assert caught.value.hint == "pip install 'vault-memory[sentence-transformers]'"
