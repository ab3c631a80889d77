"""Carrying out a command line for another process: only where the outcome is the same as if they did."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from vault_memory.config import given
from vault_memory.errors import UsageError, VmemError
from vault_memory.live.handle import LiveVault
from vault_memory.model.wire import Json
from vault_memory.surfaces.resident.lines import Peer
from vault_memory.surfaces.resident.verbs import READS, WRITES, verb_of
from vault_memory.vault import Vault

_OF_THE_CALL = frozenset(
    {
        "VMEM_VAULT",
        "VMEM_AGENT",
        "VMEM_DEBUG",
        "VMEM_RESIDENT",
        "VMEM_HOOK_SECONDS",
        "NO_COLOR",
        "TERM",
        *given.SIGNING,
    }
)
"""Variables that may differ from call to call; with others an answer would be of other settings."""

Find = Callable[[Path | None], AbstractContextManager[Vault] | None]
"""The vault that a call names; `None` where it is another one than ours, or can't be had here."""


class CarryOut(Protocol):
    """Carries out a command line and gives what it said."""

    def __call__(
        self, argv: Sequence[str], find: Find, stdin: Callable[[], bytes], terminal: Mapping[str, Any]
    ) -> Json:
        """`{"said": …, "exit": …}`, or `{"unfit": …}` where nothing has been done."""


class Commands:
    """The command lines that one resident carries out."""

    def __init__(self, live: LiveVault, carry_out: CarryOut) -> None:
        self._live = live
        self._carry_out = carry_out
        self._own = _deciding(given.carried())
        self._signing = _signing(given.carried(writes=True))
        self._umask = os.umask(0o077)
        os.umask(self._umask)

    def run(self, request: Json, peer: Peer) -> Json:
        """The answer to one request. Raises `UsageError` for one of another form, `EndedError`."""
        argv, folder = _texts(request, "argv"), request.get("folder")
        variables, terminal = _mapping(request, "given"), _mapping(request, "terminal")
        if not isinstance(folder, str) or not all(isinstance(text, str) for text in variables.values()):
            raise UsageError("folder and variables are texts")
        verb = verb_of(argv)
        unfit = self._unfit(verb, variables, request.get("umask", self._umask))
        if unfit is not None:
            return {"unfit": unfit}
        if request.get("tell") is True:
            peer.tell({"heard": True})
        handle = self._live.writing if verb in WRITES else self._live.reading
        find = partial(self._find, handle)
        with given.as_caller(variables, folder):
            return self._carry_out(argv, find, partial(_stdin, peer), terminal)

    def _unfit(self, verb: str | None, variables: Mapping[str, str], umask: object) -> str | None:
        if verb not in READS | WRITES:
            return "this command is not carried out by a resident"
        if _deciding(variables) != self._own:
            return "its settings are others than those of the resident"
        if verb in WRITES and umask != self._umask:
            return "its files would get another mode"
        if verb in WRITES and _signing(variables) != self._signing:
            return "its commits would be signed with other keys"
        return None

    def _find(
        self, handle: Callable[[], AbstractContextManager[Vault]], path: Path | None
    ) -> AbstractContextManager[Vault] | None:
        if not self._live.is_there() or not self._live.is_at(path):
            return None
        with ExitStack() as stack:
            try:
                vault = stack.enter_context(handle())
            except VmemError:  # its settings became faulty, it is closing: the full command line says it
                return None
            return _Held(vault, stack.pop_all())


class _Held:
    """A vault that is ours as long as the block lasts."""

    def __init__(self, vault: Vault, held: ExitStack) -> None:
        self._vault = vault
        self._held = held

    def __enter__(self) -> Vault:
        return self._vault

    def __exit__(self, *error: Any) -> None:  # noqa: PYI036 - handed on as they come
        self._held.__exit__(*error)


def _deciding(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: text for name, text in variables.items() if text and name not in _OF_THE_CALL}


def _signing(variables: Mapping[str, str]) -> list[str]:
    return [variables.get(name, "") for name in given.SIGNING]


def _stdin(peer: Peer) -> bytes:
    text = peer.ask({"want": "stdin"}).get("stdin")
    if not isinstance(text, str):
        raise UsageError("stdin is a text")
    return text.encode("utf-8", "surrogateescape")


def _texts(request: Json, name: str) -> list[str]:
    value = request.get(name)
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UsageError(f"{name} is a list of texts")
    return value


def _mapping(request: Json, name: str) -> dict[str, Any]:
    value = request.get(name)
    if not isinstance(value, dict):
        raise UsageError(f"{name} is an object")
    return value
