"""The English words that a question is made of and a memory is not found by."""

from __future__ import annotations

STOP_WORDS = frozenset(
    "a about an and are as at be been by can could did do does for from had has have he her his how i if"
    " in is it its may might of on or s she that the their they this to was we were what when where which"
    " who why will with would you".split()
)
"""Left out of queries only, as written (folded, before stemming); texts keep them for phrases."""
