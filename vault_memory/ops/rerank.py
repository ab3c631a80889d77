"""Reading the best hits once more beside the question, where a reranker is set."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.errors import EmbedderUnavailableError, MissingExtraError
from vault_memory.model.advice import advised
from vault_memory.model.memory import Entry
from vault_memory.ports import Ports

READ = 24
"""So many memories are read, each by its best passage: a small model needs about 10 ms for one."""

SHARE = 0.5
"""What the reading counts; the rest is what the memory's words and meaning say."""


def reread(
    ports: Ports, query: str, best: Sequence[tuple[Entry, int, float]]
) -> tuple[list[float], str | None]:
    """What each relevance is to be multiplied with, and a word on it for the mode.

    `best` are memories with the number and relevance (0–1) of their best passage, best first. Those
    past the first `READ` count as if the reading had said no, so that none of them overtakes one
    that was read. A product stays 0–1. Without a reranker all are 1.
    """
    reranker = ports.reranker
    if reranker.id == "none" or not best:
        return [1.0] * len(best), None
    if reranker.reason is not None:
        return [1.0] * len(best), f"not reranked: {reranker.reason}"
    head = best[:READ]
    stored = ports.index.passages([number for _, number, _ in head])
    texts = [
        f"{entry.title}\n{stored[number].passage.text}" if number in stored else entry.title
        for entry, number, _ in head
    ]
    try:
        scores = reranker.scores(query, texts)
    except (EmbedderUnavailableError, MissingExtraError) as error:
        return [1.0] * len(best), f"not reranked: {advised(error)}"
    factors = [
        # (1 − share) · relevance + share · score, as a factor of the relevance, and never over 1.
        min((1 - SHARE) + SHARE * score / relevance, 1 / relevance) if relevance > 0 else 1 - SHARE
        for (_, _, relevance), score in zip(head, scores, strict=True)
    ]
    return factors + [1 - SHARE] * (len(best) - len(head)), "reranked"
