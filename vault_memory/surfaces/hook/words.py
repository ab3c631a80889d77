"""The command line of a hook, as far as it must be known before anything is loaded; `os` alone."""

from __future__ import annotations

TYPE_CHECKING = False  # as in config/given.py
if TYPE_CHECKING:
    from collections.abc import Sequence

HOOK = "hook"
_TAKE_A_VALUE = ("--vault", "--agent", "--for")
DEFAULT_CALLER = "claude-code"


class Words:
    """What a command line names. Where it can't be read, `event` is empty: the full one says why."""

    def __init__(self, event: str, caller: str, vault: str | None, agent: str | None) -> None:
        self.event = event
        self.caller = caller
        self.vault = vault
        self.agent = agent


def words_of(argv: Sequence[str]) -> Words | None:
    """The words of a call of `vmem hook`; `None` for any other call, and where somebody asks for help."""
    if HOOK not in argv:
        return None
    given: dict[str, str] = {}
    found: list[str] = []
    strange = False
    words = iter(argv)
    for word in words:
        if word[:1] != "-" or word == "-":
            found.append(word)
            if found[0] != HOOK:
                return None
            continue
        if word in ("-h", "--help", "--version"):
            return None
        name, equals, value = word.partition("=")
        if name not in _TAKE_A_VALUE:
            strange = True
            continue
        given[name] = value if equals else next(words, "")
    if not found:
        return None
    event = "" if strange or len(found) != 2 else found[1]
    return Words(event, given.get("--for", DEFAULT_CALLER), given.get("--vault"), given.get("--agent"))
