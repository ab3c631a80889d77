"""Bringing the branch and the checkout to another commit, with whatever a person has there left as it is."""

from __future__ import annotations

import os
import time

from vault_memory.adapters.git import reasons
from vault_memory.adapters.git.asking import index_lines, rows
from vault_memory.adapters.git.between import changed_files
from vault_memory.adapters.git.cli import DURABLE, GitProgram, Outcome, demand
from vault_memory.adapters.git.foreign import branch_of, tip_of
from vault_memory.adapters.git.locate import Place
from vault_memory.adapters.git.state import blocked
from vault_memory.errors import ConflictError, GitError

_LOCK_WAIT = 5.0
_PAUSE = 0.05
_NOTHING = "VMEM_NOTHING"
"""A variable that is empty, since an option of git's can't name an empty value for every name of a branch."""
_TOLD = 5
Entry = tuple[str, int] | None
"""(blob, mode) of a file, `None` for none."""


def forward(git: GitProgram, place: Place, commit: str, *, action: str = "vmem") -> None:
    """Go on to a commit that descends from HEAD. Raises `ConflictError` where something of the person's is
    in the way, or the branch has moved on; `GitError`, `GitRefusedError`. All is then as it was."""
    branch, tip = standing(git, place), tip_of(git)
    if tip == commit:
        return
    if tip is not None and not git.run("merge-base", "--is-ancestor", tip, commit).ok:
        raise ConflictError(branch, "it has moved on since", hint="repeat it: nothing was changed")
    _refuse_hidden(git, place, tip, commit)
    command = [
        *("-c", "merge.verifySignatures=false", "-c", "merge.autoStash=false"),
        f"--config-env=branch.{branch}.mergeOptions={_NOTHING}",
        *DURABLE,
        *("merge", "--ff-only", "--no-squash", "--no-autostash", "--no-overwrite-ignore", "--no-stat", "-q"),
        commit,
    ]
    done = _run(git, place, command, action)
    if done.ok:
        return
    in_the_way, there = _look(git, place, tip, commit)
    if in_the_way:
        raise _conflict(in_the_way)
    if there:  # a merge that was cut short, or the very same files: nothing is overwritten by taking them in
        digits = len(commit)
        git.get("update-index", "-z", "--index-info", stdin=index_lines(there, digits=digits))
        git.run("update-index", "-q", "--refresh")
        done = _run(git, place, command, action)
    demand(done, "git merge --ff-only", git.timeout)


def move(git: GitProgram, place: Place, commit: str, old: str, *, action: str = "vmem") -> None:
    """Go to another commit, whatever it descends from. Raises as `forward` does.

    HEAD leaves the branch for a moment, so that nobody's commit meanwhile is taken off it."""
    branch = standing(git, place)
    if tip_of(git) != old:
        raise ConflictError(branch, "it has moved on since", hint="repeat it: nothing was changed")
    if commit == old:
        return
    _refuse_hidden(git, place, old, commit)
    command = [*DURABLE, "checkout", "--detach", "--no-overwrite-ignore", "--quiet", commit]
    done = _run(git, place, command, action)
    if not done.ok:
        in_the_way, _ = _look(git, place, old, commit)
        if in_the_way:
            raise _conflict(in_the_way)
        demand(done, "git checkout", git.timeout)
    if not git.run("update-ref", "-m", action, f"refs/heads/{branch}", commit, old).ok:
        demand(_run(git, place, ["checkout", "--quiet", branch, "--"], action), "git checkout", git.timeout)
        raise ConflictError(branch, "it has moved on since", hint="repeat it: nothing was changed")
    git.get("symbolic-ref", "-m", action, "HEAD", f"refs/heads/{branch}")


def standing(git: GitProgram, place: Place) -> str:
    """The branch that HEAD names, in short. Raises `GitError` where it names none, or a merge, rebase or
    the like is under way."""
    reason = blocked(place)
    ref = branch_of(git)
    if reason is not None or ref is None:
        raise GitError(reason or reasons.DETACHED)
    return ref.removeprefix("refs/heads/")


