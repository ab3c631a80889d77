"""What was asked can't be done as it was asked: usage, names, formats, refusals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vault_memory.errors.root import VmemError, shown


class UsageError(VmemError):
    """The caller's arguments are not usable; nothing was done."""

    exit_code = 2


class ExpressionError(UsageError):
    """A filter's expression that can't be read: `text` is all of it, `at` the character that it stops at."""

    def __init__(
        self, what: str, text: str, at: int, reason: str, picture: str, *, hint: str | None = None
    ) -> None:
        lines = picture.split("\n") if text.strip() else []
        shown = "".join(f"\n        {line}" for line in lines)
        super().__init__(f"{what} can't be read: {reason}{shown}", hint=hint)
        self.text, self.at, self.reason = text, at, reason


class ClosedError(UsageError):
    """The vault was closed before this was asked of it, or opened by the process that forked this one."""

    def __init__(self, root: Path, *, forked: bool = False) -> None:
        super().__init__(
            f"the vault {root} was opened by another process" if forked else f"the vault {root} is closed",
            hint="open it in the process and for the time that it is used: with Vault.open(path) as vault",
        )
        self.root = root


class NotFoundError(VmemError):
    """Something the caller named is not there."""

    exit_code = 3


class VaultNotFoundError(NotFoundError):
    """No vault at the place named, nor above it."""

    def __init__(self, path: Path, below: Path | None = None) -> None:
        super().__init__(
            f"no vault at {path}, nor in any folder above it",
            hint="make one with: vmem init PATH   or name one with --vault PATH or VMEM_VAULT"
            if below is None
            else f"there is one in {below}: name it with --vault {below} or VMEM_VAULT, or go there",
        )
        self.path = path


class MemoryNotFoundError(NotFoundError):
    """No memory that this caller may read answers to the reference."""

    def __init__(self, ref: str, *, hint: str | None = None, removed: bool = False) -> None:
        super().__init__(
            f"no {'removed ' if removed else ''}memory is called {shown(ref)}",
            hint=hint
            or "name it by path, id or its beginning, title, alias or file name; vmem list shows them",
        )
        self.ref = ref


class RevisionNotFoundError(NotFoundError):
    """Git knows no such commit."""

    def __init__(self, revision: str, *, hint: str | None = None) -> None:
        super().__init__(
            f"git knows no commit {shown(revision)}", hint=hint or "vmem log lists the commits of memories"
        )
        self.revision = revision


class TokenUnknownError(NotFoundError):
    """A token of a look from which nothing can be told any more, since `reason`."""

    def __init__(self, token: str, reason: str) -> None:
        super().__init__(
            f"can't tell what changed since {shown(token)}: {reason}",
            hint="vmem changes --since 7d tells by commits; vmem list shows what there is",
        )
        self.token, self.reason = token, reason


class AmbiguousRefError(VmemError):
    """A reference fits several memories; `candidates` are (id, title, path), the id empty for none."""

    exit_code = 4

    def __init__(self, ref: str, candidates: Sequence[tuple[str, str, str]]) -> None:
        super().__init__(
            f"{shown(ref)} fits {len(candidates)} memories",
            hint="name one by its path, or by more of its id",
        )
        self.ref = ref
        self.candidates = tuple(candidates)


class FormatError(VmemError):
    """Text that does not have the form it must have."""

    exit_code = 65


class FileFormatError(FormatError):
    """A line of a file that can't be read as what it should be."""

    def __init__(self, path: str, line: int, reason: str, *, hint: str | None = None) -> None:
        hint = hint or "open the file in your editor and mend that line"
        super().__init__(f"{path}:{line}: {reason}", hint=hint)
        self.path, self.line, self.reason = path, line, reason


class FrontMatterError(FileFormatError):
    """Front matter that can't be read or can't be changed line by line."""


class ChecksFileError(FileFormatError):
    """The file of recall checks can't be read, or can't be added to."""


class ValueFormatError(FormatError):
    """A value given for a field is not of the field's form."""

    def __init__(self, field: str, text: str, expected: str, *, reason: str = "") -> None:
        why = f": {reason}" if reason else ""
        super().__init__(f"{field} can't be {shown(text)}{why}", hint=f"{field} takes {expected}")
        self.field, self.text = field, text
        self.expected, self.reason = expected, reason


class UnsafePathError(FormatError):
    """A path, namespace or agent name that leaves the vault or touches what is not memory."""

    def __init__(
        self, text: str, reason: str, *, what: str = "a place in the vault", hint: str | None = None
    ) -> None:
        super().__init__(
            f"{shown(text)} can't be {what}: {reason}",
            hint=hint or "use names of letters, digits, '-', '_' and '.', parted by '/'",
        )
        self.text = text
        self.reason = reason


class RefusedError(VmemError):
    """Content that a rule keeps out (`rule` names it; the text itself is never echoed)."""

    exit_code = 65

    def __init__(
        self, rule: str, reason: str, *, line: int | None = None, field: str | None = None, hint: str
    ) -> None:
        place = f" (line {line})" if line is not None else ""
        super().__init__(f"refused by rule {rule}: {reason}{place}", hint=hint)
        self.rule, self.line, self.field = rule, line, field
