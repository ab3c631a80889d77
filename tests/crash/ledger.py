"""What writers have been told is done, what they died over, and whether a vault agrees."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Ledger:
    """One writer's acknowledged memories, by path (sha256 of the bytes; `None` once forgotten), and the
    doubtful ones: what an operation that was killed may have left instead.

    A token is a word of one operation alone."""

    held: dict[str, str | None] = field(default_factory=dict)
    doubts: dict[str, set[str | None]] = field(default_factory=dict)
    """Path → tokens of edits (`None`: a removal) that may have been carried out."""
    unsure: set[str] = field(default_factory=set)
    """Tokens of new memories of which nobody heard again."""
    commits: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    _begun: tuple[str, list[str], list[str]] | None = None

    def hear(self, line: str) -> None:
        """Take in one line of a writer."""
        word, *rest = json.loads(line)
        getattr(self, f"_{word}")(*rest)

    def died(self) -> None:
        """The writer was killed: what it had begun may be done or not."""
        if self._begun is None:
            return
        op, tokens, paths = self._begun
        self._begun = None
        self.counts["killed in the middle"] += 1
        if op.startswith("remember"):
            self.unsure.update(tokens)
        for path in paths:
            self.doubts.setdefault(path, set()).add(None if op.startswith("forget") else tokens[0])

    def certain(self) -> list[str]:
        """Memories that must be there."""
        return [path for path in self.choices() if path not in self.doubts]

    def choices(self) -> list[str]:
        """Memories to edit or forget."""
        return sorted(path for path, version in self.held.items() if version is not None)

    def _begin(self, op: str, tokens: list[str], path: list[str] | str | None) -> None:
        self._begun = (op, tokens, path if isinstance(path, list) else [path] if path is not None else [])

    def _also(self, written: list[list[Any]]) -> None:
        for path, version, commit in written:
            self.held[path] = version
            self.doubts.pop(path, None)
            if commit is not None:
                self.commits.append(commit)
            else:
                self.counts["acknowledged before its commit"] += 1

    def _done(self, written: list[list[Any]]) -> None:
        assert self._begun is not None
        self.counts[self._begun[0]] += 1
        self._begun = None
        self._also(written)

    def _refused(self, reason: str) -> None:
        self._begun = None
        self.counts[f"refused: {reason}"] += 1

    def _absent(self, path: str) -> None:
        self._begun = None
        if None in self.doubts.get(path, set()):
            self.held[path] = None
            self.doubts.pop(path)
        else:
            self.faults.append(f"{path} was acknowledged and is not found")

    def check(self, files: dict[str, bytes]) -> list[str]:
        """What is wrong with the files, which are all that the vault has of this writer's folders."""
        faults = list(self.faults)
        for path, version in self.held.items():
            content = files.get(path)
            if (hashlib.sha256(content).hexdigest() if content is not None else None) != version:
                may_be = self.doubts.get(path, set())
                if content is None and None in may_be:
                    continue
                if content is not None and any(token and is_whole(content, token) for token in may_be):
                    continue
                faults.append(f"{path} is not as it was acknowledged")
        for token in self.unsure:
            found = [path for path, content in files.items() if token.encode() in content]
            if len(found) > 1 or not all(is_whole(files[path], token) for path in found):
                faults.append(f"the killed memory {token} is in {found}")
        known = [token.encode() for token in self.unsure]
        faults += [
            f"nobody wrote {path}"
            for path, content in files.items()
            if path not in self.held and not any(token in content for token in known)
        ]
        return faults


def text_for(token: str) -> str:
    """The body of an operation with that token: long enough to be cut short, and with an end."""
    return f"{token} begins\n\n" + f"A line that is there many times over.\n{token}\n" * 40 + f"{token} ends"


def is_whole(content: bytes, token: str) -> bool:
    """Whether a file ends in just the body of that operation."""
    return content.startswith(b"---\n") and content.endswith(f"\n---\n{text_for(token)}\n".encode())
