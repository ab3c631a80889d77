"""What a hook says: by the vault's resident where there is one, else by this process."""

from __future__ import annotations

from vault_memory.surfaces.hook.words import Words

TYPE_CHECKING = False  # as in config/given.py
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_SHARE = 0.4
"""Of the time there is, so much is given to a resident that does not answer."""
_CAPTURING = frozenset({"precompact", "precompress", "stop", "afteragent", "sessionend"})
"""As `model.agenthook.event_named` has them: after these nothing is said."""
_BEGINNING = frozenset({"sessionstart"})
_ENDING = frozenset({"sessionend"})


class Answer:
    """The object to print, empty for nothing; why there is none that should be; and what is left to do once
    it is printed."""

    def __init__(self, said: bytes = b"", cause: str = "", later: Callable[[], None] | None = None) -> None:
        self.said = said
        self.cause = cause
        self.later = later


def answered(argv: Sequence[str], words: Words, root: str | None, content: bytes, seconds: float) -> Answer:
    """The answer to one call. Raises whatever goes wrong."""
    if root is None:
        return Answer(cause=f"no vault in {words.vault or 'VMEM_VAULT or the working folder'}")
    if _plain_event(words) in _CAPTURING:
        said = _captured(words, root, content)
        if _plain_event(words) in _ENDING:
            said.later = lambda: _ended(words, root, content)
        return said
    said = _by_resident(argv, content, seconds) or _here(argv, content)
    if _plain_event(words) in _BEGINNING:
        said.later = _both(said.later, lambda: _take_up(words, root))
    return said


def _plain_event(words: Words) -> str:
    return words.event.replace("-", "").replace("_", "").casefold()


def _both(one: Callable[[], None] | None, other: Callable[[], None]) -> Callable[[], None]:
    def both() -> None:
        if one is not None:
            one()
        other()

    return both


def _take_up(words: Words, root: str) -> None:
    """Begin captures again that never came to their end; what is wrong with that, the next start tries."""
    from pathlib import Path

    from vault_memory.errors import VmemError
    from vault_memory.surfaces.hook.capturing import take_up

    try:
        take_up(Path(root), _agent(words))
    except VmemError:
        return


def _ended(words: Words, root: str, content: bytes) -> None:
    """Note that the session is over; what is wrong with that, the next start makes up for."""
    from pathlib import Path

    from vault_memory.errors import VmemError
    from vault_memory.facets.hooks import Unasked
    from vault_memory.model.agenthook import CLEARED, caller_named, event_named, read_call
    from vault_memory.vault import Vault

    try:
        call = read_call(event_named(words.event), caller_named(words.caller), content)
        if call.reason == CLEARED:  # the session that begins now has nothing of what this one was told
            return
        with Vault.open(Path(root)) as vault:
            agent = _agent(words)
            who = vault.person if agent is None else vault.agent(agent)
            if vault.settings["hooks"]:
                Unasked.of(who).session_end(call.session)
    except VmemError:
        return


def _agent(words: Words) -> str | None:
    from vault_memory.config import environ

    return environ.agent() if words.agent is None else words.agent


def _captured(words: Words, root: str, content: bytes) -> Answer:
    from pathlib import Path

    from vault_memory.errors import VmemError
    from vault_memory.model.agenthook import caller_named, event_named, read_call
    from vault_memory.surfaces.hook.capturing import begin

    agent = _agent(words)
    try:
        call = read_call(event_named(words.event), caller_named(words.caller), content)
        return Answer(cause=begin(Path(root), call, agent))
    except VmemError as error:
        return Answer(cause=error.message)


def _by_resident(argv: Sequence[str], content: bytes, seconds: float) -> Answer | None:
    """`None` where nobody answers in time, or it is not for them."""
    from vault_memory.surfaces.resident import quick

    class Ends(quick.Ends):
        patience = seconds * _SHARE

        def __init__(self) -> None:
            self.said = {1: b"", 2: b""}

        def is_terminal(self, number: int) -> bool:  # noqa: ARG002 - none of them is
            return False

        def read(self) -> bytes:
            return content

        def write(self, number: int, content: bytes) -> None:
            self.said[number] += content

    ends = Ends()
    code = quick.answered(argv, ends)
    if code is None:
        return None
    return Answer(ends.said[1] if code == 0 else b"", _plain(ends.said[2]))


def _here(argv: Sequence[str], content: bytes) -> Answer:
    from vault_memory.surfaces.cli.app import run
    from vault_memory.surfaces.cli.context import World
    from vault_memory.surfaces.cli.ondemand import Noted
    from vault_memory.surfaces.cli.streams import Recorded, Terminal

    recorded, noted = Recorded(), Noted(World())
    streams = recorded.streams(lambda: content, Terminal())
    code = run(argv, World(streams=streams, opening=noted.opening))
    said = {number: b"".join(part for to, part in recorded.said if to == number) for number in (1, 2)}
    return Answer(said[1] if code == 0 else b"", _plain(said[2]), lambda: noted.begin_resident(list(argv)))


def _plain(told: bytes) -> str:
    """What a command had to tell a person, on one line."""
    lines = told.decode("utf-8", "replace").replace("vmem: ", "").splitlines()
    return "; ".join(line.strip() for line in lines if line.strip())


def begin_resident(root: str) -> None:
    """Begin the vault's resident where the settings allow it: for the next hook, after one that came to
    nothing."""
    from pathlib import Path

    from vault_memory.config import environ
    from vault_memory.config.load import survey
    from vault_memory.surfaces.resident.starting import begin_unless_there
    from vault_memory.vault import system_clock

    if survey(Path(root))[0]["resident"] == "auto" and not environ.is_unattended():
        begin_unless_there(Path(root), system_clock().now_ns())


def where(error: BaseException) -> str:
    """What kind of error it was and where it arose. Its message is left out: it may repeat what was asked."""
    places = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return f"bug: {type(error).__name__} at {' < '.join(reversed(places[-6:]))}"
