"""One server's entry in a person's JSON: put in, brought up to date, or taken out."""

from __future__ import annotations

from collections.abc import Sequence

from vault_memory.model.clients.words import Wanted, is_ours
from vault_memory.model.editors.jsonsplice import appended, removed, replaced, with_key
from vault_memory.model.editors.jsontext import NoJsonError, Part, is_blank, read_json

VERB = "mcp"
_BLANK = ", \t\r\n\ufeff"


class TakenError(Exception):
    """There is something of that name which is not vmem's, on `line` of the file."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


def entry(wanted: Wanted, *, typed: bool) -> dict[str, object]:
    """The entry as it is written where there is none."""
    command, arguments = wanted.server()
    return {**({"type": "stdio"} if typed else {}), "command": command, "args": arguments}


def words_in(value: object) -> list[object]:
    """The words of the command that an entry names."""
    if not isinstance(value, dict):
        return []
    arguments = value.get("args")
    return [value.get("command"), *(arguments if isinstance(arguments, list) else [])]


def servers_in(value: object, key: str) -> dict[str, Sequence[object]]:
    """The commands of vmem's servers in a file's value, by name."""
    named = value.get(key) if isinstance(value, dict) else None
    found = {str(name): words_in(one) for name, one in named.items()} if isinstance(named, dict) else {}
    return {name: words for name, words in found.items() if is_ours(words, VERB)}


def with_server(text: str, key: str, name: str, value: dict[str, object], *, force: bool) -> str:
    """The text with that entry. One of vmem's is brought up to date by its command and arguments alone.

    Raises `NoJsonError`, and `TakenError` for one of another program unless `force`."""
    there = _find(text, [key, name])
    if there is None:
        return with_key(text, [key, name], value)
    if not is_ours(words_in(there.value), VERB):
        if there.value == value:
            return text
        if not force:
            raise TakenError(_line(text, there))
        return replaced(text, there, value)
    for field in ("command", "args"):
        entry = _find(text, [key, name])
        assert entry is not None
        old = entry.find(field)
        if old is None:
            text = appended(text, entry, value[field], field)
        elif old.value != value[field]:
            text = replaced(text, old, value[field])
    return text


def without_server(text: str, key: str, name: str, *, force: bool) -> str:
    """The text without that entry. Raises as `with_server` does."""
    there = _find(text, [key, name])
    if there is None:
        return text
    if not is_ours(words_in(there.value), VERB) and not force:
        raise TakenError(_line(text, there))
    return without_path(text, [key, name])


def without_path(text: str, path: Sequence[str | int]) -> str:
    """The text without the part at a path of keys and positions, nor what is empty then: lists, items of
    lists, and the last parts of objects. Raises `NoJsonError`."""
    line = [read_json(text)]
    for step in path:
        inner = line[-1].find(step) if isinstance(step, str) else line[-1].parts[step]
        assert inner is not None
        line.append(inner)
    while len(line) > 2 and _goes_too(text, line[-3], line[-2]):
        line.pop()
    return removed(text, line[-2], line[-1])


def _goes_too(text: str, outer: Part, whole: Part) -> bool:
    """Whether a part with one part left goes with that: it holds no remark, and is no object before others,
    which a person may keep for what comes."""
    stays = isinstance(whole.value, dict) and whole.key is not None and whole is not outer.parts[-1]
    if len(whole.parts) > 1 or stays:
        return False
    [only] = whole.parts
    begin = only.start if only.key is None else only.at
    around = text[whole.start + 1 : begin] + text[only.end : whole.end - 1]
    return not around.strip(_BLANK)


def _find(text: str, path: Sequence[str]) -> Part | None:
    here = None if is_blank(text) else read_json(text)
    for key in path:
        if here is None:
            return None
        if not isinstance(here.value, dict):
            raise NoJsonError(here.start)
        here = here.find(key)
    return here


def _line(text: str, part: Part) -> int:
    return text.count("\n", 0, part.at) + 1
