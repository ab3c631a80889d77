"""Asking a person's own vault, as it is, questions whose answers are notes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import vault_memory
from vault_memory.agent import Agent
from vault_memory.errors import AmbiguousRefError, FileFormatError, MemoryNotFoundError
from vault_memory.evaluate.recall.asking import BUDGETS, as_shown
from vault_memory.evaluate.recall.conversations import one_line
from vault_memory.evaluate.recall.metrics import hit_at, reciprocal_rank
from vault_memory.evaluate.recall.part import changed, unwatched
from vault_memory.evaluate.recall.questions import NoteQuestion
from vault_memory.evaluate.recall.result import Asked, Result
from vault_memory.model.passage import cut
from vault_memory.vault import Progress, Vault

FORM = "notes"
PLACES = (1, 5, 10)
METRICS = (*(f"hit@{k}" for k in PLACES), "MRR", *(f"within {budget}" for budget in BUDGETS))
"""The names of the values of one question, in their order."""

_MOST = 5
"""So many notes of the same name are told."""
_HEADING = re.compile(r" {0,3}#{1,6}[ \t].*\n?|\s*\n")


def ask_notes(
    vault: Vault,
    agent: Agent,
    file: Path,
    questions: Sequence[NoteQuestion],
    progress: Progress = unwatched,
) -> Result:
    """Ask every question of the vault as this caller. `file` is where the questions come from.

    A note is found at the place of its hit among the first ten, and recalled where one of its
    passages stands whole in the text; of several answers the best one counts. Raises
    `FileFormatError` for an answer that is no memory, or none that the caller may read.
    """
    vault.index.refresh()
    wanted = [tuple(_path(agent, file, one, name) for name in one.answers) for one in questions]
    answers = sorted({path for paths in wanted for path in paths})
    passages = {path: tuple(_passages(agent, path)) for path in answers}
    modes: set[str] = set()
    asked: list[Asked] = []
    for at, (question, paths) in enumerate(zip(questions, wanted, strict=True)):
        progress("asking questions", at, len(questions))
        result = agent.search(question.text, limit=PLACES[-1])
        modes.add(result.mode)
        ranked = [hit.entry.path for hit in result.hits]
        sought = [text for path in paths for text in passages[path]]
        values = (
            *(hit_at(ranked, paths, k) for k in PLACES),
            reciprocal_rank(ranked, paths),
            *(_within(agent, question.text, budget, sought) for budget in BUDGETS),
        )
        asked.append(Asked(f"{at + 1}", question.text, question.category, question.half, values))
    progress("asking questions", len(questions), len(questions))
    return Result(
        vmem=vault_memory.__version__,
        form=FORM,
        name=file.name,
        together=False,
        asked_as=agent.scope.agent,
        embedder=agent.opened.ports.embedder.id,
        modes=tuple(sorted(modes)),
        settings=changed(vault.settings),
        counts={"memories": len(vault.index.entries(agent.scope)), "questions": len(asked), "left_out": 0},
        mixed=(),
        metrics=METRICS,
        asked=tuple(asked),
    )


def _within(agent: Agent, text: str, budget: int, sought: Sequence[str]) -> float:
    shown = one_line(str(agent.recall(text, max_tokens=budget)))
    return float(any(one in shown for one in sought))


def _passages(agent: Agent, path: str) -> Iterator[str]:
    """The note's passages on one line each, without the headings above: a recall may show those apart."""
    memory = agent.show(path).memory
    for passage in cut(memory.body, memory.body_line):
        text = passage.text
        while match := _HEADING.match(text):
            text = text[match.end() :]
        shown = as_shown(text) or as_shown(passage.text)
        if shown:
            yield shown


def _path(agent: Agent, file: Path, question: NoteQuestion, name: str) -> str:
    """The path of the note that is called so, by any of the names that a memory goes by."""
    try:
        return agent.show(name).memory.path
    except AmbiguousRefError as error:
        paths = ", ".join(path for _, _, path in error.candidates[:_MOST])
        raise FileFormatError(
            str(file), question.line, f"{error.message}: {paths}", hint="name it by its path"
        ) from error
    except MemoryNotFoundError as error:
        raise FileFormatError(str(file), question.line, error.message, hint=error.hint) from error
