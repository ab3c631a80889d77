"""A process of its own that asks a resident over its socket: `python -m …live.caller ROOT`.

It reads one job a line from stdin and answers with one line, so that what it takes is taken in a process
that does nothing else. A job is one of

    {"lines": [request, …], "pause": seconds, "link": name of the connection}
    {"connect": [[verb, {arguments}], …], "agent": name}     the same through `vault_memory.connect`
    {"rising": seconds, "question": request}                 while somebody else starts the resident
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from threading import Thread
from typing import Any

import vault_memory
from vault_memory.errors import VmemError

WAIT = 120.0
"""Seconds that an answer may take at the most."""
A_LOOK = 0.002
"""Seconds between two looks at whether the resident is up."""


class Links:
    """Connections to one resident, by name."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._links: dict[str, Any] = {}
        self._name = ""

    def use(self, name: str) -> None:
        """The lines that follow go over the connection of that name."""
        self._name = name

    def ask(self, request: dict[str, Any]) -> Any:
        """What comes back for one line. Raises `ConnectionError` where nobody listens."""
        from vault_memory.surfaces.resident import door

        link = self._links.get(self._name)
        if link is None:
            link = self._links[self._name] = door.connect(self._root, WAIT)
        if link is None:
            del self._links[self._name]
            raise ConnectionError("nobody listens")
        asked = {"vmem": vault_memory.__version__, "protocol": door.PROTOCOL, **request}
        try:
            door.say(link, json.dumps(asked).encode("ascii"))
            return json.loads(door.hear(link))
        except (door.ClosedError, OSError):
            self.drop(self._name)
            raise

    def drop(self, name: str) -> None:
        """Close one; the next line opens it again."""
        link = self._links.pop(name, None)
        if link is not None:
            link.close()

    def close(self) -> None:
        """Close all."""
        for name in list(self._links):
            self.drop(name)


def main(root: str) -> None:
    """Do one job after the other until stdin ends."""
    links = Links(root)
    try:
        for line in sys.stdin:
            print(json.dumps(_done(links, root, json.loads(line))), flush=True)
    finally:
        links.close()


def _done(links: Links, root: str, job: dict[str, Any]) -> dict[str, Any]:
    from vault_memory.surfaces.resident import door

    try:
        if "connect" in job:
            return _connected(root, job["agent"], job["connect"])
        if "rising" in job:
            return _rising(root, job["question"], time.monotonic() + job["rising"])
        links.use(job.get("link", ""))
        return _timed([partial(links.ask, one) for one in job["lines"]], job.get("pause", 0.0))
    except (door.ClosedError, OSError, VmemError) as error:
        return {"failed": f"{type(error).__name__}: {error}"}


def _connected(root: str, agent: str, calls: list[list[Any]]) -> dict[str, Any]:
    """The same as the lines, asked as a Python program would."""
    with vault_memory.connect(root, agent=agent, start=False) as connection:
        return _timed([partial(getattr(connection, verb), **given) for verb, given in calls], 0.0)


def _rising(root: str, question: dict[str, Any], until: float) -> dict[str, Any]:
    """When somebody listened, when the question asked at that moment was answered and by what, and how many
    seconds the first comparison of all files took; moments are monotonic nanoseconds."""
    with closing(Links(root)) as links, closing(Links(root)) as other:
        _patiently(links, until)
        up = time.monotonic_ns()
        compared: list[float] = []
        watch = Thread(target=_compared, args=(other, until, compared))
        watch.start()
        value = links.ask(question)
        answered = time.monotonic_ns()
        watch.join()
    return {"up": up, "answered": answered, "value": value, "compared": compared}


def _patiently(links: Links, until: float) -> None:
    """Until somebody answers. Raises `OSError` where nobody does in time."""
    while True:
        try:
            links.ask({"do": "state"})
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(A_LOOK)
        else:
            return


def _compared(links: Links, until: float, found: list[float]) -> None:
    """What the resident says of its first comparison, once that is over; nothing where it goes away."""
    from vault_memory.surfaces.resident import door

    with suppress(OSError, door.ClosedError):
        while time.monotonic() < until:
            seconds = links.ask({"do": "state"})["value"].get("first_seconds")
            if seconds is not None:
                found.append(seconds)
                return
            time.sleep(A_LOOK)


def _timed(acts: Sequence[Callable[[], Any]], pause: float) -> dict[str, Any]:
    """Milliseconds of each, when it was over (monotonic nanoseconds), and what came of it."""
    took: list[float] = []
    at: list[int] = []
    values: list[Any] = []
    for act in acts:
        started = time.perf_counter()
        values.append(act())
        took.append((time.perf_counter() - started) * 1000)
        at.append(time.monotonic_ns())
        if pause:
            time.sleep(pause)
    return {"took": took, "at": at, "values": values}


if __name__ == "__main__":
    main(sys.argv[1])
