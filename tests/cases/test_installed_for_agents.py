"""`vmem install claude` and the like: a person's settings get ours, keep theirs, and lose ours again."""

from __future__ import annotations

import json
import stat
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.cases.doors import Case
from vault_memory.model.clients.table import CLIENTS
from vault_memory.surfaces.cli.installers.ourselves import ourselves_anywhere
from vault_memory.vault import Vault

SERVERS = {
    "claude": (".claude.json", "mcpServers"),
    "claude-code": (".claude.json", "mcpServers"),
    "claude-desktop": (".config/Claude/claude_desktop_config.json", "mcpServers"),
    "codex": (".codex/config.toml", "mcp_servers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "gemini": (".gemini/settings.json", "mcpServers"),
    "vscode-mcp": (".config/Code/User/mcp.json", "servers"),
}
HOOKS = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
    "gemini": ".gemini/settings.json",
}
THEIRS = (
    '{\n\t// mine\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"web": { "command": "npx" }, // too\n\t},\n}\n'
)


@pytest.fixture
def case(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """A vault, and a home in which no program has settings yet, wherever this system keeps them."""
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "memory"
    Vault.create(root)
    monkeypatch.chdir(tmp_path)
    return Case(root)


def written(home: Path) -> dict[str, bytes]:
    """Every file of programs' settings."""
    return {
        file.relative_to(home).as_posix(): file.read_bytes()
        for file in home.rglob("*")
        if file.is_file() and (file.name.endswith((".json", ".toml")) or file.is_symlink())
    }


def value(file: Path) -> Any:
    text = file.read_text(encoding="utf-8")
    return tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)


def test_each_program_of_the_table_is_tried() -> None:
    assert set(SERVERS) == set(CLIENTS)
    assert set(HOOKS) | {"claude-code"} == {name for name, one in CLIENTS.items() if one.hooks is not None}


@pytest.mark.parametrize("program", SERVERS)
def test_it_goes_in_once_and_out_whole(case: Case, home: Path, program: str) -> None:
    before = written(home)
    first = case.vmem("install", program)
    assert (first.code, first.err) == (0, "")
    name, key = SERVERS[program]
    put = written(home)
    assert set(put) == set(before) | {name} | ({HOOKS["claude"]} if program == "claude-code" else set())
    assert all(stat.S_IMODE((home / one).stat().st_mode) == 0o600 for one in set(put) - set(before))
    server = dict(value(home / name)[key]["memory"])
    agent = CLIENTS[program].agent
    assert server.pop("type", "stdio") == "stdio"
    vmem = ourselves_anywhere()
    assert server == {
        "command": vmem[0], "args": [*vmem[1:], "mcp", "--vault", str(case.root), "--agent", agent],
    }  # fmt: skip
    assert str(home / name) in first.out
    again = case.vmem("install", program, "--json")
    assert {one["did"] for one in again.value["files"]} == {"nothing"}
    assert "nothing was changed" in case.vmem("install", program).out
    assert written(home) == put
    assert case.vmem("install", program, "--uninstall").code == 0
    assert written(home) == before
    assert "nothing was changed" in case.vmem("install", program, "--uninstall").out


@pytest.mark.parametrize("program", HOOKS)
def test_hooks_run_vmem_at_the_program_s_own_events(case: Case, home: Path, program: str) -> None:
    before = written(home)
    assert case.vmem("install", program, "--hooks").code == 0
    hooks = CLIENTS[program].hooks
    assert hooks is not None
    events = value(home / HOOKS[program])["hooks"]
    assert list(events) == list(hooks.events)
    for said, [group] in events.items():
        [command] = [group] if hooks.flat else group["hooks"]
        assert f" hook {hooks.events[said].value} --for {hooks.caller} --vault " in command["command"]
        assert command["timeout"] == (10_000 if program == "gemini" else 10)
    assert case.vmem("install", program, "--uninstall").code == 0
    assert written(home) == before


def test_a_person_s_file_keeps_every_byte_and_its_mode(case: Case, home: Path) -> None:
    file = home / ".gemini/settings.json"
    file.parent.mkdir()
    file.write_text(THEIRS)
    file.chmod(0o640)
    assert case.vmem("install", "gemini").code == 0
    assert file.read_text() == THEIRS.replace(
        "// too\n",
        '// too\n\t\t"memory": {\n'
        f'\t\t\t"command": {json.dumps(ourselves_anywhere()[0])},\n\t\t\t"args": '
        + json.dumps(["mcp", "--vault", str(case.root), "--agent", "gemini"], indent="\t").replace(
            "\n", "\n\t\t\t"
        )
        + "\n\t\t},\n",
    )
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert case.vmem("install", "gemini", "--hooks").code == 0
    assert case.vmem("install", "gemini", "--uninstall").code == 0
    assert file.read_text() == THEIRS


def test_another_agent_or_vault_is_a_change_in_place(case: Case, home: Path, tmp_path: Path) -> None:
    Vault.create(tmp_path / "other")
    assert case.vmem("install", "claude-code").code == 0
    assert case.vmem("install", "claude-code", "--agent", "bob").code == 0
    settings = (home / HOOKS["claude"]).read_text()
    assert (settings.count("--agent bob"), settings.count("--agent claude")) == (5, 0)
    assert case.vmem("install", "claude-code", "--vault", str(tmp_path / "other")).code == 0
    settings = (home / HOOKS["claude"]).read_text()
    assert (settings.count(str(tmp_path / "other")), settings.count(str(case.root))) == (5, 0)
    assert case.vmem("install", "claude-code", "--vault", str(tmp_path / "other"), "--read-only").code == 0
    assert list(value(home / HOOKS["claude"])["hooks"]) == ["SessionStart", "UserPromptSubmit"]
    assert value(home / ".claude.json")["mcpServers"]["memory"]["args"][-1] == "--read-only"


def test_two_vaults_by_two_names_do_not_touch_each_other(case: Case, home: Path, tmp_path: Path) -> None:
    Vault.create(tmp_path / "work")
    assert case.vmem("install", "claude-code").code == 0
    alone = written(home)
    work = ("--name", "work", "--vault", str(tmp_path / "work"))
    assert case.vmem("install", "claude-code", *work).code == 0
    assert set(value(home / ".claude.json")["mcpServers"]) == {"memory", "work"}
    assert len(value(home / HOOKS["claude"])["hooks"]["Stop"]) == 2
    assert case.vmem("install", "claude-code", "--uninstall", "--name", "work").code == 0
    assert written(home) == alone


def test_only_a_part_may_be_put_in_or_taken_out(case: Case, home: Path) -> None:
    assert case.vmem("install", "claude-code", "--no-mcp").code == 0
    assert set(written(home)) == {HOOKS["claude"]}
    assert case.vmem("install", "claude").code == 0
    assert case.vmem("install", "claude-code", "--uninstall", "--no-hooks").code == 0
    assert set(written(home)) == {HOOKS["claude"]}
    told = case.vmem("install", "claude", "--no-mcp")
    assert (told.code, "leaves nothing to do" in told.err) == (2, True)
    assert case.vmem("install", "claude-desktop", "--hooks").code == 2


@pytest.mark.parametrize(
    ("name", "program", "text", "line"),
    [
        (".claude.json", "claude", '{\n  "a": 1\n  "b": 2\n}\n', 3),
        (".claude.json", "claude-code", "[]", 1),
        (".claude.json", "claude", '{\n  "mcpServers": []\n}\n', 2),
        (".claude/settings.json", "claude-code", '{\n\n"hooks": {"Stop": {}}}', 3),
        (".claude/settings.json", "claude-code", "{\n// \xff", 2),
        (".codex/config.toml", "codex", "a = 1\nb = \n", 2),
        (".codex/config.toml", "codex", "mcp_servers = 1\n", None),
    ],
)
def test_what_can_t_be_read_is_refused_and_nothing_is_written(
    case: Case, home: Path, name: str, program: str, text: str, line: int | None
) -> None:
    file = home / name
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text.encode("latin-1"))
    before = written(home)
    said = case.vmem("install", program)
    assert said.code == 78
    assert f"{file}:{line}: " in said.err if line is not None else f"{file}: " in said.err
    assert "nothing was changed" in said.err
    assert written(home) == before
    assert case.vmem("install", program, "--uninstall").code == 78
    assert written(home) == before


