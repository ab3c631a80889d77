"""A vault in which what one agent may not read is full of words that stand nowhere else."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vault_memory.vault import Vault

CALLER = "akashi"
MINE = ("harbour", "ferry", "tide", "pilot", "lamp", "quay")
"""Words of what the caller may read."""
POLICY = """format = 1
embedder = "none"
[agents.akashi]
quota_files = 400
[namespaces.vault]
readers = ["mira"]
[namespaces."ops/keys"]
readers = []
[namespaces.board]
readonly = true
[namespaces.plans]
review = "required"
"""

HIDDEN = (
    "private/mira/{0}.md",
    "private/mira/deep/{0}.md",
    "private/aka/{0}.md",
    "private/akashi2/{0}.md",
    "private/Akashi/{0}.md",
    "private/AKASHI/{0}.md",
    "private/akashı/{0}.md",
    "private/{0}.md",
    "shared/vault/{0}.md",
    "shared/vault/deep/{0}.md",
    "shared/Vault/{0}.md",
    "Shared/vault/{0}.md",
    "shared/ops/keys/{0}.md",
)
"""Where the caller may not read: other agents' folders and twins of its own, and hidden namespaces."""


@dataclass(frozen=True, slots=True)
class Planted:
    """The vault, the words that must not be told, and what may be asked for."""

    root: Path
    markers: tuple[str, ...]
    hidden: tuple[str, ...]
    commits: tuple[str, ...]

    def told_in(self, answer: str, asked: str) -> list[str]:
        """The markers that an answer tells, and nobody had said in the question."""
        answer, asked = answer.casefold(), asked.casefold()
        return [one for one in self.markers if one in answer and one not in asked]


def planted(root: Path) -> Planted:
    """Make it at `root`, with some history."""
    Vault.create(root)
    (root / ".vmem" / "config.toml").write_text(POLICY, encoding="utf-8")
    markers: list[str] = []
    hidden: list[str] = []
    for number, place in enumerate(HIDDEN):
        words = list(_words(number))
        path = place.format(words[0])
        markers += words
        hidden.append(path)
        _put(root, path, _note(number, words))
    with Vault.open(root) as vault:
        for word in MINE:
            vault.person.remember(f"The {word} lies north of the quay", title=word.title(), namespace="ops")
            vault.agent(CALLER).remember(f"My own word on the {word}", title=f"Own {word}", tags=[word])
        vault.person.remember("What the board says of the tide", title="Board", namespace="board")
        vault.person.remember("A plan for the lamp", title="Plan", namespace="plans")
        _put(root, "notes/person.md", "The person links to [[Harbour]]\n")
        gone = vault.agent("mira").remember("goneaaqz is over", title="goneaaqz", tags=["goneaaqz"])
        _git(root, "add", "--all", "notes", "private", "shared", "Shared")
        _git(root, "commit", "--quiet", "-m", f"keep {markers[0]} and {markers[3]}")
        vault.agent("mira").forget(gone.path)
        proposal = vault.agent("mira").propose("proposalaaqz", "about proposalaaqz")
        with proposal:
            proposal.remember("proposalaaqz is secret", title="proposalaaqz", namespace="vault")
        vault.agent("mira").remember("lateaaqz came last", title="lateaaqz")
    (root / "private" / "mira" / "looseaaqz.md").write_text("looseaaqz not committed\n", encoding="utf-8")
    (root / "shared" / "vault" / "brokenaaqz.md").write_text(
        "---\na: [brokenaaqz\n---\nx\n", encoding="utf-8"
    )
    markers += ["goneaaqz", "lateaaqz", "looseaaqz", "brokenaaqz", "proposalaaqz"]
    commits = _git(root, "log", "--format=%h", "--all").split()
    hidden += ["private/mira/looseaaqz.md", "shared/vault/brokenaaqz.md", gone.path]
    # What the names of folders tell is in the settings, too, which everybody may look at.
    return Planted(root, tuple(markers), tuple(hidden), tuple(commits))


def _words(number: int) -> Iterator[str]:
    for what in ("file", "title", "body", "tag", "alias", "link", "front", "source"):
        yield f"{what}{chr(97 + number)}qz"
    yield f"01jqz0000000000000000000{number:02}"


def _note(number: int, words: list[str]) -> str:
    _, title, body, tag, alias, link, front, source, ident = words
    return (
        f'---\nid: "{ident.upper()}"\ntitle: {title}\ntags: [{tag}, harbour]\naliases: [{alias}, Quay]\n'
        f"owner: {front}\nsource_agent: {source}\nkind: decision\nimportance: 0.9\n"
        f"created: 2026-01-0{1 + number % 9}\n"
        f"links: [{link}, Harbour]\nnotify: [akashi]\n---\n"
        f"The {body} of the harbour and the ferry, see [[{link}]] and [[Harbour]] #{tag}\n"
    )


def _put(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout
