"""What is no lesson, whatever its words: fragments, chatter, noise, questions, what only might be."""

from __future__ import annotations

import re

FEWEST_WORDS, MOST_WORDS = 5, 70
_LETTERS = 0.55
"""So large a share of a sentence's characters are letters and blanks; tool output has fewer."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAD = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|right|sure|great|good|nice|fine|perfect|hmm+|ah|oh|well|"
    r"so|but|and|also|btw|by the way|"
    r"one more thing|one thing|note that|note|actually|agreed|exactly|true|interesting|in that case|"
    r"for the future|makes sense|then|"
    r"ja|nein|gut|okay|also|aber|und|super|klar|aha|übrigens|genau|alles klar|"
    r"dann)\b\s*(?:[,.:;!–—-]+\s*|(?=we |let's |I |wir |ich |never |please |keep |use |always )))+",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"^(?:thanks?|thank you|thx|hi|hello|hey|bye|cheers|sorry|no problem|you're welcome|have a|"
    r"see you|talk (?:to|on)|good (?:morning|night)|"
    r"happy to|glad|great (?:job|work)|sounds good|looks good|awesome|danke|bitte sehr|hallo|moin|"
    r"tschüss|gerne)\b",
    re.IGNORECASE,
)
_NARRATION = re.compile(
    r"^(?:let me|I'll (?:now |first |start|look|check|read|take a look|try|open|run|see|begin|load|"
    r"pull|have a)|I'm (?:now |going to |looking|reading|"
    r"running|checking)|now (?:I|let)|looking at|checking|reading|running|ich (?:sehe|schaue|lese|"
    r"prüfe|probiere|starte)\b)",
    re.IGNORECASE,
)
_UNDER_WAY = re.compile(
    r"^(?:\S+ ){1,4}(?:is|are) (?:now |still |currently |already )*(?:running|building|working|"
    r"waiting|compiling|installing|in progress)\b",
    re.IGNORECASE,
)
_MAYBE = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|could|would|wouldn't|what if|suppose|imagine|hypothetically|"
    r"in theory|I guess|I think so|not sure|"
    r"presumably|someday|for example|vielleicht|könnten?|würden?|wäre|angenommen|möglicherweise|eventuell)\b",
    re.IGNORECASE,
)
_WISHED = re.compile(
    r"\bI(?:'d| would) (?:\w+ )?(?:rather|prefer|like|love)\b|\bwould(?:n't| not) (?:work|help|scale)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"^(?:if|unless|wenn|falls|assuming)\b", re.IGNORECASE)
_REPORTED = re.compile(
    r"\b(?:your|the|stored) notes? (?:say|says|said|mention)|\baccording to (?:your|the|"
    r"my) (?:notes?|memory)\b|\bas (?:noted|remembered)\b",
    re.IGNORECASE,
)
_ANAPHOR = re.compile(
    r"^(?:it|its|it's|that|that's|this|these|those|they|they're|he|she|there|both|one|such|which|"
    r"same|es|das|dies\w*|sie|die|der|dort|davon|damit)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|that|this|those|these|them|both|es|das|dies\w*|die|davon|damit)\W*$", re.IGNORECASE
)
_FEW_WORDS = 8
"""A shorter sentence that ends so does not say what it is about."""
_PATHY = re.compile(r"(?:/[\w.-]+){3,}|\b[0-9a-f]{12,}\b|::|=>|->|\\\\|\w+\(\)\.\w+")


def without_lead(text: str) -> str:
    """The sentence without `ok, `, `by the way: ` and their like, its first letter as it was."""
    return _LEAD.sub("", text).strip()


def is_question(text: str) -> bool:
    """Whether something is asked."""
    return text.rstrip("\"'”’)* ").endswith(("?", "？"))


def is_unsure(text: str) -> bool:
    """Whether it only might be so."""
    return (_MAYBE.search(text) is not None and _WISHED.search(text) is None) or _IF.match(text) is not None


def leans_on_others(text: str) -> bool:
    """Whether one has to know the sentence before to understand it."""
    return _ANAPHOR.match(text) is not None


def points_back(text: str) -> bool:
    """Whether it is short and ends with a word for what was said before."""
    return len(text.split()) < _FEW_WORDS and _POINTS_BACK.search(text) is not None


def is_noise(text: str) -> bool:
    """Whether it is a fragment, chatter, a word on what is done just now, or comes from a program."""
    words = _WORD.findall(text)
    if not FEWEST_WORDS <= len(text.split()) <= MOST_WORDS or len(words) < FEWEST_WORDS - 1:
        return True
    letters = sum(map(str.isalpha, text)) + sum(map(str.isspace, text))
    if letters < _LETTERS * len(text) or len(_PATHY.findall(text)) > 2:
        return True
    return any(pattern.search(text) for pattern in (_CHATTER, _NARRATION, _UNDER_WAY, _REPORTED))
