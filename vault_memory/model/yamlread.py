"""Reading YAML in which every scalar stays the text that was written: front matter, and lists of ours."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from vault_memory.model import codes
from vault_memory.model.codes import Fault
from vault_memory.model.split import HEADER_LINE
from vault_memory.model.yamlfault import Snag, Trouble, explain

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_HEADER_BYTES = 256 * 1024
"""Front matter larger than this is not read."""
MAX_NODES = 10_000
"""How many values a text may hold, each alias counted with all that it stands for."""
MAX_DEPTH = 64
"""How deep lists and maps may be nested, aliases followed."""

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
"""What YAML takes for "nothing" when it is not quoted."""


@dataclass(slots=True)
class Node:
    """A value in the text; `start` and `end` are offsets in it."""

    start: int
    end: int
    anchor: str | None


@dataclass(slots=True)
class Text(Node):
    """A scalar. `style` is empty where it is unquoted, else one of `'`, `"`, `|`, `>`."""

    value: str
    style: str

    @property
    def empty(self) -> bool:
        """Whether YAML takes it for "nothing"."""
        return not self.style and self.value in NULLS


@dataclass(slots=True)
class Items(Node):
    """A list."""

    items: list[Node]
    flow: bool


@dataclass(slots=True)
class Pairs(Node):
    """A map in the order written, with whatever keys it has, twice or not."""

    pairs: list[tuple[Node, Node]]
    flow: bool


@dataclass(slots=True)
class Reference(Node):
    """An alias, `*name`."""

    target: Node


def read_header(text: str) -> Pairs | Fault:
    """Parse the text between the fences; whatever is wrong with it comes back as the fault."""
    size = len(text.encode("utf-8"))
    if size > MAX_HEADER_BYTES:
        return Fault(
            codes.TOO_LARGE,
            1,
            f"front matter has {size:,} bytes; at most {MAX_HEADER_BYTES:,} are read",
            "move the long parts into the body",
        )
    root = read_tree(text)
    if isinstance(root, Snag):
        return _fault(root)
    if root is None:
        return Pairs(0, 0, None, [], flow=False)
    if isinstance(root, Pairs):
        return root
    what = "a list" if isinstance(root, Items) else "text"
    return Fault(
        codes.NOT_KEYS,
        line_at(text, root.start),
        f"what lies between the fences is {what}, not keys with values",
        "write it as  key: value  lines, or begin the file with an empty line to keep it as text",
    )


def read_tree(text: str) -> Node | Snag | None:
    """Parse any text as YAML; `None` where it holds nothing."""
    yaml, loader = _yaml()
    build = _Build(text)
    try:
        for event in yaml.parse(text, Loader=loader):
            snag = build.take(event)
            if snag is not None:
                return snag
    except yaml.YAMLError as error:
        return explain(error, text)
    root = build.root
    return None if root is None or (isinstance(root, Text) and root.empty) else root


def plain(node: Node) -> Any:
    """The value as text, lists of text and maps: what JSON can hold."""
    if isinstance(node, Reference):
        return plain(node.target)
    if isinstance(node, Text):
        return node.value
    if isinstance(node, Items):
        return [plain(item) for item in node.items]
    assert isinstance(node, Pairs)
    result: dict[str, Any] = {}
    for key, value in node.pairs:
        result.setdefault(key_text(key), plain(value))
    return result


def key_text(key: Node) -> str:
    """A key as text; a list or map as key (`{{date}}` is one) is shown by its parts."""
    value = plain(key)
    return value if isinstance(value, str) else str(value)


def resolve(node: Node) -> Node:
    """What an alias stands for; any other node itself."""
    while isinstance(node, Reference):
        node = node.target
    return node


def anchors_in(node: Node) -> Iterator[str]:
    """The anchors on the node and inside it."""
    if node.anchor is not None:
        yield node.anchor
    if isinstance(node, Items):
        for item in node.items:
            yield from anchors_in(item)
    elif isinstance(node, Pairs):
        for key, value in node.pairs:
            yield from anchors_in(key)
            yield from anchors_in(value)


def line_at(text: str, offset: int) -> int:
    """The file's line of an offset in the header's text."""
    return HEADER_LINE + text.count("\n", 0, offset)


def _fault(snag: Snag) -> Fault:
    """What is wrong, said of front matter."""
    code, advice = _OF_HEADER[snag.trouble]
    message = f"front matter is {snag.trouble.value}: {snag.reason}"
    return Fault(code, HEADER_LINE + snag.line, message, snag.advice or advice)


_OF_HEADER = {
    Trouble.INVALID: (codes.NOT_YAML, "the text is still searchable; mend the line in your editor"),
    Trouble.TOO_BIG: (codes.EXPLODES, "write the values out, or move them into the body"),
}


@cache
def _yaml() -> tuple[Any, Any]:
    # Imported at first use: commands that read no file need not pay for it.
    import yaml

    return yaml, getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(slots=True)
class _Open:
    """A list or map whose end has not come yet."""

    node: Items | Pairs
    key: Node | None = None
    size: int = 1
    height: int = 1


class _Build:
    """Builds the tree from events without recursion, counting what aliases would expand to."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[_Open] = []
        self.root: Node | None = None
        self._documents = 0
        self._anchors: dict[str, tuple[Node, int, int] | None] = {}
        self._nodes = 0

    def take(self, event: Any) -> Snag | None:
        name = type(event).__name__
        start, end = event.start_mark.index, event.end_mark.index
        if name == "ScalarEvent":
            style = event.style if event.style in _QUOTED else ""
            value = event.value
            if not style and event.tag and event.tag.startswith("!"):
                value = f"{event.tag} {value}".strip()  # `!important` is a type to YAML, and text to people
            return self._add(Text(start, end, event.anchor, value, style), 1, 1)
        if name == "SequenceStartEvent":
            return self._begin(Items(start, end, event.anchor, [], bool(event.flow_style)))
        if name == "MappingStartEvent":
            return self._begin(Pairs(start, end, event.anchor, [], bool(event.flow_style)))
        if name in ("SequenceEndEvent", "MappingEndEvent"):
            done = self._open.pop()
            done.node.end = end
            return self._add(done.node, done.size, done.height)
        if name == "AliasEvent":
            return self._alias(event.anchor, start, end)
        if name == "DocumentStartEvent":
            self._documents += 1
            if self._documents > 1:
                advice = "a line  ---  parts them: take it out"
                return self._snag(start, "a second document begins in it", advice)
        return None

    def _begin(self, node: Items | Pairs) -> Snag | None:
        if len(self._open) >= MAX_DEPTH:
            return self._explodes(node.start, f"nested deeper than {MAX_DEPTH} levels")
        if node.anchor is not None:
            self._anchors[node.anchor] = None
        self._open.append(_Open(node))
        return None

    def _alias(self, anchor: str, start: int, end: int) -> Snag | None:
        known = self._anchors.get(anchor)
        if known is not None:
            target, size, height = known
            return self._add(Reference(start, end, None, target), size, height)
        if anchor in self._anchors:
            return self._explodes(start, f"*{anchor} refers to a value that holds it")
        reason = f"'*' begins a reference, and no &{anchor} stands above"
        return self._snag(start, reason, "quote a value that begins with '*'")

    def _add(self, node: Node, size: int, height: int) -> Snag | None:
        self._nodes += 1
        if node.anchor is not None:
            self._anchors[node.anchor] = (node, size, height)
        if size > MAX_NODES or self._nodes > MAX_NODES:
            return self._explodes(node.start, f"more than {MAX_NODES:,} values, aliases expanded")
        if height > MAX_DEPTH:
            return self._explodes(node.start, f"nested deeper than {MAX_DEPTH} levels")
        if not self._open:
            self.root = node
            return None
        parent = self._open[-1]
        parent.size += size
        parent.height = max(parent.height, height + 1)
        if isinstance(parent.node, Items):
            parent.node.items.append(node)
        elif parent.key is None:
            parent.key = node
        else:
            parent.node.pairs.append((parent.key, node))
            parent.key = None
        return None

    def _snag(self, offset: int, reason: str, advice: str) -> Snag:
        return Snag(Trouble.INVALID, self._text.count("\n", 0, offset), reason, advice)

    def _explodes(self, offset: int, reason: str) -> Snag:
        return Snag(Trouble.TOO_BIG, self._text.count("\n", 0, offset), reason)


_QUOTED = frozenset("'\"|>")
