"""Where a memory may live, and who may read and write there."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from vault_memory.errors import PersonOnlyError, ReviewRequiredError, ScopeError, UnsafePathError
from vault_memory.model import policy as policies
from vault_memory.model.lookalike import alike
from vault_memory.model.normalform import normalized
from vault_memory.model.policy import ANYTHING, OPEN, Policy, Rights

VaultPath = NewType("VaultPath", str)
"""A checked path below the vault's root: `/`-parted, relative, no dot folder, as on disk."""

Namespace = NewType("Namespace", str)
"""A checked folder below the root without a trailing slash, e.g. `shared/market`; `""` is the root."""

PRIVATE = "private"
SHARED = policies.SHARED
ENDINGS = (".md", ".markdown")
"""What the names of memories' files end in, in whatever case."""
MAX_NAME_BYTES = 255
"""The longest file or folder name that common file systems take, in bytes of UTF-8."""
MAX_DEPTH = 16
MAX_NAMESPACE_BYTES = 600
"""The longest namespace for a new memory: a path that begins above it and ends in it fits anywhere."""

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"|?*\\\ud800-\udfff]')
_UNSEEN = re.compile("[\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that nobody sees, or that turn the direction of what stands behind them."""
_WINDOWS_DEVICE = re.compile(r"^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)", re.IGNORECASE)
_AGENT = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")


def parse_path(text: str) -> VaultPath:
    """Check a path that names an existing file; raises `UnsafePathError`.

    Only what would leave the vault or reach hidden folders is refused: a person's
    file may carry any name that their file system allows.
    """
    _check_segments(text, text.split("/"))
    return VaultPath(text)


def parse_namespace(text: str) -> Namespace:
    """Check a folder in which vmem is to create files; raises `UnsafePathError`.

    Stricter than `parse_path`: every segment must also be a name that Windows takes.
    """
    text = normalized("NFC", text.strip().strip("/") if text.strip() != "/" else "/")
    segments = text.split("/")
    _check_segments(text, segments)
    for segment in segments:
        if _FORBIDDEN.search(segment):
            raise UnsafePathError(text, "it holds a character that not every system allows")
        if _UNSEEN.search(segment):
            raise UnsafePathError(text, "it holds a character that can't be seen")
        if _WINDOWS_DEVICE.match(segment):
            raise UnsafePathError(text, f"{segment!r} is a device name on Windows")
        if segment.endswith((".", " ")) or segment.startswith((" ", "-")):
            raise UnsafePathError(text, f"{segment!r} begins or ends with a character that is not safe")
        if "%" in segment:
            raise UnsafePathError(text, "it holds a '%'")
    return Namespace(text)


def parse_agent(text: str) -> str:
    """Check an agent's name; raises `UnsafePathError`. Lower case ASCII, so no two look alike."""
    if (
        not _AGENT.fullmatch(text)
        or ".." in text
        or text.endswith(".")
        or _WINDOWS_DEVICE.match(text)
        or is_memory_name(text)
    ):
        raise UnsafePathError(
            text,
            "it takes 1 to 63 of a-z, 0-9, '.', '_' and '-', and begins with a letter or digit",
            what="an agent's name",
            hint="names are like akashi or ci-runner.2: a folder is called so",
        )
    return text


def file_of_caller(agent: str | None) -> str:
    """What a file of one caller's is called: as the agent is, or for the person as no agent may be. Raises
    `UnsafePathError` for a name that is none."""
    return "_person" if agent is None else parse_agent(agent)


def is_memory_name(name: str) -> bool:
    """Whether a file of that name (or path) may be a memory."""
    return name.lower().endswith(ENDINGS)


def without_ending(name: str) -> str:
    """A file's name without what says that it is Markdown; a name that is nothing else stays."""
    for ending in ENDINGS:
        if name.lower().endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)]
    return name


def folder_of(path: str) -> Namespace:
    """The folder a file lies in; `""` for the root."""
    return Namespace(path.rpartition("/")[0])


def is_private(path: str) -> bool:
    """Whether it lies in the folder of the private ones, or is that, however it is spelled on the disk."""
    return alike(path.partition("/")[0]) == PRIVATE


def owner_of(path: str) -> str | None:
    """The agent whose private folder holds the path; `None` outside `private/<agent>/`."""
    segments = path.split("/")
    return segments[1] if len(segments) > 2 and is_private(path) else None


TOP = "."
"""The vault's own folder, as the inbox."""


class Wanted(StrEnum):
    """What an agent was not given."""

    READ = "read"
    WRITE = "write"
    QUOTA = "quota"
    PERSON = "person only"


Noted = Callable[[str, Wanted, str], None]
"""Told of each refusal: the agent, what it wanted, and where (or what, of what only the person may)."""


