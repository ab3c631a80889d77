"""All passages side by side, as arrays: what ranking must know of each of them and of all together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Flags: TypeAlias = NDArray[np.bool_]

NO_DAY = -10_000_000
"""The day of a memory that has none: so far from every day that nothing is near it."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What ranking must know of all passages together. Arrays are by passage number, each with one
    item more than the highest.

    `lengths[n]` is the count of own terms, -1 where there is no passage `n`. `memories[n]` is a number
    that the passages of one memory share; these have neighbouring numbers, in their order. `voices[n]`
    is whose passage it is, by its number in `names`, 0 for nobody's; `cues[n]` are bits of `cues.Cue`;
    `days[n]` is the memory's day, counted from 1970, `NO_DAY` where it has none.
    """

    count: int
    mean_length: float
    lengths: Numbers
    memories: Numbers
    voices: Numbers
    cues: Numbers
    days: Numbers
    names: Mapping[int, str]
    """Voices by number, folded. Some may have no passage here."""
    whole: bool = True
    """Whether it holds every passage that has postings."""
    _kept: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)

    def without(self, hidden: Numbers) -> Corpus:
        """The same as if these memories were not there: nothing of them may count in a score."""
        import numpy as np

        if not hidden.size:
            return self
        out = np.isin(self.memories, hidden)
        lengths, memories = np.where(out, -1, self.lengths), np.where(out, -1, self.memories)
        voices = np.where(out, 0, self.voices)
        for array in (lengths, memories, voices):
            array.setflags(write=False)
        held = lengths[lengths >= 0]
        mean = float(held.sum()) / held.size if held.size else 0.0
        return Corpus(
            int(held.size), mean, lengths, memories, voices, self.cues, self.days, self.names, whole=False
        )

    def within(self, postings: Postings) -> Postings:
        """Those of a term's places that are in this corpus."""
        if self.whole:
            return postings
        inside = self.lengths[postings.passages] >= 0
        return Postings(
            postings.term, postings.passages[inside], postings.own[inside], postings.context[inside]
        )

    def beside(self, step: int) -> Flags:
        """By passage number, whether the passage `step` further on is of the same memory."""

        def compare() -> Flags:
            import numpy as np

            same = np.zeros(self.memories.size, np.bool_)
            if abs(step) < self.memories.size:
                here, there = (slice(None, -step), slice(step, None))
                if step < 0:
                    here, there = (slice(-step, None), slice(None, step))
                same[here] = (self.memories[here] == self.memories[there]) & (self.memories[here] >= 0)
            return same

        found: Flags = self.kept(("beside", step), compare)
        return found

    def voice_names(self) -> Mapping[str, int]:
        """The voices of the passages that are here → their numbers."""

        def collect() -> Mapping[str, int]:
            import numpy as np

            here = np.unique(self.voices).tolist()
            return {self.names[number]: number for number in here if number in self.names}

        found: Mapping[str, int] = self.kept("voices", collect)
        return found

    def kept(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives, made once for this corpus."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]


@dataclass(frozen=True, slots=True)
class Postings:
    """One term: the passages that hold it (ascending), how often in their text and their context.

    `passages`, `own` and `context` have equal length; at least one of own and context is > 0.
    """

    term: str
    passages: Numbers
    own: Numbers
    context: Numbers
