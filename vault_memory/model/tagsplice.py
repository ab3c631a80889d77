"""Adding and removing tags in the style in which a file's tags are written."""

from __future__ import annotations

from collections.abc import Iterable

from vault_memory.errors import FrontMatterError
from vault_memory.model.header import Edit, Header, open_header, prove
from vault_memory.model.listsplice import entry_added, entry_taken
from vault_memory.model.splice import replacement, splice
from vault_memory.model.tags import bare_tag, json_list, read_tags, tags_in_text
from vault_memory.model.yamlread import Items, Node, Text, resolve
from vault_memory.model.yamlwrite import written

_KEYS = ("tags", "tag")


def splice_tags(path: str, content: bytes, *, add: Iterable[str] = (), remove: Iterable[str] = ()) -> bytes:
    """The file without some tags and with others; case makes no difference between two tags.

    Each tag changes, adds or takes out one line. One that is there already, or is not there to be
    removed, changes nothing; one that is to go and to come stays. Raises `FrontMatterError` where
    the file can't be changed so.
    """
    adding = [bare_tag(tag) for tag in add]
    gone = {tag.casefold() for tag in map(bare_tag, remove)} - {tag.casefold() for tag in adding}
    content = _without(path, content, frozenset(gone))
    for tag in adding:
        content = _with_tag(path, content, tag)
    return content


def _without(path: str, content: bytes, gone: frozenset[str]) -> bytes:
    if not gone:
        return content
    for key in _KEYS:
        header = open_header(path, content)
        while (number := header.find(key)) is not None:
            found, _ = read_tags(header.pairs.pairs[number][1])
            kept = [tag for tag in found if tag.casefold() not in gone]
            if kept == found:
                break
            header = _without_one(header, number, key, gone, kept)
        content = header.content
    return content


def _with_tag(path: str, content: bytes, tag: str) -> bytes:
    header = open_header(path, content)
    places = [(key, number) for key in _KEYS if (number := header.find(key)) is not None]
    present = {had.casefold() for _, number in places for had in read_tags(header.pairs.pairs[number][1])[0]}
    if tag.casefold() in present:
        return content
    if not places:
        return splice(path, content, {"tags": [tag]})
    key, number = places[0]
    wanted = [*_tags_of(header, number), tag]
    value = header.pairs.pairs[number][1]
    header.after_colon(number)
    if isinstance(value, Items):
        return _proven(header, entry_added(header, number, value, tag), key, wanted).content
    if not isinstance(value, Text) or value.style in ("|", ">"):
        raise header.refuse(value.start, f"{key!r} is written in a way to which no tag can be added")
    if not value.empty:
        inline = _in_text(header, value, tag)
        if inline is not None and (after := _try(header, inline, key, wanted)) is not None:
            return after.content
    return _proven(header, replacement(header, number, written(wanted)), key, wanted).content


def _tags_of(header: Header, number: int) -> list[str]:
    found, odd = read_tags(header.pairs.pairs[number][1])
    if odd:
        raise header.refuse(odd[0].start, "a list or map stands where a tag should")
    return found


def _in_text(header: Header, value: Text, tag: str) -> Edit | None:
    """The tag inside a text such as `alpha, beta`; `None` where it has to become a list."""
    inner_end = value.end - 1 if value.style else value.end
    listed = json_list(value.value)
    if listed is not None:
        if value.style != "'":
            return None
        closing = header.text.rindex("]", value.start, value.end)
        return Edit(closing, closing, f', "{tag}"' if listed else f'"{tag}"')
    parted_by_spaces = "," not in value.value and len(tags_in_text(value.value)) > 1
    return Edit(inner_end, inner_end, f"{' ' if parted_by_spaces else ', '}{tag}")


def _without_one(header: Header, number: int, key: str, gone: frozenset[str], kept: list[str]) -> Header:
    """The header with one of the tags gone (of a text: with all of them gone)."""
    value = header.pairs.pairs[number][1]
    header.after_colon(number)
    if isinstance(value, Items):
        at = next(place for place, item in enumerate(value.items) if _is_one_of(item, gone))
        left = [tag for item in (*value.items[:at], *value.items[at + 1 :]) for tag in _tags_in(item)]
        return _proven(header, entry_taken(header, value, at), key, left)
    if not isinstance(value, Text) or value.style in ("|", ">"):
        raise header.refuse(value.start, f"{key!r} is written in a way from which no tag can be taken")
    if kept and value.style != '"' and json_list(value.value) is None:
        after = _try(header, _out_of_text(header, value, gone), key, kept)
        if after is not None:
            return after
    return _proven(header, replacement(header, number, written(kept)), key, kept)


def _out_of_text(header: Header, value: Text, gone: frozenset[str]) -> Edit:
    quote = 1 if value.style else 0
    start, end = value.start + quote, value.end - quote
    inner = header.text[start:end]
    sign = "," if "," in inner else " "
    kept = [part for part in inner.split(sign) if bare_tag(part).casefold() not in gone]
    return Edit(start, end, sign.join(kept).strip())


def _is_one_of(item: Node, gone: frozenset[str]) -> bool:
    return any(tag.casefold() in gone for tag in _tags_in(item))


def _tags_in(item: Node) -> list[str]:
    node = resolve(item)
    if not isinstance(node, Text) or node.empty:
        return []
    tag = bare_tag(node.value)
    return [tag] if tag else []


def _proven(header: Header, edit: Edit, key: str, wanted: list[str]) -> Header:
    after = prove(header, header.apply(edit), key)
    number = after.find(key)
    if number is None or _tags_of(after, number) != wanted:
        raise header.refuse(edit.start, "the tags would not read back as they should")
    return after


def _try(header: Header, edit: Edit, key: str, wanted: list[str]) -> Header | None:
    """Like `_proven`, with `None` where the tag does not fit into the text as it is written."""
    try:
        return _proven(header, edit, key, wanted)
    except FrontMatterError:
        return None
