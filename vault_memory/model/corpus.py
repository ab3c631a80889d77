"""All passages side by side, as arrays: what ranking must know of each of them and of all together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[np.signedinteger[Any]]
    Floats: TypeAlias = NDArray[np.float64]
    Flags: TypeAlias = NDArray[np.bool_]
    Bits: TypeAlias = NDArray[np.uint8]

NO_DAY = -10_000_000
"""The day of a memory that has none: so far from every day that nothing is near it."""

NEXT, PREVIOUS, NEXT_BUT_ONE, LAST_BUT_ONE = 1, 2, 4, 8
"""Bits of `Corpus.sides`: that passage is of the same memory."""
ANSWERED = 16
"""The next passage is by someone else, and this one asks."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What ranking must know of all passages together. Arrays are by passage number, each with one
    item more than the highest.

    `lengths[n]` is the count of own terms, -1 where there is no passage `n`. `memories[n]` is a number
    that the passages of one memory share; these have neighbouring numbers, in their order. `voices[n]`
    is whose passage it is, by its number in `names`, 0 for nobody's; `cues[n]` are bits of `cues.Cue`;
    `days[n]` is the memory's day, counted from 1970, `NO_DAY` where it has none.

    Where only some may be read, `readable` says which. The others keep their places in the arrays,
    which all corpora of an index share, and count in nothing: neither in a score nor in `count`.
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
    readable: Flags | None = None
    """By passage number; `None` where every passage that has postings may be read."""
    shared: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)
    """What has been made of the arrays alone, for all corpora that share them."""
    _kept: dict[Hashable, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def whole(self) -> bool:
        """Whether it holds every passage that has postings."""
        return self.readable is None

    def of(self, readable: Flags) -> Corpus:
        """The same as if the passages that may not be read were not there; memories are readable whole."""
        import numpy as np

        here = readable & (self.lengths >= 0)
        here.setflags(write=False)
        count = int(np.count_nonzero(here))
        mean = float(np.where(here, self.lengths, 0).sum()) / count if count else 0.0
        return replace(self, count=count, mean_length=mean, readable=here, _kept={})

    def within(self, postings: Postings) -> Postings:
        """Those of a term's places that are in this corpus."""
        if self.readable is None:
            return postings
        inside = self.readable[postings.passages]
        if inside.all():
            return postings
        return Postings(
            postings.term, postings.passages[inside], postings.own[inside], postings.context[inside]
        )

    def sides(self) -> Bits:
        """By passage number, which passages around it are of the same memory: bits of `NEXT` and so on."""
        found: Bits = self.of_arrays("sides", lambda: sides_of(self.memories, self.voices, self.cues))
        return found

    def voice_numbers(self) -> frozenset[int]:
        """The numbers of the voices of the passages that are here."""

        def collect() -> frozenset[int]:
            import numpy as np

            voices = self.voices if self.readable is None else self.voices[self.readable]
            return frozenset(np.flatnonzero(np.bincount(voices)).tolist())

        found: frozenset[int] = self.kept("voice numbers", collect)
        return found

    def voice_names(self) -> Mapping[str, int]:
        """The voices of the passages that are here → their numbers."""

        def collect() -> Mapping[str, int]:
            here = sorted(self.voice_numbers())
            return {self.names[number]: number for number in here if number in self.names}

        found: Mapping[str, int] = self.kept("voices", collect)
        return found

    def memory_count(self) -> int:
        """How many memories the passages that are here are of."""

        def count() -> int:
            import numpy as np

            here = self.lengths >= 0 if self.readable is None else self.readable
            return int(np.count_nonzero(here & ((self.sides() & PREVIOUS) == 0)))

        found: int = self.kept("memories", count)
        return found

    def kept(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives, made once for this corpus."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def of_arrays(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives of the arrays alone, made once for all corpora that share them."""
        if key not in self.shared:
            self.shared[key] = make()
        return self.shared[key]


@dataclass(frozen=True, slots=True)
class Postings:
    """One term: the passages that hold it (ascending), how often in their text and their context.

    `passages`, `own` and `context` have equal length; at least one of own and context is > 0.
    """

    term: str
    passages: Numbers
    own: Numbers
    context: Numbers


def sides_of(memories: Numbers, voices: Numbers, cues: Numbers) -> Bits:
    """Of passages that follow each other, the bits of `Corpus.sides`."""
    import numpy as np

    from vault_memory.model.cues import Cue

    found = np.zeros(memories.size, np.uint8)
    for step, ahead, back in ((1, NEXT, PREVIOUS), (2, NEXT_BUT_ONE, LAST_BUT_ONE)):
        same = (memories[:-step] == memories[step:]) & (memories[step:] >= 0)
        found[:-step] |= same * np.uint8(ahead)
        found[step:] |= same * np.uint8(back)
    other = (voices[1:] != voices[:-1]) & (voices[1:] > 0) & (voices[:-1] > 0)
    answered = other & ((cues[:-1] & Cue.ASKS) > 0) & ((found[:-1] & NEXT) > 0)
    found[:-1] |= answered * np.uint8(ANSWERED)
    found.setflags(write=False)
    return found
