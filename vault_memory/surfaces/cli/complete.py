"""What the shell offers behind a half-typed word: from the index as it is, quick and silent."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import typer

from vault_memory.config import environ
from vault_memory.errors import VmemError
from vault_memory.render.style import harmless

if TYPE_CHECKING:
    from vault_memory.model.memory import Entry
    from vault_memory.model.namespace import Scope
    from vault_memory.model.proposals import ProposalName
    from vault_memory.vault import Vault

T = TypeVar("T")
Offers = list[tuple[str, str]]
"""Words with what they mean; shells that show help show that."""

MOST = 200
"""So many are offered; a person types on rather than read more."""

_ACTIVE = re.compile(r"""[\\`$"'\[\]|&;<>()*?!]""")
"""What is more than text to a shell. zsh evaluates all that it is offered, what words mean too, and bash
puts a word on the command line as it is: a title must not become a command."""


def refs(context: typer.Context, incomplete: str) -> Offers:
    """Memories by their paths, and by titles of one word: bash would part the words of longer ones."""
    entries = _entries(context)
    paths = [(entry.path, entry.title) for entry in entries if entry.path.startswith(incomplete)]
    titles = [
        (entry.title, entry.path)
        for entry in entries
        if incomplete and entry.title.startswith(incomplete) and not any(map(str.isspace, entry.title))
    ]
    return _inert([*paths, *titles])


def tags(context: typer.Context, incomplete: str) -> Offers:
    """Tags in use; behind `a and ` of a longer expression, too."""
    before, space, last = incomplete.rpartition(" ")
    found = _beginning({tag for entry in _entries(context) for tag in entry.tags}, last)
    return [(f"{before}{space}{tag}", "") for tag in found]


def kinds(context: typer.Context, incomplete: str) -> Offers:
    """The kinds that mean something, and those in use."""
    from vault_memory.model.kinds import KINDS

    used = {entry.kind for entry in _entries(context) if entry.kind}
    return [(kind, "") for kind in _beginning({*KINDS, *used}, incomplete)]


def agents(context: typer.Context, incomplete: str) -> Offers:
    """The agents that wrote memories."""
    used = {entry.source_agent for entry in _entries(context) if entry.source_agent}
    return [(agent, "") for agent in _beginning(used, incomplete)]


def namespaces(context: typer.Context, incomplete: str) -> Offers:
    """Folders with memories in them."""
    folders: set[str] = set()
    for entry in _entries(context):
        parts = entry.path.split("/")[:-1]
        folders.update("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    return [(folder, "") for folder in _beginning(folders, incomplete)]


def proposals(context: typer.Context, incomplete: str) -> Offers:
    """Open proposals by their branches; where something is typed, by the shorter names too."""
    found = _proposals(context)
    branches = [(named.branch, about) for named, about in found]
    shorter = (
        [(short, about) for named, about in found for short in (named.short, named.name)]
        if incomplete
        else []
    )
    return _inert([pair for pair in (*branches, *shorter) if pair[0].startswith(incomplete)])


def own_proposals(context: typer.Context, incomplete: str) -> Offers:
    """What the caller may call a proposal to write to; nothing behind a blank, where a text stands."""
    if not environ.completes_behind_equals():
        return []
    agent = _given(context, "agent") or environ.agent()
    found = [(named.name if agent else named.short, about) for named, about in _proposals(context)]
    return _inert([pair for pair in found if pair[0].startswith(incomplete)])


def config_keys(incomplete: str) -> Offers:
    """Settings with what they mean."""
    from vault_memory.config.settings import SETTINGS

    return [(row.key, row.doc) for row in SETTINGS if row.key.startswith(incomplete)]


def lint_rules(incomplete: str) -> Offers:
    """Rules of lint by their codes and by their names."""
    from vault_memory.model.rules import RULES

    codes = [(rule.code, rule.name) for rule in RULES.values()]
    names = [(rule.name, rule.meaning) for rule in RULES.values()]
    return [offer for offer in (*codes, *names) if offer[0].startswith(incomplete)]


def words(*offered: str) -> Callable[[str], Offers]:
    """Offers these words."""

    def offer(incomplete: str) -> Offers:
        return [(word, "") for word in offered if word.startswith(incomplete)]

    return offer


def _beginning(every: Iterable[str], incomplete: str) -> Sequence[str]:
    return [word for word, _ in _inert((one, "") for one in sorted(every) if one.startswith(incomplete))]


def _inert(offers: Iterable[tuple[str, str]]) -> Offers:
    """Those words that are text to every shell; where their meaning says more, that is left out."""
    return [
        (word, _ACTIVE.sub(" ", harmless(meaning)))
        for word, meaning in offers
        if word == harmless(word) and not _ACTIVE.search(word)
    ][:MOST]


def _entries(context: typer.Context) -> Sequence[Entry]:
    """Every memory that the caller may read, as the index has it; none where anything is wrong."""
    return _asked(context, lambda opened, scope: opened.index.entries(scope))


def _proposals(context: typer.Context) -> Sequence[tuple[ProposalName, str]]:
    """The open proposals that the caller may see."""
    return _asked(context, lambda opened, scope: opened.review.names(scope))


def _asked(context: typer.Context, ask: Callable[[Vault, Scope], Sequence[T]]) -> Sequence[T]:
    from vault_memory.vault import Vault

    vault, named = _given(context, "vault"), _given(context, "agent")
    agent = environ.agent() if named is None else named  # an empty name is none, and not the person's
    try:
        with Vault.open(Path(str(vault)) if vault is not None else None) as opened:
            caller = opened.agent(str(agent)) if agent is not None else opened.person
            return ask(opened, caller.scope)
    except (VmemError, OSError):  # a message would land in the middle of what is being typed
        return ()


def _given(context: typer.Context, name: str) -> object:
    """An option's value as far as it is typed, before or after the command's name."""
    found: object = context.params.get(name)
    return found if found is not None or context.parent is None else context.parent.params.get(name)
