"""The prompt that a person picks to have a conversation's lessons saved."""

from __future__ import annotations

NAME = "save-what-we-learned"
TITLE = "Save what we learned"
ABOUT = "Look back over this conversation and remember what will matter later."
FOCUS = "focus"
FOCUS_ABOUT = "What to look for above all (optional)"

_TEXT = """\
Look back over this conversation and save what will matter in later ones.

Worth keeping: decisions with their reasons; constraints; causes that were found; results that were \
measured; how something is done here; what I prefer; what was tried and did not work; what is still to do.
Not worth keeping: what the files or their history say anyway, small talk, steps on the way, secrets.

For each: recall first whether it is known. If it is and has changed, edit that memory. If not, remember \
it: one fact a memory, in full sentences with the why, for a reader who was not here, with a kind and a few \
tags. Where you are unsure, propose it instead. Then tell me in a line each what you saved, and where.
"""


def save_what_we_learned(focus: str | None) -> str:
    """The text of the prompt."""
    return f"{_TEXT}\nAbove all: {focus.strip()}\n" if focus and focus.strip() else _TEXT
