"""What the texts of one call say among themselves, before the index knows any of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from vault_memory.model.again import words_said
from vault_memory.model.namespace import Namespace
from vault_memory.model.outcome import Written
from vault_memory.model.succession import MOST, Disagreement, Told, disagreement
from vault_memory.ops.known import COMMON


@dataclass(frozen=True, slots=True)
class _Stated:
    told: Told
    namespace: Namespace
    outcome: Written


@dataclass(slots=True)
class Batch:
    """The outcomes so far, by what their texts say."""

    _by_key: dict[tuple[Namespace, str], Written] = field(default_factory=dict)
    _by_words: dict[tuple[Namespace, tuple[str, ...]], Written] = field(default_factory=dict)
    _stating: Counter[tuple[str, ...]] = field(default_factory=Counter)
    """How many have stated a fact, those that others have superseded included."""
    _by_fact: defaultdict[tuple[str, ...], list[_Stated]] = field(default_factory=lambda: defaultdict(list))

    def same(self, namespace: Namespace, key: str) -> Written | None:
        """The outcome of a text with that `text_key`."""
        return self._by_key.get((namespace, key))

    def saying(self, namespace: Namespace, text: str) -> Written | None:
        """The outcome of a text of the same words."""
        words = words_said(text)
        return self._by_words.get((namespace, words)) if words else None

    def against(self, told: Told) -> Iterator[tuple[Written, Namespace, Disagreement]]:
        """The outcomes of texts that give one of its facts another value."""
        seen: set[str] = set()
        for statement in told.stated()[:MOST]:
            rivals = self._by_fact.get(statement.about, [])
            for rival in rivals if self._stating[statement.about] <= COMMON else ():
                what = None if rival.outcome.path in seen else disagreement(told, rival.told)
                if what is not None:
                    seen.add(rival.outcome.path)
                    yield rival.outcome, rival.namespace, what

    def add(self, namespace: Namespace, key: str, told: Told, outcome: Written) -> None:
        """Know a text, in place of those that it supersedes."""
        self._by_key[namespace, key] = outcome
        self._by_words.setdefault((namespace, words_said(told.text)), outcome)
        stated = _Stated(told, namespace, outcome)
        for statement in told.stated()[:MOST]:
            self._stating[statement.about] += 1
            left = [
                one for one in self._by_fact[statement.about] if one.outcome.path not in outcome.supersedes
            ]
            self._by_fact[statement.about] = [*left, stated] if stated not in left else left
        if outcome.supersedes:
            gone = set(outcome.supersedes)
            self._by_key = {key: one for key, one in self._by_key.items() if one.path not in gone}
            self._by_words = {words: one for words, one in self._by_words.items() if one.path not in gone}
