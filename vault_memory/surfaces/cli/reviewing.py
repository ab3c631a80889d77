"""Walking a proposal memory by memory, on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import typer

from vault_memory.errors import VmemError
from vault_memory.model.comparison import How
from vault_memory.render.diff import render_comparison
from vault_memory.render.review import render_others
from vault_memory.render.style import counted, styled
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.editor import run_editor

if TYPE_CHECKING:
    from vault_memory.model.comparison import Comparison, Difference
    from vault_memory.model.proposals import Proposal, Reviewed
    from vault_memory.vault import Vault

_ASKED = "[a]ccept, [r]eject, [e]dit, [s]kip (leave open), [q]uit"
_WORDS = {"a": "accept", "r": "reject", "e": "edit", "s": "skip", "q": "quit"}
_ASKED_OF_A_REMOVAL = "[a]ccept, [r]eject, [s]kip (leave open), [q]uit"
_WORDS_OF_A_REMOVAL = {short: word for short, word in _WORDS.items() if word != "edit"}


class Walk:
    """One walk: what a person says of each memory is carried out at the end, when they say so; only an
    edit is committed on the branch at once."""

    def __init__(self, call: Call, opened: Vault, proposal: Proposal) -> None:
        self._call = call
        self._opened = opened
        self._proposal = proposal
        self._scope = call.caller(opened).scope
        self._said: dict[str, str] = {}
        self._seen: dict[str, Difference | None] = {}
        self._edited = False
        self._last: tuple[str, Comparison] | None = None

    def go(self) -> Reviewed | None:
        """Ask about each, until they quit, which leaves open what they have said nothing of; `None` where
        nothing was decided."""
        paths = [one.path for one in self._compared().differences]
        left = list(paths)
        while left and self._go_through(left, paths):
            left = self._to_see_again(paths)
        accept, reject = self._with("accept"), self._with("reject")
        question = self._question(accept, reject, len(paths))
        if not (accept or reject) or not typer.confirm(question, default=False):
            said = "Nothing was taken in, or back; what you edited is on the branch."
            self._call.out.result(said if self._edited else "Nothing was changed.")
            return None
        others = bool(self._proposal.others and accept) and typer.confirm(
            f"It also changes what is no memory: {render_others(self._proposal)}. Take that in too?",
            default=False,
        )
        return self._opened.review.decide(
            self._scope, self._proposal, accept=accept, reject=reject, others=others
        )

    def _go_through(self, some: Sequence[str], paths: Sequence[str]) -> bool:
        """Whether they came to the end of these."""
        for path in some:
            self._said.pop(path, None)
            word = self._asked(path, f"{paths.index(path) + 1} of {len(paths)}")
            if word == "quit":
                # What they said of others stands for what they were shown, and for nothing else.
                self._look_again()
                for changed in self._changed_since(list(self._said)):
                    del self._said[changed]
                return False
            self._said[path] = word
        return True

    def _asked(self, path: str, where: str) -> str:
        """What they say of one memory; after an edit they are shown it again."""
        while True:
            compared = self._compared()
            one = next((each for each in compared.differences if each.path == path), None)
            self._seen[path] = one
            if one is None:
                return "skip"
            found = replace(compared, differences=(one,))
            block = render_comparison(found, colour=self._call.out.colour).rpartition("\n\n")[0]
            self._call.out.result(f"\n{styled(where, 'dim', colour=self._call.out.colour)}   {block}")
            word = _answer(one)
            if word != "edit":
                return word
            self._edit(path)

    def _edit(self, path: str) -> None:
        """What an editor has against it is told, and loses nothing that was said of other memories."""
        open_editor = partial(run_editor, self._opened.settings["editor"])
        try:
            self._opened.review.edit(self._scope, self._proposal, path, open_editor)
        except VmemError as error:
            self._call.out.error(error)
        self._edited |= self._look_again()

    def _compared(self) -> Comparison:
        """What the proposal would change, looked at anew where it has another commit."""
        if self._last is None or self._last[0] != self._proposal.tip:
            self._last = self._proposal.tip, self._opened.review.compare(self._scope, self._proposal)
        return self._last[1]

    def _look_again(self) -> bool:
        """Whether the branch has another last commit by now, which is the one decided on then."""
        before = self._proposal.tip
        self._proposal = self._opened.review.find(self._scope, self._proposal.branch)
        return self._proposal.tip != before

    def _to_see_again(self, paths: list[str]) -> list[str]:
        """What is not as it was shown, and what has come; the latter is put to the paths."""
        moved = self._look_again()
        new = [one.path for one in self._compared().differences if one.path not in paths]
        again = self._changed_since(paths) + new
        paths += new
        if moved and again:
            self._call.out.warn("it was written to meanwhile; this is not as you saw it:")
        return again

    def _changed_since(self, paths: Sequence[str]) -> list[str]:
        """What is not any more as it was shown: an edit goes on from the branch as it is by then, with
        what an agent has written to it meanwhile."""
        now = {one.path: one for one in self._compared().differences}
        return [path for path in paths if now.get(path) != self._seen[path]]

    def _with(self, word: str) -> Sequence[str]:
        return [path for path, said in self._said.items() if said == word]

    def _question(self, accept: Sequence[str], reject: Sequence[str], every: int) -> str:
        left = every - len(accept) - len(reject)
        parts = [(accept, "take {} in"), (reject, "take {} back"), (range(left), "leave {} open")]
        said = [form.format(counted(len(some), "memory", "memories")) for some, form in parts if len(some)]
        return f"{', '.join(said).capitalize()}?"


def _answer(one: Difference) -> str:
    """What they say, asked until it is one of the words. A memory that is to go can't be edited."""
    removal = one.how is How.REMOVED
    words = _WORDS_OF_A_REMOVAL if removal else _WORDS
    while True:
        said = typer.prompt(_ASKED_OF_A_REMOVAL if removal else _ASKED, prompt_suffix=": ").strip().lower()
        for short, word in words.items():
            if said in (short, word):
                return word
