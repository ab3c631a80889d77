"""Going through what was captured: listed, by options, or one by one on a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import typer

from vault_memory.errors import MemoryNotFoundError, UsageError, VmemError
from vault_memory.model import wirecapture
from vault_memory.model.inventory import Listing
from vault_memory.render.captured import render_look, render_waiting
from vault_memory.render.links import render_cut_off, render_updated
from vault_memory.render.style import counted
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.editor import run_editor

if TYPE_CHECKING:
    from vault_memory.model.outcome import Moved, Written
    from vault_memory.vault import Vault

_ASKED = "[k]eep, [m]ove to shared, [e]dit, [f]orget, [s]kip, [q]uit"
_WORDS = {"k": "keep", "m": "move", "e": "edit", "f": "forget", "s": "skip", "q": "quit"}
_DONE = {"keep": "kept", "move": "moved to shared", "forget": "forgotten"}


class Inboxes:
    """The inboxes that the caller may read, or the one of an agent (`of`)."""

    def __init__(self, call: Call, of: str | None) -> None:
        self._call = call
        self._of = of

    def show(self) -> None:
        """List what waits, and what can be done with it."""
        with self._call.open() as opened:
            found = self._waiting(opened)
            zone = opened.settings.zone
            proposed = opened.capture.proposed(self._call.caller(opened).scope, self._of)
        out = self._call.out
        if out.json:
            out.value(wirecapture.decided((), (), found))
            return
        now = self._call.now()
        out.result(render_waiting(found, self._of, now=now, zone=zone, width=out.width, colour=out.colour))
        for branch in proposed:
            out.result(f"Proposed for a review: vmem review {branch}")

    def decide(self, keep: Sequence[str], forget: Sequence[str], to: str | None) -> None:
        """Carry out what options say, once each memory is known to wait in an inbox."""
        with self._call.open() as opened:
            facet, caller = opened.capture, self._call.caller(opened)
            staying = dict.fromkeys(facet.waiting_one(caller.scope, ref).path for ref in keep)
            going = dict.fromkeys(facet.waiting_one(caller.scope, ref).path for ref in forget)
            if both := next((path for path in staying if path in going), None):
                raise UsageError(f"{both} can't be kept and forgotten at once", hint="vmem capture --review")
            kept = [facet.keep(caller.scope, path, to) for path in staying]
            gone = [caller.forget(path) for path in going]
            left = self._waiting(opened)
        if self._call.out.json:
            self._call.out.value(wirecapture.decided(kept, gone, left))
        else:
            self._tell(kept, gone)

    def walk(self) -> None:
        """Ask about each, until they quit. Each word is carried out at once, in a commit of its own; the
        vault is not kept open while they think."""
        with self._call.open() as opened:
            paths = [one.path for one in self._waiting(opened)]
        if not paths:
            self.show()
            return
        said = Counter[str]()
        for number, path in enumerate(paths, start=1):
            word = self._asked(path, f"{number} of {len(paths)}")
            if word == "quit":
                break
            said[word] += 1
        left = len(paths) - said["gone"] - sum(said[word] for word in _DONE)
        told = [f"{said[word]} {done}" for word, done in _DONE.items() if said[word]]
        told += [f"{left} left there"] if left else []
        self._call.out.result(f"\n{counted(len(paths), 'memory', 'memories')}: {', '.join(told)}")

    def _waiting(self, opened: Vault) -> Listing:
        found = opened.capture.waiting(self._call.caller(opened), self._of)
        self._call.out.warn_all(found.notices)
        return found

    def _asked(self, path: str, where: str) -> str:
        """What they said of one memory and was done; after an edit they are shown it again."""
        while True:
            try:
                with self._call.open() as opened:
                    shown = self._call.caller(opened).show(path)
                    zone = opened.settings.zone
            except MemoryNotFoundError as error:  # somebody else was there meanwhile
                self._call.out.error(error)
                return "gone"
            colour = self._call.out.colour
            self._call.out.result(f"\n{render_look(shown.memory, where, zone=zone, colour=colour)}")
            word = _answer()
            to = _where_to() if word == "move" else ""
            try:
                if self._carried_out(word, path, shown.version, to):
                    return word
            except VmemError as error:
                self._call.out.error(error)

    def _carried_out(self, word: str, path: str, version: str, to: str) -> bool:
        """Whether that was the last word on it."""
        kept: list[Moved] = []
        written: list[Written] = []
        if word in ("skip", "quit") or (word == "move" and not to):
            return word != "move"
        with self._call.open() as opened:
            caller = self._call.caller(opened)
            if word in ("keep", "move"):
                kept.append(opened.capture.keep(caller.scope, path, to or None))
            elif word == "forget":
                written.append(caller.forget(path, if_match=version))
            else:
                editor = partial(run_editor, opened.settings["editor"])
                written.append(opened.files.edit(caller.scope, path, editor, if_match=version))
        self._tell(kept, written)
        return word != "edit"

    def _tell(self, kept: Sequence[Moved], written: Sequence[Written]) -> None:
        self._call.wrote([*(one.written for one in kept), *written], require_commit=False, many=True)
        for one in kept:
            self._call.out.result(render_updated(one))
            cut_off = render_cut_off(one, update_links=True)
            if cut_off is not None:
                self._call.out.warn(cut_off)


def _answer() -> str:
    """What they say, asked until it is one of the words."""
    while True:
        said = typer.prompt(_ASKED, prompt_suffix=": ").strip().lower()
        for short, word in _WORDS.items():
            if said in (short, word):
                return word


def _where_to() -> str:
    """The namespace that they name; nothing where they think better of it."""
    return str(typer.prompt("Where to, below shared/", default="", show_default=False)).strip()
