"""The `vmem` command as a shell runs it while a resident is up, and the one that has to start it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from vault_memory.evaluate.figures import Figure, of, unmeasured
from vault_memory.evaluate.launch import Run, run
from vault_memory.evaluate.live import rows
from vault_memory.evaluate.live.resident import COMMAND, Failed, Resident
from vault_memory.evaluate.live.rows import Row
from vault_memory.evaluate.probes import TOKENS, expect
from vault_memory.evaluate.scene import Scene

MOST_STARTS = 5
"""So many times at the most a resident is ended and started by a command."""
PROMPT_WORDS, _HEADING, _STEP = 20, 3, 7
"""Words of a prompt; words of a body that come before its first sentence; memories from prompt to prompt."""
UP_WITHIN = 30.0
"""Seconds within which a resident that a command has started must answer."""


def while_it_is_up(scene: Scene) -> list[Figure]:
    """Recall, search, remember and a hook, each beside an empty Python; then the call that starts it."""
    rounds = range(scene.plan.rounds)
    questions = [scene.author.query(at, scene.size) for at in rounds]
    recalls = [["recall", text, "--max-tokens", str(TOKENS)] for text in questions]
    searches = [["search", text] for text in questions]
    writes = [["remember", f"A line of the shell, number {at}, about herons."] for at in rounds]
    return [
        *_beside_bare(scene, recalls, rows.CALL_WALL, rows.CALL_CPU),
        *_beside_bare(scene, searches, rows.CALL_SEARCH),
        *_beside_bare(scene, writes, rows.CALL_REMEMBER),
        _hooks(scene, [_prompt(scene, at) for at in rounds]),
        _that_starts_it(scene),
    ]


def _that_starts_it(scene: Scene) -> Figure:
    """Nobody is up when the command is given, and afterwards somebody is."""
    count = min(scene.plan.rounds, MOST_STARTS)
    took: list[float] = []
    empty: list[float] = []
    for at in range(count):
        scene.progress(f"starting the resident of {scene.size:,} memories", at, count)
        resident = scene.asleep()
        # A command starts none right after another one began: here it is as if that were long ago.
        (scene.root / ".vmem" / "local" / "resident").unlink(missing_ok=True)
        empty.append(bare(resident).wall)
        asked = _run(resident, ["recall", scene.author.query(at, scene.size), "--max-tokens", str(TOKENS)])
        expect(asked.stdout.count("\n") > 1, "the call that starts the resident found nothing")
        took.append(asked.wall)
        try:
            resident.wait(UP_WITHIN)
        except Failed as error:
            return unmeasured(rows.FIRST_CALL, scene.size, f"no resident came up of it: {error.message}")
    scene.let_go()
    scene.progress(f"starting the resident of {scene.size:,} memories", count, count)
    return of(rows.FIRST_CALL, scene.size, took, empty)


def _beside_bare(
    scene: Scene, lines: Sequence[Sequence[str]], wall: Row, cpu: Row | None = None
) -> list[Figure]:
    """Each command, and an empty Python after each; one that did all by itself is no figure of these."""
    resident, what = scene.resident(), f"vmem {lines[0][0]} beside {scene.size:,} memories"
    ran: list[Run] = []
    empty: list[Run] = []
    before = resident.ask({"do": "state"})["requests"]
    for at, line in enumerate(lines):
        scene.progress(what, at, len(lines))
        ran.append(_run(resident, line))
        empty.append(bare(resident))
    scene.progress(what, len(lines), len(lines))
    answered = resident.ask({"do": "state"})["requests"] - before - 1  # this question is one, too
    if answered < len(lines):
        why = f"the resident answered {answered} of {len(lines)} commands"
        return [unmeasured(row, scene.size, why) for row in (wall, cpu) if row is not None]
    expect(all(one.stdout.strip() for one in ran), f"vmem {lines[0][0]} said nothing")
    found = [of(wall, scene.size, [one.wall for one in ran], [one.wall for one in empty])]
    if cpu is not None:
        found.append(of(cpu, scene.size, [one.cpu for one in ran], [one.cpu for one in empty]))
    return found


def _prompt(scene: Scene, number: int) -> str:
    """Some twenty words that stand together in one of the memories."""
    words = scene.author.text(number * _STEP % scene.size).body.split()
    return " ".join(words[_HEADING : _HEADING + PROMPT_WORDS])


def _hooks(scene: Scene, questions: Sequence[str]) -> Figure:
    """What a prompt waits for: each question as the first one of a session."""
    resident, what = scene.resident(), f"hooks beside {scene.size:,} memories"
    ran: list[Run] = []
    empty: list[Run] = []
    before = resident.ask({"do": "state"})["requests"]
    for at, text in enumerate(questions):
        scene.progress(what, at, len(questions))
        told = json.dumps({"session_id": f"bench {at}", "prompt": text})
        ran.append(_run(resident, ["hook", "user-prompt-submit"], told))
        empty.append(bare(resident))
    scene.progress(what, len(questions), len(questions))
    answered = resident.ask({"do": "state"})["requests"] - before - 1
    if answered < len(questions):
        why = f"the resident answered {answered} of {len(questions)} commands"
        return unmeasured(rows.CALL_HOOK, scene.size, why)
    expect(any(one.stdout.strip() for one in ran), "no prompt was given a memory")
    return of(rows.CALL_HOOK, scene.size, [one.wall for one in ran], [one.wall for one in empty])


def command() -> tuple[str, ...]:
    """The script `vmem` that stands beside this Python, else the module."""
    script = Path(sys.executable).parent / "vmem"
    return (str(script),) if script.exists() else COMMAND


def _run(resident: Resident, line: Sequence[str], stdin: str | None = None) -> Run:
    environment = {**resident.environment, "VMEM_VAULT": str(resident.root)}
    try:
        return run([*command(), *line], environment, stdin)
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout or "").strip().splitlines()
        raise Failed(f"vmem {line[0]} ended with {error.returncode}: {said[0] if said else ''}") from error


def bare(resident: Resident) -> Run:
    """An empty Python, as the floor of every command."""
    return run([sys.executable, "-c", "pass"], resident.environment)
