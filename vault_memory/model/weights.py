"""How much each ingredient of the ranking counts: a table, from which the settings follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

PREFIX = "rank_"
"""Before an ingredient's name stands this where it is a setting."""


MOST = 10.0


def _row(default: float, doc: str, *, most: float = MOST) -> float:
    row: float = field(default=default, metadata={"doc": doc, "most": most})
    return row


@dataclass(frozen=True, slots=True)
class Weights:
    """One weight an ingredient; 0 takes it out. Chosen on conversations and notes, see docs/retrieval.md."""

    before: float = _row(0.2, "What the words of the passage before count for a passage.")
    after: float = _row(0.5, "What the words of the passage after it count.")
    before_two: float = _row(0.3, "What the words of the last but one before it count.")
    after_two: float = _row(0.2, "What the words of the next but one after it count.")
    answer: float = _row(
        0.6, "What a question that another speaker asked right before it adds to `rank_before`."
    )
    heading: float = _row(0.5, "What a word in the title, a tag or a heading counts beside one in the text.")
    length: float = _row(0.3, "How far a long passage is held back.", most=1.0)
    meaning: float = _row(1.0, "What likeness in meaning counts, as a share of what the embedder is trusted.")
    near_before: float = _row(0.5, "What the meaning of the passage before counts for a passage.")
    near_after: float = _row(0.3, "What the meaning of the passage after it counts.")
    near_before_two: float = _row(0.2, "What the meaning of the last but one before it counts.")
    near_after_two: float = _row(0.1, "What the meaning of the next but one after it counts.")
    voice: float = _row(0.8, "How much a passage gains that is by the one whom the question names.")
    when: float = _row(0.8, "How much a passage gains that says when, where the question asks when.")
    date: float = _row(2.0, "How much a passage gains whose memory is of the day that the question names.")
    asking: float = _row(0.2, "How much a turn of a dialogue loses that asks something itself.", most=1.0)
    note: float = _row(0.2, "What a memory's best passage counts for its others.")

    def __hash__(self) -> int:
        """Of a few that are told apart at a glance: what is kept for weights is asked for a dozen times an
        answer."""
        return hash((self.before, self.after, self.length))

    @property
    def spread(self) -> tuple[float, float, float, float]:
        """What the vectors around a passage's own count: two before, one before, one after, two after."""
        return (self.near_before_two, self.near_before, self.near_after, self.near_after_two)


DEFAULT = Weights()


@dataclass(frozen=True, slots=True)
class Ingredient:
    """One row: its name as a setting, its weight unless told otherwise and at most, and what it is."""

    setting: str
    default: float
    most: float
    doc: str


INGREDIENTS = tuple(
    Ingredient(f"{PREFIX}{row.name}", float(str(row.default)), row.metadata["most"], row.metadata["doc"])
    for row in fields(Weights)
)


def weights_from(settings: Mapping[str, object]) -> Weights:
    """The weights that settings give."""
    return Weights(**{row.name: float(str(settings[f"{PREFIX}{row.name}"])) for row in fields(Weights)})
