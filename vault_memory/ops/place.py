"""Where a vault lies in its repository."""

from __future__ import annotations

from pathlib import Path

from vault_memory.ports import Ports


def place_in_repository(ports: Ports) -> str:
    """The vault's folder from the repository's root, with a slash behind it; empty where they are one."""
    workdir = ports.history.state().workdir
    if workdir is None:
        return ""
    try:
        place = ports.files.root.relative_to(Path(workdir).resolve()).as_posix()
    except ValueError:
        return ""
    return "" if place == "." else f"{place}/"
