"""The `Remote` port: what a branch is exchanged with, by the git program, which here never asks anyone."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from vault_memory.adapters.git.asking import asking, commit_or_none
from vault_memory.adapters.git.cli import GitProgram, Outcome
from vault_memory.config.environ import clean_git_environment
from vault_memory.errors import RemoteError
from vault_memory.model.branches import Followed, Pushed, PushReport

_QUIET = (
    *("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "credential.interactive=false"),
    *("-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=30", "-c", "push.recurseSubmodules=no"),
)
_SSH_OPTIONS = "-o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=15 -o ServerAliveCountMax=4"
"""What of these a person has set in their own command comes first, and ssh takes the first."""
_NO_WINDOWS = {"GCM_INTERACTIVE": "never", "LC_MESSAGES": "C", "LANGUAGE": ""}
_PASSWORD = re.compile(r"(\w+://)[^/\s]*@")
_NOT_THERE = b"couldn't find remote ref"
_ANOTHER_WAS_FASTER = (
    "fetch first", "non-fast-forward", "stale info", "cannot lock ref", "incorrect old value",
    "failed to lock", "reference already exists", "needs force",
)  # fmt: skip
_RACED = "cannot lock ref"
"""What the remote itself says where two pushes met."""
_SIGN_IN = (
    "could not read username", "could not read password", "terminal prompts disabled", "permission denied",
    "authentication failed", "host key verification failed", "invalid username",
)  # fmt: skip
_NOISE = (
    "hint:", "To ", "error: failed to push some refs", "fatal: Could not read from remote repository",
    "Please make sure you have the correct access rights", "and the repository exists",
)  # fmt: skip
"""What git says beside the reason."""
_MOST_WORDS = 600


class GitRemote:
    """The remotes of the repository that holds the vault at `root`.

    `seconds` is the longest wait for one fetch or push, `git_timeout` that for a command without a network.
    """

    def __init__(self, root: Path, *, seconds: float = 120.0, git_timeout: float = 20.0) -> None:
        self._root = Path(os.path.realpath(root))
        self._seconds = seconds
        self._timeout = git_timeout

    def url(self, name: str) -> str | None:
        """Where a remote lies, without a password in it; `None` for none of that name."""
        with self._git("remote get-url") as git:
            if name not in _names(git):
                return None
            return bare_url(os.fsdecode(git.get("remote", "get-url", "--", name)).rstrip("\n"))

    def names(self) -> Sequence[str]:
        """The remotes that the repository knows."""
        with self._git("remote") as git:
            return _names(git)

    def follows(self, branch: str) -> Followed | None:
        """What the settings say that a branch is exchanged with, `None` for nothing that is a remote."""
        with self._git("config") as git:
            name = _setting(git, f"branch.{branch}.remote")
            ref = _setting(git, f"branch.{branch}.merge") or ""
            if name not in _names(git) or not ref.startswith("refs/heads/"):
                return None
            return Followed(name, ref.removeprefix("refs/heads/"))

    def follow(self, branch: str, followed: Followed) -> None:
        """Set that, as `git push --set-upstream` does."""
        with self._git("config") as git:
            git.get("config", "--local", f"branch.{branch}.remote", followed.remote)
            git.get("config", "--local", f"branch.{branch}.merge", f"refs/heads/{followed.branch}")

    def tip(self, followed: Followed) -> str | None:
        """The commit that its branch named when that was last fetched or pushed; no network."""
        with self._git("rev-parse") as git:
            return commit_or_none(git, _tracking(followed))

    def parted(self, followed: Followed, commit: str) -> str | None:
        """The last of the commits that its branch has named, as far as the reflog knows, which led to
        `commit`; `None` where that can't be told."""
        with self._git("merge-base") as git:
            done = git.run("merge-base", "--fork-point", _tracking(followed), commit)
            return done.out.decode("ascii").strip() or None if done.ok else None

    def fetch(self, name: str, branch: str | None = None) -> bool:
        """Bring its branches here; whether it has that one. Raises `RemoteError` where it can't be reached
        or says no."""
        with self._git("fetch") as git:
            if name not in _names(git):
                raise RemoteError(name, "there is no remote of that name", hint=_known(_names(git)))
            if branch is not None:
                configured = os.fsdecode(git.run("config", "--null", "--get-all", f"remote.{name}.fetch").out)
                wanted = f"+refs/heads/{branch}:{_tracking(Followed(name, branch))}"
                specs = [one for one in configured.split("\0") if one and not one.startswith("^")]
                done = self._fetch(git, name, dict.fromkeys([*specs, wanted]))
                if done.ok:
                    return True
                if _NOT_THERE not in done.err:
                    raise self._unreachable(name, done)
            done = self._fetch(git, name, ())
            if not done.ok:
                raise self._unreachable(name, done)
            return branch is None

    def push(self, name: str, branch: str, *, to: str | None = None) -> PushReport:
        """Give it that branch under the name `to` (else its own), never by force. Raises `RemoteError`
        where it can't be reached."""
        with self._git("push") as git:
            if name not in _names(git):
                raise RemoteError(name, "there is no remote of that name", hint=_known(_names(git)))
            options = ["--porcelain", "--no-force", "--no-follow-tags", "--recurse-submodules=no"]
            spec = f"refs/heads/{branch}:refs/heads/{to or branch}"
            done = self._over(git, ["push", *options, "--", name, spec], hooks=True)
            if done.code in (0, 1):
                return _report(done)
            raise self._unreachable(name, done)

    def _fetch(self, git: GitProgram, name: str, specs: Sequence[str] | dict[str, None]) -> Outcome:
        options = ["--no-write-fetch-head", "--no-auto-maintenance", "--no-recurse-submodules", "--quiet"]
        return self._over(git, ["fetch", *options, "--", name, *specs], hooks=False)

    def _over(self, git: GitProgram, command: list[str], *, hooks: bool) -> Outcome:
        environment = {**_NO_WINDOWS, **_ssh(git)}
        return git.run(*_QUIET, *command, environment=environment, for_hooks=hooks, timeout=self._seconds)

    def _unreachable(self, name: str, done: Outcome) -> RemoteError:
        if done.code is None:
            return RemoteError(
                name,
                f"it did not answer within {self._seconds:g} s",
                hint="nothing here is lost; try again later, or raise remote_seconds",
            )
        words = said(done.err.decode("utf-8", "replace"))
        if any(sign in words.lower() for sign in _SIGN_IN):
            hint = f"sign in once by hand, so that git can go on by itself: git fetch {shlex.quote(name)}"
            return RemoteError(name, words, hint=hint)
        return RemoteError(name, words or f"git ended with exit code {done.code}")

    @contextmanager
    def _git(self, what: str) -> Iterator[GitProgram]:
        with asking(self._root, what, timeout=self._timeout) as (git, _):
            yield git


