"""What can be seen of a vault and its repository from outside, and what must never be seen there."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.crash.vaults import ACKNOWLEDGED, PERSONS
from tests.gitrun import run_git
from tests.stand import ToldClock
from vault_memory.adapters.journal import SqliteJournal
from vault_memory.vault import Vault

KNOWN_LOCAL = frozenset(
    {"index.db", "index.db-wal", "index.db-shm", "state.db", "state.db-wal", "state.db-shm", "lock",
     "embedding", "commit", "capture", "resident", "resident.log", "vectors.cache",
     "uses.db", "uses.db-journal", "git-recent.json", "worktrees.lock", "denied.log", "denied.log.1",
     "hook.log", "hook.log.1", "hook.seen"}
)  # fmt: skip
"""What may lie in `.vmem/local/` when nothing is under way."""
KNOWN_OF_VIEWS = frozenset(
    {"index.db", "index.db-wal", "index.db-shm", "vectors.cache", "lock", "embedding", "used"}
)
"""The same of a folder in `.vmem/local/views/`."""

_GIT_STRAY = re.compile(r"\.lock$|(^|/)vmem|(^|/)tmp_|\.new$|\.tmp$")

Files = dict[str, bytes]
Tables = dict[str, str]
"""The rows of each table of an index, as a hash."""

Commit = tuple[str, ...]
"""Author, subject, and `status blob path` of each file it changed."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A vault at rest: its Markdown files, HEAD (`""` before the first commit), and what git says of each
    file that is not clean: its state and its blobs in HEAD and index."""

    files: Files
    head: str
    status: dict[str, str]

    def persons(self) -> dict[str, str]:
        """The status of the person's own work."""
        return {path: state for path, state in self.status.items() if path.startswith(f"{PERSONS}/")}


def look(root: Path) -> Sight:
    """Look at the vault as git and the file system show it."""
    out = run_git(root, "status", "--porcelain=v2", "--branch", "--untracked-files=all", "--no-renames", "-z")
    head, status = "", {}
    for line in out.split("\0")[:-1]:
        kind, _, rest = line.partition(" ")
        if line.startswith("# branch.oid "):
            head = "" if line.endswith("(initial)") else line.split()[-1]
        elif kind in {"1", "u"}:
            *state, path = line.split(" ", 8 if kind == "1" else 10)
            status[path] = " ".join(state)
        elif kind == "?":
            status[rest] = "?"
    return Sight(files_of(root), head, status)


def files_of(root: Path) -> Files:
    """All Markdown files but git's and vmem's own folders, by path."""
    return {
        str(file.relative_to(root)): file.read_bytes()
        for file in sorted(root.rglob("*.md"))
        if not file.relative_to(root).parts[0].startswith(".")
    }


def commits_since(root: Path, base: str) -> list[Commit]:
    """The commits on top of `base` (`""`: all), oldest first."""
    span = [f"{base}..HEAD"] if base else ["HEAD", "--"]
    form = "--format=%x01%an%x02%s"
    out = run_git(root, "log", "--reverse", "--raw", "--no-renames", "--abbrev=40", form, *span)
    commits: list[Commit] = []
    for part in out.split("\x01")[1:]:
        heading, *lines = [line for line in part.splitlines() if line]
        author, _, subject = heading.partition("\x02")
        changes = [line.split(maxsplit=4) for line in lines]
        commits.append((author, subject, *(f"{last[0]} {blob} {last[2:]}" for *_, blob, last in changes)))
    return commits


def strays(root: Path) -> list[str]:
    """Files that an operation at rest must not leave: temporary ones, locks, refs of ours."""
    local, git = root / ".vmem" / "local", root / ".git"
    found = [
        file
        for file in root.rglob("*")
        if not file.is_dir()
        and not file.is_relative_to(git)
        and not file.is_relative_to(root / PERSONS)
        and file.name not in {".gitattributes", ".gitignore", "config.toml"}
        and file.suffix != ".md"
        and not (file.parent == local and file.name in KNOWN_LOCAL)
        and not (file.parent.parent == local / "views" and file.name in KNOWN_OF_VIEWS)
        and file.parent != local / "looked"  # a mark of each caller
        and file.parent != local / "mcp-tokens"  # a token of each agent that is served over HTTP
    ]
    found += [file for file in git.rglob("*") if _GIT_STRAY.search(str(file.relative_to(git).as_posix()))]
    return sorted(str(file.relative_to(root)) for file in found)


def broken_objects(root: Path) -> str:
    """What git has to say against its store; nothing when it is sound."""
    found = subprocess.run(
        ["git", "fsck", "--strict", "--no-dangling", "--no-progress"],
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = (found.stdout + found.stderr).strip()
    return said or ("" if found.returncode == 0 else f"exit code {found.returncode}")


def pending(root: Path) -> int:
    """How many intents the journal still holds."""
    journal = SqliteJournal(root / ".vmem" / "local" / "state.db")
    try:
        return len(journal.pending())
    finally:
        journal.close_file()


def unlike_a_rebuild(vault: Vault, elsewhere: Path) -> list[str]:
    """The tables in which the vault's index differs from one built of the same files from nothing."""
    return differing(tables_of(vault), rebuilt_tables(vault.root, elsewhere))


def tables_of(vault: Vault) -> Tables:
    """The vault's index, brought up to its files."""
    vault.index.refresh()
    dump = vault.index.dump()
    assert isinstance(dump, dict)
    return {table: hashlib.sha256(repr(rows).encode()).hexdigest() for table, rows in dump.items()}


def rebuilt_tables(root: Path, elsewhere: Path) -> Tables:
    """The index that the vault's files give from nothing; the folder `elsewhere` is made anew for it."""
    copy_files(root, elsewhere)
    with Vault.open(elsewhere, clock=ToldClock()) as fresh:
        return tables_of(fresh)


def differing(one: Tables, other: Tables) -> list[str]:
    """The tables that two indexes do not have in common."""
    return [table for table in one | other if one.get(table) != other.get(table)]


def copy_files(root: Path, to: Path) -> None:
    """A vault of the same Markdown files, with nothing else."""
    shutil.rmtree(to, ignore_errors=True)
    (to / ".vmem").mkdir(parents=True)
    shutil.copy2(root / ".vmem" / "config.toml", to / ".vmem")
    for path, content in files_of(root).items():
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        (to / path).write_bytes(content)


def copy_tree(source: Path, to: Path) -> None:
    """Copy a folder with its links of both kinds: what a lock is linked to tells whose it is."""
    if not source.exists():
        return
    first: dict[int, Path] = {}
    for folder, _, names in os.walk(source):
        target = to / Path(folder).relative_to(source)
        target.mkdir()
        for name in names:
            file = Path(folder) / name
            inode = file.lstat().st_ino
            if inode in first:
                os.link(first[inode], target / name)
            else:
                first[inode] = target / name
                shutil.copy2(file, target / name, follow_symlinks=False)


def not_recalled(vault: Vault, paths: set[str]) -> list[str]:
    """Those of the acknowledged memories that their own word does not find."""
    return [
        path
        for path, word in ACKNOWLEDGED.items()
        if path in paths and path not in {hit.entry.path for hit in vault.person.search(word).hits}
    ]
