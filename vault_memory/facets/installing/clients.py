"""The settings of a program that agents run in: a server, and commands that it runs at its events."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from vault_memory import beside
from vault_memory.config import environ
from vault_memory.config.change import FileChange
from vault_memory.config.servertable import NoTomlError, servers_in_toml, with_table, without_table
from vault_memory.errors import ConfigError, ConflictError, StorageError, UsageError
from vault_memory.facets.installing.own import Did, only_the_person
from vault_memory.facets.installing.shared import Step
from vault_memory.model.clients.hooks import says_version_alone, with_hooks, without_hooks
from vault_memory.model.clients.servers import TakenError, entry, servers_in, with_server, without_server
from vault_memory.model.clients.table import Client, Place
from vault_memory.model.clients.words import Wanted, vault_in
from vault_memory.model.editors.jsontext import NoJsonError, is_blank, read_json
from vault_memory.model.namespace import Scope

_LARGEST = 64 << 20
_WINDOWS = sys.platform == "win32"
_WHAT = "change the settings of a program"
_MEND = "nothing was changed; mend the file, or see what belongs in it: vmem install {maker} --print"
_TAKEN = "nothing was changed; --name OTHER leaves it as it is, --force takes its place"

Edit = Callable[[str], str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Parts:
    """Which parts of a program's settings are meant."""

    server: bool
    hooks: bool