def _run(git: GitProgram, place: Place, command: list[str], action: str) -> Outcome:
    """Once more as long as another git holds the index."""
    lock = os.path.join(place.gitdir, "index.lock")
    environment = {"GIT_REFLOG_ACTION": action, _NOTHING: ""}
    end = time.monotonic() + _LOCK_WAIT
    while True:
        done = git.run(*command, environment=environment, for_hooks=True)
        if done.ok or done.code is None or not os.path.lexists(lock) or time.monotonic() > end:
            return done
        time.sleep(_PAUSE)


def _refuse_hidden(git: GitProgram, place: Place, tip: str | None, commit: str) -> None:
    """Files that the person told git to take for unchanged: it would overwrite what is in them."""
    if tip is None:
        return
    listed = git.get("ls-files", "-v", "-z").split(b"\0")
    hidden = [os.fsdecode(line[2:]) for line in listed if line[:1].islower()]
    if not hidden:
        return
    changed = changed_files(git, tip, commit)
    changed_too = [path for path in hidden if path in changed]
    held = _working(git, place, changed_too)
    lost = [path for path in changed_too if held[path] not in _blobs(changed[path])]
    if lost:
        raise _conflict(lost)


def _look(git: GitProgram, place: Place, tip: str | None, commit: str) -> tuple[list[str], dict[str, Entry]]:
    """What of the person's is in the way, and what stands there already as the commit has it."""
    changed = changed_files(git, tip, commit)
    index: dict[str, Entry] = {}
    for (mode, blob, stage), path in rows(git.get("ls-files", "--stage", "-z")):
        index[path] = (blob, int(mode, 8)) if stage == "0" else ("", 0)
    held = _working(git, place, list(changed))
    in_the_way, there = [], {}
    for path, (before, after) in changed.items():
        staged = index.get(path)
        if held[path] == (after[0] if after else None) and staged in (before, after):
            if staged != after:
                there[path] = after
        elif staged != before or held[path] != (before[0] if before else None):
            in_the_way.append(path)
    return sorted(in_the_way), there


def _working(git: GitProgram, place: Place, paths: list[str]) -> dict[str, str | None]:
    """What lies there, as git would name it; `None` for nothing, `""` for what is no ordinary file."""
    held: dict[str, str | None] = dict.fromkeys(paths)
    plain = []
    for path in paths:
        where = place.absolute(path)
        if os.path.islink(where) or os.path.isdir(where):
            held[path] = ""
        elif os.path.isfile(where):
            plain.append(path)
        elif _blocked_by_a_file(place, path):
            held[path] = ""
    odd = [path for path in plain if "\n" in path or path.startswith('"')]
    usual = [path for path in plain if path not in odd]
    asked = b"".join(os.fsencode(path) + b"\n" for path in usual)
    names = git.get("hash-object", "--stdin-paths", stdin=asked).decode().split() if usual else []
    names += [git.get("hash-object", "--", path).decode().strip() for path in odd]
    return held | dict(zip([*usual, *odd], names, strict=True))


def _blocked_by_a_file(place: Place, path: str) -> bool:
    """Whether a file lies where one of its folders would be."""
    folder = os.path.dirname(path)
    while folder:
        if os.path.lexists(place.absolute(folder)) and not os.path.isdir(place.absolute(folder)):
            return True
        folder = os.path.dirname(folder)
    return False


def _blobs(change: tuple[Entry, Entry]) -> tuple[str | None, ...]:
    return tuple(entry[0] if entry else None for entry in change)


def _conflict(paths: list[str]) -> ConflictError:
    more = f" and {len(paths) - _TOLD:,} more" if len(paths) > _TOLD else ""
    names = ", ".join(paths[:_TOLD]) + more
    return ConflictError(
        names,
        "changed here and not committed, and it would be overwritten; nothing was changed",
        hint="commit it, or set it aside with git stash -u, then repeat",
    )
