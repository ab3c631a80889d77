"""On a terminal: colour, the person's editor, bars for long work, and nothing that steers it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.gitrun import Git
from vault_memory.vault import Vault

COLUMNS = 100
REPOSITORY = str(Path(__file__).parents[2])


def on_terminal(
    *argv: str,
    cwd: Path,
    environment: dict[str, str] | None = None,
    stdin: bytes | None = None,
    typed: bytes = b"",
) -> tuple[int, str]:
    """Exit code of a real `vmem` on a terminal of its own, and what it wrote there.

    With `stdin` only stdout and stderr are the terminal. `typed` is what the person types.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "vault_memory", *argv],
        stdin=theirs if stdin is None else subprocess.PIPE,
        stdout=theirs,
        stderr=theirs,
        cwd=cwd,
        env=os.environ | {"TERM": "xterm-256color", "PYTHONPATH": REPOSITORY} | (environment or {}),
        start_new_session=True,
    )
    os.close(theirs)
    os.write(ours, typed)
    if process.stdin is not None:
        process.stdin.write(stdin or b"")
        process.stdin.close()
    written = bytearray()
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says EIO once the other side is closed
            break
        if not piece:
            break
        written += piece
    os.close(ours)
    return process.wait(timeout=60), written.decode("utf-8").replace("\r\n", "\n")


@pytest.fixture
def root(home: Path) -> Path:
    Vault.create(home / "memory")
    with Vault.open(home / "memory") as vault:
        vault.person.remember("Deploys are frozen on Fridays", title="Freeze", tags=["ops"])
        vault.person.remember("重启后配置才生效", title="重启", pinned=True)
        vault.index.refresh()  # or else a busy machine shows a bar for the first vectors
    return home / "memory"


def editor(home: Path, script: str) -> dict[str, str]:
    """An EDITOR that does what the shell script says with the file `$1`."""
    program = home / "my editor"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    return {"EDITOR": f"'{program}' --wait"}


def test_lists_and_results_are_coloured_on_a_terminal_and_plain_where_told(root: Path) -> None:
    for command in (("list",), ("search", "frozen"), ("doctor",)):
        code, shown = on_terminal(*command, cwd=root)
        assert (code, "\x1b[" in shown) == (0, True), shown
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        code, shown = on_terminal("list", cwd=root, environment=environment)
        assert code == 0
        assert "\x1b[" not in shown
    # Last, since the next command makes its vector, under a bar where the machine is busy.
    code, shown = on_terminal("remember", "new", cwd=root)
    assert (code, "\x1b[" in shown) == (0, True), shown


def test_the_list_on_a_terminal_has_a_head_and_aligns_wide_characters(root: Path) -> None:
    _, shown = on_terminal("list", cwd=root, environment={"NO_COLOR": "1"})
    first, second = shown.splitlines()[:2]
    assert first.index("notes/") == second.index("notes/") + len("重启📌")  # each takes two columns
    _, shown = on_terminal("list", cwd=root)
    head = shown.splitlines()[0]
    assert all(name in head for name in ("id", "importance", "age", "title", "path"))


def test_the_text_of_a_recall_is_the_same_on_a_terminal(root: Path) -> None:
    _, shown = on_terminal("recall", "frozen", cwd=root)
    with Vault.open(root) as vault:
        assert shown == f"{vault.person.recall('frozen')}\n"


def test_remember_without_a_text_opens_the_editor(root: Path, home: Path, git: Git) -> None:
    code, shown = on_terminal(
        "remember",
        cwd=root,
        environment=editor(home, "printf 'Written by hand\\n\\nin two parts\\n' > \"$2\""),
    )
    assert (code, "notes/written-by-hand.md" in shown) == (0, True)
    assert git(root, "log", "-1", "--format=%s") == "remember: Written by hand"
    assert (
        (root / "notes" / "written-by-hand.md")
        .read_text(encoding="utf-8")
        .endswith("---\nWritten by hand\n\nin two parts\n")
    )


def test_an_editor_closed_without_a_text_writes_nothing(root: Path, home: Path, git: Git) -> None:
    before = git(root, "rev-parse", "HEAD")
    code, shown = on_terminal("remember", cwd=root, environment=editor(home, "true"))
    assert (code, shown.splitlines()[0]) == (2, "vmem: there is no text to remember")
    code, shown = on_terminal("remember", cwd=root, environment=editor(home, "exit 3"))
    assert (code, "ended with exit code 3; nothing was done" in shown) == (2, True)
    code, shown = on_terminal("remember", cwd=root, environment={"EDITOR": "/no/such/editor"})
    assert (code, "can't run the editor '/no/such/editor'" in shown) == (2, True)
    assert git(root, "rev-parse", "HEAD") == before


def test_a_text_that_is_refused_after_the_editor_is_not_lost(root: Path, home: Path) -> None:
    long = editor(home, "printf 'Long\\n' > \"$2\"; head -c 300000 /dev/zero | tr '\\0' x >> \"$2\"")
    code, shown = on_terminal("remember", cwd=root, environment=long | {"TMPDIR": str(home)})
    assert code == 65
    [kept] = re.findall(r"your text is kept in (\S+)\n", shown)
    assert Path(kept).read_text(encoding="utf-8").startswith("Long\nxxx")


