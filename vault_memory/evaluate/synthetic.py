"""Vaults of made-up memories for measuring: the same for the same seed, on every machine."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from random import Random

from vault_memory.config import environ
from vault_memory.model.ids import ulid
from vault_memory.vault import Progress, Vault

WORDS = 20_000
"""The size of the vocabulary; the word of rank r comes up in proportion to 1/r."""
COMMONEST = 20
"""Words that are in nearly every memory: nobody asks for them."""
A_FOLDER = 500
PASSAGES = (1, 5)
WORDS_A_PASSAGE = (40, 130)
EXPIRE, LINK = 5, 2
"""One memory in so many expires on `EXPIRES`, and one in so many links to another."""
EXPIRES = "2120-01-01"
"""Far off, so that all are alive but to who says `--now`."""

_ONSETS = "b br c ch d dr f fl g gr h k l m n p pl pr qu r s sh st t tr v w".split()
_VOWELS = "a e i o u ea ou ai".split()
_CODAS = ["", "n", "r", "s", "t", "l", "nd", "ck", "m"]
TAGS = "trading ops deploy research client design incident review".split()
"""A memory has two of them."""
_STATUS = "open waiting done".split()
_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Text:
    """A made-up memory: its title and its body of one to five sections."""

    title: str
    body: str


class Author:
    """Writes memories by number; the same number is the same memory."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.words = _vocabulary(_chance(f"{seed} words"))
        self._weights = list(accumulate(1 / rank for rank in range(1, WORDS + 1)))

    def text(self, number: int) -> Text:
        """A title and one to five sections, each of which is one passage."""
        chance = _chance(f"{self.seed} text {number}")
        sections = []
        for _ in range(chance.randint(*PASSAGES)):
            words = self._draw(chance, chance.randint(*WORDS_A_PASSAGE))
            heading = " ".join(self._draw(chance, 2)).capitalize()
            sections.append(f"## {heading}\n\n{_prose(chance, words)}\n")
        title = " ".join(self._draw(chance, 4)).capitalize()
        return Text(f"{title} {number}", "\n".join(sections))

    def file(self, number: int) -> bytes:
        """The memory as a file, as vmem would write it."""
        chance = _chance(f"{self.seed} file {number}")
        text = self.text(number)
        created = _EPOCH - timedelta(minutes=chance.randrange(60 * 24 * 700))
        tags = ", ".join(chance.sample(TAGS, 2))
        ends = f"expires: {EXPIRES}\n" if number % EXPIRE == 0 else ""
        see = f"\nSee [[{_name(chance.randrange(number + 1))}]].\n" if number % LINK == 0 else ""
        memory_id = ulid(int(created.timestamp() * 1000), number.to_bytes(10, "big"))
        return (
            f'---\nid: "{memory_id}"\ntitle: {text.title}\nimportance: {chance.randrange(1, 10) / 10}\n'
            f"tags: [{tags}]\nsource_agent: akashi\ncreated: {created:%Y-%m-%dT%H:%M:%SZ}\n{ends}"
            f"status: {chance.choice(_STATUS)}\neffort: {chance.randrange(100)}\n---\n{text.body}{see}"
        ).encode()

    def query(self, number: int, memories: int) -> str:
        """Two or three words that stand together in one of the first `memories`, no commonest ones."""
        chance = _chance(f"{self.seed} query {number}")
        common = frozenset(self.words[:COMMONEST])
        body = self.text(chance.randrange(memories)).body
        words = {word.strip(".,#").lower() for word in body.split()} - common - {""}
        return " ".join(chance.sample(sorted(words), min(len(words), chance.randint(2, 3))))

    def _draw(self, chance: Random, count: int) -> list[str]:
        return chance.choices(self.words, cum_weights=self._weights, k=count)


def path_of(number: int) -> str:
    """Where a memory lies: folders of at most 500."""
    return f"shared/area-{number // A_FOLDER:03}/{_name(number)}.md"


def build(root: Path, author: Author, memories: int, progress: Progress) -> None:
    """Make a vault at `root` with so many memories, committed in a repository without hooks or signing."""
    created = Vault.create(root)
    git(root, "config", "user.name", "vmem bench")
    git(root, "config", "user.email", "bench@vmem.invalid")
    git(root, "config", "commit.gpgsign", "false")
    git(root, "config", "core.hooksPath", str(root / ".git" / "no-hooks"))
    git(root, "config", "gc.auto", "0")
    paths = [
        *(made for made in created.made if (root / made).is_file()),
        *_write(root, author, memories, progress),
    ]
    stream = b"".join(_import_stream(root, f"refs/heads/{created.branch}", paths))
    git(root, "fast-import", "--quiet", stdin=stream)
    git(root, "reset", "--quiet")


def git(root: Path, *arguments: str, stdin: bytes = b"") -> None:
    """Run git in the vault; raises `CalledProcessError`."""
    subprocess.run(
        ["git", "-C", str(root), *arguments],
        input=stdin,
        env=environ.clean_git_environment(),
        check=True,
        capture_output=True,
    )


def _name(number: int) -> str:
    return f"memory-{number:06}"


def _write(root: Path, author: Author, memories: int, progress: Progress) -> Iterator[str]:
    for number in range(memories):
        path = path_of(number)
        file = root / path
        if number % A_FOLDER == 0:
            file.parent.mkdir(parents=True)
            progress(f"making {memories:,} memories", number, memories)
        file.write_bytes(author.file(number))
        yield path


def _import_stream(root: Path, ref: str, paths: Sequence[str]) -> Iterator[bytes]:
    """One commit of all files, as `git fast-import` reads it."""
    who = f"vmem bench <bench@vmem.invalid> {int(_EPOCH.timestamp())} +0000"
    yield f"commit {ref}\ncommitter {who}\ndata 4\nmade\n".encode()
    for path in paths:
        content = (root / path).read_bytes()
        yield f"M 100644 inline {path}\ndata {len(content)}\n".encode() + content + b"\n"


def _chance(seed: str) -> Random:
    return Random(seed)  # noqa: S311 - nothing here is secret, and all of it must come again


def _vocabulary(chance: Random) -> tuple[str, ...]:
    """Different words of one to three syllables; common ones tend to be short."""
    words: dict[str, None] = {}
    while len(words) < WORDS:
        syllables = 1 + (len(words) > 300) + (len(words) > 4000)
        words["".join(_syllable(chance) for _ in range(syllables))] = None
    return tuple(words)


def _syllable(chance: Random) -> str:
    return chance.choice(_ONSETS) + chance.choice(_VOWELS) + chance.choice(_CODAS)


def _prose(chance: Random, words: Sequence[str]) -> str:
    """Sentences of eight to sixteen words, about four to a line."""
    sentences, at = [], 0
    while at < len(words):
        length = chance.randint(8, 16)
        sentences.append(" ".join(words[at : at + length]).capitalize() + ".")
        at += length
    lines = [" ".join(sentences[at : at + 4]) for at in range(0, len(sentences), 4)]
    return "\n".join(lines)