def test_a_disk_that_says_no_half_way_is_told_with_what_stands_already(case: Case, home: Path) -> None:
    (home / ".claude").write_text("no folder")
    said = case.vmem("install", "claude-code")
    assert said.code == 74
    assert "a file is where a folder should be" in said.err
    assert f"{home / '.claude.json'} was written before" in said.err
    (home / ".claude").unlink()
    assert case.vmem("install", "claude-code").code == 0
    assert case.vmem("install", "claude-code", "--uninstall").code == 0
    assert written(home) == {}


def test_a_server_of_another_program_is_refused_unless_forced(case: Case, home: Path) -> None:
    theirs = '{"mcpServers": {\n  "memory": {"command": "npx", "args": ["server-memory"]}}}'
    (home / ".claude.json").write_text(theirs)
    said = case.vmem("install", "claude-code")
    assert said.code == 75
    assert f"{home / '.claude.json'}:2: the server memory there is not vmem's" in said.err
    assert written(home) == {".claude.json": theirs.encode()}
    [row] = case.vmem("install", "claude", "--uninstall", "--no-hooks", "--json").value["files"]
    assert (row["did"], row["left"] is not None) == ("nothing", True)
    assert case.vmem("install", "claude", "--name", "notes").code == 0
    assert case.vmem("install", "claude", "--force").code == 0
    assert set(value(home / ".claude.json")["mcpServers"]) == {"memory", "notes"}
    assert "vmem" in value(home / ".claude.json")["mcpServers"]["memory"]["command"]


