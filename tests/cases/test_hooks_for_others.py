"""The hooks that this repository offers, run by the pre-commit program in real commits of another one."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from random import Random

import pytest
import yaml

from tests.cases.doors import REPOSITORY
from tests.cases.hooks import Hooked
from tests.gitrun import run_git
from tests.made_secrets import TOKENS

TOKEN = TOKENS["github-token"][0](Random(21))
OFFERED = REPOSITORY / ".pre-commit-hooks.yaml"
IDS = ["vmem-gc", "vmem-lint", "vmem-secrets", "vmem-check"]
CHECKS = '- ask: "how often do we deploy"\n  must: [notes/deploys.md]\n'


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A repository with our hooks, and its commit. They are as they are offered, but for their environment:
    the program would install the package for each of them."""
    folder = tmp_path_factory.mktemp("offered")
    hooks = yaml.safe_load(OFFERED.read_text(encoding="utf-8"))
    for hook in hooks:
        assert hook["language"] == "python"
        command, _, rest = hook["entry"].partition(" ")
        assert command == "vmem"
        hook |= {"language": "system", "entry": f"'{sys.executable}' -m vault_memory {rest}"}
    (folder / OFFERED.name).write_text(yaml.safe_dump(hooks), encoding="utf-8")
    run_git(folder, "init", "--quiet", "--initial-branch=main")
    run_git(folder, "add", ".")
    run_git(folder, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "--quiet", "-m", "hooks")
    return folder, run_git(folder, "rev-parse", "HEAD")


@pytest.fixture
def hooked(offered: tuple[Path, str], tmp_path: Path, home: Path) -> Hooked:
    """A fresh clone of a vault whose commits run all of them; it has no search index yet."""
    made = Hooked.made(tmp_path / "origin")
    made.put("notes/deploys.md", 'title: "Deploys"', "We deploy on Tuesdays, twice a month.")
    made.put("notes/plan.md", "title: Plan", "A plan.")
    (made.root / ".vmem/checks.yaml").write_text(CHECKS, encoding="utf-8")
    repo, rev = offered
    configuration = {"repos": [{"repo": str(repo), "rev": rev, "hooks": [{"id": one} for one in IDS]}]}
    (made.top / ".pre-commit-config.yaml").write_text(yaml.safe_dump(configuration), encoding="utf-8")
    made.commit_all("notes")
    run_git(tmp_path, "clone", "--quiet", str(made.top), "clone")
    clone = Hooked(tmp_path / "clone", tmp_path / "clone")
    assert clone.run(sys.executable, "-m", "pre_commit", "install").code == 0
    return clone


def test_the_manifest_is_one_and_offers_all_four(home: Path, tmp_path: Path) -> None:
    hooked = Hooked(tmp_path, tmp_path)
    done = hooked.run(sys.executable, "-m", "pre_commit", "validate-manifest", str(OFFERED))
    assert done.code == 0, done.said
    assert sorted(one["id"] for one in yaml.safe_load(OFFERED.read_text(encoding="utf-8"))) == sorted(IDS)


def test_the_same_hooks_keep_the_sample_vault(home: Path, tmp_path: Path) -> None:
    own = REPOSITORY / ".pre-commit-config.yaml"
    [local] = yaml.safe_load(own.read_text(encoding="utf-8"))["repos"]
    entries = {hook["id"]: hook["entry"] for hook in local["hooks"] if hook["id"] in IDS}
    assert sorted(entries) == sorted(IDS)
    shutil.copytree(REPOSITORY / "vault", tmp_path / "vault", ignore=shutil.ignore_patterns("local"))
    files = [str(one.relative_to(tmp_path)) for one in sorted(tmp_path.rglob("*")) if one.is_file()]
    hooked = Hooked(tmp_path, tmp_path / "vault")
    run_git(tmp_path, "init", "--quiet")
    hooked.commit_all("the sample")
    for name, entry in entries.items():
        command = entry.replace(".venv/bin/vmem", f"{sys.executable} -m vault_memory").split()
        done = hooked.run(*command, *(files if command[-1] == "--" else ()))
        assert done.code == 0, (name, done.said)


def test_a_good_commit_in_a_fresh_clone_passes_all_and_takes_what_expired_along(hooked: Hooked) -> None:
    assert not (hooked.root / ".vmem/local").exists()
    for name in ("notes/[a] ü*.md", "-rf.md", "--fix.md", "notes/two\nlines.md"):
        hooked.put(name, f'title: "{len(name)}"', f"Words about {len(name)} things.")
    hooked.git("add", "--", ".")
    ended = hooked.commit("-m", "odd names")
    assert ended.code == 0, ended.said
    assert ended.said.count("Passed") == len(IDS), ended.said
    assert len(hooked.in_head()) == 6


