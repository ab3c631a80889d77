"""Reading an expression from left to right, and pointing at the place where it can't be read."""

from __future__ import annotations

from vault_memory.errors import ExpressionError
from vault_memory.model.cells import cells

MAX_LENGTH = 2_000
"""Characters of an expression: far more than anybody types, and little enough to read at once."""

QUOTES = "\"'"
_BEFORE, _BEHIND = 48, 24
"""So many characters around the place are shown of a long expression."""


class Scanner:
    """An expression and how far it has been read. `what` names it in errors: "the tag expression"."""

    def __init__(self, text: str, what: str) -> None:
        self.text = text
        self.what = what
        self.at = 0
        if len(text) > MAX_LENGTH:
            raise self.error(f"it is longer than {MAX_LENGTH:,} characters", at=MAX_LENGTH)
        self.skip()

    @property
    def ended(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.text)

    @property
    def next(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.at : self.at + 1]

    def skip(self) -> None:
        """Go past white space."""
        while self.next.isspace():
            self.at += 1

    def take(self, sign: str) -> bool:
        """Go past this sign and the space behind it, if it comes next."""
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        self.skip()
        return True

    def peek(self, stops: str) -> str:
        """What stands here up to white space or one of `stops`."""
        end = self.at
        while end < len(self.text) and self.text[end] not in stops and not self.text[end].isspace():
            end += 1
        return self.text[self.at : end]

    def word(self, stops: str) -> str:
        """The same, and go past it and the space behind it."""
        found = self.peek(stops)
        self.at += len(found)
        self.skip()
        return found

    def took(self, *keywords: str) -> bool:
        """Go past these joining words, in whatever case, if all of them come next."""
        before = self.at
        for keyword in keywords:
            if self.word("()").casefold() != keyword:
                self.at = before
                return False
        return True

    def run(self, signs: str) -> str:
        """As many of these signs as stand here; the space behind them is gone past too."""
        end = self.at
        while end < len(self.text) and self.text[end] in signs:
            end += 1
        found = self.text[self.at : end]
        self.at = end
        self.skip()
        return found

    def quoted(self) -> str | None:
        """The text in quotes that begins here, `None` where none does; a backslash keeps what follows.

        A quote that is a word by itself begins none. Raises `ExpressionError` for one that is not closed.
        """
        quote = self.next
        if not quote or quote not in QUOTES:
            return None
        found: list[str] = []
        at = self.at + 1
        while at < len(self.text) and self.text[at] != quote:
            at += self.text[at] == "\\" and self.text[at + 1 : at + 2] in ("\\", *QUOTES)
            found.append(self.text[at])
            at += 1
        if at >= len(self.text):
            if len(self.peek("()")) == 1:
                return None
            raise self.error("this quote is not closed", hint=f"put a {quote} where it ends")
        self.at = at + 1
        self.skip()
        return "".join(found)

    def error(self, reason: str, *, at: int | None = None, hint: str | None = None) -> ExpressionError:
        """The error that points at the place `at`, else at where reading is."""
        place = self.at if at is None else at
        return ExpressionError(self.what, self.text, place, reason, _pointed(self.text, place), hint=hint)


def quote(text: str) -> str:
    """The text in quotes, so that `Scanner.quoted` reads it back."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _pointed(text: str, at: int) -> str:
    """The expression on one line and a caret under the place; a long one with what is around it."""
    start = at - _BEFORE if at > _BEFORE + 1 else 0
    end = at + _BEHIND if len(text) > at + _BEHIND + 1 else len(text)
    before = ("…" if start else "") + _on_a_line(text[start:at])
    behind = _on_a_line(text[at:end]) + ("…" if end < len(text) else "")
    return f"{before}{behind}\n{' ' * cells(before)}^"


def _on_a_line(text: str) -> str:
    return "".join(one if one.isprintable() else " " for one in text)
