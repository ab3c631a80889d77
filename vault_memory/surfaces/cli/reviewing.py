"""Walking a proposal memory by memory, on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import typer

from vault_memory.render.diff import render_comparison
from vault_memory.render.style import counted, styled
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.editor import run_editor

if TYPE_CHECKING:
    from vault_memory.model.comparison import Comparison, Difference
    from vault_memory.model.proposals import Proposal, Reviewed
    from vault_memory.vault import Vault

_ASKED = "[a]ccept, [r]eject, [e]dit, [s]kip (leave open), [q]uit"
_WORDS = {"a": "accept", "r": "reject", "e": "edit", "s": "skip", "q": "quit"}


class Walk:
    """One walk: what a person says of each memory is carried out at the end, when they say so; only an
    edit is committed on the branch at once."""

    def __init__(self, call: Call, opened: Vault, proposal: Proposal) -> None:
        self._call = call
        self._opened = opened
        self._proposal = proposal
        self._scope = call.caller(opened).scope
        self._said: dict[str, str] = {}

    def go(self) -> Reviewed | None:
        """Ask about each; `None` where nothing was decided."""
        paths = [one.path for one in self._compared().differences]
        for at, path in enumerate(paths, start=1):
            word = self._asked(path, f"{at} of {len(paths)}")
            if word == "quit":
                return None
            self._said[path] = word
        accept, reject = self._with("accept"), self._with("reject")
        if not (accept or reject) or not typer.confirm(self._question(accept, reject), default=False):
            self._call.out.result("Nothing was changed.")
            return None
        others = bool(self._proposal.others and accept) and typer.confirm(
            "It also changes files that are no memories. Take those in too?", default=False
        )
        return self._opened.review.decide(
            self._scope, self._proposal, accept=accept, reject=reject, others=others
        )

    def _asked(self, path: str, where: str) -> str:
        """What they say of one memory; after an edit they are shown it again."""
        while True:
            one = self._difference(path)
            if one is None:
                return "skip"
            found = replace(self._compared(), differences=(one,))
            block = render_comparison(found, colour=self._call.out.colour).rpartition("\n\n")[0]
            self._call.out.result(f"\n{styled(where, 'dim', colour=self._call.out.colour)}   {block}")
            word = ""
            while not word:
                said = typer.prompt(_ASKED, prompt_suffix=": ").strip().lower()
                word = next((full for one, full in _WORDS.items() if said in (one, full)), "")
            if word != "edit":
                return word
            open_editor = partial(run_editor, self._opened.settings["editor"])
            self._opened.review.edit(self._scope, self._proposal, path, open_editor)
            self._proposal = self._opened.review.find(self._scope, self._proposal.branch)

    def _compared(self) -> Comparison:
        return self._opened.review.compare(self._scope, self._proposal)

    def _difference(self, path: str) -> Difference | None:
        return next((one for one in self._compared().differences if one.path == path), None)

    def _with(self, word: str) -> Sequence[str]:
        return [path for path, said in self._said.items() if said == word]

    def _question(self, accept: Sequence[str], reject: Sequence[str]) -> str:
        left = len(self._said) - len(accept) - len(reject)
        parts = [(accept, "take {} in"), (reject, "take {} back"), (range(left), "leave {} open")]
        said = [form.format(counted(len(some), "memory", "memories")) for some, form in parts if len(some)]
        return f"{', '.join(said).capitalize()}?"