def test_edit_opens_the_file_itself_and_commits_what_is_left_there(root: Path, home: Path, git: Git) -> None:
    sed = "sed -i 's/Fridays/Fridays and Mondays/' \"$2\""
    code, shown = on_terminal("edit", "Freeze", cwd=root, environment=editor(home, sed))
    assert (code, "changed" in shown) == (0, True)
    assert git(root, "log", "-1", "--format=%an: %s") == "Test Person: edit: Freeze"
    assert "Mondays" in git(root, "show", "HEAD:notes/freeze.md")
    code, shown = on_terminal("edit", "Freeze", cwd=root, environment=editor(home, "true"))
    assert (code, "nothing changed" in shown) == (0, True)


def test_an_editor_that_breaks_the_front_matter_still_gets_its_commit(
    root: Path, home: Path, git: Git
) -> None:
    sed = "sed -i 's/title: Freeze/title: Freeze: phase two/' \"$2\""
    code, _ = on_terminal("edit", "Freeze", cwd=root, environment=editor(home, sed))
    assert code == 0
    assert "phase two" in git(root, "show", "HEAD:notes/freeze.md")
    _, shown = on_terminal("status", cwd=root)
    assert "notes/freeze.md:3   VM012" in shown


def test_many_memories_come_with_a_bar_and_json_without(root: Path) -> None:
    # So many that no machine is done before a bar is due.
    many = b"".join(b'{"text": "measurement %d"}\n' % number for number in range(2_000))
    code, shown = on_terminal("remember", "--stdin-jsonl", cwd=root, stdin=many)
    assert (code, "writing memories" in shown) == (0, True)
    assert "2,000 memories written, 2,000 committed" in shown
    code, shown = on_terminal("remember", "--stdin-jsonl", "--json", cwd=root, stdin=many)
    assert (code, shown.startswith("[")) == (0, True)


def test_show_prints_no_escape_sequence_to_a_terminal_and_every_byte_to_a_pipe(root: Path) -> None:
    raw = "---\ntitle: Harmless\n---\nred \x1b[31m and \x9b2J, tab\tend\r\n".encode()
    (root / "raw.md").write_bytes(raw)
    with Vault.open(root) as vault:
        vault.index.refresh()
    _, shown = on_terminal("show", "raw.md", cwd=root)
    assert shown == "---\ntitle: Harmless\n---\nred  [31m and  2J, tab    end\n"
    piped = subprocess.run(
        [sys.executable, "-m", "vault_memory", "show", "raw.md"],
        cwd=root,
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONPATH": REPOSITORY},
    )
    assert piped.stdout == raw


@pytest.fixture
def expired(root: Path, git: Git) -> Path:
    """A vault in which one memory has expired, and an uncommitted one that has."""
    (root / "notes").mkdir(exist_ok=True)
    for name in ("old", "draft"):
        (root / f"notes/{name}.md").write_text("---\nexpires: 2001-02-03\n---\ntext\n", encoding="utf-8")
    git(root, "add", "--", "notes/old.md")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


@pytest.mark.parametrize("typed", [b"\n", b"n\n", b"\x04"])
def test_nothing_expired_is_removed_unless_a_person_says_yes(expired: Path, typed: bytes) -> None:
    code, text = on_terminal("gc", cwd=expired, typed=typed)
    assert code == (130 if typed == b"\x04" else 0)
    question = "Remove the other one in one commit? History keeps it; `vmem restore` brings it back. [y/N]"
    assert question in text
    assert (expired / "notes/old.md").exists()


def test_a_yes_removes_what_was_listed(expired: Path, git: Git) -> None:
    code, text = on_terminal("gc", cwd=expired, typed=b"y\n")
    assert code == 0
    assert "1 memory removed" in text
    assert git(expired, "log", "-1", "--format=%s") == "gc: 1 expired memory"
    assert (expired / "notes/draft.md").exists()


@pytest.mark.parametrize("way", ["--dry-run", "--json"])
def test_who_asks_for_a_list_is_not_asked(expired: Path, way: str) -> None:
    code, text = on_terminal("gc", way, cwd=expired)
    assert code == 0
    assert "[y/N]" not in text
    assert (expired / "notes/old.md").exists()


def test_clusters_of_duplicates_are_asked_about_one_by_one(tmp_path: Path, git: Git) -> None:
    root = Vault.create(tmp_path / "memory").root
    for folder in ("a", "b", "c"):
        for name in ("one", "two"):
            (root / folder).mkdir(exist_ok=True)
            text = f"Of {folder}: the queue loses messages when all workers are down at once.\n"
            (root / folder / f"{name}.md").write_text(text, encoding="utf-8")
    code, text = on_terminal("dedupe", cwd=root, typed=b"y\nn\ny\n")
    assert code == 0, text
    assert text.count("Merge them?") == 3
    assert "2 duplicates merged into 2 memories" in text
    assert {path.parent.name for path in root.rglob("two.md")} == {"b"}
    assert git(root, "log", "-1", "--format=%s") == "dedupe: 2 duplicates merged"
    code, text = on_terminal("dedupe", cwd=root, typed=b"n\n")
    assert code == 0, text
    assert "Nothing was merged." in text
