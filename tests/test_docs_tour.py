"""The README's tour, typed as it stands there with real commands, shows what it says it shows."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.gitrun import run_git
from tests.transcripts.session import Console
from tests.written import Written
from vault_memory.vault import Vault

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"(?<=```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)

MASKS = (
    (re.compile(r"\b01[0-9A-HJKMNP-TV-Z]{6,24}\b"), "ID"),
    (re.compile(r"(?<=committed )[0-9a-f]{7}"), "COMMIT"),
    (re.compile(r"about \d+ tokens"), "about SO MANY tokens"),
    (re.compile(r"^ 0\.\d\d  ", re.MULTILINE), " SCORE  "),
    (re.compile(r"\btoday\b|\byesterday\b"), "DAY"),
    (re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME"),
)
"""What is another in each run; scores are shown as they are now, and may move a little."""


def masked(text: str) -> str:
    for pattern, word in MASKS:
        text = pattern.sub(word, text)
    return text


def test_the_tour_goes_as_the_readme_says(
    home: Path, monkeypatch: pytest.MonkeyPatch, written: Written
) -> None:
    monkeypatch.chdir(home)
    config = home / ".gitconfig"
    config.write_text(
        config.read_text(encoding="utf-8").replace("Test Person", "Ann Example"), encoding="utf-8"
    )
    console = Console(home, real=True)

    def again(block: re.Match[str]) -> str:
        now = console.play(block[0])
        return block[0] if masked(now) == masked(block[0]) else now

    written.stands_in(ROOT / "README.md", CONSOLE.sub(again, README))


def test_the_python_of_the_readme_runs(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Vault.create(home / "memory")
    [code] = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    exec(compile(code, "README.md", "exec"), {})
    assert "  Use the limit order above 1 % of volume.\n" in capsys.readouterr().out


def test_the_demo_answers_from_the_sample_and_leaves_its_repository_clean(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [asked] = re.findall(r"@\$\(BIN\)/(vmem .*)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    project = home / "project"
    shutil.copytree(ROOT / "vault", project / "vault", ignore=shutil.ignore_patterns("local"))
    shutil.copy(ROOT / ".gitignore", project)
    for command in ("init --quiet", "add .", "commit --quiet -m sample"):
        run_git(project, *command.split())
    monkeypatch.chdir(project)
    said = Console(home).type(asked)
    assert (said.code, "NVDA RSI rule · " in said.out) == (0, True)
    assert run_git(project, "status", "--porcelain") == ""


def test_the_readme_counts_the_memories_of_the_sample() -> None:
    assert len(list((ROOT / "vault").rglob("*.md"))) == 25
    assert "twenty-five memories" in README
