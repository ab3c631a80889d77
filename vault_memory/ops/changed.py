"""Which memories a draft takes the place of, and which it may only contradict."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from vault_memory.model.clip import clip, one_line
from vault_memory.model.memory import Draft
from vault_memory.model.namespace import Namespace
from vault_memory.model.naming import home_of
from vault_memory.model.succession import Disagreement, Told
from vault_memory.ops.batch import Batch
from vault_memory.ops.known import Lookup

MOST = 3
"""So many contradictions are told of one text."""
SHOWN = 80
"""Characters of a sentence that a message repeats."""
_OWN_KEY = re.compile(r"^supersedes[ \t]*:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Changed:
    """What a draft supersedes: by the names that go into its file, and by path. And what it may contradict:
    the path of each, and what it says there."""

    names: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()

    def notices(self, path: str) -> tuple[str, ...]:
        """What is to be told of a draft that is written to that path."""
        return tuple(
            f"possible contradiction: {says}; if the new one takes its place:"
            f" vmem link {shlex.quote(path)} {shlex.quote(other)} --type supersedes"
            for other, says in self.others
        )


def told_by_draft(draft: Draft) -> Told:
    """What a draft tells, as it can be held against other texts."""
    return Told(draft.text, draft.title, draft.kind, draft.tags)


def changed(lookup: Lookup, batch: Batch, namespace: Namespace, draft: Draft, *, replacing: bool) -> Changed:
    """A memory that the same agent wrote in the same namespace, and that says only what the draft says with
    one other value, is superseded; any other that gives one of its facts another value is told.

    Without `replacing`, and where the draft names itself what it supersedes, all are only told.
    """
    if not draft.text.strip():
        return Changed()
    says_itself = any(key.casefold() == "supersedes" for key in draft.extra) or (
        draft.header is not None and _OWN_KEY.search(draft.header) is not None
    )
    if says_itself:
        return Changed()
    told = told_by_draft(draft)
    names: list[str] = []
    paths: list[str] = []
    others: list[tuple[str, str]] = []
    for name, path, what, mine, line in _found(lookup, batch, namespace, told):
        if replacing and mine and what.replaced:
            names.append(name)
            paths.append(path)
        elif len(others) < MOST:
            text = lookup.ports.scanner.mask(clip(one_line(what.theirs.text), SHOWN, ellipsis="…"))
            others.append((path, f"{path}:{line} says “{text}”"))
    return Changed(tuple(names), tuple(paths), tuple(others))


def _found(
    lookup: Lookup, batch: Batch, namespace: Namespace, told: Told
) -> Iterator[tuple[str, str, Disagreement, bool, int]]:
    """(name, path, what, whether it is the caller's own in that namespace, line) of each. A few words, and
    what is said of something by `is`, mean something else in each namespace."""
    for outcome, where, what in batch.against(told):
        if where == namespace or what.mine.tells_alone:
            yield outcome.id or outcome.path, outcome.path, what, where == namespace, what.theirs.line
    for one in lookup.against(told):
        memory = one.memory
        line = memory.body_line + one.what.theirs.line - 1
        is_here = home_of(memory.path.rpartition("/")[0]) == namespace
        if is_here or one.what.mine.tells_alone:
            mine = is_here and memory.source_agent == lookup.scope.agent and not memory.pinned
            yield memory.id or memory.path, memory.path, one.what, mine, line