def test_a_staged_secret_stops_the_commit_whatever_the_working_tree_holds(hooked: Hooked) -> None:
    hooked.put("notes/plan.md", "title: Plan", f"The key:\n\n{TOKEN}")
    (hooked.root / "drawing.canvas").write_text(f'{{"text": "{TOKEN}"}}', encoding="utf-8")
    hooked.git("add", "--", ".")
    hooked.put("notes/plan.md", "title: Plan", "The key is in the safe.")
    before = hooked.state()
    ended = hooked.run("git", "commit", "-m", "work", environment={"SKIP": "vmem-gc,vmem-lint,vmem-check"})
    assert ended.code == 1
    assert "notes/plan.md:6   VM050  looks like a secret (github-token)" in ended.said
    assert "drawing.canvas:1   VM050" in ended.said
    assert TOKEN not in ended.said
    assert hooked.state() == before
    assert "in the safe" in (hooked.root / "notes/plan.md").read_text(encoding="utf-8")


def test_an_unstaged_secret_is_set_aside_and_stays_unstaged(hooked: Hooked) -> None:
    hooked.put("notes/new.md", "title: New", "words")
    hooked.git("add", "--", ".")
    hooked.put("notes/plan.md", "title: Plan", f"The key: {TOKEN}")
    ended = hooked.run("git", "commit", "-m", "new", environment={"SKIP": "vmem-gc,vmem-check"})
    assert ended.code == 0, ended.said
    assert ended.said.count("Passed") == 2
    assert TOKEN in (hooked.root / "notes/plan.md").read_text(encoding="utf-8")
    assert hooked.state() == " M notes/plan.md"


def test_a_commit_by_names_is_judged_by_what_it_takes_and_nothing_changes(hooked: Hooked) -> None:
    hooked.put("notes/gone.md")
    hooked.commit_all("gone")
    hooked.put("notes/plan.md", "title: Plan", "Another plan.")
    hooked.put("notes/deploys.md", "expires: soon", f"We deploy with {TOKEN}")
    hooked.git("add", "--", ".")
    before = hooked.state()
    ended = hooked.commit("-m", "plan", "notes/plan.md")
    assert ended.code == 1
    assert "this commit takes only the files that it was given by name" in ended.said
    assert ended.said.count("Failed") == 1, "lint, secrets and checks look at the plan alone"
    assert hooked.state() == before
    ended = hooked.run(
        "git", "commit", "-m", "deploys", "notes/deploys.md", environment={"SKIP": "vmem-gc,vmem-check"}
    )
    assert ended.code == 1
    assert "notes/deploys.md:2   VM025  expires can't be 'soon'" in ended.said
    assert "notes/deploys.md:4   VM050" in ended.said
    assert hooked.state() == before


def test_a_question_that_finds_no_more_what_it_must_stops_the_commit(hooked: Hooked) -> None:
    hooked.git("rm", "--quiet", "notes/deploys.md")
    ended = hooked.run("git", "commit", "-m", "gone", environment={"SKIP": "vmem-gc"})
    assert ended.code == 1
    assert "how often do we deploy" in ended.said
    assert ended.said.count("no files to check") == 2, "a file that is deleted is no file to look into"


def test_what_the_person_allowed_is_not_held_up_in_vmems_own_commit(hooked: Hooked) -> None:
    vmem = [sys.executable, "-m", "vault_memory"]
    ended = hooked.run(*vmem, "remember", f"A sample: {TOKEN}", "--allow-secret", "--require-commit",
                       environment={"SKIP": "vmem-gc,vmem-check"})  # fmt: skip
    assert ended.code == 0, ended.said
    assert hooked.state() == ""


def test_without_the_program_the_plain_hook_looks_at_what_is_staged(hooked: Hooked) -> None:
    hooked.install(f"'{sys.executable}' -m vault_memory lint --secrets --staged")
    hooked.put("notes/plan.md", "title: Plan", f"The key:\n{TOKEN}")
    hooked.git("add", "--", ".")
    hooked.put("notes/plan.md", "title: Plan", "The key is in the safe.")
    ended = hooked.commit("-m", "work")
    assert ended.code == 1
    assert "notes/plan.md:5   VM050" in ended.said
    hooked.git("add", "--", ".")
    assert hooked.commit("-m", "work").code == 0
