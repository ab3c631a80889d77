"""Stdout holds the result and nothing else, whatever goes wrong around it, resident or not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.cases.beside_git import PACKAGE, vmem_command, vmem_environment
from tests.cases.blockers import hook
from tests.cases.residents import NEVER_ON_STDERR, Kept, wait_until
from tests.said import connected, said

NOISE = {"PYTHONWARNINGS": "default", "PYTHONDEVMODE": "1"}
"""Python says all it has to say about the program."""
LOUD = "echo SHOUTED-BY-A-HOOK; echo SHOUTED-BY-A-HOOK >&2; exit 0"


@pytest.fixture(params=["resident", "alone"])
def noisy(kept: Kept, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """A vault with a broken file, hooks of git that print, and warnings; once with a resident."""
    for name in ("pre-commit", "post-commit", "commit-msg", "reference-transaction", "post-index-change"):
        hook(kept.root, name, LOUD)
    notes = kept.root / "notes"
    notes.mkdir()
    (notes / "broken.md").write_text("---\ntitle: [never closed\n---\nThe lighthouse blinks twice\n")
    (notes / "bytes.md").write_bytes(b"The fog \xff\xfe lifts\n")
    (notes / "conflict.md").write_text("<<<<<<< ours\nthe one\n=======\nthe other\n>>>>>>> theirs\n")
    for name, value in NOISE.items():
        monkeypatch.setenv(name, value)
    if request.param == "alone":
        monkeypatch.setenv("VMEM_RESIDENT", "off")
    else:
        kept.start()
    kept.json("remember", "The harbour closes at nine", "--title", "Harbour")
    yield kept
    assert (kept.pid() is not None) == (request.param == "resident")


QUESTIONS = (
    ("recall", "harbour"), ("search", "harbour"), ("search", "lighthouse"), ("list",), ("show", "Harbour"),
    ("show", "notes/broken.md"), ("status",), ("log",), ("tags",), ("stats",), ("lint",), ("doctor",),
    ("remember", "Ferries sail north"), ("edit", "Harbour", "--importance", "0.9"), ("flush",),
    ("gc", "--yes"), ("reindex",), ("config",), ("links", "Harbour"), ("undo",), ("forget", "Harbour"),
    ("daemon", "status"),
)  # fmt: skip


def test_every_command_writes_one_json_value_and_all_else_to_stderr(noisy: Kept) -> None:
    for argv in QUESTIONS:
        answer = noisy.vmem(*argv, "--json")
        assert "SHOUTED" not in answer.out, argv
        assert "Warning" not in answer.out, argv
        if answer.code in (0, 1):
            json.loads(answer.out)
        else:
            assert answer.out == "", argv
            assert "error" in json.loads(answer.err[answer.err.index("{") :]), argv


def test_plain_answers_hold_nothing_of_hooks_and_warnings(noisy: Kept) -> None:
    for argv in (
        ("remember", "Ferries sail north"),
        ("recall", "harbour"),
        ("list",),
        ("status",),
        ("flush",),
    ):
        answer = noisy.vmem(*argv)
        assert "SHOUTED" not in answer.out, argv
        assert "Warning" not in answer.out, argv
    assert noisy.vmem("recall", "ferries lighthouse").out.startswith("Stored notes on ")


def test_a_failure_leaves_stdout_empty(noisy: Kept) -> None:
    for argv in (
        ("show", "nowhere"), ("edit", "nowhere", "--importance", "0.9"), ("forget", "nowhere"),
        ("remember", "x", "--importance", "7"), ("recall", "x", "--tag", "(("), ("list", "--sort", "weight"),
    ):  # fmt: skip
        for more in ((), ("--json",)):
            answer = noisy.vmem(*argv, *more)
            assert answer.code not in (0, 1), argv
            assert answer.out == "", argv
            assert answer.err, argv


def test_every_line_of_the_socket_is_one_json_object(kept: Kept) -> None:
    for name in ("pre-commit", "post-commit"):
        hook(kept.root, name, LOUD)
    command = vmem_command(kept.root, "daemon", "run")
    with subprocess.Popen(
        command, cwd=PACKAGE, env=vmem_environment(NOISE), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as resident:  # fmt: skip
        wait_until(lambda: kept.pid() == resident.pid)
        for do, more in (
            ("call", {"verb": "remember", "args": {"text": "Ferries sail north"}}),
            ("call", {"verb": "recall", "args": {"query": "ferries"}}),
            ("call", {"verb": "recall", "args": {"query": 5}}),
            ("call", {"verb": "recall", "args": {"query": "x" * 5_000_000}}),
            ("call", {"verb": "remember", "args": {"text": "Tides", "tags": '["a", "b"]'}}),
            ("call", {"verb": "remember", "args": {"text": "Tides", "unheard_of": 1}}),
            ("call", {"verb": "no such verb", "args": {}}),
            ("call", {}),
            ("no such thing", {}),
            ("flush", {}),
            ("state", {}),
        ):
            answer = said(kept.root, do, **more)
            assert isinstance(answer, dict)
            assert set(answer) & {"value", "error", "unfit"}, (do, more)
            assert not any(word in json.dumps(answer) for word in NEVER_ON_STDERR)
        assert said(kept.root, "stop")
        out, err = resident.communicate(timeout=60)
    assert out == ""
    assert "Traceback" not in err
    assert resident.returncode == 0


def test_a_line_that_is_no_request_ends_nobody(kept: Kept) -> None:
    pid = kept.start()
    for line in (b"", b"{", b"[]", b"null", b"\xff\xfe", b'"text"', b"{}" * 1000, b"x" * 100_000):
        peer = connected(kept.root)
        assert peer is not None
        with peer:
            peer.sendall(line + b"\n")
            answer = peer.recv(1 << 16)
            assert answer == b"" or isinstance(json.loads(answer), dict), line[:10]
        assert kept.pid() == pid, line[:10]


def test_an_interpreter_that_warns_gets_the_same_answers(kept: Kept) -> None:
    kept.start()
    kept.json("remember", "The harbour closes at nine", "--title", "Harbour")
    plain = kept.vmem("recall", "harbour")
    for variables in (NOISE, {"PYTHONWARNINGS": "default"}, {"VMEM_DEBUG": "1"}):
        loud = kept.vmem("recall", "harbour", **variables)
        assert (loud.code, loud.out) == (0, plain.out)
    done = subprocess.run(
        [sys.executable, "-W", "default", *vmem_command(kept.root, "recall", "harbour")[1:]],
        cwd=PACKAGE, env=vmem_environment({}), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == plain.out
