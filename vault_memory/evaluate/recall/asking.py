"""Asking one question of a vault that holds a conversation, and marking what comes back."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vault_memory.agent import Agent
from vault_memory.evaluate.recall.conversations import Conversation, Question, one_line
from vault_memory.evaluate.recall.metrics import ndcg_at, recall_at, reciprocal_rank, share
from vault_memory.evaluate.recall.result import Values
from vault_memory.evaluate.recall.writing import Place, Written, path_of
from vault_memory.model.harmless import harmless
from vault_memory.model.hit import Hit

LISTS = (1, 5, 10, 50)
"""How many turns are looked at; each is a search of its own."""
BUDGETS = (500, 1_000, 2_000)
"""Tokens of a recall."""
NOTES = (5, 10)
MAIN = 10
"""The list from which MRR, nDCG and the ranks of notes are taken."""

METRICS = (
    *(f"R@{k}" for k in LISTS),
    "MRR",
    f"nDCG@{MAIN}",
    *(f"notes R@{k}" for k in NOTES),
    *(f"within {budget}" for budget in BUDGETS),
)
"""The names of the values of one question, in their order."""


@dataclass(slots=True)
class Asker:
    """Asks as one caller; counts the seconds that go into search and recall, and the modes met."""

    agent: Agent
    written: Written
    seconds: dict[str, float] = field(default_factory=lambda: {"search": 0.0, "recall": 0.0})
    modes: set[str] = field(default_factory=set)

    def ask(self, conversation: Conversation, question: Question) -> tuple[Values, float]:
        """The values of a question in the order of `METRICS`, and the score of its best hit."""
        wanted = {(path_of(conversation, session), turn) for session, turn in question.turns}
        found = {k: self.search(question.text, k) for k in LISTS}
        turns = {k: self._turns(hits, k) for k, hits in found.items()}
        by_turn: list[float | None] = [None] * (len(LISTS) + 2)
        if wanted:
            by_turn = [
                *(recall_at(turns[k], wanted, k) for k in LISTS),
                reciprocal_rank(turns[MAIN], wanted),
                ndcg_at(turns[MAIN], wanted, MAIN),
            ]
        paths = [hit.entry.path for hit in found[MAIN]]
        notes = {path_of(conversation, session) for session in question.sessions}
        within = [self._within(question.text, budget, wanted) if wanted else None for budget in BUDGETS]
        best = found[MAIN][0].score if found[MAIN] else 0.0
        return (*by_turn, *(recall_at(paths, notes, k) for k in NOTES), *within), best

    def search(self, text: str, limit: int) -> Sequence[Hit]:
        """The hits of one search."""
        began = time.perf_counter()
        result = self.agent.search(text, limit=limit)
        self.seconds["search"] += time.perf_counter() - began
        self.modes.add(result.mode)
        return result.hits

    def _turns(self, hits: Iterable[Hit], most: int) -> list[Place]:
        """The turns that the hits show, in order and each once: a hit that shows m uses m of `most`."""
        shown = (
            place
            for hit in hits
            for stored in hit.passages
            for place in self.written.shown(stored.path, stored.passage)
        )
        return list(dict.fromkeys(shown))[:most]

    def _within(self, text: str, budget: int, wanted: Iterable[Place]) -> float:
        """The share of the evidence whose text stands in a recall of that budget."""
        began = time.perf_counter()
        recalled = str(self.agent.recall(text, max_tokens=budget))
        self.seconds["recall"] += time.perf_counter() - began
        shown = one_line(recalled)
        sought = list(wanted)
        return share([place for place in sought if self._line(place) in shown], sought)

    def _line(self, place: Place) -> str:
        path, turn = place
        return as_shown(self.written.turns[path][turn])


def as_shown(text: str) -> str:
    """A stored text as it stands in a recall, on one line: what could pose as a prompt is defused there."""
    return one_line(harmless(text))
