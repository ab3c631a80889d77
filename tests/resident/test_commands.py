"""A command line that a resident is given: carried out as the caller's own, or left to the caller."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.resident.bylines import OWN, asked, connected, run
from tests.resident.living import Living
from vault_memory.config import given as caller
from vault_memory.vault import Vault


def test_what_a_command_says_is_what_the_command_line_says(living: Living, root: Path) -> None:
    assert run(root, "remember", "Ferries sail north", "--title", "Ferry")["exit"] == 0
    answer = run(root, "recall", "ferries")
    assert answer["exit"] == 0
    assert [number for number, _ in answer["said"]] == [1]
    assert "Ferries sail north" in answer["said"][0][1]
    missing = run(root, "show", "nothing")
    assert (missing["exit"], missing["said"][0][0]) == (3, 2)


@pytest.mark.parametrize(
    ("argv", "more"),
    [
        (("gc",), {}),
        (("daemon", "stop"), {}),
        (("edit", "x"), {}),
        ((), {}),
        (("--json",), {}),
        (("recall", "--help"), {}),
        (("recall", "x"), {"given": {"VMEM_RECALL_TOKENS": "5"}}),
        (("recall", "x"), {"given": {"HOME": "/elsewhere"}}),
        (("recall", "x", "--vault", "../other"), {}),
        (("--vault", "../other", "recall", "x"), {}),
        (("remember", "x"), {"umask": 0o777}),
    ],
    ids=str,
)
def test_what_is_not_for_a_resident_is_left_to_the_caller(
    living: Living, root: Path, argv: tuple[str, ...], more: dict[str, object]
) -> None:
    Vault.create(root.parent / "other")
    assert set(run(root, *argv, **more)) == {"unfit"}
    assert asked(root, do="call", verb="list", args={})["value"] == []


def test_variables_of_the_call_alone_make_no_difference(living: Living, root: Path) -> None:
    own = caller.carried() | {
        "VMEM_AGENT": "ann",
        "VMEM_RESIDENT": "auto",
        "VMEM_VAULT": str(root),
        "TERM": "x",
    }
    assert run(root, "remember", "Ferries sail north", given=own)["exit"] == 0
    [memory] = asked(root, do="call", verb="list", args={})["value"]
    assert memory["source_agent"] == "ann"


def test_stdin_is_asked_for_when_it_is_needed(living: Living, root: Path) -> None:
    request = {
        "do": "run", "argv": ["remember", "-"], "folder": str(root), "given": caller.carried(),
        "terminal": {}, "tell": True,
    }  # fmt: skip
    with connected(root) as peer:
        peer.sendall(json.dumps(OWN | request).encode() + b"\n")
        lines = peer.makefile("rb")
        assert json.loads(lines.readline()) == {"heard": True}
        assert json.loads(lines.readline()) == {"want": "stdin"}
        peer.sendall(json.dumps({"stdin": "Ferries \udcff sail"}).encode() + b"\n")
        refused = json.loads(lines.readline())
        assert refused["exit"] == 65  # a byte that is no UTF-8 has survived the way here
        peer.sendall(json.dumps(OWN | request).encode() + b"\n")
        assert json.loads(lines.readline()) == {"heard": True}
        assert json.loads(lines.readline()) == {"want": "stdin"}
        peer.sendall(json.dumps({"stdin": "Ferries sail north"}).encode() + b"\n")
        assert json.loads(lines.readline())["exit"] == 0


def test_a_written_memory_is_committed_when_the_command_has_answered(living: Living, root: Path) -> None:
    answer = run(root, "remember", "Ferries sail north", "--json")
    assert json.loads(answer["said"][0][1])["committed"]


def test_a_vault_that_went_away_is_unfit_for_commands_and_an_error_for_calls(
    living: Living, root: Path
) -> None:
    peer = connected(root)
    lines = peer.makefile("rb")
    with peer:
        root.rename(root.with_name("aside"))
        request = {
            "do": "run",
            "argv": ["recall", "x"],
            "folder": "/",
            "given": caller.carried(),
            "terminal": {},
        }
        peer.sendall(json.dumps(OWN | request).encode() + b"\n")
        assert set(json.loads(lines.readline())) == {"unfit"}
        peer.sendall(json.dumps(OWN | {"do": "call", "verb": "list", "args": {}}).encode() + b"\n")
        assert json.loads(lines.readline())["error"]["kind"] == "VaultNotFoundError"
    root.with_name("aside").rename(root)


def test_faulty_settings_are_left_to_the_command_line(living: Living, root: Path) -> None:
    config = root / ".vmem" / "config.toml"
    before = config.read_text()
    config.write_text("format = 1\nrecall_tokens = 'many'\n")
    assert set(run(root, "recall", "x")) == {"unfit"}
    assert asked(root, do="call", verb="list", args={})["error"]["kind"] == "ConfigError"
    config.write_text(before)
    assert run(root, "recall", "x")["exit"] == 0
