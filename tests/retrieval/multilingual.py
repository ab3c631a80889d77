"""The multilingual check set: reading it, asking a real vault its questions, and counting hits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from vault_memory.vault import Vault

PLACE = Path(__file__).with_name("multilingual.yaml")
GROUPS = ("zh", "ja", "ko", "cross", "other")
COUNTED = ("zh", "ja", "ko", "cross")
"""The groups that the bars are set for; `other` is reported apart."""
DEPTH = 5


@dataclass(frozen=True, slots=True)
class Passage:
    """One note of the vault."""

    id: str
    lang: str
    text: str


@dataclass(frozen=True, slots=True)
class Pair:
    """A question, and the ids of the notes that answer it."""

    question: str
    lang: str
    group: str
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class CheckSet:
    """All notes and questions."""

    passages: tuple[Passage, ...]
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """At which place (from 1) the first answer of each pair came, 0 for not among the first `DEPTH`."""

    places: Mapping[Pair, int]

    def share(self, within: int, groups: Collection[str] = COUNTED) -> float:
        """The share of these groups' questions whose answer is among the first `within` hits."""
        asked = [place for pair, place in self.places.items() if pair.group in groups]
        return sum(1 for place in asked if 0 < place <= within) / len(asked)

    def table(self, groups: Sequence[str] = GROUPS, together: Sequence[str] = COUNTED) -> str:
        """hit@1 and hit@5 by group and of some groups together, then what was missed."""
        lines = [f"{'group':<16}  pairs  hit@1  hit@{DEPTH}"]
        for row in [*((group,) for group in groups), tuple(one for one in together if one in groups)]:
            count = sum(1 for pair in self.places if pair.group in row)
            shares = f"{self.share(1, row):.3f}  {self.share(DEPTH, row):.3f}"
            lines.append(f"{'+'.join(row):<16}  {count:5}  {shares}")
        for pair, place in self.places.items():
            if not place:
                lines.append(f"missed {pair.group:<5}  {'/'.join(sorted(pair.answers))}  {pair.question}")
        return "\n".join(lines)


def read_set(place: Path = PLACE) -> CheckSet:
    """The set as it stands in the file."""
    read = yaml.safe_load(place.read_text(encoding="utf-8"))
    passages = tuple(Passage(one["id"], one["lang"], one["text"]) for one in read["passages"])
    pairs = tuple(
        Pair(one["question"], one["lang"], one["group"], frozenset(one["answers"])) for one in read["pairs"]
    )
    return CheckSet(passages, pairs)


def ask_all(root: Path, embedder: str, check_set: CheckSet, **settings: object) -> Found:
    """Write each passage as a note of a new vault at `root`, and ask every question by `search`."""
    Vault.create(root)
    for passage in check_set.passages:
        note = root / "notes" / f"{passage.id}.md"
        note.parent.mkdir(exist_ok=True)
        note.write_text(f"{passage.text}\n", encoding="utf-8")
    places: dict[Pair, int] = {}
    with Vault.open(root, settings={"embedder": embedder, **settings}) as vault:
        for pair in check_set.pairs:
            hits = vault.person.search(pair.question, limit=DEPTH).hits
            found = [Path(hit.entry.path).stem for hit in hits]
            places[pair] = next((at for at, name in enumerate(found, 1) if name in pair.answers), 0)
    return Found(places)
