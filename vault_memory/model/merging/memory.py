"""Three versions of a memory's file become one: front matter by key, the text by lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from vault_memory.errors import FormatError
from vault_memory.model.header import Header, open_header
from vault_memory.model.merging.lines import Clash, merge_keys, values_of
from vault_memory.model.merging.values import Act, expected, joined, texts_of
from vault_memory.model.split import split

MergeLines = Callable[[bytes, bytes, bytes], tuple[bytes, bool]]
"""(base, ours, theirs) → their lines merged, with markers where that can't be, and whether it could."""

_EMPTY_BLOCK = "---{0}---{0}"


class Merged(NamedTuple):
    """The file of both sides. `clean` is whether nothing is left to decide."""

    content: bytes
    clean: bool
    clashes: tuple[Clash, ...] = ()
    lines: bool = False
    """Whether lines stand between markers that both sides changed, the text's as a rule."""


def merge(
    path: str, base: bytes, ours: bytes, theirs: bytes, *, lines: MergeLines, marked: bool = True
) -> Merged:
    """Merge what two sides made of `base` (nothing, where both have made the file).

    What both changed otherwise stands in the text, between markers, so that front matter stays such; without
    `marked`, ours alone stands, if only `lines` sees to that too.
    Where front matter of one of them can't be read all is merged by lines.
    """
    if theirs in (ours, base):
        return Merged(ours, clean=True)
    if ours == base:
        return Merged(theirs, clean=True)
    try:
        headers = _opened(path, base), _opened(path, ours), _opened(path, theirs)
        front, clashes = _front(*headers, lines=lines)
    except FormatError:
        return _by_lines(base, ours, theirs, lines)
    text, clean = lines(*(one.content[one.parts.body_start :] for one in headers))
    has_block = all(split(one).header is not None for one in (ours, theirs))
    merged = _joined(front, clashes if marked else (), text, keep=has_block)
    if merged is None:
        return _by_lines(base, ours, theirs, lines)
    return Merged(merged, clean and not clashes, clashes, lines=not clean)


def _by_lines(base: bytes, ours: bytes, theirs: bytes, lines: MergeLines) -> Merged:
    merged, clean = lines(base, ours, theirs)
    return Merged(merged, clean, lines=not clean)


def _opened(path: str, content: bytes) -> Header:
    """The file; one without front matter gets an empty block, so that keys can come into it."""
    header = open_header(path, content)
    if header.parts.header is not None:
        return header
    mark, newline = header.parts.bom, header.parts.newline
    return open_header(path, mark + _EMPTY_BLOCK.format(newline).encode() + content[len(mark) :])


def _front(
    base: Header, ours: Header, theirs: Header, *, lines: MergeLines
) -> tuple[Header, tuple[Clash, ...]]:
    """A file with the front matter of both: by lines where these say the same as the keys, else by key."""
    raw, clean = lines(*(one.content[slice(*one.parts.header_span)] for one in (base, ours, theirs)))
    if clean:
        first, last = ours.parts.header_span
        try:
            found = open_header(ours.path, ours.content[:first] + raw + ours.content[last:])
            if _says(found, base, ours, theirs):
                return found, ()
        except FormatError:
            pass
    content, clashes = merge_keys(base, ours, theirs)
    return open_header(ours.path, content), clashes


def _says(found: Header, base: Header, ours: Header, theirs: Header) -> bool:
    """Whether each key is what the rule for it makes of the three."""
    was, mine, other, now = (values_of(one) for one in (base, ours, theirs, found))
    right = {Act.KEEP: mine.get, Act.TAKE: other.get}
    for key, act in expected(was, mine, other).items():
        if act is Act.CLASH:
            return False
        if act is Act.JOIN:
            wanted = joined(key, was.get(key), mine.get(key), other.get(key))
            if sorted(texts_of(key, now.get(key))) != sorted(wanted):
                return False
        elif now.get(key) != right[act](key):
            return False
    return True


def _joined(front: Header, clashes: tuple[Clash, ...], text: bytes, *, keep: bool) -> bytes | None:
    """The file of front matter and text; `None` where it would not read as these. A block without keys stays
    with `keep` only."""
    newline = front.parts.newline
    marked = "".join(map(_marked, clashes)).replace("\n", newline).encode()
    body = marked + text
    if not keep and front.text.strip() == "" and not marked:
        bare = front.parts.bom + body
        if split(bare).header is None:
            return bare
    head = front.content[: front.parts.body_start]
    if body and not head.endswith((b"\n", b"\r")):
        head += newline.encode()
    after = split(head + body)
    return head + body if after.header == front.parts.header and after.body_start == len(head) else None


def _marked(clash: Clash) -> str:
    """What both have made of a key, for a person to decide."""
    return f"<<<<<<< ours\n{clash.ours}=======\n{clash.theirs}>>>>>>> theirs\n"


__all__ = ["MergeLines", "Merged", "merge"]
