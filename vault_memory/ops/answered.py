"""Answering a question that was answered just now with the same answer, and no work.

An answer is a function of what the index holds, of who asks what, and of the time. So it may stand for
another as long as all of these are the same:

- **Who asks what**: the scope, the whole `Ask` (words, strategy, filter, weights) and the size of the
  answer are the key, and so is what is to be told of the index. Another scope is another key: nothing
  that one caller was shown comes to another one by this way.
- **The index**: its generation, and the file that counts generations, are part of the key. Each change
  of a memory or a vector is a new generation.
- **The files**: they are looked at before a kept answer is given, as before any other (`ops/fresh.py`),
  and an answer that leaves a file out is not kept.
- **The time** has a say in three things. *Ages* are told by calendar days, and a day begins with a
  minute: the minute is part of the key. *Recency* goes on all the time, but in a minute by less than
  1 part in 20,000 (of a half-life of 14 days, the shortest): a kept answer is the one that was right
  within this minute. *Expiry* is sudden: an answer holds up to the first end of any memory in it. The
  end of one that is not in it changes nothing: what it would have made room for is behind those that
  were looked at. Only what a filter holds back is counted without being in the answer, so an answer
  that tells of it is not kept; nor is one to a filter by time, whose bounds go on.
- **Models**: an answer without the meaning or the reading that was to take part is not kept, since these
  may be back a moment later.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from vault_memory.model.hit import Recall, SearchResult
from vault_memory.ports import Ports

if TYPE_CHECKING:
    from vault_memory.model.ask import Ask
    from vault_memory.model.hit import Dropped, Hit
    from vault_memory.model.namespace import Scope

A_MEMORY = 800
"""Bytes that a memory takes in an answer, beside its text, about."""


@dataclass(frozen=True, slots=True)
class _Kept:
    answer: Recall | SearchResult
    made: datetime
    ends: datetime | None
    """The first instant at which a memory in it no longer counts."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with all that its answer rests on but the index."""

    what: Hashable
    now: datetime
    may_be_kept: bool

    def answer(self, ports: Ports) -> Recall | SearchResult | None:
        """The answer kept for it, `None` where there is none that still holds."""
        if ports.answers is None or not self.may_be_kept:
            return None
        with ports.index.reading():
            found = ports.answers.get((version(ports), self.what))
        if not isinstance(found, _Kept) or self.now < found.made:
            return None
        return found.answer if found.ends is None or self.now < found.ends else None

    def keep(self, ports: Ports, version: Hashable, answer: Recall | SearchResult) -> None:
        """Keep an answer that was made of that version of the index, if it may be given again."""
        if ports.answers is None or not self.may_be_kept or not _may_be_given_again(ports, answer):
            return
        memories = _memories(answer)
        ends = [end for one in memories if (end := one.entry.expires) is not None and end > self.now]
        kept = _Kept(answer, self.now, min(ends, default=None))
        ports.answers.keep((version, self.what), kept, _size(answer, len(memories)))


def question(
    kind: str, scope: Scope, ask: Ask, size: int, notices: tuple[str, ...], now: datetime
) -> Question:
    """What is asked, by whom, when."""
    minute = now.replace(second=0, microsecond=0)
    what = (kind, scope.sight, ask, size, notices, minute)
    return Question(what, now, may_be_kept=not ask.filter.timed)


def version(ports: Ports) -> Hashable:
    """What the index holds: the same for the same content."""
    with ports.index.reading():
        return ports.index.instance, ports.index.generation


def _may_be_given_again(ports: Ports, answer: Recall | SearchResult) -> bool:
    if answer.filtered_out:
        return False
    without_meaning = answer.mode.startswith("keyword only") and ports.embedder.reason is None
    return not without_meaning and "not reranked" not in answer.mode


def _memories(answer: Recall | SearchResult) -> Sequence[Hit | Dropped]:
    return (*answer.hits, *(answer.omitted if isinstance(answer, Recall) else answer.dropped))


def _size(answer: Recall | SearchResult, memories: int) -> int:
    if isinstance(answer, Recall):
        texts = 2 * len(answer.text)
    else:
        texts = sum(len(each.passage.text) for one in answer.hits for each in one.passages)
    return texts + memories * A_MEMORY
