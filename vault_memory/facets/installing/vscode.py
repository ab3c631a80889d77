"""VS Code: snippets and a schema for front matter keys, a task that lists what lint finds, two settings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial

from vault_memory.facets.installing.offolder import OfFolder
from vault_memory.facets.installing.own import OwnFile, only_the_person
from vault_memory.facets.installing.shared import Change, Step, change_shared, put_own, take_out_own
from vault_memory.model.editors import vscode
from vault_memory.model.editors.jsonsplice import with_item, with_key, without_item, without_key
from vault_memory.model.namespace import Scope


@dataclass(frozen=True, slots=True)
class VSCodeFacet(OfFolder):
    """The folder `.vscode/` of the vault at `root`."""

    def put(self, scope: Scope) -> tuple[Step, ...]:
        """Add what is not there yet. Twice is no fault. Raises `PersonOnlyError`, `StorageError`."""
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
        )

    def take_out(self, scope: Scope) -> tuple[Step, ...]:
        """Take out what is as it was put in. Raises as `put` does."""
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
        )

    def _own(self, name: str) -> OwnFile:
        return OwnFile(self.root, self.root, name, vscode.MAKER)


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
