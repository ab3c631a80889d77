"""By which words what is looked for is known: all phrases and labels, in English and German."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.capture.decided import CONSTRAINTS, DECISIONS, PREFERENCES
from vault_memory.model.capture.learned import CAUSES, DEAD_ENDS, FACTS, INTENTS
from vault_memory.model.capture.phrase import Phrase
from vault_memory.model.capture.turn import Sort

PHRASES: Sequence[Phrase] = (*DEAD_ENDS, *INTENTS, *CONSTRAINTS, *DECISIONS, *PREFERENCES, *CAUSES, *FACTS)

LABELS: Sequence[tuple[Sort, str]] = (
    (Sort.DECISION, r"(?:decision|decided|entscheidung|beschluss)"),
    (Sort.CONSTRAINT, r"(?:constraint|hard rule|rule|requirement|bedingung|vorgabe)"),
    (Sort.RESULT, r"(?:results?|measured|measurement|finding|benchmark|ergebnis|gemessen)"),
    (Sort.CAUSE, r"(?:root cause|cause|reason|ursache|grund)"),
    (Sort.PROCEDURE, r"(?:procedure|runbook|how to|recipe|steps|vorgehen|ablauf|anleitung)(?: for [\w\s]+)?"),
    (Sort.PREFERENCE, r"(?:preference|vorliebe)"),
    (Sort.DEAD_END, r"(?:dead end|did not work|didn't work|failed attempt|sackgasse)"),
    (
        Sort.INTENT,
        (
            r"(?:to-?do|follow-?ups?|next steps?|next|open questions?|open|still open|unfinished|"
            r"remaining|left|"
            r"offen(?:e fragen?)?|noch zu tun|nächste schritte?)(?: for (?:me|us|you|later|tomorrow))?"
        ),
    ),
)
"""What stands before a colon at the beginning of a sentence, or over a list."""

BEFORE_OTHERS: Sequence[Sort] = (
    Sort.DEAD_END,
    Sort.INTENT,
    Sort.CONSTRAINT,
    Sort.PROCEDURE,
    Sort.DECISION,
    Sort.PREFERENCE,
    Sort.RESULT,
    Sort.CAUSE,
    Sort.FACT,
)
"""Which sort a sentence is taken for when it weighs the same as several."""