def test_a_link_to_one_s_dotfiles_stays_a_link(case: Case, home: Path, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    for name in ("claude.json", "gone.json"):
        link = home / {"claude.json": ".claude.json", "gone.json": ".cursor/mcp.json"}[name]
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(dotfiles / name)
    (dotfiles / "claude.json").write_text("{}\n")
    for program, name in (("claude", "claude.json"), ("cursor", "gone.json")):
        assert case.vmem("install", program).code == 0
        assert "memory" in value(dotfiles / name)["mcpServers"]
        assert case.vmem("install", program, "--uninstall").code == 0
        assert (dotfiles / name).read_text() == "{}\n"
    assert (home / ".claude.json").is_symlink()
    assert (home / ".cursor/mcp.json").is_symlink()


def test_a_project_s_settings_are_its_own(case: Case, home: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for program, name in (
        ("claude", ".mcp.json"), ("cursor", ".cursor/mcp.json"), ("vscode-mcp", ".vscode/mcp.json"),
        ("codex", ".codex/config.toml"), ("gemini", ".gemini/settings.json"),
    ):  # fmt: skip
        assert case.vmem("install", program, "--project", str(project)).code == 0
        assert str(case.root) in (project / name).read_text()
        assert stat.S_IMODE((project / name).stat().st_mode) != 0o600
    assert case.vmem("install", "claude-code", "--project", str(project)).code == 0
    assert "SessionStart" in (project / ".claude/settings.json").read_text()
    assert written(home) == {}
    assert case.vmem("install", "claude-desktop", "--project", str(project)).code == 2
    assert case.vmem("install", "claude", "--project", str(project / "gone")).code == 2


def test_no_link_in_a_project_leads_it_elsewhere(case: Case, tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside.json"
    project.mkdir()
    outside.write_text("{}")
    (project / ".mcp.json").symlink_to(outside)
    assert case.vmem("install", "claude", "--project", str(project)).code == 74
    assert outside.read_text() == "{}"


def test_the_folders_that_programs_are_told_of_are_heeded(
    case: Case, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for program in ("claude-code", "codex", "vscode-mcp"):
        assert case.vmem("install", program).code == 0
    assert {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.json")} >= {
        "claude/.claude.json", "claude/settings.json", "config/Code/User/mcp.json",
    }  # fmt: skip
    assert (tmp_path / "codex/config.toml").is_file()
    assert written(home) == {}
    monkeypatch.setattr(sys, "platform", "darwin")
    assert case.vmem("install", "claude-desktop").code == 0
    assert set(written(home)) == {"Library/Application Support/Claude/claude_desktop_config.json"}


def test_printing_writes_nothing_and_says_all_that_would_be_written(case: Case, home: Path) -> None:
    shown = case.vmem("install", "claude-code", "--print", "--json").value
    assert written(home) == {}
    assert shown["installed"] is False
    assert case.vmem("install", "claude-code").code == 0
    assert {one["path"]: json.loads(one["by_hand"]) for one in shown["files"]} == {
        str(home / name): value(home / name) for name in (".claude.json", HOOKS["claude"])
    }
    (home / ".claude.json").write_text("broken")
    told = case.vmem("install", "claude", "--print")
    assert "claude mcp add --scope user memory -- " in told.out
    assert told.out.endswith("Nothing was written.\n")


def test_taking_out_needs_no_vault(case: Case, home: Path, tmp_path: Path) -> None:
    assert case.vmem("install", "claude-code").code == 0
    assert case.vmem("install", "cursor", "--hooks").code == 0
    case.root.rename(tmp_path / "moved")
    for program in ("claude-code", "cursor"):
        assert case.vmem("install", program, "--uninstall").code == 0
    assert written(home) == {}


def test_an_agent_sets_up_no_program_and_no_vault_is_made_up(case: Case, home: Path, tmp_path: Path) -> None:
    for program in SERVERS:
        assert case.vmem("--agent", "akashi", "install", program).code == 77
        assert case.vmem("--agent", "akashi", "install", program, "--uninstall").code == 77
    assert case.vmem("install", "claude", "--vault", str(tmp_path / "none")).code == 3
    assert written(home) == {}


@pytest.mark.parametrize(
    "words",
    [
        ("claude", "--agent", "../x"),
        ("claude", "--agent", ""),
        ("claude", "--name", "a b"),
        ("claude", "--name", ""),
        ("claude", "--project", ""),
        ("claude", "--print", "--uninstall"),
        ("merge", "--force"),
        ("obsidian", "--name", "x"),
        ("github", "--hooks"),
        ("vscode", "--project", "."),
        ("claude", "--package", "x"),
    ],
)
def test_options_that_mean_nothing_there_are_refused(case: Case, home: Path, words: tuple[str, ...]) -> None:
    said = case.vmem("install", *words)
    assert said.code in (2, 65)
    assert said.err.startswith("vmem: ")
    assert written(home) == {}


def test_a_missing_library_is_said_and_the_settings_are_written(
    case: Case, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    said = case.vmem("install", "cursor")
    assert said.code == 0
    assert "needs the extra 'mcp'" in said.err
    assert "pip install 'vault-memory[mcp]'" in said.err
    assert set(written(home)) == {".cursor/mcp.json"}


def test_vs_code_gets_the_vault_in_its_own_folder_too(case: Case) -> None:
    assert case.vmem("install", "vscode", "--agent", "pilot").code == 0
    file = case.root / ".vscode/mcp.json"
    assert value(file)["servers"]["memory"] == {
        "type": "stdio",
        "command": "vmem",
        "args": ["mcp", "--vault", "${workspaceFolder}", "--agent", "pilot"],
    }
    file.write_text(file.read_text().replace("pilot", "old"))
    assert case.vmem("install", "vscode").code == 0
    assert value(file)["servers"]["memory"]["args"][-1] == "copilot"
    assert case.vmem("install", "vscode", "--uninstall").code == 0
    assert not file.exists()
    assert case.vmem("install", "vscode", "--no-mcp").code == 0
    assert not file.exists()
    case.write(".vscode/mcp.json", '{"servers": {"memory": {"url": "http://127.0.0.1:1"}}}')
    told = case.vmem("install", "vscode")
    assert "left alone: the server memory on line 1 is not vmem's" in told.out
    assert case.vmem("install", "vscode", "--uninstall").code == 0
    assert "127.0.0.1" in file.read_text()
