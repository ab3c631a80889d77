"""Telling a procedure: steps in an order, said as what to do and not as what was done."""

from __future__ import annotations

import re

_STEP = re.compile(
    r"\b(?:first|then|next|finally|afterwards|after that|only then|before|after|last|zuerst|erst|"
    r"dann|danach|anschließend|zuletzt|"
    r"am Ende|zum Schluss|bevor|nachdem)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^(?:to|for|when|whenever|every time|each time|before|after|if|in order to|wenn|um|zum|zur|vor|"
    r"nach|bevor|sobald)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b(?:order|steps?|procedure|runbook|recipe|how to|how we|reproduce|Reihenfolge|Ablauf|"
    r"Vorgehen|Schritte)\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"(?:^|[,:;]|\b(?:then|first|and|to|dann|erst|und))\s*(?:you (?:have to|need to|must|should) |"
    r"please |only |just )?"
    r"(?:run|start|stop|restart|check|copy|open|close|tag|push|pull|merge|deploy|pause|trigger|add|"
    r"remove|delete|set|take|make|put|use|"
    r"update|upgrade|install|build|wait|find|truncate|mark|fix|look|compare|restore|rebuild|analyze|"
    r"call|send|write|create|click|press|"
    r"verify|test|export|import|load|rename|move|log|go|have|ask|switch|enable|disable|drain|bump|"
    r"commit|rebase|scale)\b"
    r"|\b(?:kopieren|drücken|anrufen|abschalten|entlüften|bringen|starten|stoppen|prüfen|löschen|"
    r"einspielen|öffnen|schließen|"
    r"ausführen|warten|setzen|schalten|ziehen|sichern)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"^(?:I|we|it|he|she|they|that|this|ich|wir|es|das)(?:'ve|'m|'re|'d| have| had| was|"
    r" were)?\s+(?!have to|need to|must|always|should)"
    r"|\b(?:I'll|I will|let me|I'm going|let's|ich (?:habe|werde|sehe|schaue)|I (?:have|had|did|"
    r"first|then|tried|paused|ran|made|added))\b",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(r"\b(?:would|could|might|maybe|perhaps|vielleicht|könnte|würde)\b", re.IGNORECASE)


def weight(text: str) -> float:
    """How much a sentence looks like a procedure; 1 and above is one."""
    if _TOLD.search(text) or _HYPOTHETICAL.search(text):
        return 0.0
    commands = len(_COMMAND.findall(text))
    steps = len(_STEP.findall(text))
    listed = text.count(",") + text.count(";")
    opening = 1 if _OPENING.match(text) else 0
    named = 1 if _NAMED.search(text) else 0
    if commands < 1 or steps + listed + named + opening < 2:
        return 0.0
    return 0.4 * min(commands, 3) + 0.3 * min(steps, 3) + 0.2 * min(listed, 2) + 0.4 * opening + 0.4 * named
