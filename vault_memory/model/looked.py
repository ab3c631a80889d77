"""Up to where a caller has seen the vault, and which of its sessions have begun since."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime

from vault_memory.model.looktoken import read_token

GOES_ON = 12 * 3_600
"""Seconds for which a session is taken to go on where nobody tells its end: not every program does."""
MOST = 32
"""So many sessions are remembered, those that began last."""
_NOTHING = "-"


@dataclass(frozen=True, slots=True)
class Begun:
    """One session: when it last began, from where and up to where it was told what changed, and where the
    mark stood before it first did. `session` is a digest of its name, `at` in seconds since 1970."""

    session: str
    at: int
    since: str
    mark: str
    upto: str

    def goes_on(self, now: int) -> bool:
        """Whether its context is in use, as far as is known. A clock may have been set back meanwhile."""
        return abs(now - self.at) < GOES_ON


@dataclass(frozen=True, slots=True)
class Looked:
    """The token of the caller's last look, `None` before the first, and the sessions, in the order in which
    they first began."""

    token: str | None = None
    sessions: tuple[Begun, ...] = ()

    def since(self, session: str, now: datetime) -> str | None:
        """From where a session that begins now is told what changed: another one that goes on has been told
        in a context of its own, so what was new to that one is new to this one."""
        at, own = int(now.timestamp()), self._of(session)
        if own is not None:  # it begins anew: its context is gone, or it was taken up again days later
            return own.since if own.goes_on(at) else own.upto
        return next((one.mark for one in self.sessions if one.goes_on(at)), self.token)

    def with_begun(self, session: str, now: datetime, since: str | None, token: str) -> Looked:
        """After that session was told all from `since` (`None`: it had a first look) up to `token`; one
        without a name is not remembered."""
        if not session:
            return replace(self, token=token)
        at, own = int(now.timestamp()), self._of(session)
        if own is not None and own.goes_on(at):
            # It keeps its place: what was new to it is still new to those that begin beside it.
            again = replace(own, at=at, since=since or token, upto=token)
            return Looked(token, tuple(again if one is own else one for one in self.sessions))
        others = [one for one in self.sessions if one is not own]
        if len(others) >= MOST:
            others.remove(min(others, key=lambda one: one.at))
        begun = Begun(_digest(session), at, since or token, self.token or token, token)
        return Looked(token, (*others, begun))

    def without(self, session: str) -> Looked:
        """After that session came to its end."""
        name = _digest(session)
        return replace(self, sessions=tuple(one for one in self.sessions if one.session != name))

    def _of(self, session: str) -> Begun | None:
        name = _digest(session)
        return next((one for one in self.sessions if one.session == name), None)


def looked_text(looked: Looked) -> str:
    """As it is kept: the token on the first line, a session on each line behind it."""
    lines = [looked.token or _NOTHING]
    lines += [f"{one.session} {one.at} {one.since} {one.mark} {one.upto}" for one in looked.sessions]
    return "".join(f"{line}\n" for line in lines)


def read_looked(text: str) -> Looked:
    """What is kept there. What can't be read is not there: the last look is a first one, or no session."""
    lines = text.split("\n")[:-1]  # the last one has no end, if it was cut off
    if not lines:
        return Looked()
    sessions = [one for one in map(_begun, lines[1:]) if one is not None]
    return Looked(_token(lines[0]), tuple(sessions[-MOST:]))


def _begun(line: str) -> Begun | None:
    words = line.split(" ")
    if len(words) != 5 or not words[1].isascii() or not words[1].isdigit() or len(words[1]) > 12:
        return None
    if None in map(_token, words[2:]):
        return None
    return Begun(words[0], int(words[1]), *words[2:])


def _token(text: str) -> str | None:
    return text if read_token(text) is not None else None


def _digest(session: str) -> str:
    return hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:32]
