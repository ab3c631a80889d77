"""`vmem lint --secrets` at the prompt: what it says, and what it does not take."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tests.gitrun import run_git
from tests.made_secrets import TOKENS
from vault_memory.model.pullrequest.whence import spec_of
from vault_memory.surfaces.cli.app import main
from vault_memory.vault import Vault

TOKEN = TOKENS["github-token"][0](Random(51))


@pytest.fixture
def leaky(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault that held a secret in two versions of a file, and has one in another."""
    root = tmp_path / "memory"
    Vault.create(root)
    monkeypatch.chdir(root)
    for number, text in enumerate((f"a {TOKEN}", f"a\nb {TOKEN}", "all is well")):
        (root / "plan.md").write_text(text, encoding="utf-8")
        run_git(root, "add", ".")
        run_git(root, "commit", "--quiet", "--date=2026-04-02T10:00:00Z", "-m", f"number {number}")
    (root / "key.md").write_text(TOKEN, encoding="utf-8")
    return root


def test_history_is_told_in_a_line_a_file_and_never_with_the_secret(
    leaky: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run_git(leaky, "rev-parse", "--short=7", "HEAD~2")
    assert main(["lint", "--secrets", "--history"]) == 1
    said = capsys.readouterr()
    [line, count] = said.out.splitlines()
    assert line.startswith(f"plan.md:1   github-token   since {first} of 2")
    assert line.endswith(", in 2 versions; only history has it")
    assert count == "1 secret in 5 versions of files, 3 commits"
    assert "renew it where it is used, first of all" in said.err
    assert TOKEN not in said.out + said.err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--history",), "--history belongs to --secrets"),
        (("--staged",), "--staged belongs to --secrets"),
        (("--secrets", "--staged", "--history"), "can't be had at once"),
        (("--secrets", "--history", "plan.md"), "--history takes no files"),
        (("--secrets", "--fix"), "--fix does not go with --secrets"),
        (("--secrets", "--rule", "VM012"), "--rule does not go with --secrets"),
        (("--secrets", "--history", "--format", "sarif"), "--history has no form 'sarif'"),
        (("--secrets", "gone.md"), "there is no 'gone.md'"),
    ],
)
def test_what_does_not_go_together_is_a_usage_error(
    leaky: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], why: str
) -> None:
    assert main(["lint", *options]) == 2
    assert why in capsys.readouterr().err


def test_every_form_of_lint_tells_of_secrets_too(leaky: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "--secrets", "--json", "key.md"]) == 1
    [one] = json.loads(capsys.readouterr().out)["findings"]
    assert (one["path"], one["rule"], one["line"]) == ("key.md", "secret", 1)
    assert main(["lint", "--secrets", "--format", "github"]) == 1
    assert capsys.readouterr().out.startswith("::error file=key.md,line=1,")
    assert main(["lint", "--secrets", "--format", "sarif"]) == 1
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"][0]["ruleId"] == "VM050"
    assert main(["lint", "--secrets", "--staged"]) == 0
    assert main(["lint", "--secrets", str(leaky.parent)]) == 0
    said = capsys.readouterr()
    assert "lies outside of the vault and was left out" in said.err
    assert said.out.endswith("no secrets in 0 files\n")


def test_another_machine_is_told_where_this_vmem_came_from_if_it_can_have_it_there() -> None:
    url = "https://example.org/vault-memory"
    git = json.dumps({"url": url, "vcs_info": {"vcs": "git", "commit_id": "ab12"}})
    assert spec_of(None, "1.2") == "vault-memory==1.2"
    assert spec_of(git, "1.2") == f"git+{url}@ab12"
    assert spec_of(json.dumps({"url": f"{url}.whl", "archive_info": {}}), "1.2") == f"{url}.whl"
    for note in ('{"url": "file:///x", "dir_info": {}}', "no note", "[]", git.replace("//", "//me:word@")):
        assert spec_of(note, "1.2") is None
