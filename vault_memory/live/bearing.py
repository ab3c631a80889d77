"""The token by which the clients of one agent are let in over HTTP, and the file that holds it."""

from __future__ import annotations

from pathlib import Path

from vault_memory import beside
from vault_memory.errors import ConfigError
from vault_memory.model.namespace import file_of_caller

LOCAL = ".vmem/local"
FOLDER = "mcp-tokens"
"""Below it."""
_READS = "+read-only"
"""No caller's name holds a `+`."""


def token_of(root: Path, agent: str | None, *, read_only: bool, file: Path | None) -> tuple[str, Path]:
    """That token and its file: `file`, or one in the vault's local folder. It is made where there is none.

    Who may read only has another one than who may write. Raises `StorageError`, `ConfigError`.
    """
    if file is not None:
        return beside.kept_word(file, None), file
    name = file_of_caller(agent)
    local = root / LOCAL
    file = local / FOLDER / (name + _READS if read_only else name)
    if file.parent.is_symlink():
        raise ConfigError(str(file.parent), "", "it is a link", hint="delete it: the folder is made anew")
    if beside.comes_with_the_vault(root, f"{LOCAL}/{FOLDER}/{file.name}"):
        raise ConfigError(
            str(file),
            "",
            "it came with the repository: whoever committed it knows the token",
            hint=f"git rm -r '{LOCAL}'   a new one is made at the next start",
        )
    return beside.kept_word(file, local), file
