"""What may not enter a memory: the blocking rules, checked before any file exists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from vault_memory.config.settings import Settings
from vault_memory.errors import ConflictError, RefusedError, UsageError, VmemError
from vault_memory.model.draft import Edit
from vault_memory.model.memory import Draft
from vault_memory.model.namespace import Scope
from vault_memory.ports import Ports

TEXT = "text"
Given = tuple[str, str]
"""A field's name, and the text that it is to hold."""
T = TypeVar("T")

REPEATED = 10_000
"""Characters of a value, far more than a message of its fault would repeat."""

INSTEAD = "take it out and write where it is kept"
IF_NONE = "if it is none, --allow-secret (in Python allow_secret=True) writes it"


def check_texts(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    given: Iterable[Given],
    *,
    known: str = "",
    allow_secret: bool = False,
) -> None:
    """Raise `RefusedError` for texts that a rule keeps out; they are never echoed.

    `known` is what the file holds already, and what stands there may stay.
    """
    check_allowed(scope, allow_secret=allow_secret)
    for field, text in given:
        size = len(text.encode("utf-8", "surrogatepass"))
        limit = settings["max_memory_bytes"]
        if size > limit:
            raise RefusedError(
                "size",
                f"{size:,} bytes are more than the limit of {limit:,}",
                field=field,
                hint="split it, or raise max_memory_bytes in .vmem/config.toml",
            )
        if not allow_secret and (found := ports.scanner.scan(text, known=known)):
            raise _refused(scope, field, found)


def check_allowed(scope: Scope, *, allow_secret: bool) -> None:
    """Raise `PersonOnlyError` where an agent asks to write a secret all the same."""
    if allow_secret:
        scope.check_person("allow a secret", hint=f"{INSTEAD}, or ask the person to write it")


def check_draft(
    ports: Ports,
    settings: Settings,
    scope: Scope,
    draft: Draft,
    *,
    allow_secret: bool = False,
) -> None:
    """The same for everything that a draft would write, the names of its file and folders too."""
    if not draft.text.strip() and not (draft.title or "").strip():
        raise UsageError("there is no text to remember", hint='vmem remember "what to keep"')
    check_texts(ports, settings, scope, _of_draft(scope, draft), allow_secret=allow_secret)


def check_edit(
    ports: Ports, settings: Settings, scope: Scope, change: Edit, content: bytes, *, allow_secret: bool
) -> None:
    """The same for what a change brings into a file of that content."""
    known = content.decode("utf-8", "replace")
    check_texts(ports, settings, scope, _of_edit(change), known=known, allow_secret=allow_secret)


def checked(ports: Ports, scope: Scope, given: Mapping[str, object], make: Callable[[], T]) -> T:
    """What `make` makes of what a caller gave. If it says no, and a secret is among what was given,
    that is what is told: its own message may repeat it."""
    try:
        return make()
    except VmemError:
        for field, text in _texts(given):
            if found := ports.scanner.scan(text[:REPEATED]):
                raise _refused(scope, field, found) from None
        raise


def refuse_to_commit(ports: Ports, path: str, content: bytes, before: bytes | None) -> None:
    """Raise `ConflictError` where a person's change brings a secret in: git never forgets one."""
    reason = brought_in(ports, content, before)
    if reason is not None:
        raise ConflictError(
            path,
            f"it holds a change of yours that vmem does not commit: {reason}",
            hint="take the secret out; if it is none, commit the file yourself",
        )


def brought_in(ports: Ports, content: bytes, before: bytes | None) -> str | None:
    """Which secrets a file's new content has that it had not before, in words; `None` for none."""
    known = (before or b"").decode("utf-8", "replace")
    found = ports.scanner.scan(content.decode("utf-8", "replace"), known=known)
    return f"it looks like it holds a secret ({_places(found)})" if found else None


def warning(ports: Ports, path: str, content: bytes | None) -> tuple[str, ...]:
    """What to say of a content that comes back from history."""
    found = ports.scanner.scan((content or b"").decode("utf-8", "replace"))
    if not found:
        return ()
    return (f"{path} looks like it holds a secret ({_places(found)}), and so does the history of the vault",)


def _of_draft(scope: Scope, draft: Draft) -> Iterator[Given]:
    # Front matter that came with the text is a part of it, and its lines are counted in.
    yield TEXT, draft.text if draft.header is None else f"---\n{draft.header}---\n{draft.text}"
    yield "title", draft.title or ""
    yield from (("tag", tag) for tag in draft.tags)
    yield from (("link", link) for link in draft.links)
    yield "namespace", draft.namespace or ""
    yield "agent", scope.agent or ""
    yield "kind", draft.kind or ""
    yield from _of_keys(draft.extra)
    yield "key of the text's own", draft.header or ""


def _of_edit(change: Edit) -> Iterator[Given]:
    yield TEXT, change.text or ""
    yield from (("tag", tag) for tag in change.add_tags)
    yield from _of_keys(change.fields)


def _of_keys(fields: Mapping[str, object]) -> Iterator[Given]:
    """As they will stand in the file: a value is often known for a secret by the name of its key."""
    for key, value in fields.items():
        if value is not None:
            for one in value if isinstance(value, list | tuple) else (value,):
                yield f"key {key}", f"{key}: {one}"


def _texts(given: Mapping[str, object]) -> Iterator[Given]:
    """Every text in what a caller gave, however deep."""
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield from _texts({str(name): each for name, each in value.items()})
        elif isinstance(value, list | tuple | set | frozenset):
            yield from ((key, str(each)) for each in value)
        else:
            yield key, str(value) if key == TEXT else f"{key}: {value}"


def _refused(scope: Scope, field: str, found: Sequence[tuple[str, int]]) -> RefusedError:
    rule, line = found[0]
    # A key's name can be what holds the secret, so the message names none.
    what = "a front matter key" if field.startswith("key ") else f"the {field}"
    what = f"{what} looks like it holds"
    reason = f"{what} a secret" if len(found) == 1 else f"{what} {len(found)} secrets: {_places(found)}"
    error = RefusedError(
        rule,
        reason,
        line=line if field == TEXT and len(found) == 1 else None,
        field=field.partition(" ")[0],
        hint=INSTEAD if scope.agent is not None else f"{INSTEAD}; {IF_NONE}",
    )
    error.line = line if field == TEXT else None
    return error


def _places(found: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{rule} in line {line}" for rule, line in found)
