"""`vmem install vscode|obsidian` adds what helps, keeps what is a person's, and takes its own out again."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cases.doors import REPOSITORY, Case
from tests.gitrun import run_git
from vault_memory.model.editors import obsidian, vscode
from vault_memory.vault import Vault

SETTINGS = (
    '{\n    // mine\n    "editor.rulers": [110],\n'
    '    "files.watcherExclude": { "**/out/**": true }, // too\n}\n'
)
TASKS = '{\n\t"version": "2.0.0",\n\t"tasks": [\n\t\t{ "label": "build", "command": "make" }\n\t]\n}\n'
TYPES = '{\n  "types": {\n    "created": "date",\n    "tags": "tags"\n  }\n}'


@pytest.fixture
def case(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """A vault with one commit and no editor's files yet."""
    root = tmp_path / "memory"
    Vault.create(root)
    monkeypatch.chdir(tmp_path)
    run_git(root, "add", ".")
    run_git(root, "commit", "--quiet", "--message", "begin")
    return Case(root)


def files(root: Path) -> dict[str, bytes]:
    return {
        file.relative_to(root).as_posix(): file.read_bytes()
        for file in root.rglob("*")
        if file.is_file() and ".git" not in file.parts and "local" not in file.parts
    }


@pytest.mark.parametrize("program", ["vscode", "obsidian"])
def test_it_goes_in_once_and_out_whole(case: Case, program: str) -> None:
    before = files(case.root)
    first = case.vmem("install", program)
    assert first.code == 0
    put = files(case.root)
    assert set(put) > set(before)
    assert all(name in first.out for name in set(put) - set(before))
    again = case.vmem("install", program, "--json")
    assert {one["did"] for one in json.loads(again.out)["files"]} == {"nothing"}
    assert files(case.root) == put
    assert case.vmem("install", program, "--uninstall").code == 0
    assert {name: text for name, text in files(case.root).items() if name != ".vmem/config.toml"} == {
        name: text for name, text in before.items() if name != ".vmem/config.toml"
    }
    assert "nothing was changed" in case.vmem("install", program, "--uninstall").out


def test_a_persons_files_keep_every_byte_but_for_what_is_added(case: Case) -> None:
    case.write(vscode.SETTINGS, SETTINGS)
    case.write(vscode.TASKS, TASKS)
    case.write(obsidian.TYPES_FILE, TYPES)
    case.write(obsidian.TEMPLATES_FILE, '{"folder": "Meta/Forms"}')
    for program in ("vscode", "obsidian"):
        assert case.vmem("install", program).code == 0
    settings = (case.root / vscode.SETTINGS).read_text()
    assert settings == SETTINGS.replace(
        '{ "**/out/**": true }, // too\n',
        '{ "**/out/**": true, "**/.vmem/local/**": true }, // too\n'
        '    "markdown.updateLinksOnFileMove.enabled": "prompt",\n',
    )
    tasks = json.loads((case.root / vscode.TASKS).read_text())["tasks"]
    assert tasks == [{"label": "build", "command": "make"}, vscode.TASK]
    types = json.loads((case.root / obsidian.TYPES_FILE).read_text())["types"]
    assert types == {**obsidian.PROPERTIES, "created": "date", "tags": "tags"}
    assert (case.root / "Meta/Forms/Memory.md").read_text() == obsidian.TEMPLATE
    for program in ("vscode", "obsidian"):
        assert case.vmem("install", program, "--uninstall").code == 0
    assert (case.root / vscode.TASKS).read_text() == TASKS
    assert (case.root / obsidian.TYPES_FILE).read_text() == TYPES
    assert (case.root / vscode.SETTINGS).read_text() == SETTINGS


def test_what_a_person_changed_or_broke_is_theirs(case: Case) -> None:
    assert case.vmem("install", "vscode").code == 0
    snippets = case.root / vscode.SNIPPETS
    snippets.write_text(snippets.read_text() + "// mine\n")
    case.write(vscode.SETTINGS, "{ broken")
    case.write(obsidian.TYPES_FILE, "[1, 2]")
    case.write("Templates/Memory.md", "my own\n")
    told = case.vmem("install", "vscode")
    assert "left alone" in told.out
    assert '"markdown.updateLinksOnFileMove.enabled": "prompt"' in told.out
    facts = json.loads(case.vmem("install", "obsidian", "--json").out)["files"]
    assert facts[0]["left"] is not None
    assert json.loads(facts[0]["by_hand"]) == {"types": obsidian.PROPERTIES}
    assert facts[1]["left"] == "Templates/Memory.md is there already"
    for program in ("vscode", "obsidian"):
        assert case.vmem("install", program, "--uninstall").code == 0
    assert snippets.read_text().endswith("// mine\n")
    assert (case.root / vscode.SETTINGS).read_text() == "{ broken"
    assert (case.root / "Templates/Memory.md").read_text() == "my own\n"


def test_the_template_is_no_memory_and_lint_has_nothing_to_say(case: Case) -> None:
    before = case.vmem("list", "--json").out
    assert case.vmem("install", "obsidian").code == 0
    assert case.vmem("list", "--json").out == before
    assert 'exclude = ["/Templates/Memory.md"]' in (case.root / ".vmem/config.toml").read_text()


def test_the_task_finds_every_problem_that_lint_prints(case: Case) -> None:
    case.write("notes/a b.md", "---\nimportance: high\n---\nSee [x](gone.md).\n")
    case.write("notes/long name: of a note.md", "---\npinned: maybe\n---\n")
    at = vscode.TASK["problemMatcher"]["pattern"]  # type: ignore[index]  # its values are plain JSON
    lint = case.vmem("lint")
    matched = [found for line in lint.out.splitlines() if (found := re.match(at["regexp"], line))]
    told = [
        (found[at["file"]], int(found[at["line"]]), found[at["code"]], found[at["message"]])
        for found in matched
    ]
    findings = json.loads(case.vmem("lint", "--json").out)["findings"]
    wanted = [one for one in findings if one["severity"] != "info"]
    assert len(wanted) >= 3
    assert told == [(one["path"], one["line"], one["code"], one["message"]) for one in wanted]


@pytest.mark.parametrize("program", ["vscode", "obsidian"])
def test_no_link_leads_it_out_of_the_vault_and_no_agent_sets_it_up(
    case: Case, program: str, tmp_path: Path
) -> None:
    assert case.vmem("--agent", "akashi", "install", program).code == 77
    outside = tmp_path / "outside"
    outside.mkdir()
    (case.root / f".{program}").symlink_to(outside, target_is_directory=True)
    assert case.vmem("install", program).code == 74
    assert list(outside.iterdir()) == []


def test_what_is_added_is_left_to_the_person_to_commit(case: Case) -> None:
    head = run_git(case.root, "rev-parse", "HEAD")
    for program in ("vscode", "obsidian"):
        assert case.vmem("install", program).code == 0
    assert run_git(case.root, "rev-parse", "HEAD") == head


def test_the_page_shows_what_it_says(case: Case) -> None:
    page = (REPOSITORY / "docs" / "editors.md").read_text(encoding="utf-8")
    for program in ("vscode", "obsidian"):
        assert f"$ vmem install {program}\n{case.vmem('install', program).out}```" in page
