"""From start to end over HTTP: the token, the port, a word on stderr where they are, and the server."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from vault_memory.errors import ConfigError
from vault_memory.live.alone import located
from vault_memory.live.bearing import token_of
from vault_memory.surfaces.mcp.admission import PATH, Door
from vault_memory.surfaces.mcp.serving import check_installed, ended_by_signals, loading, reached

HOST = "127.0.0.1"
PORT = 8636
_BACKLOG = 128


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen. Port 0 is any free one; `remote` allows an address that others can call."""

    host: str = HOST
    port: int = PORT
    remote: bool = False
    token_file: Path | None = None
    """Where the token lies, in place of the vault's own folder."""


def serve_http(path: Path | None, agent: str | None, address: Address, *, read_only: bool) -> None:
    """Serve an agent's clients over HTTP until a signal ends it.

    Raises `VaultNotFoundError`, `ConfigError` for an address that can't be had or a token that is none,
    `StorageError`, `MissingExtraError`, `PluginError`.
    """
    check_installed()
    root = located(path)
    with ExitStack() as stack:
        listening = stack.enter_context(bound(address))
        token, file = token_of(root, agent, read_only=read_only, file=address.token_file)
        door = door_of(token, address)
        with loading():
            from vault_memory.surfaces.mcp.overhttp import Ending, run
        _take_stdout()
        ending = Ending()
        stack.enter_context(ended_by_signals(ending.end))
        reach = stack.enter_context(reached(root, agent))
        _tell(listening, address, agent, file)
        run(listening, reach, door, ending, read_only=read_only)


def door_of(token: str, address: Address) -> Door:
    """The door at that address: beside its own, names of this machine are good where others may call."""
    names = {address.host.casefold(), socket.gethostname().casefold()} if address.remote else set()
    return Door(token, address.remote, frozenset(names))


@contextmanager
def bound(address: Address) -> Iterator[socket.socket]:
    """A socket that listens there, closed at the end. Raises `ConfigError`."""
    try:
        [(family, kind, _, _, place), *_] = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError) as error:
        raise ConfigError(
            "", "--host", f"{address.host!r} is no address of this machine", hint="--host 127.0.0.1"
        ) from error
    if not address.remote and not ip_address(place[0]).is_loopback:
        raise ConfigError(
            "", "--host", f"at {address.host} other machines could call",
            hint="leave --host out and come by ssh, or add --allow-remote; nothing is encrypted then",
        )  # fmt: skip
    with socket.socket(family, kind) as listening:
        if os.name == "posix":  # elsewhere it would let two listen at one port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(place)
            listening.listen(_BACKLOG)
        except OSError as error:
            raise _not_to_be_had(address, error) from error
        yield listening


def _not_to_be_had(address: Address, error: OSError) -> ConfigError:
    reason = f"can't listen at port {address.port} of {address.host}: {error.strerror}"
    return ConfigError("", "--port", reason, hint="another program may have it; --port 0 takes a free one")


def _take_stdout() -> None:
    """Nothing is said on stdout: what a library prints goes to stderr too."""
    sys.stdout.flush()
    os.dup2(2, 1)


def _tell(listening: socket.socket, address: Address, agent: str | None, file: Path) -> None:
    host, port, *_ = listening.getsockname()
    where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    who = "the person" if agent is None else agent
    print(f"vmem mcp: serving {who} at http://{where}{PATH}", file=sys.stderr)
    print(f"vmem mcp: the token of its clients lies in {file}", file=sys.stderr)
    if address.remote:
        print("vmem mcp: nothing is encrypted; who can listen in learns the token", file=sys.stderr)
    sys.stderr.flush()
