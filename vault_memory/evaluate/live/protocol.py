"""Recall as an agent's program asks it: a process of `vmem mcp`, one line in and one line out."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from vault_memory.evaluate.figures import Figure, of, unmeasured
from vault_memory.evaluate.live import floors, rows, usage
from vault_memory.evaluate.live.resident import COMMAND, Failed
from vault_memory.evaluate.live.rows import Row
from vault_memory.evaluate.probes import TOKENS, WARM_UP, expect
from vault_memory.evaluate.scene import NONE, Scene

AGENT = "akashi"
FIRST = 200_000
"""The number of the first question, so that none was asked by another probe."""
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
_LEAVING = 10.0


def through_pipes(scene: Scene) -> list[Figure]:
    """Each question once, with a resident and without; then one of them again and again."""
    resident = scene.resident()
    before = resident.ask({"do": "state"})["requests"]
    with speaking(scene.root, resident.environment) as server:
        found = _figures(scene, server, [server.pid, resident.pid], rows.MCP_RECALL, rows.MCP_CPU)
        asked = resident.ask({"do": "state"})["requests"] - before
        expect(asked > scene.plan.queries, "vmem mcp did not ask the resident")
        again = server.recalls([scene.author.query(FIRST, scene.size)] * (scene.plan.queries + 1))
    trips = floors.round_trips(scene.plan.queries, scene.folder)
    found.append(of(rows.MCP_AGAIN, scene.size, again[1:], trips))
    scene.let_go()
    with speaking(scene.root, scene.home.environment(NONE) | {"VMEM_RESIDENT": "off"}) as server:
        found += _figures(scene, server, [server.pid], rows.MCP_ALONE, rows.MCP_ALONE_CPU)
    return found


def _figures(scene: Scene, server: Speaking, pids: list[int], took: Row, spent: Row) -> list[Figure]:
    queries, size = scene.plan.queries, scene.size
    texts = [scene.author.query(FIRST + number, size) for number in range(WARM_UP + queries)]
    trips = floors.round_trips(queries, scene.folder)
    scene.progress(f"asking {size:,} memories by MCP", 0, queries)
    server.recalls(texts[:WARM_UP])
    before = _cpu(pids)
    samples = server.recalls(texts[WARM_UP:])
    after = _cpu(pids)
    scene.progress(f"asking {size:,} memories by MCP", queries, queries)
    figure = of(took, size, samples, trips)
    if before is None or after is None:
        return [figure, unmeasured(spent, size, usage.NOT_TOLD)]
    return [figure, of(spent, size, [(after - before) / queries], trips)]


def _cpu(pids: list[int]) -> float | None:
    """Milliseconds of all of these so far; `None` where the system does not tell."""
    told = [usage.cpu_ms(pid) for pid in pids]
    return None if None in told else sum(one for one in told if one is not None)


class Speaking:
    """A server that has greeted, and is asked one question at a time."""

    def __init__(self, process: subprocess.Popen[bytes], said: IO[bytes], heard: IO[bytes]) -> None:
        self._process, self._said, self._heard = process, said, heard
        self._number = 0
        self.ask("initialize", _HELLO)

    @property
    def pid(self) -> int:
        """Its process."""
        return self._process.pid

    def recalls(self, texts: list[str]) -> list[float]:
        """Milliseconds that each takes, from saying it to the value in hand; all find something."""
        took: list[float] = []
        for text in texts:
            started = time.perf_counter()
            arguments = {"query": text, "max_tokens": TOKENS}
            found = self.ask("tools/call", {"name": "recall", "arguments": arguments})
            took.append((time.perf_counter() - started) * 1000)
            value = found.get("structuredContent", {})
            expect(value.get("tokens", 0) > 0, f"{text!r} stands in a memory and was not recalled")
        return took

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a request. Raises `Failed`."""
        self._number += 1
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        self._said.write(json.dumps(request).encode() + b"\n")
        self._said.flush()
        while line := self._heard.readline():
            answer = json.loads(line)
            if answer.get("id") == self._number and "method" not in answer:
                if "result" not in answer:
                    raise Failed(f"vmem mcp said {answer.get('error')}")
                result: dict[str, Any] = answer["result"]
                return result
        raise Failed("vmem mcp has ended")


@contextmanager
def speaking(root: Path, environment: Mapping[str, str]) -> Iterator[Speaking]:
    """A server of that vault, to its certain end."""
    argv = [*COMMAND, "mcp", "--vault", str(root), "--agent", AGENT]
    process = subprocess.Popen(
        argv, env=dict(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield Speaking(process, process.stdin, process.stdout)
    finally:
        with suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(_LEAVING)
        except subprocess.TimeoutExpired:
            usage.end(process.pid)
            process.wait()
        process.stdout.close()
