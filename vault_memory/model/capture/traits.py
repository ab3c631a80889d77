"""What can be seen of a sentence without understanding it: hints, numbers, names, length, who says it."""

from __future__ import annotations

import re

from vault_memory.model.capture import quality
from vault_memory.model.capture.lexicon import HINTS, LONGEST
from vault_memory.model.capture.turn import Role

_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_NUMBER = re.compile(r"(?<![\w/.-])[-+−]?\d[\d.,:]*")
_UNIT = re.compile(
    r"\d\s?(?:%|percent|Prozent|[µmkMG]?(?:s|m|b|B|A|V|W|Hz|g|l)\b|[kKMGT]i?B|min|h\b|hours?|minutes?|"
    r"seconds?|days?|weeks?|Minuten|Sekunden|Stunden|Tage|x\b|rps|°|degrees|Grad|€|euros?|bp|points?|"
    r"[a-z]{3,8}/s)"
)
_NAME = re.compile(r"\w_\w|\w\(\)|[a-z][A-Z]|[^\W\d]\.[^\W\d]{1,4}\b|/\w|(?<!\S)--?\w|`|#\d")
"""Identifiers, paths, options: what a sentence is about in particular."""
_OPENINGS = {
    "tells of oneself": re.compile(
        r"(?:i'll|i will|i've|i have|i'm|i can|i could|i'd|let me|ich|done|[a-zäöü]{4,20}(?:ed|ing)|now)\b",
        re.IGNORECASE,
    ),
    "tells to do": re.compile(
        r"(?:keep|use|put|leave|make|set|drop|cap|take|give|move|don'?t|no|run|write|add|always|never|please|"
        r"only|show|switch|pin|lass|nimm|mach)\b",
        re.IGNORECASE,
    ),
    "names a thing": re.compile(
        r"(?:the|our|this|every|each|all|a|an|der|die|das|unser\w*|alle\w?)\s", re.IGNORECASE
    ),
}
_TOGETHER = (
    ("why", "failed"), ("why", "rule"), ("why", "not"), ("once", "failed"), ("not", "rule"), ("later", "me"),
)  # fmt: skip
"""What says more together than each alone."""
_OF_A_PERSON = frozenset(
    {
        *HINTS, "a number", "with a unit", "tells to do", "leans on others", "a comma", "10 words", "a name",
    }
    - {"doing", "guess"}
)  # fmt: skip
"""What weighs differently where a person says it."""


def traits(text: str, role: Role) -> frozenset[str]:
    """The names of what is to be seen of a sentence."""
    seen = set(_shape(text))
    said = _phrases(text)
    for name, phrases in HINTS.items():
        if hits := len(phrases & said):
            seen.add(name)
            if hits > 1:
                seen.add(f"{name}, twice")
    seen.update(f"{one} and {other}" for one, other in _TOGETHER if one in seen and other in seen)
    if role is Role.USER:
        seen.update([f"person: {name}" for name in seen & _OF_A_PERSON])
        seen.add("a person")
    return frozenset(seen)


def _phrases(text: str) -> set[str]:
    words = _WORD.findall(text.lower().replace("’", "'"))
    found = set(words)
    for size in range(2, LONGEST + 1):
        found.update(" ".join(run) for run in zip(*(words[at:] for at in range(size)), strict=False))
    return found


def _shape(text: str) -> list[str]:
    """Length and numbers count to a limit, so that no sentence is kept for being long."""
    words, commas = len(text.split()), text.count(",")
    numbers, units = len(_NUMBER.findall(text)), len(_UNIT.findall(text))
    seen = [f"{least} words" for least in (7, 10, 14) if words >= least]
    seen += [name for least, name in enumerate(("a number", "2 numbers", "3 numbers"), 1) if numbers >= least]
    seen += [name for least, name in enumerate(("with a unit", "2 with units"), 1) if units >= least]
    seen += [name for least, name in enumerate(("a comma", "2 commas"), 1) if commas >= least]
    seen += [name for name, opening in _OPENINGS.items() if opening.match(text)]
    seen += [name for name, sign in (("a colon", ":"), ("a semicolon", ";")) if sign in text]
    if _NAME.search(text):
        seen.append("a name")
    if quality.leans_on_others(text):
        seen.append("leans on others")
    return seen