def bare_url(url: str) -> str:
    """An address without the name and password that may stand in it."""
    return _PASSWORD.sub(r"\1", url)


def said(text: str) -> str:
    """The remote's and git's own words, on one line, without passwords."""
    lines = (line.removeprefix("remote:").strip() for line in text.splitlines())
    words = [re.sub(r"^(fatal|error): ", "", line) for line in lines if not _is_noise(line)]
    return bare_url("; ".join(dict.fromkeys(words)))[:_MOST_WORDS]


def _is_noise(line: str) -> bool:
    return line.startswith(_NOISE) or not line.strip(" .")


def _names(git: GitProgram) -> list[str]:
    return os.fsdecode(git.get("remote")).splitlines()


def _known(names: Sequence[str]) -> str:
    if not names:
        return "name one: git remote add origin URL"
    return f"known here: {', '.join(names)}"


def _setting(git: GitProgram, key: str) -> str | None:
    return os.fsdecode(git.run("config", "--get", key).out).rstrip("\n") or None


def _tracking(followed: Followed) -> str:
    return f"refs/remotes/{followed.remote}/{followed.branch}"


def _ssh(git: GitProgram) -> dict[str, str]:
    """An ssh that asks nobody and does not wait for ever; another program for it is left as it is."""
    environment = clean_git_environment()
    command = environment.get("GIT_SSH_COMMAND") or _setting(git, "core.sshCommand")
    if command is None and environment.get("GIT_SSH"):
        return {}
    command = command or "ssh"
    try:
        program = os.path.basename(shlex.split(command)[0])
    except (ValueError, IndexError):
        return {}
    return {"GIT_SSH_COMMAND": f"{command} {_SSH_OPTIONS}"} if program in ("ssh", "ssh.exe") else {}


def _report(done: Outcome) -> PushReport:
    """What `git push --porcelain` wrote of the one branch."""
    words = said(done.err.decode("utf-8", "replace"))
    for line in done.out.decode("utf-8", "replace").splitlines():
        flag, *rest = line.split("\t")
        if len(rest) < 2 or len(flag) != 1:
            continue
        if flag == "=":
            return PushReport(Pushed.NOTHING)
        if flag != "!":
            return PushReport(Pushed.TAKEN, words)
        why = rest[-1].strip()
        raced = "failed to update ref" in why and _RACED in words
        if raced or any(sign in why for sign in _ANOTHER_WAS_FASTER):
            return PushReport(Pushed.BEHIND, why)
        return PushReport(Pushed.REFUSED, "; ".join(dict.fromkeys((*([words] if words else []), why))))
    # Nothing was said of the branch: the pre-push hook of this clone was against it.
    return PushReport(Pushed.REFUSED, words or "the pre-push hook said no")
