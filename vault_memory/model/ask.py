"""What is asked of search and recall: the words, how to score, and which memories may be found."""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory.errors import UsageError
from vault_memory.model.filters.chosen import Filter
from vault_memory.model.hit import Strategy, parse_strategy
from vault_memory.model.weights import DEFAULT, Weights


@dataclass(frozen=True, slots=True)
class Ask:
    """A question, checked. What scores below `min_score` is left out."""

    query: str
    strategy: Strategy = Strategy.BALANCED
    min_score: float = 0.0
    filter: Filter = Filter.none
    weights: Weights = DEFAULT


def ask(
    query: object, *, strategy: object, min_score: object, chosen: Filter, weights: Weights = DEFAULT
) -> Ask:
    """Check a question. Raises `UsageError` for a query without a single character to look for, a
    strategy that is none, and a `min_score` that no score can be."""
    if not isinstance(query, str):
        raise UsageError(f"the query can't be {query!r:.200}", hint="it takes a text")
    if not query.strip():
        raise UsageError("the query is empty", hint="give some words to look for; vmem list shows all")
    hint = "min-score takes a number from 0 to 1"
    if isinstance(min_score, bool) or not isinstance(min_score, int | float):
        raise UsageError(f"{min_score!r:.200} can't be a score", hint=hint)
    if not 0.0 <= min_score <= 1.0:  # nor is NaN a score
        raise UsageError(f"{min_score:g} can't be a score", hint=hint)
    return Ask(query, parse_strategy(strategy), float(min_score), chosen, weights)


def whole(name: str, value: object) -> int:
    """A whole number. Raises `UsageError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise UsageError(f"{name} can't be {value!r:.200}", hint=f"{name} takes a whole number")
    return value


def positive(name: str, value: object) -> int:
    """A whole number of 1 or more. Raises `UsageError` for anything else."""
    number = whole(name, value)
    if number < 1:
        raise UsageError(f"{name} can't be {number}", hint="give 1 or more")
    return number
