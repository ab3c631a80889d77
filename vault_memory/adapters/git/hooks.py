"""The person's hooks around a commit: which there are, and running them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from vault_memory.adapters.git.cli import GitProgram, Outcome, demand, run
from vault_memory.adapters.git.locate import Place
from vault_memory.config.environ import OWN_COMMIT, clean_git_environment

OUR_MARK = b"# installed by vmem"
"""The line in a pre-commit hook of ours: the operation has run the same checks."""

AROUND_A_COMMIT = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")
ON_REFS = "reference-transaction"


def active(place: Place, hooks_path: str | None) -> frozenset[str]:
    """The hooks that a commit would run. `hooks_path` is core.hooksPath, resolved."""
    folder = hooks_path or os.path.join(place.commondir, "hooks")
    return frozenset(name for name in (*AROUND_A_COMMIT, ON_REFS) if _runs(os.path.join(folder, name), name))


def _runs(path: str, name: str) -> bool:
    if not (os.path.isfile(path) and os.access(path, os.X_OK)):
        return False
    if name != "pre-commit":
        return True
    with open(path, "rb") as file:
        return OUR_MARK not in file.read(4096)


class Hooks:
    """Runs the active hooks of one repository in its working tree."""

    def __init__(self, git: GitProgram, place: Place, hooks_path: str | None) -> None:
        self._git = git
        self._folder = hooks_path or os.path.join(place.commondir, "hooks")
        self.names = active(place, hooks_path)

    def run(self, name: str, *arguments: str, environment: Mapping[str, str]) -> None:
        """Run a hook if it is there. Raises `GitRefusedError` with its words where it fails."""
        if name not in self.names:
            return
        extra = {**environment, "GIT_EDITOR": ":", OWN_COMMIT: "1"}
        outcome = self._git.run(
            "hook", "run", "--ignore-missing", name, "--", *arguments, environment=extra, for_hooks=True
        )
        if outcome.code == 1 and b"'hook' is not a git command" in outcome.err:
            outcome = self._directly(name, arguments, extra)
        demand(outcome, f"the {name} hook", self._git.timeout)

    def _directly(self, name: str, arguments: tuple[str, ...], extra: Mapping[str, str]) -> Outcome:
        """For git before 2.36, which has no `git hook`."""
        env = clean_git_environment()
        for ours in ("LC_ALL", "GIT_LITERAL_PATHSPECS", "GIT_OPTIONAL_LOCKS"):
            env.pop(ours, None)
        return run(
            [os.path.join(self._folder, name), *arguments],
            cwd=self._git.workdir,
            env=env | dict(extra),
            stdin=b"",
            timeout=self._git.timeout,
        )
