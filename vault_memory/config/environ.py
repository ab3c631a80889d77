"""What the environment tells, in the words of those who ask; the standard library alone.

What decides an answer is read as the caller gives it (`given`); what concerns this process, git's
variables and the caches of models, from the process' own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from vault_memory.config import given

_GIT_PLACES = frozenset(
    {
        "GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_QUARANTINE_PATH",
        "GIT_CEILING_DIRECTORIES", "GIT_SHALLOW_FILE", "GIT_GRAFT_FILE", "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_CONFIG_PARAMETERS",
        "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
    }
)  # fmt: skip
"""Variables by which an outer git (a hook, an alias) would send our commands to its repository."""


OWN_COMMIT = "VMEM_OWN_COMMIT"
"""Set for the hooks of a commit that vmem makes itself."""


@dataclass(frozen=True, slots=True)
class OuterCommit:
    """What a hook can know of the commit that runs it, `None` where there is none.

    `index` is the index that git uses for it, named from the top of the working tree;
    `by_program` is whether the pre-commit program (or one like it) runs the hook; `ours`, vmem.
    """

    index: str | None
    author_date: str | None
    by_program: bool
    ours: bool


def outer_commit() -> OuterCommit:
    """The commit that this process is a hook of."""
    return OuterCommit(
        os.environ.get("GIT_INDEX_FILE") or None,
        os.environ.get("GIT_AUTHOR_DATE") or None,
        bool(os.environ.get("PRE_COMMIT")),
        bool(os.environ.get(OWN_COMMIT)),
    )


def clean_git_environment() -> dict[str, str]:
    """The environment for a git command: no outer git's places, no prompt, no editor, plain English."""
    kept = {name: value for name, value in os.environ.items() if name not in _GIT_PLACES}
    kept.update(
        LC_ALL="C",
        GIT_TERMINAL_PROMPT="0",
        GIT_EDITOR="true",
        GIT_OPTIONAL_LOCKS="0",
        GIT_LITERAL_PATHSPECS="1",
    )
    kept.pop("GPG_TTY", None)
    return kept


def inherited_git_places() -> frozenset[str]:
    """Which of an outer git's places are set: GitPython hands them on, so they must be overruled."""
    return frozenset(name for name in _GIT_PLACES if name in os.environ)


def git_global_config() -> str | None:
    """`GIT_CONFIG_GLOBAL`: the file that git reads in place of `~/.gitconfig`; libgit2 does not look."""
    return os.environ.get("GIT_CONFIG_GLOBAL") or None


def git_identity() -> tuple[str | None, str | None]:
    """(name, email) that the environment gives for a committer, where it does."""
    return os.environ.get("GIT_COMMITTER_NAME") or None, os.environ.get("GIT_COMMITTER_EMAIL") or None


def quiet_gitpython() -> None:
    """Let GitPython be imported where there is no git; without this its import raises."""
    os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")


def without_settings(home: Path) -> dict[str, str]:
    """The environment for a vmem that is to heed none of this machine's settings, and to start no resident.

    `home` holds no settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VMEM_")}
    return kept | {"XDG_CONFIG_HOME": str(home), "VMEM_RESIDENT": "off"}


def of_a_resident() -> dict[str, str]:
    """The environment for a process that answers for many callers, from another folder than this one."""
    kept = {name: value for name, value in os.environ.items() if name not in _GIT_PLACES}
    if kept.get("PYTHONPATH"):
        kept["PYTHONPATH"] = os.pathsep.join(
            os.path.abspath(place) for place in kept["PYTHONPATH"].split(os.pathsep) if place
        )
    return kept


def is_unattended() -> bool:
    """Whether a machine made this call, and wants no process left behind: a CI job, or a hook of git."""
    return bool(os.environ.get("CI")) or bool(inherited_git_places())


def settings(keys: Iterable[str]) -> dict[str, str]:
    """The settings that `VMEM_<KEY>` variables give, by key; empty ones count as not given."""
    found = {key: given.variable(f"VMEM_{key.upper()}") for key in keys}
    return {key: text for key, text in found.items() if text}


_NO_SETTINGS = frozenset({"VMEM_VAULT", "VMEM_AGENT", "VMEM_DEBUG", OWN_COMMIT})
"""Variables of ours that are no settings."""


def unknown_variables(keys: Iterable[str]) -> list[str]:
    """Names that begin with `VMEM_`, are given, and are neither a setting's nor another of ours."""
    known = _NO_SETTINGS.union(f"VMEM_{key.upper()}" for key in keys)
    return sorted(
        name
        for name in given.names()
        if name.startswith(given.PREFIX) and name not in known and given.variable(name)
    )


