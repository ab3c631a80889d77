"""`vmem eval`: how well recall finds what answers a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from vault_memory.errors import NotFoundError, StorageError, UsageError
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, JsonOption, VaultOption

_RANGE = re.compile(r"\s*(\d{1,6})(?:\s*\.\.\s*(\d{1,6}))?\s*")
_FORMS = ("auto", "locomo", "longmemeval")
NOTHING_GIVEN = (
    "vmem eval locomo10.json   for a data set of conversations\n"
    "      vmem eval --questions FILE.yaml   for your own vault\n"
    "      vmem eval --capture   for what vmem capture finds\n"
    "      vmem eval --compare A.json B.json   for two saved results"
)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What came of it, made when it is known in which form it is wanted."""

    value: Callable[[], dict[str, object]]
    text: Callable[[], str]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("eval")(evaluate)


def evaluate(
    context: typer.Context,
    source: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DATASET]",
            help="LoCoMo or LongMemEval, as a JSON file that you have; with --questions, a vault's folder.",
            show_default=False,
        ),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            metavar="FILE",
            help="Ask your own vault: a YAML list, each with  question: …  and  answers: notes/a.md",
            show_default=False,
        ),
    ] = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            "--compare",
            metavar="A B",
            help="Compare two saved results of the same questions.",
            show_default=False,
        ),
    ] = None,
    captured: Annotated[
        bool,
        typer.Option("--capture", help="How well vmem capture finds the lessons marked in our transcripts."),
    ] = False,
    put: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Use this setting; may be repeated.", show_default=False
        ),
    ] = None,
    only: Annotated[
        str | None,
        typer.Option(
            "--only", metavar="N..M", help="Only these conversations: 1..5, or 2,7.", show_default=False
        ),
    ] = None,
    together: Annotated[
        bool, typer.Option("--together", help="Put all conversations into one vault, not one into each.")
    ] = False,
    form: Annotated[
        str, typer.Option("--dataset", metavar="FORM", help=f"The data set's form: {', '.join(_FORMS)}.")
    ] = "auto",
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Save the result there too, as JSON.", show_default=False),
    ] = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--in",
            metavar="FOLDER",
            help="Make the vaults there and keep them; the next run embeds nothing anew.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=64, help="So many processes; the figures are the same.")
    ] = 2,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: JsonOption = False,
) -> None:
    """Measure how well recall finds what answers a question.

    A data set of conversations is written as vaults (a file a session, a line a turn) and every question
    is asked through the ordinary search and recall: how much of the evidence is among the first turns,
    and in a recall of 500, 1,000 and 2,000 tokens. With --questions the same is asked of your own vault,
    as it is. docs/retrieval.md says what each figure means and what the files hold.

    [bold]Examples[/bold]

      vmem eval locomo10.json
      vmem eval locomo10.json --only 1..5 --set embedder=none --out a.json
      vmem eval --compare a.json b.json
      vmem eval --capture
      vmem --vault ~/memory eval --questions questions.yaml
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    of_set = {"--only": only, "--together": together, "--dataset": form != "auto", "--in": folder}
    if compare is not None:
        _refuse(
            {"DATASET": source, "--questions": questions, "--set": put, "--out": out, **of_set}, "--compare"
        )
        _tell(call, _compare(call, *compare), None)
        return
    settings = _settings(put or ())
    _check_place(out)
    if captured:
        _refuse({"DATASET": source, "--questions": questions, "--set": put, **of_set}, "--capture")
        _tell(call, _ask_capture(), out)
        return
    if questions is not None:
        _refuse(of_set, "--questions")
        answer = _ask_notes(call, source, questions, settings)
    elif source is None:
        raise UsageError("there is nothing to measure", hint=NOTHING_GIVEN)
    else:
        _refuse({"--agent": call.agent, "--vault": call.vault}, "a data set")
        answer = _ask_dataset(call, source, form, settings, _numbers(only), together, folder, workers)
    _tell(call, answer, out)


def _ask_dataset(
    call: Call,
    source: Path,
    form: str,
    settings: Mapping[str, object],
    only: Sequence[int] | None,
    together: bool,
    folder: Path | None,
    workers: int,
) -> _Answer:
    from vault_memory.evaluate.recall.report import render_result
    from vault_memory.evaluate.recall.runner import run
    from vault_memory.evaluate.recall.saved import result_json
    from vault_memory.evaluate.recall.source import read

    if source.is_dir():
        raise UsageError(
            f"{source} is a folder, and a data set is a JSON file",
            hint=f"vmem --vault {source} eval --questions FILE   asks a vault",
        )
    if form not in _FORMS:
        raise UsageError(f"no form of data set is called {form!r}", hint=f"there are: {', '.join(_FORMS)}")
    data = read(source, form)
    with call.out.progress() as progress:
        result = run(
            data,
            settings=settings,
            conversations=only,
            together=together,
            folder=folder,
            workers=workers,
            progress=progress,
        )
    return _Answer(partial(result_json, result), partial(render_result, result, colour=call.out.colour))


def _ask_notes(call: Call, source: Path | None, file: Path, settings: Mapping[str, object]) -> _Answer:
    from vault_memory.evaluate.recall.notes import ask_notes
    from vault_memory.evaluate.recall.part import OURS
    from vault_memory.evaluate.recall.questions import read_questions
    from vault_memory.evaluate.recall.report import render_result
    from vault_memory.evaluate.recall.saved import result_json
    from vault_memory.vault import Vault

    if source is not None and not source.is_dir():
        raise UsageError(
            f"{source} is no folder, and --questions asks a vault",
            hint="vmem --vault FOLDER eval --questions FILE",
        )
    if source is not None and call.vault is not None:
        raise UsageError(f"{source} and {call.vault} are two vaults", hint="name one of them")
    asked = read_questions(file)
    with (
        call.out.progress() as progress,
        Vault.open(
            source or call.vault, settings={**OURS, **settings}, clock=call.world.clock, progress=progress
        ) as vault,
    ):
        result = ask_notes(vault, call.caller(vault), file, asked, progress)
    return _Answer(partial(result_json, result), partial(render_result, result, colour=call.out.colour))


def _ask_capture() -> _Answer:
    from vault_memory.evaluate.capture.report import measured, measured_json, render_measured

    found = measured()
    return _Answer(partial(measured_json, found), partial(render_measured, found))


def _compare(call: Call, a: Path, b: Path) -> _Answer:
    from vault_memory.evaluate.recall.compare import compare, compared_json
    from vault_memory.evaluate.recall.report import render_compared
    from vault_memory.evaluate.recall.saved import read_saved

    compared = compare(read_saved(a), read_saved(b))
    return _Answer(
        partial(compared_json, compared), partial(render_compared, compared, colour=call.out.colour)
    )


def _tell(call: Call, answer: _Answer, out: Path | None) -> None:
    if out is None and not call.out.json:
        call.out.result(answer.text())
        return
    value = answer.value()
    if out is not None:
        _save(out, value)
    if call.out.json:
        call.out.value(value)
    else:
        call.out.result(answer.text())


def _save(out: Path, value: Mapping[str, object]) -> None:
    from vault_memory.evaluate.recall.saved import saved_text

    try:
        out.write_text(saved_text(value), encoding="utf-8")
    except OSError as error:
        raise StorageError(str(out), error.strerror or str(error)) from error


def _check_place(out: Path | None) -> None:
    """Say before the work, not after it, that its result can't be saved."""
    if out is None:
        return
    if out.is_dir():
        raise UsageError(f"{out} is a folder", hint="--out takes the file to write")
    if not out.parent.is_dir():
        raise NotFoundError(f"there is no folder {out.parent}", hint="make it first, or name another file")


def _refuse(given: Mapping[str, object], beside: str) -> None:
    for name, value in given.items():
        if value:
            raise UsageError(f"{name} does not go with {beside}", hint="vmem eval --help")


def _settings(texts: Sequence[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key.strip():
            raise UsageError(f"--set {text!r} is no setting", hint="--set KEY=VALUE; vmem config lists them")
        found[key.strip()] = value.strip()
    return found


def _numbers(text: str | None) -> list[int] | None:
    if text is None:
        return None
    found: set[int] = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part)
        first = int(match[1]) if match else 0
        last = int(match[2] or first) if match else 0
        if not 1 <= first <= last:
            raise UsageError(f"--only {text!r} names no conversations", hint="--only 1..5   or --only 2,7")
        found.update(range(first, last + 1))
    return sorted(found)
