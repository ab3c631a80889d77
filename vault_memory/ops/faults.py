"""The faults that reading found in files, as far as lint would call them problems."""

from __future__ import annotations

from vault_memory.config.settings import Settings
from vault_memory.model.memory import Finding
from vault_memory.model.namespace import Scope
from vault_memory.ports import Ports


def faults(ports: Ports, settings: Settings, scope: Scope) -> tuple[Finding, ...]:
    """In path and line order. What two files do to each other is for lint alone to tell."""
    found = ports.index.findings(scope)
    if not found:
        return ()
    from vault_memory.model.rules import is_problem  # here: the pages of all rules come with it

    codes, folders = left_out(settings)
    return tuple(
        one
        for one in found
        if is_problem(one.code) and one.code not in codes and not one.path.startswith(folders)
    )


def left_out(settings: Settings) -> tuple[frozenset[str], tuple[str, ...]]:
    """The codes and the folders that the setting `lint_ignore` names."""
    from vault_memory.model.rules import find_rule

    entries = settings["lint_ignore"]
    codes = frozenset(find_rule(one).code for one in entries if not one.endswith("/"))
    return codes, tuple(one for one in entries if one.endswith("/"))