@dataclass(frozen=True, slots=True)
class ClientFacet:
    """The settings of `client`, of one `project` or for all of the person's; `maker` is its word for vmem,
    `name` the server's there."""

    client: Client
    maker: str
    name: str
    project: Path | None = None
    force: bool = False

    def put(self, scope: Scope, wanted: Wanted, parts: Parts) -> tuple[Step, ...]:
        """Put in what is not there yet, bring up to date what is. Twice is no fault; all files or none.

        Raises `ConfigError` for a file that can't be read, `ConflictError` where the name is taken,
        `StorageError`, `UsageError`, `PersonOnlyError`.
        """
        only_the_person(scope, self.maker, _WHAT)
        return self._carried_out(self._edits(wanted, parts), delete=False)

    def take_out(self, scope: Scope, parts: Parts) -> tuple[Step, ...]:
        """Take out what is vmem's, and nothing else. Raises as `put` does."""
        only_the_person(scope, self.maker, _WHAT)
        others = self._others()
        edits: dict[Path, dict[str, Edit]] = {}
        if parts.server:
            edits[self._file(self.client.servers.place)] = {}
        if parts.hooks and self.client.hooks is not None:
            hooks = self.client.hooks
            edits.setdefault(self._file(hooks.place), {})["hooks"] = lambda text: without_hooks(
                text, hooks, lambda words: vault_in(words) not in others
            )
        if parts.server:
            servers = self.client.servers
            remove = without_table if servers.toml else without_server
            edits[self._file(servers.place)][self._server] = lambda text: remove(
                text, servers.key, self.name, force=self.force
            )  # last of a file's, since it went in first
        return self._carried_out(edits, delete=True)

    def shown(self, wanted: Wanted, parts: Parts) -> tuple[Step, ...]:
        """What each file would hold of this if it held nothing else; nothing is read or written."""
        alone = ClientFacet(self.client, self.maker, self.name, self.project)
        steps = []
        for file, edits in alone._edits(wanted, parts, others=frozenset()).items():
            text = ""
            for edit in edits.values():
                text = edit(text)
            steps.append(Step(str(file), Did.NOTHING, tuple(edits), None, text.rstrip("\n")))
        return tuple(steps)

    @property
    def _server(self) -> str:
        return f"the server {self.name}"

    def _edits(
        self, wanted: Wanted, parts: Parts, *, others: frozenset[str] | None = None
    ) -> Mapping[Path, dict[str, Edit]]:
        edits: dict[Path, dict[str, Edit]] = {}
        if parts.server:
            servers = self.client.servers
            value = entry(wanted, typed=servers.typed)
            put = with_table if servers.toml else with_server
            edits[self._file(servers.place)] = {
                self._server: lambda text: put(text, servers.key, self.name, value, force=self.force)
            }
        if parts.hooks:
            hooks = self.client.hooks
            if hooks is None:
                raise UsageError(f"{self.client.title} runs no hooks", hint=f"vmem install {self.maker}")
            lines = {
                said: wanted.hook(event, hooks.caller, windows=_WINDOWS)
                for said, event in hooks.events.items()
            }
            kept = (self._others() if others is None else others) - {wanted.vault}
            named = ", ".join(said for said, line in lines.items() if line is not None)
            edits.setdefault(self._file(hooks.place), {})[f"hooks at {named}"] = lambda text: with_hooks(
                text, hooks, lines, lambda words: vault_in(words) not in kept
            )
        return edits

    def _others(self) -> frozenset[str]:
        """The vaults of vmem's servers by other names: their hooks are no concern of this one."""
        servers = self.client.servers
        file = self._file(servers.place)
        text = self._text(file, self._content(file))
        if servers.toml:
            found = self._read(file, text, lambda: servers_in_toml(text, servers.key))
        else:
            found = self._read(file, text, lambda: _servers_of(text, servers.key))
        vaults = (vault_in(words) for name, words in found.items() if name != self.name)
        return frozenset(vault for vault in vaults if vault is not None)

    def _file(self, place: Place) -> Path:
        if self.project is None:
            return environ.client_folders()[place.base] / place.path
        if place.project is None:
            raise UsageError(
                f"{self.client.title} reads no settings from a project",
                hint=f"without --project they hold for all: vmem install {self.maker}",
            )
        return self.project / place.project

    def _carried_out(self, edits: Mapping[Path, dict[str, Edit]], *, delete: bool) -> tuple[Step, ...]:
        """All texts are made before the first is written."""
        made = [self._changed(file, one, delete=delete) for file, one in edits.items()]
        done: list[str] = []
        for change, _ in made:
            if change.changes:
                try:
                    beside.put_settings(change)
                except StorageError as error:
                    hint = f"{done[0]} was written before; mend this, then do it again" if done else None
                    raise StorageError(error.path, error.reason, hint=hint) from error
                done.append(str(change.file))
        return tuple(step for _, step in made)

    def _changed(self, file: Path, edits: dict[str, Edit], *, delete: bool) -> tuple[FileChange, Step]:
        before = self._content(file)
        text = self._text(file, before)
        done, left = [], None
        for what, edit in edits.items():
            try:
                after = self._read(file, text, lambda edit=edit, text=text: edit(text))  # type: ignore[misc]
            except ConflictError as error:
                if not delete:
                    raise
                left = error.message
                continue
            done += [what] if after != text else []
            text = after
        content: bytes | None = text.encode("utf-8")
        if not done:
            content = before
        elif delete and not os.path.islink(file) and _says_nothing(text):
            content = None
        change = FileChange(file, None, before, content, within=self.project, private=self.project is None)
        return change, Step(str(file), _did(change), tuple(done), left)

    def _content(self, file: Path) -> bytes | None:
        return beside.read_theirs(file, within=self.project, most=_LARGEST)

    def _text(self, file: Path, content: bytes | None) -> str:
        try:
            return (content or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            raise self._refused(file, "it is no text in UTF-8", line) from error

    def _read(self, file: Path, text: str, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except NoJsonError as error:
            raise self._refused(
                file, "it is not JSON of the usual shape from here on", error.line(text)
            ) from error
        except NoTomlError as error:
            raise self._refused(file, error.reason, error.line) from error
        except TakenError as error:
            reason = f"the server {self.name} there is not vmem's"
            raise ConflictError(f"{file}:{error.line}", reason, hint=_TAKEN) from error

    def _refused(self, file: Path, reason: str, line: int | None) -> ConfigError:
        return ConfigError(str(file), "", reason, hint=_MEND.format(maker=self.maker)).at_line(line)


def _servers_of(text: str, key: str) -> dict[str, Sequence[object]]:
    return {} if is_blank(text) else servers_in(read_json(text).value, key)


def _says_nothing(text: str) -> bool:
    return is_blank(text) or says_version_alone(text)


def _did(change: FileChange) -> Did:
    if not change.changes:
        return Did.NOTHING
    if change.after is None:
        return Did.DELETED
    return Did.WRITTEN if change.before is None else Did.REPLACED
