"""Whatever is typed at a command line: done as asked, or refused in words before a file exists."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.doors import Case, CommandLine, Door, Python
from tests.gitrun import Git
from vault_memory.errors import UsageError, ValueFormatError
from vault_memory.model.namespace import PERSON
from vault_memory.vault import Vault


@pytest.mark.parametrize(
    "argv",
    [["--set", "x"], ["--set", "=x"], ["--set", "  =y"], ["--set", "k=1", "--set", "k=2"], ["--set", ""]],
)
def test_an_option_that_sets_nothing_or_one_thing_twice_is_a_usage_error(case: Case, argv: list[str]) -> None:
    case.write("e.md", "body\n")
    assert case.vmem("remember", "text", *argv).code == 2
    assert case.vmem("edit", "e.md", *argv).code == 2
    assert case.files() == {"e.md": b"body\n"}


@pytest.mark.parametrize(
    "argv",
    [
        ["--title", "A", "--set", "title=B"],
        ["--set", "k=1", "--unset", "k"],
        ["--set", "k=1", "--set", "K=2"],
        ["--importance", "0.1", "--set", "Importance=0.2"],
    ],
)
def test_two_values_for_one_key_are_a_usage_error(case: Case, argv: list[str]) -> None:
    case.write("e.md", "body\n")
    assert case.vmem("edit", "e.md", *argv).code == 2
    assert case.files() == {"e.md": b"body\n"}


@pytest.mark.parametrize("score", ["nan", "-0.1", "1.1", "inf"])
def test_a_score_that_is_none_is_a_usage_error(door: Door, case: Case, score: str) -> None:
    assert door.search("x", min_score=float(score)).code == door.recall("x", min_score=float(score)).code == 2


@pytest.mark.parametrize("limit", [0, -1, -100])
def test_less_than_one_result_is_a_usage_error(door: Door, case: Case, git: Git, limit: int) -> None:
    case.write("e.md", "x\n")
    assert door.search("x", limit=limit).code == 2
    with Vault.open(case.root) as vault, pytest.raises(UsageError):
        vault.history.log(PERSON, limit=limit)


@pytest.mark.parametrize("wrong", [None, 5, b"bytes", ["list"]], ids=repr)
def test_a_text_that_is_no_text_is_refused_by_python(case: Case, wrong: Any) -> None:
    with Vault.open(case.root) as vault:
        with pytest.raises(ValueFormatError):
            vault.person.remember(wrong)
        with pytest.raises(ValueFormatError):
            vault.person.remember_many([{"text": wrong}])
    assert case.files() == {}


@pytest.mark.parametrize(
    "argv",
    [
        ["remember", b"bytes \xff\xfe"],
        ["remember", "text", "--title", b"t\xff"],
        ["remember", "text", "--namespace", b"n\xff"],
        ["remember", "text", "--agent", b"a\xff"],
        ["remember", "text", "--tag", b"t\xff"],
        ["remember", "text", "--set", b"k\xff=1"],
        ["remember", "text", "--set", b"k=\xff"],
        ["remember", "text", "--ttl", b"1d\xff"],
        ["list", "--namespace", b"n\xff"],
    ],
    ids=ascii,
)
def test_bytes_that_are_no_text_are_refused_with_a_message_that_is_one(
    case: Case, argv: list[str | bytes]
) -> None:
    for more in ([], ["--json"]):
        ran = case.process(*argv, *more)
        assert ran.code == 65
        ran.err.encode("utf-8", "strict")
    assert case.files() == {}


@pytest.mark.parametrize("command", ["show", "edit", "forget", "restore", "log"])
def test_a_reference_of_such_bytes_names_no_memory(case: Case, command: str) -> None:
    more = ["--importance=0.5"] if command == "edit" else []
    ran = case.process(command, b"\xff\xfe", *more, "--json")
    assert ran.code == 3
    ran.err.encode("utf-8", "strict")


@pytest.mark.parametrize(
    "argv", [["nope"], ["--nope"], [b"\xff"], ["list", "--nope"], ["show"], ["show", "a", "b"]], ids=ascii
)
def test_a_command_line_that_is_none_is_a_usage_error(case: Case, argv: list[str | bytes]) -> None:
    assert case.process(*argv).code == 2


def test_both_doors_word_a_refusal_alike(case: Case) -> None:
    case.write("e.md", "body\n")
    cli, python = CommandLine(case), Python(case)
    asks: list[Any] = [
        lambda door: door.remember("x", importance="7"),
        lambda door: door.remember("x", namespace="../x"),
        lambda door: door.remember("x", agent="akashi", namespace="private/mira"),
        lambda door: door.remember("  "),
        lambda door: door.remember("x" * 300_000),
        lambda door: door.edit("e.md", if_match="0" * 64, importance=0.5),
        lambda door: door.edit("e.md", agent="akashi", importance=0.5),
        lambda door: door.show("nope"),
        lambda door: door.show("  "),
        lambda door: door.forget("nope"),
        lambda door: door.restore("nope"),
        lambda door: door.recall(" "),
        lambda door: door.search("x", strategy="best"),
    ]
    for ask in asks:
        said = ask(cli)
        assert said == ask(python)
        assert said.code not in (0, 1, 70)
