"""One opening of a vault for long: a reader, a writer, a watch over the files, commits that come later."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from vault_memory import compose
from vault_memory.compose import Opened
from vault_memory.config.settings import Settings
from vault_memory.errors import SidecarError
from vault_memory.live.committing import Committing
from vault_memory.live.edits import Edits
from vault_memory.live.following import Following, nobody
from vault_memory.live.warming import Warming
from vault_memory.ports import Clock, Ids
from vault_memory.vault import Vault
from vault_memory.viewing import Views

CATCH_UP, AT_FIRST = 0.5, 0.1
"""Seconds that an answer waits at most for the index to be brought up to what was just heard of; and for
the comparison of all files with which it begins."""
LAST_COMMITS = 10.0
"""Seconds that closing waits for commits; what is not committed by then, the next process commits."""
_MODEL = ("embedder", "embedder_model", "reranker", "reranker_model", "model_threads")


@dataclass(slots=True)
class Opening:
    """What is open, and what works for it. `users` is kept by the one who hands it out."""

    reading: Opened
    writing: Opened
    following: Following
    committing: Committing
    edits: Edits
    warming: Warming
    filled: tuple[str, str | None]
    """The index's file, and why it was empty, when it was last made sure that somebody fills it."""
    users: int = 0

    @property
    def reader(self) -> Vault:
        """The handle that only reads: its connection to the index waits for no writer."""
        return Vault(self.reading, vouched=self._vouch)

    @property
    def unnoted(self) -> Vault:
        """The same, for questions whose answers nobody is given."""
        return Vault(self.reading.unnoted(), vouched=self._vouch)

    @property
    def writer(self) -> Vault:
        """The handle that writes."""
        return Vault(self.writing, vouched=self._vouch)

    def generation(self) -> int:
        """How often the index has changed."""
        return self.reading.ports.index.generation

    def close(self) -> None:
        """End the threads, then close the files."""
        with ExitStack() as stack:
            stack.callback(self.reading.close)
            stack.callback(self.writing.close)
            stack.callback(self.committing.close, LAST_COMMITS)
            stack.callback(self.following.close)
            stack.callback(self.edits.close)
            stack.callback(self.warming.close)

    def _vouch(self) -> tuple[str, ...]:
        """Bring the index up to what was heard of, and tell where it is still behind."""
        began = self.following.state().first_seconds is not None
        told = list(self.following.catch_up(CATCH_UP if began else AT_FIRST))
        told += self._look_at_another_file()
        notice = self.reading.ports.index.notice
        if notice and notice not in told:
            told.append(notice)
        return tuple(told)

    def _look_at_another_file(self) -> list[str]:
        """Fill the index where its file was deleted or dropped under us, of which no watch can tell."""
        found = _file_of(self.reading)
        if found != self.filled and found != (self.filled[0], None):
            report = Vault(self.writing).index.refresh(in_passing=True)
            if report.reason is not None:
                return [report.reason]
            found = _file_of(self.reading)
        self.filled = found
        return []


def open_both(root: Path, clock: Clock | None, ids: Ids | None, before: Opening | None) -> Opening:
    """Open the vault at `root` twice, and start what works for it; models are taken over from `before`.

    Raises `ConfigError`, and `SidecarError` where the vault can't be kept open.
    """
    with ExitStack() as undo:
        reading = compose.open_vault(root, clock=clock, ids=ids)
        undo.callback(reading.close)
        _check_it_can_be_kept(reading)
        reading.keep_answers()
        reading.views = Views()
        if before is not None and _same_models(before.reading.settings, reading.settings):
            reading.held = replace(
                reading.held, embedder=before.reading.held.embedder, reranker=before.reading.held.reranker
            )
        writing = compose.open_vault(root, clock=clock, ids=ids, apart=True)
        undo.callback(writing.close)
        # The models are in memory once: threads may share them.
        writing.held = replace(
            writing.held,
            embedder=reading.held.embedder,
            reranker=reading.held.reranker,
            uses=reading.held.uses,  # what one of them notes the other knows at once
        )
        committing = Committing(writing)
        undo.callback(committing.close, 0)
        writing.held = replace(writing.held, commits=committing)
        edits = Edits(writing, nobody, settle=lambda: following.catch_up(CATCH_UP))
        following = Following(writing, compose.watch(writing), stirred=edits.stir)
        undo.callback(following.close)
        undo.callback(edits.close)
        warming = Warming(reading, lambda: following.state().first_seconds is not None)
        undo.callback(warming.close)
        filled = _file_of(reading)  # whatever is missing of it now, the first comparison fills
        committing.start()
        following.start()
        if writing.settings["commit_edits"]:
            edits.start()
        warming.start()
        undo.pop_all()
    return Opening(reading, writing, following, committing, edits, warming, filled)


def _file_of(opened: Opened) -> tuple[str, str | None]:
    index = opened.ports.index
    with index.reading():
        return index.instance, index.rebuilt


def _same_models(one: Settings, other: Settings) -> bool:
    return all(one[key] == other[key] for key in _MODEL)


def _check_it_can_be_kept(opened: Opened) -> None:
    why = Vault(opened).index.unkept
    if why is not None:
        root = opened.ports.files.root
        raise SidecarError(f"no process can keep {root} open: {why}", hint="every command works without one")
