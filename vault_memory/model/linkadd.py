"""Adding a link to a front matter list, or taking one out, so that one line changes."""

from __future__ import annotations

from collections.abc import Callable

from vault_memory.model.header import Edit, Header, open_header, prove
from vault_memory.model.links import entries_of, front_links, link_of
from vault_memory.model.listsplice import entry_added, entry_taken
from vault_memory.model.memory import Link
from vault_memory.model.splice import replacement, splice
from vault_memory.model.yamlread import Items, Node, Text
from vault_memory.model.yamlwrite import quoted


def links_under(path: str, content: bytes, key: str) -> list[Link]:
    """The links of a front matter key, in order. Raises `FrontMatterError` where it can't be read."""
    header = open_header(path, content)
    number = header.find(key)
    return [] if number is None else _links(header, number, key)


def add_link(path: str, content: bytes, key: str, target: str) -> bytes:
    """The file with `"[[target]]"` at the end of that key's list; a new key is a line of its own.

    Raises `FrontMatterError` where the file can't be changed so.
    """
    text = f"[[{target}]]"
    header = open_header(path, content)
    number = header.find(key)
    if number is None:
        return splice(path, content, {key: [text]})
    header.after_colon(number)
    value = header.pairs.pairs[number][1]
    wanted = [*(link.target for link in _links(header, number, key)), target]
    if isinstance(value, Items):
        edit = entry_added(header, number, value, text)
    elif isinstance(value, Text) and value.style not in ("|", ">"):
        own = header.text[value.start : value.end] if value.style else quoted(value.value)
        entries = quoted(text) if value.empty else f"{own}, {quoted(text)}"
        edit = replacement(header, number, f"[{entries}]")
    else:
        raise header.refuse(value.start, f"{key!r} is written in a way to which no link can be added")
    return _proven(header, edit, key, wanted).content


def remove_links(path: str, content: bytes, key: str, gone: Callable[[Link], bool]) -> bytes:
    """The file without the entries of that key for which `gone` says yes.

    A list that becomes empty stays as an empty list. Raises `FrontMatterError`.
    """
    header = open_header(path, content)
    while (number := header.find(key)) is not None:
        value = header.pairs.pairs[number][1]
        at = next((at for at, entry in enumerate(entries_of(value)) if _goes(header, entry, key, gone)), None)
        if at is None:
            break
        header.after_colon(number)
        links = _links(header, number, key)
        kept = [link.target for link in links]
        kept.remove(next(link.target for link in links if gone(link)))
        if isinstance(value, Items):
            edit = entry_taken(header, value, at)
        else:
            edit = replacement(header, number, "[]")
        header = _proven(header, edit, key, kept)
    return header.content


def _goes(header: Header, entry: Node, key: str, gone: Callable[[Link], bool]) -> bool:
    link = link_of(entry, header.text, key.casefold())
    return link is not None and gone(link)


def _links(header: Header, number: int, key: str) -> list[Link]:
    value = header.pairs.pairs[number][1]
    found = front_links(value, header.text, key.casefold())
    return [link for link in found if isinstance(link, Link)]


def _proven(header: Header, edit: Edit, key: str, wanted: list[str]) -> Header:
    after = prove(header, header.apply(edit), key)
    number = after.find(key)
    if number is None or [link.target for link in _links(after, number, key)] != wanted:
        raise header.refuse(edit.start, "the links would not read back as they should")
    return after
