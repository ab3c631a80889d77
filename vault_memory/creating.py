"""Making a folder a vault, in the repository it lies in or in a new one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from vault_memory.compose import system_clock
from vault_memory.config.settings import FORMAT, SETTINGS
from vault_memory.errors import RepositoryShapeError, StorageError, UsageError, VaultUnreadableError
from vault_memory.model.namespace import VaultPath
from vault_memory.model.tomlwords import toml


@dataclass(frozen=True, slots=True)
class Created:
    """What `create` made: the vault, the repository it lies in, and the files that are new."""

    root: Path
    branch: str | None
    new_repository: bool
    made: tuple[str, ...]
    new: bool
    """Whether it was no vault before: a clone may bring one along."""
    adopted: int | None
    """How many Markdown files were there and are memories; `None` where a folder can't be listed."""
    blocked: str | None
    """Why git can't take a commit now."""
    inside: Path | None
    """The vault around it, which finds its files too."""


def create(path: Path) -> Created:
    """Make `path` a vault, in the repository it lies in or a new one. Nothing there is changed.

    Raises `RepositoryShapeError` before anything is written where no commit could ever be made."""
    from vault_memory.adapters.files.layout import CONFIG, create_layout, find_vault
    from vault_memory.adapters.git.history import GitHistory
    from vault_memory.adapters.git.init import init_repository

    try:
        root = path.resolve()
        misshapen = GitHistory(root, clock=system_clock()).misshapen()
        if misshapen is not None:
            raise RepositoryShapeError(root, misshapen)
        root.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise UsageError(f"{path} is a file, and a vault is a folder", hint="vmem init FOLDER") from error
    except OSError as error:
        raise StorageError(str(path), error.strerror or str(error)) from error
    except (ValueError, RuntimeError) as error:
        raise UsageError(f"{str(path)!r} can't be a folder's name", hint="vmem init FOLDER") from error
    new = not os.path.lexists(root / CONFIG)
    history = GitHistory(root, clock=system_clock())
    state = history.state()
    if new and state.head is not None and history.head_bytes(VaultPath(CONFIG)) is not None:
        raise UsageError(
            f"{root} is a vault whose folder .vmem/ is not checked out",
            hint="git checkout HEAD -- .vmem   (in a sparse checkout: git sparse-checkout add .vmem)",
        )
    branch = state.branch if state.exists else init_repository(root)
    made = create_layout(root, config_text())
    blocked = state.blocked if state.exists else None
    return Created(
        root, branch, not state.exists, made, new, _notes_in(root), blocked, find_vault(root.parent)
    )


def _notes_in(root: Path) -> int | None:
    from vault_memory.adapters.files.tree import VaultFiles

    try:
        return len(VaultFiles(root).scan().stamps)
    except VaultUnreadableError:
        return None


def config_text() -> str:
    """The settings file of a new vault: its format, and the shared settings as comments."""
    lines = [
        "# Settings that travel with the vault. `# key = value` is a default; take the # off to change it.",
        f"format = {FORMAT}",
        "",
    ]
    for row in SETTINGS:
        if row.shared:
            lines += [f"# {row.doc}", f"# {row.key} = {toml(row.default)}"]
    return "\n".join(lines) + "\n"
