"""VS Code: snippets and a schema for front matter keys, a task of what lint finds, settings, and a server."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial

from vault_memory.facets.installing.offolder import OfFolder
from vault_memory.facets.installing.own import Did, OwnFile, only_the_person
from vault_memory.facets.installing.shared import Change, Step, change_shared, put_own, take_out_own
from vault_memory.model.clients.servers import TakenError, entry, with_server, without_server
from vault_memory.model.clients.words import Wanted
from vault_memory.model.editors import vscode
from vault_memory.model.editors.jsonsplice import with_item, with_key, without_item, without_key
from vault_memory.model.namespace import Scope


@dataclass(frozen=True, slots=True)
class Server:
    """The vault as a server of the Model Context Protocol: its name there, as which agent."""

    name: str
    agent: str
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class VSCodeFacet(OfFolder):
    """The folder `.vscode/` of the vault at `root`."""

    def put(self, scope: Scope, server: Server | None = None) -> tuple[Step, ...]:
        """Add what is not there yet, with a `server` also that. Twice is no fault.

        Raises `PersonOnlyError`, `StorageError`."""
        only_the_person(scope, vscode.MAKER, "set up an editor")
        settings: dict[str, Change] = {
            f"{' / '.join(keys)}: {what}": partial(with_key, path=keys, value=value)
            for keys, value, what in vscode.WANTED_SETTINGS
        }
        task: dict[str, Change] = {
            f"the task {vscode.LABEL!r}": lambda text: (
                with_item(text, "tasks", vscode.TASK, vscode.is_our_task) if text else vscode.new_tasks()
            )
        }
        return (
            put_own(self._own(vscode.SNIPPETS), vscode.snippets()),
            put_own(self._own(vscode.SCHEMA), vscode.schema()),
            change_shared(self.root, vscode.TASKS, task, by_hand=_json(vscode.TASK), delete=False),
            change_shared(
                self.root, vscode.SETTINGS, settings, by_hand=_json(vscode.settings_alone()), delete=False
            ),
            *([] if server is None else [self._served(server)]),
        )

    def take_out(self, scope: Scope, server: Server | None = None) -> tuple[Step, ...]:
        """Take out what is as it was put in, with a `server` also that. Raises as `put` does."""
        only_the_person(scope, vscode.MAKER, "set up an editor")
        settings: dict[str, Change] = {
            " / ".join(keys): partial(without_key, path=keys, value=value)
            for keys, value, _ in vscode.WANTED_SETTINGS
        }
        task: dict[str, Change] = {
            f"the task {vscode.LABEL!r}": partial(without_item, key="tasks", item=vscode.TASK)
        }
        return (
            take_out_own(self._own(vscode.SNIPPETS)),
            take_out_own(self._own(vscode.SCHEMA)),
            change_shared(self.root, vscode.TASKS, task, by_hand="", delete=True),
            change_shared(self.root, vscode.SETTINGS, settings, by_hand="", delete=True),
            *([] if server is None else [self._unserved(server)]),
        )

    def _served(self, server: Server) -> Step:
        wanted = Wanted((vscode.VMEM,), vscode.FOLDER, server.agent, server.read_only)
        value = entry(wanted, typed=True)
        change: Change = lambda text: with_server(  # noqa: E731 - a row of a table elsewhere
            text, vscode.SERVERS_KEY, server.name, value, force=False
        )
        by_hand = _json({vscode.SERVERS_KEY: {server.name: value}})
        return self._of_servers(change, server.name, by_hand=by_hand, delete=False)

    def _unserved(self, server: Server) -> Step:
        change: Change = lambda text: without_server(  # noqa: E731 - as above
            text, vscode.SERVERS_KEY, server.name, force=False
        )
        return self._of_servers(change, server.name, by_hand="", delete=True)

    def _of_servers(self, change: Change, name: str, *, by_hand: str, delete: bool) -> Step:
        what = f"the server {name}"
        try:
            return change_shared(self.root, vscode.SERVERS, {what: change}, by_hand=by_hand, delete=delete)
        except TakenError as error:
            left = f"{what} on line {error.line} is not vmem's"
            return Step(vscode.SERVERS, Did.NOTHING, (), left)

    def _own(self, name: str) -> OwnFile:
        return OwnFile(self.root, self.root, name, vscode.MAKER)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
