"""Secrets in all that git still holds: every version of every file once, and every commit's message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from vault_memory.model.lint import whole_text
from vault_memory.model.namespace import Scope, is_memory_name
from vault_memory.model.past import Buried, PastCommit, Unearthed
from vault_memory.ports import Progress, Scanner, no_progress
from vault_memory.ports.past import Past

SHALLOW = "this clone is shallow, so older commits were not looked at; git fetch --unshallow brings them"
LOOKING = "looking through versions"
_EVERY = 200
_HEAD = 8000
"""Bytes in which git, too, looks for a zero to tell that a file is no text."""
_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(slots=True)
class _Seen:
    """Where one content stood: each path with the commits that brought it there, newest first."""

    paths: dict[str, list[PastCommit]] = field(default_factory=dict)
    finds: Sequence[tuple[str, int]] = ()


def secrets_past(
    past: Past, scanner: Scanner, scope: Scope, *, most: int, progress: Progress = no_progress
) -> Unearthed:
    """Everything that looks like a secret, by path, line and rule; it is told where, never what.

    Contents of more than `most` bytes are left out and told of. Only for the person, since agents may
    not read each other's notes. Raises `GitError`, `PersonOnlyError`.
    """
    hint = "ask the person to run: vmem lint --secrets --history"
    scope.check_person("look through the whole history", hint=hint)
    commits = list(past.commits())
    seen: dict[str, _Seen] = {}
    for commit in commits:
        for path, blob in commit.versions:
            seen.setdefault(blob, _Seen()).paths.setdefault(path, []).append(commit)
    missing = _scan(past, scanner, seen, most, progress)
    now = past.now()
    found = [*_of_files(seen, now, commits, scanner), *_of_messages(commits, scanner)]
    notices = [SHALLOW] if past.shallow else []
    if missing:
        what = "1 version" if missing == 1 else f"{missing:,} versions"
        notices.append(f"{what} could not be looked into: larger than max_file_bytes, or not in this clone")
    return Unearthed(tuple(found), len(seen) - missing, len(commits), tuple(notices))


def _scan(past: Past, scanner: Scanner, seen: Mapping[str, _Seen], most: int, progress: Progress) -> int:
    """Fill in what each content holds; how many could not be had."""
    missing = 0
    for number, (blob, content) in enumerate(past.contents(seen, most=most)):
        if content is None:
            missing += 1
        elif any(map(is_memory_name, seen[blob].paths)) or _is_text(content):
            seen[blob].finds = scanner.scan(whole_text(content))
        if number % _EVERY == 0:
            progress(LOOKING, number, len(seen))
    return missing


def _is_text(content: bytes) -> bool:
    return b"\0" not in content[:_HEAD] or content.startswith(_MARKS)


def _of_files(
    seen: Mapping[str, _Seen], now: Mapping[str, str], commits: Sequence[PastCommit], scanner: Scanner
) -> Iterator[Buried]:
    """One for each rule in each file: the versions of a file repeat what it holds."""
    age = {one.commit: number for number, one in enumerate(commits)}  # the larger, the older
    grouped: dict[tuple[str, str], list[tuple[PastCommit, int, str]]] = {}
    for blob, one in seen.items():
        for path, brought in one.paths.items():
            finds = [*one.finds, *((rule, 1) for rule, _ in scanner.scan(path))]
            for rule, line in finds:
                group = grouped.setdefault((path, rule), [])
                group += [(commit, line, blob) for commit in brought]
    for (path, rule), group in sorted(grouped.items()):
        first, line, _ = max(group, key=lambda row: (age[row[0].commit], -row[1]))
        last = min((row[0] for row in group), key=lambda one: age[one.commit])
        blobs = {row[2] for row in group}
        yield Buried(
            rule, path, line, first.commit, first.when, first.author, last.commit,
            versions=len(blobs), present=now.get(path) in blobs,
        )  # fmt: skip


def _of_messages(commits: Sequence[PastCommit], scanner: Scanner) -> Iterator[Buried]:
    for one in reversed(commits):
        for rule, line in scanner.scan(one.text):
            yield Buried(
                rule, None, line, one.commit, one.when, one.author, one.commit, versions=1, present=False
            )
