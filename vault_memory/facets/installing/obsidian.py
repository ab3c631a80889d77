"""Obsidian: types for the properties that vmem knows, and a template, which is no memory itself."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import partial

from vault_memory import beside
from vault_memory.config.change import setting_put, setting_taken_out
from vault_memory.config.load import VAULT_FILE
from vault_memory.errors import StorageError, UnsafePathError
from vault_memory.facets.installing.offolder import OfFolder
from vault_memory.facets.installing.own import LARGEST, Did, only_the_person
from vault_memory.facets.installing.shared import Change, Step, change_shared, put_whole, take_out_whole
from vault_memory.model.editors import obsidian
from vault_memory.model.editors.jsonsplice import with_key, without_key
from vault_memory.model.editors.jsontext import NoJsonError, read_json
from vault_memory.model.namespace import Scope, parse_path

_MAKER = "obsidian"
_SAME = Step(VAULT_FILE, Did.NOTHING)


@dataclass(frozen=True, slots=True)
class ObsidianFacet(OfFolder):
    """The folder `.obsidian/` of the vault at `root`, and its template."""

    def put(self, scope: Scope) -> tuple[Step, ...]:
        """Add what is not there yet. Twice is no fault. Raises `PersonOnlyError`, `StorageError`."""
        only_the_person(scope, _MAKER, "set up an editor")
        types: dict[str, Change] = {
            key: partial(with_key, path=("types", key), value=kind)
            for key, kind in obsidian.PROPERTIES.items()
        }
        by_hand = json.dumps({"types": obsidian.PROPERTIES}, indent=2)
        typed = change_shared(self.root, obsidian.TYPES_FILE, types, by_hand=by_hand, delete=False)
        written = put_whole(self.root, self.template, obsidian.TEMPLATE.encode())
        return (
            typed,
            written,
            self._leave_out() if written.did is Did.WRITTEN else _SAME,
        )

    def take_out(self, scope: Scope) -> tuple[Step, ...]:
        """Take out what is as it was put in. Raises as `put` does."""
        only_the_person(scope, _MAKER, "set up an editor")
        types: dict[str, Change] = {
            key: partial(without_key, path=("types", key), value=kind)
            for key, kind in obsidian.PROPERTIES.items()
        }
        typed = change_shared(self.root, obsidian.TYPES_FILE, types, by_hand="", delete=True)
        deleted = take_out_whole(self.root, self.template, obsidian.TEMPLATE.encode())
        return typed, deleted, self._let_in() if deleted.did is Did.DELETED else _SAME

    @property
    def folder_is_set(self) -> bool:
        """Whether Obsidian has been told in which folder templates lie."""
        return self._folder() is not None

    @property
    def template(self) -> str:
        """The template's path in the vault."""
        return f"{self._folder() or obsidian.FOLDER}/{obsidian.TEMPLATE_NAME}"

    def _folder(self) -> str | None:
        """As `.obsidian/templates.json` says; `None` where it says nothing that is a folder of the vault."""
        try:
            content = beside.read_own(self.root, obsidian.TEMPLATES_FILE, most=LARGEST)
            said = read_json((content or b"{}").decode("utf-8")).value
            folder = str(said.get("folder") or "").strip("/ ") if isinstance(said, dict) else ""
            return parse_path(f"{folder}/x.md").rpartition("/")[0] if folder else None
        except (StorageError, NoJsonError, UnicodeDecodeError, UnsafePathError):
            return None

    def _leave_out(self) -> Step:
        """Have vmem leave the template out, since it is no memory."""
        excluded = self._excluded()
        if self._line in excluded:
            return _SAME
        return self._exclude([*excluded, self._line])

    def _let_in(self) -> Step:
        excluded = self._excluded()
        if self._line not in excluded:
            return _SAME
        return self._exclude([one for one in excluded if one != self._line])

    @property
    def _line(self) -> str:
        return f"/{self.template}"

    def _excluded(self) -> list[str]:
        content = beside.read_own(self.root, VAULT_FILE, most=LARGEST) or b""
        return list(tomllib.loads(content.decode("utf-8")).get("exclude", ()))

    def _exclude(self, lines: list[str]) -> Step:
        written = json.dumps(lines, ensure_ascii=False)  # which TOML reads as well
        change = (
            setting_put(self.root, "exclude", written, shared=True)
            if lines
            else setting_taken_out(self.root, "exclude", shared=True)
        )
        if change is None or not change.changes:
            return _SAME
        beside.put_settings(change)
        return Step(VAULT_FILE, Did.REPLACED, (f"exclude: {self._line}",))
