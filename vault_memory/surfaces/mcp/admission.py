"""Who is let in over HTTP: the path, the name that was called, the page that sent it, and the token."""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

PATH = "/mcp"
METHODS = ("POST", "GET", "DELETE")
LOCALHOST = "localhost"

_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.~-]+))(?::\d{0,5})?", re.ASCII)
"""A name or an address, with or without a port, and nothing else."""

Headers = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Refused:
    """The status of HTTP, what is wrong and what to do; `more` are headers that go with it."""

    status: int
    why: str
    more: tuple[tuple[bytes, bytes], ...] = ()


@dataclass(frozen=True, slots=True)
class Door:
    """Lets in whoever bears the token and called this machine by a name of its own.

    A web page that has its name lead to 127.0.0.1 after it was loaded calls by that name. Where others than
    this machine may call (`remote`), bare addresses and the names in `names` are good as well.
    """

    token: str
    remote: bool = False
    names: frozenset[str] = frozenset()

    def refuses(self, method: str, path: str, headers: Headers) -> Refused | None:
        """Why a request is not let in, before anything of its body is read; `None` where it is."""
        found = list(headers)
        host = _name_of(_one(found, b"host"))
        if host is None or not self._is_ours(host):
            return Refused(403, f"this server is not called {_shown(host)}; call it by {self._ways()}")
        origin = _one(found, b"origin")
        if origin is not None and not self._may_send(origin, host):
            return Refused(403, f"a page of {_shown(origin)} may not ask here; programs send no Origin")
        if not hmac.compare_digest(_borne(found), self.token.encode()):
            why = 'send the header "Authorization: Bearer TOKEN"; where the token lies stands on stderr'
            return Refused(401, why, ((b"www-authenticate", b'Bearer realm="vault-memory"'),))
        if path != PATH:
            return Refused(404, f"there is nothing at this path; the protocol is spoken at {PATH}")
        if method not in METHODS:
            allowed = ", ".join(METHODS)
            return Refused(405, f"the protocol knows {allowed} here", ((b"allow", allowed.encode()),))
        return None

    def _is_ours(self, name: str) -> bool:
        if is_loopback(name) or name in self.names:
            return True
        return self.remote and _is_address(name)

    def _may_send(self, origin: str, host: str) -> bool:
        try:
            page = urlsplit(origin)
            name = (page.hostname or "").rstrip(".")
        except ValueError:
            return False
        return page.scheme in ("http", "https") and (is_loopback(name) or name == host)

    def _ways(self) -> str:
        own = f", its address, or {', '.join(sorted(self.names))}" if self.names else " or its address"
        return "localhost or 127.0.0.1" + (own if self.remote else "")


def is_loopback(name: str) -> bool:
    """Whether a name or an address can only mean this machine."""
    if name == LOCALHOST:
        return True
    return _is_address(name) and ip_address(name).is_loopback


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _name_of(host: str | None) -> str | None:
    """Of the header `Host` the name alone, in lower case; `None` where it is none."""
    found = None if host is None else _HOST.fullmatch(host)
    return (found["address"] or found["name"]).lower().rstrip(".") or None if found else None


def _borne(headers: list[tuple[bytes, bytes]]) -> bytes:
    """The token that is sent; empty where there is none, or more than one."""
    scheme, _, word = (_one(headers, b"authorization") or "").partition(" ")
    return word.strip().encode("latin-1") if scheme.casefold() == "bearer" else b""


def _one(headers: list[tuple[bytes, bytes]], name: bytes) -> str | None:
    """The value of the header, where it is there once."""
    found = [value for key, value in headers if key.lower() == name]
    return found[0].decode("latin-1") if len(found) == 1 else None


def _shown(text: str | None) -> str:
    return "so" if text is None else repr(text if len(text) <= 80 else text[:79] + "…")
