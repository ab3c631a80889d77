"""Cutting a memory's body into passages: the unit of indexing, embedding and showing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vault_memory.model.memory import Memory
    from vault_memory.model.scale import Scale


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a body. Lines are 1-based lines of the file, `end_line` included.

    `text_hash` is the sha256 (hex) of `text` alone, so that equal texts share one vector.
    `headings` are the headings above the passage, outermost first.
    """

    ordinal: int
    start_line: int
    end_line: int
    headings: tuple[str, ...]
    text: str
    text_hash: str


@dataclass(frozen=True, slots=True)
class PassageTerms:
    """A passage with the terms to index: of its own text, and of its context.

    The context is the title, aliases, tags and headings: it helps to find the passage and counts
    less than its own words. `voice` is who speaks or wrote, folded, empty where nobody is named;
    `cues` are the bits of `cues.Cue` that hold of its text.
    """

    passage: Passage
    terms: tuple[str, ...]
    context: tuple[str, ...]
    voice: str = ""
    cues: int = 0
    weight: int | None = None
    """Of its text in a recall, as `boxing.weight_of` has it; `None` where it was not taken."""


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage as the index gives it back, with its number there and the memory it is of.

    `among` is how many passages that memory has; their numbers follow each other. `weight` is as in
    `PassageTerms`.
    """

    number: int
    path: str
    passage: Passage
    among: int
    weight: int | None = None


# What cuts is imported when it is called: many commands only show passages.


def cut(body: str, first_line: int) -> tuple[Passage, ...]:
    """Cut a body whose first line is line `first_line` of its file; at least one passage, in order.

    Every line that is not blank lies in exactly one passage, but for a line too long for one:
    its pieces lie in passages of the same line. A body without text gives one empty passage.
    """
    from vault_memory.model.packing import pack

    return tuple(passage for passage, _ in pack(body, first_line))


def passage_terms(memory: Memory, scale: Scale | None = None) -> tuple[PassageTerms, ...]:
    """The memory's passages with the terms of their text and, each once, those of their context; weighed
    where there is a scale."""
    from vault_memory.model.boxing import weight_of
    from vault_memory.model.cues import cues_in, voice_of
    from vault_memory.model.language import of_text
    from vault_memory.model.namespace import without_ending
    from vault_memory.model.packing import pack
    from vault_memory.model.terms import cut as terms_of

    file_name = without_ending(memory.path.rpartition("/")[2])
    tongue = of_text(memory.body)
    shared = [
        term
        for text in (memory.title, *memory.aliases, *memory.tags, file_name)
        for term in terms_of(text, tongue)
    ]
    author = voice_of(memory.source_agent or "")
    below: dict[tuple[str, ...], tuple[str, ...]] = {}
    found: list[PassageTerms] = []
    for passage, speaker in pack(memory.body, memory.body_line):
        headings = passage.headings
        if headings not in below:
            terms = [*shared, *(term for heading in headings for term in terms_of(heading, tongue))]
            below[headings] = tuple(dict.fromkeys(terms))
        own = tuple(terms_of(passage.text, tongue))
        voice = voice_of(speaker) if speaker else author
        cues = cues_in(passage.text, own, is_turn=bool(speaker))
        weight = None if scale is None else weight_of(passage.text, scale)
        found.append(PassageTerms(passage, own, below[headings], voice, cues, weight))
    return tuple(found)
