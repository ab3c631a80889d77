"""Reading a data set of conversations from its file, in whichever form it is."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from vault_memory.errors import FormatError, NotFoundError
from vault_memory.evaluate.recall import locomo, longmemeval
from vault_memory.evaluate.recall.conversations import Conversation, Dataset

FORMS: dict[str, tuple[str, Callable[[list[object], str], Dataset]]] = {
    locomo.FORM: ("qa", locomo.read_locomo),
    longmemeval.FORM: ("haystack_sessions", longmemeval.read_longmemeval),
}
"""The forms by name: a key that each of its entries has, and what reads them."""
AUTO = "auto"
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


def read(file: Path, form: str = AUTO) -> Dataset:
    """The conversations in the file. Raises `NotFoundError`, `FormatError`."""
    found = _json(file)
    entries = found if isinstance(found, list) else [found]
    if form == AUTO:
        form = _form_of(entries, file)
    found = FORMS[form][1](entries, file.name)
    return replace(found, conversations=tuple(_named_apart(found.conversations)))


def _named_apart(conversations: Sequence[Conversation]) -> Iterator[Conversation]:
    """The conversations, each with a name that can be a folder's and that no other has."""
    taken: set[str] = set()
    for number, one in enumerate(conversations, start=1):
        name = _UNSAFE.sub("-", one.name).strip("-.") or f"conversation-{number}"
        if name.casefold() in taken:
            name = f"{name}-{number}"
        taken.add(name.casefold())
        yield replace(one, name=name)


def _form_of(entries: list[object], file: Path) -> str:
    first = entries[0] if entries else None
    for form, (key, _) in FORMS.items():
        if isinstance(first, dict) and key in first:
            return form
    keys = " nor ".join(repr(key) for key, _ in FORMS.values())
    raise FormatError(
        f"{file} is no set of conversations: its first entry has neither {keys}",
        hint="vmem eval takes LoCoMo (locomo10.json) or LongMemEval (longmemeval_s.json);"
        " questions about your own vault: vmem eval --questions FILE.yaml",
    )


def _json(file: Path) -> object:
    try:
        return json.loads(file.read_bytes())
    except FileNotFoundError as error:
        raise NotFoundError(f"there is no file {file}", hint="name a data set that you have") from error
    except OSError as error:
        raise NotFoundError(f"{file} can't be read: {error.strerror}", hint="name a readable file") from error
    except (ValueError, RecursionError) as error:
        mine = file.suffix.lower() in {".yaml", ".yml"}
        hint = "vmem eval --questions FILE asks your own vault" if mine else "name a data set in JSON"
        raise FormatError(f"{file} is not JSON: {error}", hint=hint) from error
