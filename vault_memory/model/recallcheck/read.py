"""Reading the file of recall checks: strictly, and every fault with its line."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import NoReturn

from vault_memory.errors import ChecksFileError, UnsafePathError, UsageError
from vault_memory.model.filters.choice import NAMES
from vault_memory.model.hit import parse_strategy
from vault_memory.model.namespace import parse_agent
from vault_memory.model.recallcheck.check import FILE, RecallCheck, Wanted
from vault_memory.model.yamlfault import Snag, Trouble
from vault_memory.model.yamlread import Items, Node, Pairs, Text, key_text, read_tree, resolve

LARGEST = 256 * 1024
"""Bytes of a file of checks: some thousand of them."""
_SHOWN = 80
"""Characters of a wrong value that a message repeats."""
_BOM = "\ufeff"

EXAMPLE = "- ask: NVDA risk\n        must:\n          - shared/market/nvda-rsi-rule.md"


def read_checks(content: bytes) -> tuple[RecallCheck, ...]:
    """Every check of the file, in order; none for an empty one. Raises `ChecksFileError`."""
    return Page.of(content).checks()


class Page:
    """The file's text, and its tree as YAML (`root`; `None` for none)."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n")]
        root = read_tree(text)
        if isinstance(root, Snag):
            advice = root.advice or _ADVICE[root.trouble]
            raise ChecksFileError(FILE, root.line + 1, f"{root.trouble.value}: {root.reason}", hint=advice)
        self.root = None if root is None else resolve(root)

    @classmethod
    def of(cls, content: bytes) -> Page:
        """The file's content, without a byte order mark and with one form of line ends."""
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ChecksFileError(FILE, line, "not UTF-8", hint="save the file as UTF-8") from error
        return cls(text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n"))

    def checks(self) -> tuple[RecallCheck, ...]:
        """Every check, in order."""
        if self.root is None:
            return ()
        if not isinstance(self.root, Items):
            self.fault(self.root, "checks are a list", f"begin each of them with '- ask':\n      {EXAMPLE}")
        return tuple(map(self._check, self.root.items))

    def line(self, node: Node) -> int:
        """The line on which it begins, from 1."""
        return bisect_right(self._starts, node.start)

    def fault(self, node: Node, reason: str, hint: str) -> NoReturn:
        """Raise the error that names its line."""
        raise ChecksFileError(FILE, self.line(node), reason, hint=hint)

    def _check(self, item: Node) -> RecallCheck:
        given = self.keys(item, "a check", KEYS)
        if "ask" not in given:
            self.fault(item, "a check without a question", "give it one:  ask: NVDA risk")
        if not {"must", "must_not"} & given.keys():
            hint = "say under must what has to come back, or under must_not what must not"
            self.fault(item, "a check that nothing can break", hint)
        filter_ = given.get("filter")
        found = {_FIELDS.get(key, key): KEYS[key](self, value, key) for key, value in given.items()}
        line = self.line(filter_) if filter_ is not None else 0
        return RecallCheck(self.line(item), filter_line=line, **found)  # type: ignore[arg-type]  # typed by KEYS

    def keys(self, node: Node, what: str, known: Iterable[str]) -> dict[str, Node]:
        """The values of a map by key; a key that there is not, or twice, is a fault."""
        pairs = resolve(node)
        if not isinstance(pairs, Pairs):
            self.fault(node, f"{what} is made of keys with values", f"write it as:\n      {EXAMPLE}")
        found: dict[str, Node] = {}
        for key, value in pairs.pairs:
            name = key_text(key)
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"it takes {', '.join(known)}"
                self.fault(key, f"{what} has no {_quoted(name)}", hint)
            if name in found:
                self.fault(key, f"{name} stands there twice", "put all of it under one of them")
            found[name] = value
        return found

    def one_text(self, node: Node, key: str) -> str:
        """One text that is not empty."""
        value = resolve(node)
        if not isinstance(value, Text):
            self.fault(node, f"{key} is one text", f"write it as:  {key}: some words")
        if value.empty or not value.value.strip():
            self.fault(node, f"{key} is empty", "give it a value, or take the line out")
        return value.value.strip()

    def each(self, node: Node) -> list[Node]:
        """The items of a list; a value that is none, by itself."""
        value = resolve(node)
        return value.items if isinstance(value, Items) else [value]


def _quoted(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _number(page: Page, node: Node, key: str) -> int:
    text = page.one_text(node, key)
    if not (text.isascii() and text.isdecimal() and len(text) <= 9 and int(text)):
        page.fault(node, f"{key} can't be {_quoted(text)}", f"{key} takes a whole number, 1 or more")
    return int(text)


def _score(page: Page, node: Node, key: str) -> float:
    text = page.one_text(node, key)
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:  # nor is NaN a score
        page.fault(node, f"{key} can't be {_quoted(text)}", f"{key} takes a number from 0 to 1")
    return value


def _parsed(parse: Callable[[str], object], page: Page, node: Node, key: str) -> object:
    """What `parse` makes of a text; it says itself what it takes."""
    text = page.one_text(node, key)
    try:
        return parse(text)
    except (UsageError, UnsafePathError) as error:
        page.fault(node, f"{key}: {error.message}", error.hint or "")


def _filter(page: Page, node: Node, key: str) -> Mapping[str, str | list[str]]:
    found: dict[str, str | list[str]] = {}
    for name, value in page.keys(node, f"the {key}", NAMES).items():
        several = isinstance(resolve(value), Items) and name not in _ONE
        texts = [page.one_text(one, name) for one in (page.each(value) if several else [value])]
        found[name] = texts if several else texts[0]
    return found


_ONE = frozenset({"namespace", "since", "until"})
"""The parts of a filter that take one text; the others take several too."""


def _wanted(page: Page, node: Node, key: str) -> tuple[Wanted, ...]:
    """Names of memories, and texts as  text: words ."""
    found: list[Wanted] = []
    for one in page.each(node):
        value = resolve(one)
        if isinstance(value, Pairs):
            given = page.keys(one, f"an entry of {key}", ("text",))
            if not given:
                page.fault(one, f"an entry of {key} is empty", "name a memory, or write  text: some words")
            found.append(Wanted(page.line(one), page.one_text(given["text"], "text"), is_text=True))
        else:
            found.append(Wanted(page.line(one), page.one_text(one, f"an entry of {key}")))
    if not found:
        page.fault(node, f"{key} is empty", "name a memory under it, or take the line out")
    return tuple(found)


_Read = Callable[[Page, Node, str], object]

KEYS: dict[str, _Read] = {
    "ask": Page.one_text,
    "as": partial(_parsed, parse_agent),
    "max_tokens": _number,
    "first": _number,
    "strategy": partial(_parsed, parse_strategy),
    "min_score": _score,
    "filter": _filter,
    "must": _wanted,
    "must_not": _wanted,
}
"""The keys of a check in the order in which they are written, and how each is read."""

_FIELDS = {"as": "agent"}
"""Where a key has another name in `RecallCheck`."""

_ADVICE = {
    Trouble.INVALID: "open the file in your editor and mend that line",
    Trouble.TOO_BIG: "write the values out, and fewer of them",
}
