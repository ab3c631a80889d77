"""The run: vaults are made of conversations, every question is asked, and the vaults go again."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import vault_memory
from vault_memory.config.load import load
from vault_memory.errors import StorageError, UsageError
from vault_memory.evaluate.recall.asking import METRICS
from vault_memory.evaluate.recall.conversations import Conversation, Dataset
from vault_memory.evaluate.recall.part import (
    OURS,
    Answers,
    Failure,
    Part,
    answer,
    answer_elsewhere,
    unwatched,
)
from vault_memory.evaluate.recall.pool import Tick, spread
from vault_memory.evaluate.recall.result import Answerable, Result, Threshold
from vault_memory.evaluate.recall.writing import write
from vault_memory.render.style import counted
from vault_memory.vault import Progress, Vault

EVERY = 4
"""Every fourth question is also asked of a conversation that it is not about."""
THRESHOLDS = (0.2, 0.3, 0.4, 0.5)


def run(
    dataset: Dataset,
    *,
    settings: Mapping[str, object] | None = None,
    conversations: Collection[int] | None = None,
    together: bool = False,
    folder: Path | None = None,
    workers: int = 1,
    progress: Progress = unwatched,
) -> Result:
    """Ask every question of these conversations (numbered from 1; `None`: all) and mark the answers.

    `settings` override every other source. `together` puts all conversations into one vault. Vaults
    made in `folder` stay, and a next run embeds nothing anew; without one they are removed. The
    figures are the same for any number of `workers`; with one, all happens in this process.
    """
    flags = {**OURS, **(settings or {})}
    load(None, flags=flags)
    chosen = _chosen(dataset, conversations)
    if not any(one.questions for one in chosen):
        raise UsageError(f"{dataset.name} holds no question that can be asked", hint="name another file")
    with _place(folder) as root:
        parts = _parts(chosen, root, flags, together=together, workers=workers)
        steps = itertools.count(1)
        total = sum(len(part.asked) for part in parts)
        progress("asking questions", 0, total)
        answers = dict(_answers(parts, workers, lambda: progress("asking questions", next(steps), total)))
    return _result(dataset, chosen, [answers[number] for number in sorted(answers)], together=together)


def _chosen(dataset: Dataset, conversations: Collection[int] | None) -> list[Conversation]:
    there = len(dataset.conversations)
    numbers = sorted(set(conversations)) if conversations is not None else range(1, there + 1)
    if not numbers or not 1 <= numbers[0] <= numbers[-1] <= there:
        raise UsageError(
            f"{dataset.name} has {counted(there, 'conversation')}, numbered from 1",
            hint=f"--only 1..{there}" if there > 1 else "leave --only away",
        )
    return [dataset.conversations[number - 1] for number in numbers]


@contextmanager
def _place(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(str(folder), error.strerror or str(error)) from error
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="vmem-eval-") as name:
        yield Path(name)


def _parts(
    chosen: Sequence[Conversation], root: Path, flags: Mapping[str, object], *, together: bool, workers: int
) -> list[Part]:
    """A vault for each conversation, or one for all, whose questions go to workers in equal shares."""
    if together:
        every = [(at, number) for at, one in enumerate(chosen) for number in range(len(one.questions))]
        size = -(-len(every) // workers)
        shares = [every[start : start + size] for start in range(0, len(every), size)]
        vault = root / "together"
        Vault.create(vault)
        write(vault, chosen)
        with Vault.open(vault, settings=flags) as opened:
            opened.index.refresh()
        return [Part(vault, chosen, one, (), flags) for one in shares]
    return [
        Part(
            root / one.name,
            (one,),
            [(0, number) for number in range(len(one.questions))],
            _strangers(one, chosen[at - 1]),
            flags,
        )
        for at, one in enumerate(chosen)
        if one.questions
    ]


def _strangers(own: Conversation, other: Conversation) -> list[tuple[str, datetime]]:
    """Questions about another conversation, asked when this one's are."""
    if own is other:
        return []
    return [(one.text, own.questions[0].at) for one in other.questions[::EVERY]]


def _answers(parts: Sequence[Part], workers: int, tick: Tick) -> Iterator[tuple[int, Answers]]:
    """The answers to each part, with its number, as they come."""
    if workers == 1 or len(parts) == 1:
        yield from ((number, answer(part, tick)) for number, part in enumerate(parts))
        return
    sizes = [len(part.asked) for part in parts]
    with closing(spread(answer_elsewhere, parts, sizes, workers, tick)) as found:
        for number, one in found:
            if isinstance(one, Failure):
                raise one.error()
            yield number, one


def _result(
    dataset: Dataset, chosen: Sequence[Conversation], answers: Sequence[Answers], *, together: bool
) -> Result:
    first = answers[0]
    seconds: dict[str, float] = {}
    for one in answers:
        for what, took in one.seconds.items():
            seconds[what] = seconds.get(what, 0.0) + took
    held = [one for one in chosen if together or one.questions]
    asked = tuple(one for part in answers for one in part.asked)
    return Result(
        vmem=vault_memory.__version__,
        form=dataset.form,
        name=dataset.name,
        together=together,
        asked_as=None,
        embedder=first.embedder,
        modes=tuple(sorted(frozenset().union(*(one.modes for one in answers)))),
        settings=first.settings,
        counts={
            "conversations": len(held),
            "sessions": sum(len(one.sessions) for one in held),
            "turns": sum(len(session.turns) for one in held for session in one.sessions),
            "passages": first.passages if together else sum(one.passages for one in answers),
            "questions": len(asked),
            "left_out": sum(one.left_out for one in chosen),
        },
        mixed=first.mixed if together else tuple(path for one in answers for path in one.mixed),
        metrics=METRICS,
        asked=asked,
        answerable=_answerable(answers),
        seconds=seconds,
    )


def _answerable(answers: Sequence[Answers]) -> Answerable | None:
    own = [score for one in answers for score in one.best]
    strangers = [score for one in answers for score in one.strangers]
    if not strangers:
        return None
    return Answerable(
        len(own),
        len(strangers),
        sum(own) / len(own),
        sum(strangers) / len(strangers),
        tuple(Threshold(at, _at_least(own, at), _at_least(strangers, at)) for at in THRESHOLDS),
    )


def _at_least(scores: Sequence[float], threshold: float) -> float:
    return sum(score >= threshold for score in scores) / len(scores)