def vault() -> str | None:
    """`VMEM_VAULT`: the vault to use when none is named."""
    return given.variable("VMEM_VAULT") or None


def agent() -> str | None:
    """`VMEM_AGENT`: the agent that asks when none is named."""
    return given.variable("VMEM_AGENT") or None


def working_folder() -> Path:
    """The caller's working folder, `.` where it was deleted under them."""
    return Path(given.folder())


def expanded(path: Path) -> Path:
    """The path with a leading `~` or `~name` as that home; as it is where there is nobody of that name."""
    home = given.variable("HOME")
    if path.parts[:1] == ("~",) and home:
        return Path(home, *path.parts[1:])
    try:
        return path.expanduser()
    except RuntimeError:
        return path


def editor() -> str | None:
    """The person's editor command, as git would choose it after its own settings."""
    return os.environ.get("VISUAL") or os.environ.get("EDITOR") or None


def user_config_file() -> Path:
    """Where this machine's own settings stand; the file need not exist."""
    home = given.variable("XDG_CONFIG_HOME")
    if home:
        return Path(home) / "vault-memory" / "config.toml"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home()) / "vault-memory" / "config.toml"
    return expanded(Path("~")) / ".config" / "vault-memory" / "config.toml"


def client_folders() -> dict[str, Path]:
    """Where programs of agents keep the person's settings, by the names of `model.clients.table.Base`."""
    home = expanded(Path("~"))
    claude, codex = given.variable("CLAUDE_CONFIG_DIR"), given.variable("CODEX_HOME")
    if sys.platform == "win32":
        programs = Path(given.variable("APPDATA") or home / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        programs = home / "Library" / "Application Support"
    else:
        programs = Path(given.variable("XDG_CONFIG_HOME") or home / ".config")
    return {
        "home": home,
        "claude": expanded(Path(claude)) if claude else home / ".claude",
        "claude-state": expanded(Path(claude)) if claude else home,
        "codex": expanded(Path(codex)) if codex else home / ".codex",
        "programs": programs,
    }


def no_colour() -> bool:
    """Whether `NO_COLOR` is set (https://no-color.org), or the terminal is a dumb one."""
    return bool(given.variable("NO_COLOR")) or given.variable("TERM") == "dumb"


def only_ascii() -> bool:
    """Whether the terminal may draw nothing but ASCII: a dumb one, or one with letters other than UTF-8."""
    named = next(filter(None, map(given.variable, ("LC_ALL", "LC_CTYPE", "LANG"))), "utf-8")
    return given.variable("TERM") == "dumb" or "utf" not in named.lower()


def completes_behind_equals() -> bool:
    """Whether the word that a shell asks about is an equals sign, as bash has it, or holds one."""
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    return "=" in typed.rpartition(" ")[2]


def debug() -> bool:
    """`VMEM_DEBUG`: show where a bug happened."""
    return bool(given.variable("VMEM_DEBUG"))


def model_caches() -> tuple[Path, ...]:
    """Where downloaded models lie, by the rules of the libraries that load them; the first is written to."""
    own = os.environ.get("SENTENCE_TRANSFORMERS_HOME")
    shared = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    home = os.environ.get("HF_HOME")
    if not shared and home:
        shared = str(Path(home) / "hub")
    if not shared:
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        shared = str(Path(cache) / "huggingface" / "hub")
    return tuple(expanded(Path(text)) for text in (own, shared) if text)
