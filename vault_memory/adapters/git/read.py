"""History for people: commits, read through GitPython."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING

from vault_memory.adapters.git.locate import Place
from vault_memory.config.environ import inherited_git_places, quiet_gitpython
from vault_memory.errors import GitCommandError, GitError
from vault_memory.model.moments import instant_said
from vault_memory.model.namespace import is_memory_name
from vault_memory.model.revision import Op, Revision

if TYPE_CHECKING:
    import git

_START = b"\x01"
_FORMAT = "--format=tformat:%x01%H%x00%an%x00%ae%x00%aI%x00%B"
_FIELDS = 5
_CHUNK = 1 << 16
_AT_ONCE = 500
"""So many hashes fit in one command line anywhere."""
_OPS = {op.value: op for op in Op}


def log(
    place: Place,
    path: str | None,
    *,
    limit: int | None,
    start: str = "HEAD",
    moves: bool = False,
    merges: bool = False,
) -> Iterator[Revision]:
    """Commits from `start`, newest first, that touch `path` (a repository path, renames followed) or, with
    `None`, any Markdown file of the vault; these say what they moved if `moves` asks for it. With `merges`
    those are there too: of all files with what they brought to their first parent, of one where it is as
    neither parent has it. Raises `GitError`."""
    repo = repository(place)
    if _unborn(repo):
        return
    options = ["--no-show-signature", "--no-color", "--encoding=UTF-8", "--no-notes", "-z", _FORMAT]
    if merges:
        # Of one file combined: git would follow it to another one where a merge seems to add it.
        options.append("--diff-merges=first-parent" if path is None else "-c")
    ends = _ends(place)
    count = 0
    tip = start
    while tip:
        if path is not None:
            chosen = ["--follow", "--name-status", tip, "--", f":(top,literal){path}"]
        else:
            renames = "--find-renames" if moves else "--no-renames"
            # All below the folder: patterns for notes alone would be held against every name of every tree.
            chosen = [renames, "--name-status", tip, "--", f":(top,literal){place.prefix}"]
        last: Revision | None = None
        status = ""
        for fields, names in _records(repo, [*options, *chosen]):
            # Of a merge that brought nothing git gives no names.
            changes = _changes(place, names, alone=path is not None) if names else {}
            if not changes:
                continue
            moved = _moved_in(place, names) if moves else ()
            last, status = replace(_revision(fields, changes, ends), moved=moved), names[0]
            yield last
            count += 1
            if limit is not None and count >= limit:
                return
        tip = ""
        if last is not None and path is not None and (last.op, status) == (Op.MOVE, "A"):
            path = _moved_from(repo, last.commit)
            tip = f"{last.commit}^" if path is not None else ""


def _changes(place: Place, names: list[str], *, alone: bool) -> dict[str, str]:
    """The notes among what git listed of a commit, each with its status; with `alone`, the last one."""
    if alone:  # of a rename, git gives two names behind one status
        status, *given = names
        notes = [known for name in given if (known := place.note(name)) is not None]
        return dict.fromkeys(notes[-1:], status)
    return {known: status for status, name in _pairs(names) if (known := place.note(name)) is not None}


def _pairs(names: list[str]) -> Iterator[tuple[str, str]]:
    """(status, name); a rename is one that went and one that came."""
    rest = iter(names)
    for status in rest:
        if status.startswith("R"):
            yield "D", next(rest)
            yield "A", next(rest)
        else:
            yield status, next(rest)


def _moved_in(place: Place, names: list[str]) -> tuple[tuple[str, str], ...]:
    """(new path, old path) of the notes that a commit moved."""
    found, rest = [], iter(names)
    for status in rest:
        old = place.note(next(rest))
        new = place.note(next(rest)) if status.startswith("R") else None
        if old is not None and new is not None:
            found.append((new, old))
    return tuple(found)


def revisions(place: Place, commits: Sequence[str]) -> dict[str, Revision]:
    """These commits (full hashes) with all notes that they touched. Raises `GitError`."""
    repo, ends = repository(place), _ends(place)
    options = ["--no-walk=unsorted", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--no-notes"]
    found = {}
    for at in range(0, len(commits), _AT_ONCE):
        asked = [*options, "-z", _FORMAT, "--no-renames", "--name-status", *commits[at : at + _AT_ONCE], "--"]
        for fields, names in _records(repo, asked):
            one = _revision(fields, _changes(place, names, alone=False), ends)
            found[one.commit] = one
    return found


def merge(place: Place, commit: str) -> Revision | None:
    """A merge (by its full hash) with all that it brought to its first parent, moves included; `None` for
    every other commit. Raises `GitError`."""
    repo, ends = repository(place), _ends(place)
    _, *parents = run(repo, "rev_list", ["--parents", "--no-walk", commit, "--"]).split()
    if len(parents) < 2:
        return None
    alone = ["--no-walk", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--no-notes", "--no-patch"]
    [(fields, _)] = _records(repo, [*alone, "-z", _FORMAT, commit, "--"])
    # Of the plumbing: what `log` shows of a merge is a matter of settings.
    compared = ["-r", "-z", "--find-renames", "--name-status", parents[0].decode("ascii"), commit, "--"]
    said = run(repo, "diff_tree", compared).split(b"\0")[:-1]
    names = [os.fsdecode(name) for name in said]
    whole = _revision(fields, _changes(place, names, alone=False), ends)
    return replace(whole, moved=_moved_in(place, names))


def _moved_from(repo: git.Git, commit: str) -> str | None:
    """Where the memory of a move lay before, where too much of its text changed with it for git to see."""
    options = ["-r", "--no-commit-id", "--no-renames", "--diff-filter=D", "--name-only", "-z", commit]
    names = [os.fsdecode(name) for name in run(repo, "diff_tree", options).split(b"\0") if name]
    return names[0] if len(names) == 1 and is_memory_name(names[0]) else None


def repository(place: Place) -> git.Git:
    """GitPython's git for the place. It hands our own environment on, so whatever an outer git left in
    there is overruled by name."""
    quiet_gitpython()
    import git

    pins = {
        "GIT_COMMON_DIR": place.commondir,
        "GIT_OBJECT_DIRECTORY": os.path.join(place.commondir, "objects"),
        "GIT_INDEX_FILE": os.path.join(place.gitdir, "index"),
        "GIT_SHALLOW_FILE": os.path.join(place.commondir, "shallow"),
        "GIT_GRAFT_FILE": os.path.join(place.commondir, "info", "grafts"),
    }
    environment = {name: pins.get(name, "") for name in inherited_git_places()}
    environment |= {"GIT_DIR": place.gitdir, "GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat"}
    if place.workdir is not None:
        environment["GIT_WORK_TREE"] = place.workdir
    command = git.Git(place.workdir or place.gitdir)
    command.update_environment(**environment)
    return command


def _unborn(repo: git.Git) -> bool:
    try:
        run(repo, "rev_parse", ["--quiet", "--verify", "HEAD^{commit}"])
    except GitCommandError as error:
        if error.reason:  # git is silent where there is no commit yet
            raise
        return True
    return False


def run(repo: git.Git, command: str, arguments: list[str]) -> bytes:
    """What a command writes. Raises `GitError`."""
    import git

    try:
        out = getattr(repo, command)(*arguments, stdout_as_string=False, strip_newline_in_stdout=False)
    except git.exc.GitCommandNotFound as error:
        raise GitError(
            "git is not on PATH", hint="install git; memories are read and written without it"
        ) from error
    except git.exc.GitCommandError as error:
        raise GitCommandError(command, _words(error.stderr)) from error
    assert isinstance(out, bytes)
    return out


def _words(said: object) -> str:
    lines = [line.strip() for line in str(said).removeprefix("\n  stderr: ").strip("'\n ").splitlines()]
    return "; ".join(line for line in lines if line)[:500]


def _records(repo: git.Git, arguments: list[str]) -> Iterator[tuple[list[bytes], list[str]]]:
    """(hash, author, e-mail, date, message) and the names of each commit, as git writes them."""
    import git

    try:
        process = repo.log(*arguments, as_process=True)
    except git.exc.GitCommandNotFound as error:
        raise GitError(
            "git is not on PATH", hint="install git; memories are read and written without it"
        ) from error
    try:
        fields: list[bytes] = []
        names: list[str] = []
        for token in _tokens(process.stdout):
            if token.startswith(_START) and len(token) > 40 and token[1:].isalnum():
                if fields:
                    yield fields, names
                fields, names = [token[1:]], []
            elif len(fields) < _FIELDS:
                fields.append(token)
            elif token.strip(b"\n"):
                names.append(os.fsdecode(token.lstrip(b"\n")))
        if fields:
            yield fields, names
        try:
            process.wait()
        except git.exc.GitCommandError as error:
            raise GitCommandError("log", _words(error.stderr)) from error
    finally:
        process._terminate()  # as_process gives no public way to stop reading half-way


def _tokens(stream: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := stream.read(_CHUNK):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        yield rest


def _ends(place: Place) -> frozenset[str]:
    """The commits at which a shallow clone ends."""
    try:
        with open(os.path.join(place.commondir, "shallow"), encoding="ascii", errors="replace") as file:
            return frozenset(file.read().split())
    except OSError:
        return frozenset()


def _revision(fields: list[bytes], changes: dict[str, str], ends: frozenset[str]) -> Revision:
    from vault_memory.model.message import parse_trailers

    commit, author, email, when, message = (field.decode("utf-8", "replace") for field in fields)
    trailers = parse_trailers(message)
    return Revision(
        commit=commit,
        author=author,
        email=email,
        when=instant_said(when),
        subject=message.partition("\n")[0],
        op=_OPS.get(trailers.get("Vmem-Op", "")),
        memory_id=trailers.get("Memory-Id"),
        agent=trailers.get("Source-Agent"),
        paths=tuple(changes),
        # A merge has a letter for each of its parents.
        removed=frozenset(path for path, status in changes.items() if not status.strip("D")),
        undoes=trailers.get("Vmem-Undoes"),
        cut=commit in ends,
    )
