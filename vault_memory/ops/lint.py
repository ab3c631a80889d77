"""What is wrong in the vault: the faults found while reading, and those that only the whole tells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cache

from vault_memory.config import environ
from vault_memory.config.settings import Settings
from vault_memory.errors import GitError, StorageError, UnsafePathError
from vault_memory.model import lint as checks
from vault_memory.model.anchors import anchors_of
from vault_memory.model.attachments import Attachments
from vault_memory.model.codes import CODES
from vault_memory.model.linkmap import LinkMap, may_be_folder
from vault_memory.model.linted import LintReport
from vault_memory.model.memory import Finding
from vault_memory.model.namespace import Namespace, Scope, VaultPath, is_memory_name
from vault_memory.model.pages_of_vaults import SECRET
from vault_memory.model.rules import RULES, find_rule
from vault_memory.model.shelf import Shelf, Told
from vault_memory.model.split import split
from vault_memory.ops.faults import left_out
from vault_memory.ops.place import place_in_repository
from vault_memory.ops.stock import Stock, by_index
from vault_memory.ports import Ports, Progress, no_progress

PROGRESS_EVERY = 500


def lint(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    *,
    paths: Collection[str] = (),
    rules: Iterable[str] = (),
    ignore: Iterable[str] = (),
    everything: bool = False,
    notices: tuple[str, ...] = (),
    stock: Stock | None = None,
    progress: Progress = no_progress,
) -> LintReport:
    """Every finding in what the scope may read, in path and line order; changes nothing.

    `stock` is what lies there, without it what the index has. `paths` are files or folders to look at,
    all without any; what is wrong between two files is told if one of them is among them. `rules` (codes
    or names) are the only ones to look for; slow ones take a name, or `everything`. Raises `UsageError`
    for a rule that is none.
    """
    codes = _chosen(settings, rules, ignore, everything=everything)
    if environ.outer_commit().ours:  # looked through on its way in; what the person allowed then, stays
        codes -= {SECRET}
    _, skipped = left_out(settings)

    def looked_at(path: str) -> bool:
        return is_below(path, paths) and not path.startswith(skipped)

    stock = stock or by_index(ports, scope)
    shelf = shelf_of(ports, scope, stock)
    told = [Told(finding) for finding in stock.findings if finding.code in codes]
    for found, check in checks.OF_VAULT:
        if found & codes:
            told += (one for one in check(shelf) if one.finding.code in codes)
    looked = [entry for entry in shelf.entries if looked_at(entry.path)]
    of_file = [look for code, look in checks.OF_FILE.items() if code in codes]
    if of_file:
        for number, entry in enumerate(looked):
            content = shelf.content(entry.path)
            for look in of_file:
                told += look(shelf, entry, content)
            if number % PROGRESS_EVERY == 0:
                progress("looking into files", number, len(looked))
    odd = sum(looked_at(path) for path, _ in shelf.odd)
    findings = tuple(_masked(ports, list(_in_order(told, looked_at))))
    return LintReport(findings, len(looked) + odd, place_in_repository(ports), notices)


def shelf_of(ports: Ports, scope: Scope, stock: Stock) -> Shelf:
    """What the rules look at, read as they ask for it."""

    def content(path: VaultPath) -> bytes:
        with suppress(StorageError):
            found = ports.files.read(path)
            return found.content if found is not None else b""
        return b""

    return Shelf(
        now=ports.clock.now(),
        entries=stock.entries,
        links=stock.links,
        odd=stock.odd,
        content=content,
        first_commit=cache(lambda path: first_commit(ports, path, renamed=False)),
        ignored=ports.history.ignored,
        secrets=ports.scanner.scan,
        places=cache(lambda: LinkMap.of(stock.entries)),
        anchors=cache(lambda path: anchors_of(split(content(path)).body)),
        attachments=cache(lambda: _attachments(ports, scope)),
    )


def _attachments(ports: Ports, scope: Scope) -> Attachments:
    """All that is no memory, in folders that are not hidden, as far as the scope may read it."""
    found: list[str] = []
    folders = [Namespace("")]
    whole = True
    while folders:
        folder = ports.files.spelled(folders.pop())
        try:
            names = ports.files.names_in(folder)
        except UnsafePathError:  # a link that leaves the vault: what lies there can't be told
            whole = False
            continue
        # The folder behind a link is looked into, and none in it: links may lead round in a circle.
        is_link = bool(folder) and ports.files.link_text(VaultPath(folder)) is not None
        for name in names:
            path = f"{folder}/{name}" if folder else name
            if may_be_folder(name):
                folders += [] if is_link else [Namespace(path)]
            elif not name.startswith(".") and not is_memory_name(name) and scope.may_read(path):
                found.append(path)
    return Attachments(found, whole=whole)


def first_commit(ports: Ports, path: VaultPath, *, renamed: bool) -> datetime | None:
    """When a file was first committed, `None` where git does not know.

    With `renamed`, under whatever name; git then takes a copy for its original under a new name.
    """
    oldest: datetime | None = None
    with suppress(GitError):
        for revision in ports.history.log(path, limit=None):
            if renamed or path in revision.paths:
                oldest = revision.when
    return oldest


def is_below(path: str, places: Collection[str]) -> bool:
    """Whether a path is one of the places, or lies in one; every path where there are none."""
    return not places or any(path == place or path.startswith(f"{place}/") or place == "" for place in places)


def _masked(ports: Ports, findings: Sequence[Finding]) -> Iterator[Finding]:
    """The findings, without the secrets that a message would repeat of a file that holds some."""
    leaky = {one.path for one in findings if one.code == SECRET}
    mask = ports.scanner.mask
    for one in findings:
        leaks = one.path in leaky and one.code != SECRET
        yield replace(one, message=mask(one.message), advice=mask(one.advice)) if leaks else one


def _chosen(
    settings: Settings, rules: Iterable[str], ignore: Iterable[str], *, everything: bool
) -> frozenset[str]:
    """The codes to look for. What is named is looked for even if the vault's settings leave it out."""
    named = frozenset(find_rule(text).code for text in rules)
    unwanted = frozenset(find_rule(text).code for text in ignore)
    if named:
        return named - unwanted
    ever, _ = left_out(settings)
    quick = {code for code, rule in RULES.items() if everything or not rule.page.slow}
    return frozenset((quick | set(CODES)) - unwanted - ever)


def _in_order(told: Sequence[Told], looked_at: Callable[[str], bool]) -> Iterator[Finding]:
    findings = {one.finding for one in told if looked_at(one.finding.path) or any(map(looked_at, one.about))}
    yield from sorted(findings, key=lambda found: (found.path, found.line, found.code, found.message))
