"""Finding the lessons of a conversation, by the tables of phrases and of weights: from turns to lessons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from vault_memory.model.again import words_said
from vault_memory.model.capture import quality
from vault_memory.model.capture.judging import judged
from vault_memory.model.capture.scoring import SHIPPED, Table
from vault_memory.model.capture.sentences import Sentence, sentences
from vault_memory.model.capture.turn import KIND_OF, TAGS_OF, Lesson, Role, Sort, Turn
from vault_memory.model.capture.wrappers import cleaned, notes_in
from vault_memory.model.near import Known

MOST = 100
"""So many lessons of one part of a transcript are kept, those for which most speaks: a person reads them."""
LONGEST_TURN = 40_000
"""Characters of a turn that are looked at: nobody says more than that in one go."""
LATE = 0.5
"""What is to be done counts where it is said after this share of the turns: before, it is the work itself."""
FEW_TURNS = 12
"""A part with fewer turns is the end of a session that was captured before, and all of it is late."""
TITLE = 72
"""Characters of a title."""
_ALIKE = 0.75
"""From that share of common runs of words on, two lessons are one."""
_QUOTED = 0.7
"""So large a share of a lesson's words stands in a note that was given: then it is quoted."""
_CONJUNCTION = re.compile(r"^(?:and|but|so|und|aber) ", re.IGNORECASE)
"""What ties a sentence to the one before, and says nothing alone."""
_SEPARATORS = (" because ", ", because", ", so ", ", since ", "; ", ": ", ", ", " weil ")


@dataclass(frozen=True, slots=True)
class Found:
    """The lessons of some turns, in the order in which they were said."""

    lessons: tuple[Lesson, ...]
    turns: int
    left_out: int = 0
    """How many more there were than are kept."""


@dataclass(slots=True)
class _Gathered:
    lesson: Lesson
    weight: float
    turn: int
    else_sort: Sort | None

    def early(self) -> Lesson | None:
        """What it is where it is said too early to be an intent; `None` for nothing."""
        if self.lesson.sort is not Sort.INTENT:
            return self.lesson
        return _as(self.lesson, self.else_sort) if self.else_sort is not None else None


@dataclass(slots=True)
class _Given:
    """The notes that were put before the agent, as sets of words."""

    notes: list[frozenset[str]] = field(default_factory=list)

    def take(self, text: str) -> None:
        self.notes.extend(frozenset(words_said(line)) for line in notes_in(text))

    def holds(self, text: str) -> bool:
        words = set(words_said(text))
        return any(len(words & note) >= _QUOTED * len(words) for note in self.notes)


def lessons_in(turns: Iterable[Turn], table: Table = SHIPPED) -> Found:
    """What of these turns is worth keeping. It is read once, so a transcript of any length will do."""
    gathered: list[_Gathered] = []
    given = _Given()
    known = Known(_ALIKE)
    count = 0
    for turn in turns:
        count += 1
        given.take(turn.text)
        if turn.role is Role.TOOL:
            continue
        for one in _of(turn, count, table):
            if not given.holds(one.lesson.text) and known.first_like(len(gathered), one.lesson.text) is None:
                gathered.append(one)
    late = 0 if count < FEW_TURNS else LATE * count
    counting = [
        replace(one, lesson=lesson)
        for one in gathered
        if (lesson := one.lesson if one.turn > late else one.early()) is not None
    ]
    best = sorted(range(len(counting)), key=lambda at: -counting[at].weight)[:MOST]
    kept = [counting[at] for at in sorted(best)]
    return Found(tuple(one.lesson for one in kept), count, len(counting) - len(kept))


def _of(turn: Turn, number: int, table: Table) -> Iterator[_Gathered]:
    text = cleaned(turn.text[:LONGEST_TURN])
    for sentence in sentences(text):
        found = judged(sentence, turn.role, table)
        if found is None:
            continue
        said = _CONJUNCTION.sub("", found.text, count=1)
        whole = _whole(said, sentence)
        if whole is None:
            continue
        line = turn.line + (_line_of(turn.text, sentence) if turn.spread else 0)
        lesson = Lesson(title_for(said), whole, "", line, around=turn.text[:LONGEST_TURN])
        yield _Gathered(_as(lesson, found.sort), found.weight, number, found.else_sort)


def _as(lesson: Lesson, sort: Sort) -> Lesson:
    return replace(lesson, sort=sort, kind=KIND_OF[sort], tags=TAGS_OF.get(sort, ()))


def _whole(said: str, sentence: Sentence) -> str | None:
    """The text of a lesson that can be understood alone, `None` where it can't."""
    text = said[:1].upper() + said[1:] if said[:1].isascii() else said
    if not (quality.leans_on_others(said) or quality.points_back(said)):
        return text
    before = quality.without_lead(sentence.before)
    if len(before.split()) >= 4 and not quality.is_question(before):
        return f"{before} {text}"
    return text if len(said.split()) >= 8 else None


def _line_of(text: str, sentence: Sentence) -> int:
    """So many lines below the turn's first one the sentence begins, as the file has them."""
    words = sentence.text.split()
    at = text.find(" ".join(words[:3]))
    return text.count("\n", 0, at) if at >= 0 else sentence.offset


def title_for(text: str) -> str:
    """The beginning of a text that says what it is about, up to where a reader would pause."""
    line = " ".join(text.split()).rstrip(" .!:;,")
    line = line[:1].upper() + line[1:]
    if len(line) <= TITLE:
        return line
    ends = (line.rfind(sign, 24, TITLE) for sign in _SEPARATORS)
    end = max((end for end in ends if 24 <= end <= TITLE), default=-1)
    if end < 0:
        end = line.rfind(" ", 0, TITLE - 1)
        return f"{line[: end if end > 0 else TITLE - 1].rstrip(' ,;:.')}…"
    return line[:end].rstrip(" ,;:.")
