"""What a forge runs for a pull request: the workflow and the script as they are written, step by step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from tests.cases.forgery import Forge
from tests.cases.hooks import Hooked
from tests.gitrun import run_git
from tests.made_secrets import TOKENS
from vault_memory.model.pullrequest.mark import MARK
from vault_memory.model.pullrequest.workflow import workflow
from vault_memory.surfaces.cli.app import main

BOT = "github-actions[bot]"
DIFF = ".vmem/local/vmem-diff.md"
TOKEN = TOKENS["github-token"][0](Random(31))
SPEC = "git+https://example.org/vault-memory@v0.1.0"
FROM_THE_EVENT = {
    "github.event.pull_request.base.sha", "github.event.pull_request.head.sha",
    "github.event.pull_request.number", "github.token",
}  # fmt: skip
"""What may be handed to a script: numbers and ids that nobody can choose the text of, and the token."""


@pytest.fixture
def asked(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Hooked:
    """A repository whose vault is a folder of it, on a branch that changes a memory."""
    made = Hooked.made(tmp_path / "project", below="docs/memory")
    made.put("notes/plan.md", "title: Plan", "We meet on Mondays.")
    (made.root / ".vmem/checks.yaml").write_text('- ask: "when do we meet"\n  must: [notes/plan.md]\n')
    monkeypatch.chdir(made.root)
    assert main(["install", "github", "--package", SPEC]) == 0
    assert main(["install", "ci"]) == 0
    made.commit_all("notes")
    made.git("checkout", "--quiet", "-b", "proposal")
    made.put("notes/plan.md", "title: Plan", "We meet on Fridays. <img src=x> @everyone")
    made.commit_all("another day")
    return made


def written(asked: Hooked) -> dict[Any, Any]:
    """The workflow as GitHub reads it."""
    content = (asked.top / ".github/workflows/vmem.yml").read_text(encoding="utf-8")
    read: dict[Any, Any] = yaml.safe_load(content)
    return read


def steps(flow: dict[Any, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, job in flow["jobs"].items():
        for step in job["steps"]:
            yield name, step


def scripts(flow: dict[Any, Any], job: str) -> dict[str, str]:
    return {step["name"]: step["run"] for name, step in steps(flow) if name == job and "run" in step}


def test_the_workflow_gives_nothing_of_a_pull_request_to_a_shell(asked: Hooked) -> None:
    flow = written(asked)
    assert flow[True] == {"pull_request": None}, "no event that runs with the rights of the base"
    for _, step in steps(flow):
        assert "${{" not in step.get("run", "")
        for value in step.get("env", {}).values():
            found = re.fullmatch(r"\$\{\{ (.+) \}\}", value)
            assert found is not None
            assert found[1] in FROM_THE_EVENT
    assert flow["env"] == {"VMEM_VAULT": "docs/memory", "MEMORY_PACKAGE": SPEC, "VMEM_RESIDENT": "off"}


def test_the_workflow_has_the_least_rights_and_names_the_versions_of_its_actions(asked: Hooked) -> None:
    flow = written(asked)
    assert flow["permissions"] == {}
    assert {name: job["permissions"] for name, job in flow["jobs"].items()} == {
        "check": {"contents": "read"},
        "comment": {"pull-requests": "write"},
    }
    used = {name: [step["uses"] for one, step in steps(flow) if one == name and "uses" in step]
            for name in flow["jobs"]}  # fmt: skip
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", one) for names in used.values() for one in names)
    assert not any("checkout" in one for one in used["comment"]), "what may write sees no file of the branch"
    [checkout] = [step for _, step in steps(flow) if "checkout" in step.get("uses", "")]
    assert checkout["with"] == {"fetch-depth": 0, "persist-credentials": False}
    assert "head.repo.full_name == github.repository" in flow["jobs"]["comment"]["if"]
    assert all("timeout-minutes" in job for job in flow["jobs"].values())


def test_the_steps_of_the_workflow_keep_the_diff_in_one_comment(asked: Hooked, tmp_path: Path) -> None:
    flow = written(asked)
    forge = Forge.at(tmp_path / "forge", [{"id": 1, "login": "mallory", "body": f"{MARK}\nmine"}])
    base, head = asked.git("rev-parse", "main"), asked.git("rev-parse", "HEAD")
    environment = {
        **flow["env"], "BASE": base, "HEAD": head, "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "GH_TOKEN": "told", "NUMBER": "7", "GITHUB_REPOSITORY": "o/r", "WHO": BOT,
        "RUNNER_TEMP": str(tmp_path),
    }  # fmt: skip

    def run(job: str, *names: str) -> list[int]:
        script = scripts(flow, job)
        shell = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
        place = asked.top if job == "check" else tmp_path  # where the artifact is put
        return [forge.run(*shell, script[name], cwd=place, environment=environment).returncode
                for name in names]  # fmt: skip

    environment["HEAD"] = base
    assert run("check", "Say what changes") + run("comment", "Put it into one comment") == [0, 0]
    assert len(forge.comments) == 1, "where no memory changes there is nothing to say"
    environment["HEAD"] = head
    (tmp_path / "summary.md").unlink()
    assert run("check", "Say what changes", "Lint", "Look for secrets", "Check recall") == [0, 0, 0, 0]
    assert run("comment", "Put it into one comment") == [0]
    [mallory, (who, first)] = forge.comments
    assert mallory == ("mallory", f"{MARK}\nmine")
    assert who == BOT
    assert first.startswith(f"{MARK}\n")
    assert "Fridays" in first
    assert "<img src=x>" not in first
    assert first == (tmp_path / "summary.md").read_text(encoding="utf-8")
    asked.put("notes/key.md", "title: Key", f"It is {TOKEN}")
    asked.git("rm", "--quiet", "--", "docs/memory/notes/plan.md")
    asked.commit_all("worse")
    environment["HEAD"] = asked.git("rev-parse", "HEAD")
    assert run("check", "Say what changes", "Lint", "Look for secrets", "Check recall") == [0, 1, 1, 1]
    assert run("comment", "Put it into one comment") == [0]
    [_, (_, second)] = forge.comments
    assert "plan.md" in second
    assert second != first
    assert TOKEN not in second
    assert asked.state() == "", "what the diff repeats is among the memories"


@pytest.mark.parametrize("kind", ["gitlab", "forgejo"])
def test_the_script_does_the_same_on_other_forges(asked: Hooked, tmp_path: Path, kind: str) -> None:
    told = f'#!/bin/sh\ncase $3 in diff) echo "{MARK}"; echo "$4 $5 $6" ;; esac\n'
    forge = Forge.at(tmp_path / "forge", [{"id": 1, "login": "mallory", "body": f"{MARK}\nmine"}], vmem=told)
    api = "https://forge.example/api"
    of_gitlab = {
        "CI_API_V4_URL": api, "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "7", "CHANGE": "PUT",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": asked.git("rev-parse", "main"),
        "HEADER": 'header = "PRIVATE-TOKEN: told"\n',
        "LIST": f"{api}/projects/3/merge_requests/7/notes?sort=asc&order_by=created_at&per_page=100",
        "ONE": f"{api}/projects/3/merge_requests/7/notes",
    }  # fmt: skip
    of_forgejo = {
        "GITHUB_SERVER_URL": "https://forge.example", "GITHUB_REPOSITORY": "o/r", "CHANGE": "PATCH",
        "GITHUB_REF": "refs/pull/7/head", "MEMORY_BASE": "main",
        "HEADER": 'header = "Authorization: token told"\n',
        "LIST": f"{api}/v1/repos/o/r/issues/7/comments", "ONE": f"{api}/v1/repos/o/r/issues/comments",
    }  # fmt: skip
    environment = {
        "MEMORY_COMMENT": kind, "MEMORY_TOKEN": "told", "WHO": "robot",
        **(of_gitlab if kind == "gitlab" else of_forgejo),
    }  # fmt: skip
    for _ in range(2):
        done = forge.run("sh", "docs/memory/.vmem/ci.sh", cwd=asked.top, environment=environment)
        assert done.returncode == 0, done.stderr
        [mallory, (who, text)] = forge.comments
        assert mallory == ("mallory", f"{MARK}\nmine")
        assert who == "robot"
        assert text == (asked.root / DIFF).read_text(encoding="utf-8")
        base = environment.get("CI_MERGE_REQUEST_DIFF_BASE_SHA", "main")
        assert text == f"{MARK}\n--markdown -- {base}...HEAD\n"
    assert asked.state() == "", "what the diff repeats is among the memories"


def test_the_script_tells_of_faults_and_of_what_it_was_not_told(asked: Hooked, tmp_path: Path) -> None:
    forge = Forge.at(tmp_path / "forge", [])
    asked.put("notes/key.md", "title: Key", f"It is {TOKEN}")
    done = forge.run("sh", "docs/memory/.vmem/ci.sh", cwd=asked.top, environment={})
    assert done.returncode == 1
    assert "notes/key.md:4   VM050" in done.stdout
    assert "nothing tells what this is to be merged into" in done.stderr
    environment = {"MEMORY_BASE": "main", "MEMORY_COMMENT": "bugzilla"}
    done = forge.run("sh", "docs/memory/.vmem/ci.sh", cwd=asked.top, environment=environment)
    assert done.returncode == 1
    assert "Fridays" in (asked.root / DIFF).read_text(encoding="utf-8")
    assert "it takes gitlab, gitea or forgejo" in done.stderr
    assert forge.comments == []


def test_a_file_that_a_person_changed_is_neither_replaced_nor_deleted(
    asked: Hooked, capsys: pytest.CaptureFixture[str]
) -> None:
    flow = asked.top / ".github/workflows/vmem.yml"
    ours = flow.read_bytes()
    assert main(["install", "github"]) == 0
    assert "is there already" in capsys.readouterr().out
    flow.write_bytes(ours.replace(b"\n", b"\r\n"))
    assert main(["install", "github", "--package", "vault-memory==9.1"]) == 0, "line ends are git's to change"
    assert '"vault-memory==9.1"' in flow.read_text(encoding="utf-8")
    assert main(["install", "github"]) == 0
    assert '"vault-memory==9.1"' in flow.read_text(encoding="utf-8"), "what was chosen stays chosen"
    mine = flow.read_bytes().replace(b"timeout-minutes: 20", b"timeout-minutes: 5")
    flow.write_bytes(mine)
    for more in ((), ("--uninstall",)):
        assert main(["install", "github", *more]) == 75
        assert flow.read_bytes() == mine
    assert "it is not as vmem wrote it" in capsys.readouterr().err
    flow.write_bytes(ours)
    assert main(["install", "github", "--uninstall"]) == 0
    assert main(["install", "ci", "--uninstall"]) == 0
    assert asked.git("status", "--porcelain").split("\n") == [
        " D .github/workflows/vmem.yml", " D docs/memory/.vmem/ci.sh"
    ]  # fmt: skip


def test_a_link_in_place_of_the_file_is_not_followed(asked: Hooked, tmp_path: Path) -> None:
    flow = asked.top / ".github/workflows/vmem.yml"
    outside = tmp_path / "outside.yml"
    outside.write_bytes(flow.read_bytes())
    flow.unlink()
    flow.symlink_to(outside)
    assert main(["install", "github"]) == 74
    assert main(["install", "github", "--uninstall"]) == 74
    assert outside.exists()
    assert flow.is_symlink()


@pytest.mark.parametrize(
    "spec", ["x; rm -rf /", "--index-url=https://x.example", "${{ github.token }}", "a\nb", ""]
)
def test_what_is_to_be_installed_can_say_nothing_else(asked: Hooked, spec: str) -> None:
    before = (asked.top / ".github/workflows/vmem.yml").read_bytes()
    assert main(["install", "github", "--package", spec]) in (2, 65)
    assert (asked.top / ".github/workflows/vmem.yml").read_bytes() == before


def test_the_folders_name_can_be_no_expression(asked: Hooked) -> None:
    flow = yaml.safe_load(workflow('a "quoted"\\ name: #1 日本', SPEC))
    assert flow["env"]["VMEM_VAULT"] == 'a "quoted"\\ name: #1 日本'
    odd = asked.top / "${{ github.token }}"
    run_git(asked.top, "mv", "docs", str(odd))
    assert main(["--vault", str(odd / "memory"), "install", "github"]) == 65
