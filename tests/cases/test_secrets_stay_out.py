"""A secret on its way in: refused before anything exists, and never repeated by whoever refuses it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.cases.doors import Case, CommandLine, Door, Python, Ran, Said
from tests.gitrun import run_git
from tests.made_secrets import TOKENS, key_block
from vault_memory.errors import PersonOnlyError, RefusedError, VmemError
from vault_memory.model.namespace import PERSON
from vault_memory.vault import Vault

TOKEN = TOKENS["github-token"][0](Random(11))
OTHER = TOKENS["stripe-key"][0](Random(12))
PASSWORD = "hunter" + "22"
LEAKS = {
    "github-token": f"token ghp{'_'}{'A1b2C3d4' * 5}",
    "private-key": key_block(Random(13)),
    "password-in-url": f"https://u:p4ss@{'host'}/",
    "assigned-password": f"export DB_PASSWORD={PASSWORD}",
}
SECRETS = [TOKEN, OTHER, "A1b2C3d4", "p4ss", PASSWORD, key_block(Random(13)).split("\n")[1]]

FIELDS: dict[str, dict[str, Any]] = {
    "text": {},
    "title": {"title": f"the token {TOKEN}"},
    "tag": {"tags": ["ops", TOKEN]},
    "key": {"extra": {"remark": f"it is {TOKEN}"}},
    "key of a telling name": {"extra": {"db_password": PASSWORD}},
    "name of a key": {"extra": {TOKEN: "x"}},
    "namespace": {"namespace": f"market/{TOKEN}"},
    "namespace that leads out": {"namespace": f"../{TOKEN}"},
    "kind": {"kind": f"{TOKEN[:40]}"},
    "title too long": {"title": f"{'a' * 150} {TOKEN} {'b' * 400}"},
    "title cut in the middle of it": {"title": f"{'a' * 180} {TOKEN} {'b' * 400}"},
    "importance": {"importance": TOKEN},
    "tag of two words": {"tags": [f"a {TOKEN}"]},
    "ttl": {"ttl": TOKEN},
}
"""What `remember` is given besides an innocent text."""


def everything(root: Path) -> str:
    """All that the vault holds: files with their names, sidecar and journal, every object of git, its
    logs and messages."""
    seen = [str(path.relative_to(root)) for path in root.rglob("*")]
    seen += [path.read_bytes().decode("latin-1") for path in root.rglob("*") if path.is_file()]
    objects = ["git", "cat-file", "--batch-all-objects", "--batch", "--buffer"]
    seen.append(subprocess.run(objects, cwd=root, capture_output=True, check=True).stdout.decode("latin-1"))
    return "\n".join(seen)


def leaked(text: str) -> list[str]:
    """The secrets, or halves of them, that a text repeats."""
    lowered = text.lower()
    return [
        one for one in SECRETS if one.lower() in lowered or (len(one) > 20 and one[:20].lower() in lowered)
    ]


@pytest.fixture
def unleaked(case: Case) -> Callable[[Said | Ran], None]:
    """Nothing was written, and neither answer nor vault knows the secret."""
    Python(case).remember("an innocent note", title="Innocent")
    before = case.files()
    head = run_git(case.root, "rev-parse", "HEAD")

    def check(said: Said | Ran) -> None:
        assert leaked(repr(said)) == []
        assert case.files() == before
        assert run_git(case.root, "rev-parse", "HEAD") == head
        assert leaked(everything(case.root)) == []

    return check


@pytest.mark.parametrize("rule", LEAKS)
@pytest.mark.parametrize("agent", [None, "akashi"])
def test_a_text_with_a_secret_is_refused_with_rule_and_line(
    door: Door, unleaked: Callable[[Said], None], rule: str, agent: str | None
) -> None:
    said = door.remember(f"The first line.\n\n{LEAKS[rule]}\n", agent=agent)
    assert said.code == 65
    line = 4 if rule == "private-key" else 3
    assert said.error == f"refused by rule {rule}: the text looks like it holds a secret (line {line})"
    unleaked(said)


@pytest.mark.parametrize("field", FIELDS)
def test_no_field_of_a_new_memory_lets_a_secret_in(
    door: Door, unleaked: Callable[[Said], None], field: str
) -> None:
    given = FIELDS[field]
    said = door.remember(f"an innocent text, but {TOKEN}" if not given else "an innocent text", **given)
    assert said.code == 65
    assert "looks like it holds a secret" in said.error
    unleaked(said)


@pytest.mark.parametrize(
    "change",
    [
        {"text": f"now {TOKEN}"},
        {"title": f"t {TOKEN}"},
        {"add_tags": [TOKEN]},
        {"extra": {"remark": TOKEN}},
        {"extra": {"api_key": OTHER[8:] + "aB3"}},
        {"extra": {TOKEN: "x"}},
        {"kind": f"{TOKEN} {TOKEN}"},
        {"importance": TOKEN},
    ],
    ids=["text", "title", "tag", "key", "telling key", "key's name", "kind", "importance"],
)
def test_no_change_of_a_memory_lets_a_secret_in(
    door: Door, unleaked: Callable[[Said], None], change: dict[str, Any]
) -> None:
    said = door.edit("Innocent", **change)
    assert said.code == 65
    assert "looks like it holds a secret" in said.error
    unleaked(said)


@pytest.mark.parametrize(
    "argv",
    [
        ("remember", f"a {TOKEN}"),
        ("remember", "a", f"{TOKEN}"),
        ("remember", "a", "--set", TOKEN),
        ("remember", "a", f"--{TOKEN}"),
        ("remember", "a", "--expires", TOKEN),
        ("edit", "Innocent", "--set", TOKEN),
        ("edit", TOKEN, "--title", "x"),
        ("move", "Innocent", f"notes/{TOKEN}.md"),
        ("link", "Innocent", "Innocent", "--type", TOKEN),
        ("show", TOKEN),
        ("--agent", f"a/{TOKEN}", "list"),
    ],
    ids=lambda argv: "_".join(argv).replace(TOKEN, "SECRET"),
)
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_no_message_of_the_command_line_repeats_a_secret(
    case: Case, unleaked: Callable[[Ran], None], argv: tuple[str, ...], form: tuple[str, ...]
) -> None:
    ran = case.vmem(*argv, *form)
    assert ran.code != 0
    unleaked(ran)


@pytest.mark.parametrize(
    "argv",
    [
        ("propose", f"about {TOKEN}"),
        ("propose", "x", "--about", f"it is {TOKEN}"),
        ("remember", "a", f"--propose={TOKEN}"),
        ("remember", f"a {TOKEN}", "--propose=x"),
        ("remember", "a", "--title", f"a {TOKEN}", "--propose=x"),
    ],
    ids=lambda argv: "_".join(argv).replace(TOKEN, "SECRET"),
)
def test_no_proposal_takes_a_secret_in(case: Case, argv: tuple[str, ...]) -> None:
    Python(case).remember("an innocent note", title="Innocent")
    ran = case.vmem("--agent", "akashi", *argv)
    assert ran.code == 65
    assert "looks like it holds a secret" in ran.err
    assert leaked(repr(ran)) == []
    assert leaked(everything(case.root)) == []


def test_stdin_is_looked_through_like_an_argument(case: Case, unleaked: Callable[[Ran], None]) -> None:
    ran = case.process("remember", "-", stdin=f"one\r\ntwo {TOKEN}\r\n".encode())
    assert ran.code == 65
    assert "refused by rule github-token: the text looks like it holds a secret (line 2)" in ran.err
    unleaked(ran)


def test_front_matter_that_a_text_brings_is_looked_through(
    case: Case, unleaked: Callable[[Ran], None]
) -> None:
    ran = case.vmem("remember", "-", stdin=f"---\ntitle: x\ndb_password: {PASSWORD}\n---\nhello\n".encode())
    assert ran.code == 65
    assert "assigned-password" in ran.err
    assert "(line 3)" in ran.err
    unleaked(ran)


@pytest.mark.parametrize(
    "bad",
    [
        {"text": f"x {TOKEN}"},
        {"text": "x", "title": TOKEN},
        {"text": "x", "title": f"{'a' * 185} {TOKEN} {'b' * 400}"},
        {"text": "x", "namespace": f"../{TOKEN}"},
        {"text": "x", "tags": ["a", f"b {TOKEN}"]},
        {"text": "x", TOKEN: "y"},
        {"text": "x", "extra": {"password": PASSWORD}},
    ],
    ids=["text", "title", "long title", "namespace", "tag", "field", "key"],
)
def test_of_many_memories_none_is_written_if_one_holds_a_secret(
    case: Case, unleaked: Callable[[Ran], None], bad: dict[str, Any]
) -> None:
    lines = "".join(json.dumps(one) + "\n" for one in ({"text": "fine"}, bad, {"text": "fine too"}))
    ran = case.vmem("remember", "--stdin-jsonl", stdin=lines.encode())
    assert ran.code in (2, 65)
    assert "2" in ran.err
    unleaked(ran)


def test_an_exception_tells_rule_field_and_line_and_nothing_else(case: Case) -> None:
    with Vault.open(case.root) as vault:
        with pytest.raises(RefusedError) as caught:
            vault.person.remember(f"a\n{TOKEN}\nb\n{LEAKS['assigned-password']}")
        assert (caught.value.rule, caught.value.field, caught.value.line) == ("github-token", "text", 2)
        assert "2 secrets: github-token in line 2, assigned-password in line 4" in caught.value.message
        assert leaked(repr(caught.value) + repr(vars(caught.value))) == []
        with pytest.raises(RefusedError, match="memory 2: refused by rule github-token") as caught:
            vault.person.remember_many(["fine", {"text": "x", "title": TOKEN}])
        assert (caught.value.field, caught.value.line) == ("title", None)


def test_the_person_may_write_one_all_the_same_and_an_agent_may_not(case: Case, door: Door) -> None:
    refused = door.remember(f"a {TOKEN}", agent="akashi", allow_secret=True)
    assert refused.code == 77
    assert "only the person may" in refused.error
    assert case.files() == {}
    written = door.remember(f"a {TOKEN}", allow_secret=True)
    assert written.code == 0
    assert written.value["committed"] is not None
    assert TOKEN in case.files()[written.value["path"]].decode()
    assert door.edit(written.value["path"], agent="akashi", text=OTHER, allow_secret=True).code == 77
    assert door.edit(written.value["path"], text=f"now {OTHER}", allow_secret=True).code == 0


def test_an_agent_by_environment_may_not_either(case: Case) -> None:
    ran = case.process("remember", "--allow-secret", f"a {TOKEN}", environment={"VMEM_AGENT": "akashi"})
    assert ran.code == 77
    assert leaked(ran.err) == []


def test_a_file_that_holds_one_can_be_edited_elsewhere(door: Door) -> None:
    path = door.remember(f"a {TOKEN}\nrest", title="Key", allow_secret=True).value["path"]
    assert door.edit(path, importance="0.2", add_tags=["old"]).code == 0
    assert door.edit(path, text=f"the same {TOKEN}\nother rest", agent=None).code == 0
    said = door.edit(path, text=f"a {TOKEN}\nand {OTHER}")
    assert said.code == 65
    assert said.error == "refused by rule stripe-key: the text looks like it holds a secret (line 2)"


def test_a_persons_version_with_a_secret_is_never_committed_for_them(case: Case, door: Door) -> None:
    path = door.remember("fine", title="Note").value["path"]
    file = case.root / path
    head = run_git(case.root, "rev-parse", "HEAD")
    mine = file.read_bytes() + f"\nand {TOKEN}\n".encode()
    file.write_bytes(mine)
    for said in (door.edit(path, importance="0.2"), door.forget(path)):
        assert said.code == 75
        assert "vmem does not commit" in said.error
        assert "github-token in line" in said.error
        assert leaked(said.error) == []
    assert file.read_bytes() == mine
    assert run_git(case.root, "rev-parse", "HEAD") == head
    assert TOKEN not in run_git(case.root, "cat-file", "--batch-all-objects", "--batch", "--buffer")
    run_git(case.root, "commit", "-qam", "mine")
    assert door.edit(path, importance="0.2").code == 0


def test_what_a_person_leaves_in_their_editor_is_kept_and_not_committed(case: Case) -> None:
    path = Python(case).remember("fine", title="Note").value["path"]
    head = run_git(case.root, "rev-parse", "HEAD")

    def type_it(file: Path) -> None:
        file.write_bytes(file.read_bytes() + f"\n{LEAKS['assigned-password']}\n".encode())

    with Vault.open(case.root, clock=case.clock, ids=case.ids) as vault:
        written = vault.files.edit(PERSON, path, type_it)
        assert written.commit is None
        assert written.reason is not None
        assert "assigned-password in line" in written.reason
        assert leaked(written.reason) == []
        assert PASSWORD in (case.root / path).read_text(encoding="utf-8")
        assert run_git(case.root, "rev-parse", "HEAD") == head
        assert [hit.entry.path for hit in vault.person.search("PASSWORD").hits] == [path]
        run_git(case.root, "checkout", "-q", "--", path)
        again = vault.files.edit(PERSON, path, type_it, allow_secret=True)
        assert again.commit is not None
        with pytest.raises(PersonOnlyError):
            vault.files.edit(vault.agent("akashi").scope, path, type_it, allow_secret=True)


def test_what_comes_back_from_history_comes_with_a_warning(case: Case, door: Door) -> None:
    path = door.remember(f"a {TOKEN}", title="Key", allow_secret=True).value["path"]
    door.forget(path)
    said = door.restore(path)
    assert said.code == 0
    assert any("github-token in line" in notice for notice in said.value["notices"])
    assert leaked(repr(said)) == []


def test_the_vaults_list_of_samples_lets_just_these_pass(case: Case, door: Door) -> None:
    config = case.root / ".vmem/config.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text + f'\nallow_secrets = ["{TOKEN}", "ghp_"]\n', encoding="utf-8")
    assert door.remember(f"our sample is {TOKEN}", agent="akashi").code == 0
    other = TOKENS["github-token"][0](Random(99))
    assert door.remember(f"this one is none: {other}", agent="akashi").code == 65


def test_a_vault_can_not_switch_the_scanner_off_and_a_machine_can(case: Case) -> None:
    config = case.root / ".vmem/config.toml"
    text = config.read_text(encoding="utf-8")
    config.write_text(text + '\nsecret_scanner = "none"\n', encoding="utf-8")
    assert case.process("list").code == 78
    config.write_text(text, encoding="utf-8")
    assert case.process("remember", f"a {TOKEN}", environment={"VMEM_SECRET_SCANNER": "none"}).code == 0


def test_a_file_that_a_person_saved_is_named_and_waits_for_them(case: Case) -> None:
    case.write("mine.md", f"# Mine\n\nkey {TOKEN}\n")
    Python(case).remember("something else")
    assert run_git(case.root, "status", "--porcelain", "--", "mine.md") == "?? mine.md"
    with Vault.open(case.root) as vault:
        told = vault.upkeep.lint(PERSON).findings
    [found] = [one for one in told if "secret" in one.message]
    assert (found.path, found.line) == ("mine.md", 3)
    assert "github-token" in found.message
    assert leaked(repr(found)) == []


@pytest.mark.parametrize("make", [CommandLine, Python])
def test_commit_ids_and_samples_pass(case: Case, make: Callable[[Case], Door]) -> None:
    door = make(case)
    sample = "AKIA" + "IOSFODNN7EXAMPLE"
    said = door.remember(
        f"commit 3f2a9c1e5b7d8f60718293a4b5c6d7e8f9012345 by {sample}, token: <your-token>",
        title="550e8400-e29b-41d4-a716-446655440000",
        extra={"sha256": "a" * 32 + "0123456789abcdef" * 2, "token": "${TOKEN}"},
    )
    assert said.code == 0


def test_an_error_of_another_kind_stays_what_it_is(case: Case) -> None:
    with Vault.open(case.root) as vault, pytest.raises(VmemError) as caught:
        vault.person.remember("fine", title="x" * 600)
    assert not isinstance(caught.value, RefusedError)