def _nobody(agent: str, wanted: Wanted, what: str) -> None:
    """Nobody keeps a list of refusals."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Who asks: an agent, or (with `agent=None`) the person, who may read and write all.

    `here` is the folder of the vault in which the caller stands: a path may be given from there. `policy` is
    the vault's, `proposing` says that what is written goes to a proposal anyhow, and `noted` is told of each
    refusal. Of two scopes these are no difference.
    """

    agent: str | None
    here: Namespace = field(default=Namespace(""), compare=False)
    policy: Policy = field(default=OPEN, compare=False, repr=False)
    proposing: bool = field(default=False, compare=False)
    noted: Noted = field(default=_nobody, compare=False, repr=False)

    @property
    def rights(self) -> Rights:
        """What the policy leaves the caller; all of it is the person's."""
        return ANYTHING if self.agent is None else self.policy.rights(self.agent)

    @property
    def sight(self) -> Hashable:
        """Equal for callers that may read the same: what is kept for one may be given to the other."""
        if self.agent is None or self.policy is OPEN:
            return self.agent
        hidden = self.policy.rights(self.agent).sight
        return self.agent if hidden is None else (self.agent, hidden)

    @property
    def proposes(self) -> bool:
        """Whether there is a place at all where the caller may only propose."""
        return not self.proposing and bool(self.rights.reviewed)

    def may_read(self, path: str) -> bool:
        """An agent reads its own private folder and everything outside `private/` that no rule hides."""
        if self.agent is None:
            return True
        if is_private(path):
            return owner_of(path) == self.agent
        if self.policy is OPEN:
            return True
        return self.policy.rights(self.agent).in_folder(path.rpartition("/")[0]).read

    def may_write(self, path: str) -> bool:
        """An agent writes to its own private folder and to `shared/`, where no rule says otherwise and that
        is not reviewed first."""
        return self.may_propose(path) and not self.must_propose(path)

    def must_propose(self, path: str) -> bool:
        """Whether what an agent writes there is reviewed first."""
        if self.agent is None or self.proposing or self.policy is OPEN:
            return False
        return self.policy.rights(self.agent).in_folder(path.rpartition("/")[0]).reviewed

    def may_propose(self, path: str) -> bool:
        """Whether an agent may write there, if only in a proposal."""
        if self.agent is None:
            return True
        segments = path.split("/")
        rights = ANYTHING if self.policy is OPEN else self.policy.rights(self.agent)
        if segments[0] == SHARED:
            if len(segments) < 2:
                return False
            return rights is ANYTHING or rights.in_folder(path.rpartition("/")[0]).write
        own = len(segments) > 2 and segments[0] == PRIVATE and segments[1] == self.agent
        return own and not rights.readonly

    def refuse_read(self, path: str) -> None:
        """Tell of one that was asked for by its name and is hidden: the caller hears that there is none."""
        if self.agent is not None:
            self.noted(self.agent, Wanted.READ, path)

    def check_person(self, wanted: str, *, hint: str) -> None:
        """Raise `PersonOnlyError` for an agent that wants what only the person may."""
        if self.agent is not None:
            self.noted(self.agent, Wanted.PERSON, wanted)
            raise PersonOnlyError(self.agent, wanted, hint=hint)

    def check_write(self, path: str) -> None:
        """Raise `ScopeError` where `may_write` says no."""
        if not self.may_write(path):
            assert self.agent is not None
            folder = str(folder_of(path))
            if self.may_propose(path):
                raise ReviewRequiredError(self.agent, folder)
            self.noted(self.agent, Wanted.WRITE, folder)
            hint = None if self.rights == ANYTHING else BY_POLICY
            raise ScopeError(self.agent, folder, "write to", hint=hint)


PERSON = Scope(None)
"""The person, for what is done in nobody's name; who asks is told by `Vault.person`."""
BY_POLICY = (
    "the vault's settings say so: vmem config agents, vmem config namespaces; the person may change them"
)


def namespace_for(scope: Scope, asked: str | None, inbox: str) -> Namespace:
    """The folder a new memory goes to, as `namespace_asked` has it. Raises `ScopeError` where it may not."""
    namespace = namespace_asked(scope, asked, inbox)
    if asked is not None:
        scope.check_write(f"{namespace}/new.md")
    return namespace


def namespace_asked(scope: Scope, asked: str | None, inbox: str) -> Namespace:
    """The folder that is meant for a new memory, whether or not the scope may write there.

    With `asked` it is `shared/<asked>` (a leading `shared/` or the agent's own `private/…` is
    taken as written; the person may name any folder that way). Without, an agent writes to its
    private folder and the person to `inbox`.
    """
    if asked is None:
        place = f"{PRIVATE}/{scope.agent}" if scope.agent is not None else inbox
        return Namespace("") if place == TOP else parse_namespace(place)
    namespace = parse_namespace(asked)
    if any(map(is_memory_name, namespace.split("/"))):
        raise UnsafePathError(asked, "it is called like a file, and a namespace is a folder")
    if namespace.count("/") >= MAX_DEPTH or len(namespace.encode()) > MAX_NAMESPACE_BYTES:
        raise UnsafePathError(
            asked, f"it has more than {MAX_DEPTH} levels or {MAX_NAMESPACE_BYTES} bytes of UTF-8"
        )
    first = namespace.split("/")[0]
    if (plain := alike(first)) in (PRIVATE, SHARED) and first != plain:
        raise UnsafePathError(asked, f"{plain!r} is written in lower case, in plain letters")
    if first == PRIVATE:
        if len(namespace.split("/")) < 2:
            raise UnsafePathError(asked, "it must name whose private folder it is: private/<agent>")
        parse_agent(namespace.split("/")[1])
    elif first != SHARED:
        namespace = Namespace(f"{SHARED}/{namespace}")
    return namespace


def _check_segments(text: str, segments: list[str]) -> None:
    if not text:
        raise UnsafePathError(text, "it is empty")
    if "\x00" in text:
        raise UnsafePathError(text, "it holds a zero byte")
    if text.startswith("/") or re.match(r"[A-Za-z]:[\\/]", text):
        raise UnsafePathError(text, "it is absolute; paths are relative to the vault")
    for segment in segments:
        if segment in ("", ".", ".."):
            raise UnsafePathError(text, f"{segment!r} is not a name")
        if segment.startswith("."):
            raise UnsafePathError(text, f"{segment!r} is hidden; hidden files hold no memories")
        try:
            size = len(segment.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError:
            raise UnsafePathError(text, "it holds half a character") from None
        if size > MAX_NAME_BYTES:
            raise UnsafePathError(text, f"a name is longer than {MAX_NAME_BYTES} bytes")
