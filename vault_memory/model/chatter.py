"""What a prompt asks beyond the words by which people keep a conversation going."""

from __future__ import annotations

import re

from vault_memory.model.query import parse

_WORDS = frozenset(
    """
    ok okay k yes yep yeah yup no nope nah sure right correct exactly agreed lgtm thanks thank thx ty
    please pls go goes going ahead on continue proceed carry next again try stop wait hold hm hmm
    ah oh well so then now good great nice cool perfect fine awesome excellent looks look sounds sound
    works worked working hello hi hey morning afternoon evening bye cheers sorry welcome do does did
    done it its that this these those there same other others one ones both all any them they i me my we
    us our you your he she is are was be been am not still just also too very much more less what why
    how who when where which can could would should will may might let lets let's know tell mean meant
    think don't dont didn't doesn't isn't it's that's what's i'm understand see show say said explain
    want need like make step steps bitte danke ja nein weiter gut passt genau mach nochmal oui non merci
    encore bien si sí gracias vale sigue bueno
    """.split()
)
"""They steer the talk, and say nothing of its matter."""
_UNSPACED = re.compile(
    "好的|谢谢|感謝|感谢|继续|繼續|可以|是的|对|對|请|請|不是|はい|いいえ|お願いします|ありがとう(?:ございます)?"
    "|続けて(?:ください)?|ください|네|아니요|감사합니다|계속"
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def telling(prompt: str) -> int:
    """How many terms of a prompt say what it is about."""
    plain = _UNSPACED.sub(" ", prompt)
    kept = _WORD.sub(lambda found: " " if found.group().casefold() in _WORDS else found.group(), plain)
    return len(parse(kept).terms)
