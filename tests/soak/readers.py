"""Those who ask: each answer is held against what was acknowledged before the question."""

from __future__ import annotations

import random
from typing import Any

from tests.soak.known import Known
from tests.soak.ways import CutError, RefusedError, Way

BEHIND = ("being brought up to the files", "is behind the files", "built the search index", "not watched")
"""Words by which an answer says itself that it may not know the last changes."""


KILLED = ("it ended as soon as it had begun", "the resident did not start", "nobody listens")
"""Words of a refusal where a resident was killed as it began."""
NOBODY = "questions whose resident was killed as it began"


def read_once(known: Known, way: Way, chance: random.Random) -> None:
    """One question by that way: after a memory that is there, one that was removed, or after all."""
    asked = known.question(chance, gone=chance.random() < 0.2)
    if asked is None:
        return
    verb = chance.choice(["search", "search", "recall", "list"])
    agent = None if verb == "list" or chance.random() < 0.5 else asked.memory.agent
    args = {} if verb == "list" else {"query": asked.memory.last.token}
    try:
        value = way.ask(verb, agent, **args)
    except CutError:
        known.note("questions cut off")
        return
    except RefusedError as error:
        if any(word in str(error) for word in KILLED):
            known.note(NOBODY)
        else:
            known.blame(f"{verb} by {way.name} was refused: {error}")
        return
    if any(word in notice for notice in _notices(value) for word in BEHIND):
        known.note("answers that said they are behind")
        return
    known.judge(asked, _paths(verb, value), f"{verb} by {way.name}, which told {_notices(value)}")


def _paths(verb: str, value: Any) -> set[str]:
    listed = value if verb == "list" else value["hits" if verb == "search" else "memories"]
    return {one["path"] for one in listed}


def _notices(value: Any) -> list[str]:
    return [] if isinstance(value, list) else value["notices"]
