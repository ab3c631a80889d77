"""The memories that bear on a prompt and that its session was not given yet, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from vault_memory.config.settings import Settings
from vault_memory.model.ask import Ask
from vault_memory.model.budget import Found, fit
from vault_memory.model.chatter import telling
from vault_memory.model.namespace import Scope, VaultPath
from vault_memory.model.relevant import PromptFrame, fitting, not_given
from vault_memory.model.uses import UsedMemory
from vault_memory.ops.doubt import without_doubtful
from vault_memory.ops.fresh import answer_fresh
from vault_memory.ops.rank import rank
from vault_memory.ports import Ports

LOOKED_AT = 12
"""Memories, best first, among which those are sought that the session does not have."""


class PromptNotes(NamedTuple):
    """The text, empty where nothing bears on the prompt; its tokens; the memories that it shows."""

    text: str = ""
    tokens: int = 0
    memories: tuple[UsedMemory, ...] = ()


def prompt_notes(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    ask: Ask,
    *,
    session: str,
    budget: int,
    frame: Callable[[str], str] = str,
) -> PromptNotes:
    """Notes on the prompt that `ask` holds; of no more than `budget` tokens, `frame` around them included."""
    terms = telling(ask.query)
    if not terms or budget <= 0:
        return PromptNotes()
    least, zone, now = float(settings["hook_relevance"]), settings.zone, ports.clock.now()
    given = ports.uses.given(scope.agent, session) if session else {}
    room = budget - ports.tokens.count(frame(""))

    def answer(without: Collection[VaultPath]) -> PromptNotes:
        with ports.index.reading():
            ranking = rank(ports, scope, ask, now=now, without=without)
            sure, _ = without_doubtful(ports, list(ranking.hits[:LOOKED_AT]))
            hits = not_given(fitting(sure, terms, least), given)
            if not hits:
                return PromptNotes()
            known = ports.index.count(scope)
            fitted = fit(
                Found(hits, ranking.matched, ports.index),
                room,
                PromptFrame(ask.query, known, now, zone),
                ports.tokens.count,
                scale=ports.tokens.scale,
            )
        if not fitted.items:
            return PromptNotes()
        text = frame(fitted.text)
        tokens = ports.tokens.count(text)
        if tokens > budget:
            return PromptNotes()
        entries = [item.hit.entry for item in fitted.items]
        return PromptNotes(text, tokens, tuple(UsedMemory(one.path, one.id, one.version) for one in entries))

    found, _ = answer_fresh(ports, zone, answer, lambda made: [VaultPath(one.path) for one in made.memories])
    return found
