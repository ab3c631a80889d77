"""What the links of a vault lead to, found as an editor of linked notes finds it.

A target is a place first: a path from the file's folder or from the vault's root, or the end of a
path (`name`, `folder/name`), with or without `.md`, in any case and Unicode form. Else it is an
alias, a title or an id. What stands behind a `#` is not asked (`anchors`).
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from vault_memory.model.caseless import caseless
from vault_memory.model.links import LINK
from vault_memory.model.memory import Entry, Link
from vault_memory.model.namespace import ENDINGS, VaultPath, is_memory_name, without_ending
from vault_memory.model.ref import id_prefix_of

_URL = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://|mailto:)")
_OF_A_VAULT = re.compile(r"dendron://[^/]*/(.+)", re.IGNORECASE | re.DOTALL)
"""A link that also names its vault."""
_DOTTED = re.compile(r"[^\W\d][\w-]*(?:\.[\w-]+)+")
_CUTS = ("#", "^")
_STEPS = re.compile(r"(?:^|/)\.{1,2}/")
_UNFIT = re.compile(r"[\[\]|#^\x00-\x1f]")
"""What can't stand in the target of `[[target]]`."""
_FILES = frozenset(
    "avif bmp gif heic ico jpeg jpg png svg tif tiff webp 3gp flac m4a mp3 ogg opus wav webm mkv mov mp4 ogv "
    "avi pdf base canvas excalidraw drawio csv tsv json yaml yml toml xml html htm css js ts py sh sql ipynb "
    "tex bib epub txt rtf log doc docx odt xls xlsx ods ppt pptx odp zip gz tar 7z".split()
)
"""Endings of files that are no memories, so that a link to one isn't a broken link to a memory."""


class Leads(StrEnum):
    """What kind of thing a link leads to."""

    MEMORY = "memory"
    FILE = "file"
    """A picture, a PDF: by its ending no memory; whether it is there is not asked."""
    ELSEWHERE = "elsewhere"
    """A URL, or a place that is no part of the vault."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a link leads. `paths` are the memories that it fits, the one it leads to first."""

    leads: Leads
    paths: tuple[VaultPath, ...] = ()
    by_label: bool = False
    """Whether it was the text behind the bar that named the memory."""
    by_place: bool = True
    """Whether it is found by file name or path, as every other program finds it, and not by a title,
    an alias or an id."""

    @property
    def path(self) -> VaultPath | None:
        """The memory it leads to."""
        return self.paths[0] if self.paths else None

    @property
    def broken(self) -> bool:
        """Whether it was to lead to a memory and leads to none."""
        return self.leads is Leads.NOTHING

    @property
    def ambiguous(self) -> bool:
        """Whether it fits several memories equally well, so that the choice is only a rule's."""
        return len(self.paths) > 1


_Places = list[tuple[str, VaultPath]]
"""Paths as they are compared (folded; without an ending if none was asked for) and as they are."""

_NOTHING = Resolution(Leads.NOTHING)
_ELSEWHERE = Resolution(Leads.ELSEWHERE)
_FILE = Resolution(Leads.FILE)


@dataclass(frozen=True, slots=True)
class Named:
    """A memory by all that a link may call it."""

    path: VaultPath
    title: str = ""
    aliases: tuple[str, ...] = ()
    id: str | None = None


class LinkMap:
    """Every memory of a vault by its names. What a scope may not read must not be put in."""

    def __init__(self, memories: Iterable[Named | Entry]) -> None:
        self._memories = list(memories)
        self._by_name: dict[str, list[VaultPath]] = {}
        self._id_of: dict[VaultPath, str | None] = {}
        for memory in self._memories:
            name = caseless(without_ending(memory.path.rpartition("/")[2]))
            self._by_name.setdefault(name, []).append(memory.path)
            self._id_of[memory.path] = memory.id
        self._places: dict[str, _Places] = {}
        self._called: tuple[Callable[[str], Iterable[VaultPath]], ...] | None = None
        self._ids: list[tuple[str, VaultPath]] | None = None
        self._found: dict[tuple[str, str, str, bool], Resolution] = {}

    @classmethod
    def of(cls, memories: Iterable[Named | Entry]) -> LinkMap:
        """The map of these memories."""
        return cls(memories)

    def resolve(self, source: str, link: Link) -> Resolution:
        """What a link leads to that stands in the file `source`."""
        folder = source.rpartition("/")[0]
        key = (folder, link.target, link.label, link.kind != LINK)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._resolve(folder, link.target, link.label, key[3])
        return found

    def called(self, name: str) -> tuple[VaultPath, ...]:
        """All memories whose file's name, or end of path, is `name`; in order, shortest path first."""
        name = name.strip("/")
        return _by_end(self._named(name), "", name)

    def target_of(self, path: VaultPath, source: str) -> str | None:
        """The shortest target by which `[[target]]` in `source` leads to that memory and no other.

        Its file's name, else as much of its path as it takes, else its id; `None` where its name
        holds what no link can, and it has no id.
        """
        segments = without_ending(path).split("/")
        ends = ["/".join(segments[start:]) for start in range(len(segments) - 1, -1, -1)]
        for target in (*ends, path, f"/{path}", self._id_of.get(path) or ""):
            if fits_a_link(target) and self.resolve(source, Link(target, 0)).paths == (path,):
                return target
        return None

    def _resolve(self, folder: str, target: str, label: str, by_prefix: bool) -> Resolution:
        """The target if it is a place, else the label if that is one, else what is called so.

        Where labels come first, `[[Tags|topic.tags]]` means the second even if a `tags.md` is there.
        """
        named, behind = _inside(target), _inside(label)
        order = [(named, False), (behind, True)] if behind else [(named, False)]
        if names_by_dots(named, behind):
            order.reverse()
        for text, is_label in order:
            for form in _forms(text):
                if paths := self._by_place(folder, form):
                    return Resolution(Leads.MEMORY, paths, is_label)
        look = self._by_call_or_prefix if by_prefix else self._by_call
        for form in _forms(named):
            if paths := look(folder, form):
                return Resolution(Leads.MEMORY, paths, by_place=False)
        return _ELSEWHERE if _URL.match(label) else _without_memory(folder, target)

    def _by_place(self, folder: str, target: str) -> tuple[VaultPath, ...]:
        named = self._named(target)
        if not named:
            return ()
        if "/" not in target:
            if is_memory_name(target) and folder and (beside := _at(named, f"{folder}/{target}")):
                return beside
            return _at(named, target) or _by_end(named, folder, target)
        if target.startswith("/"):
            return _at(named, target.lstrip("/"))
        if _STEPS.search(target):
            place = _joined(folder, target)
            return _at(named, place) if place is not None else ()
        if is_memory_name(target) and folder and (beside := _at(named, f"{folder}/{target}")):
            return beside
        return _at(named, target) or _by_end(named, folder, target)

    def _named(self, target: str) -> _Places:
        """The memories whose file is called so, with their folded paths; shortest path first."""
        name = caseless(target[target.rfind("/") + 1 :])
        if name.endswith(ENDINGS):
            # `x.md` is the file of that name, else one called `x.md.md`.
            whole = [(caseless(path), path) for _, path in self._places_of(without_ending(name))]
            return [place for place in whole if place[0].rpartition("/")[2] == name] or self._places_of(name)
        return self._places_of(name)

    def _places_of(self, name: str) -> _Places:
        places = self._places.get(name)
        if places is None:
            if name not in self._by_name:
                return []
            paths = sorted(self._by_name[name], key=lambda path: (len(path), path))
            places = self._places[name] = [(without_ending(caseless(path)), path) for path in paths]
        return places

    def _by_call(self, folder: str, name: str) -> tuple[VaultPath, ...]:
        """By alias, title or id, in that order."""
        if self._called is None:
            self._called = tuple(self._names())
        key = caseless(name)
        here = f"{folder}/" if folder else ""
        for look in self._called:
            if found := look(key):
                return tuple(sorted(found, key=lambda path: (not path.startswith(here), len(path), path)))
        return ()

    def _by_call_or_prefix(self, folder: str, name: str) -> tuple[VaultPath, ...]:
        """In front matter an id may be cut short."""
        return self._by_call(folder, name) or tuple(self._by_prefix(name))

    def _names(self) -> Iterator[Callable[[str], Iterable[VaultPath]]]:
        aliases: dict[str, dict[VaultPath, None]] = {}
        titles: dict[str, dict[VaultPath, None]] = {}
        ids: dict[str, dict[VaultPath, None]] = {}
        for memory in self._memories:
            for alias in memory.aliases:
                aliases.setdefault(caseless(alias), {})[memory.path] = None
            titles.setdefault(caseless(memory.title), {})[memory.path] = None
            if memory.id:
                ids.setdefault(caseless(memory.id), {})[memory.path] = None
        for names in (aliases, titles, ids):
            names.pop("", None)
            yield lambda name, names=names: names.get(name, ())  # type: ignore[misc]  # binds this turn's

    def _by_prefix(self, name: str) -> Iterator[VaultPath]:
        prefix = id_prefix_of(name)
        if prefix is None:
            return
        if self._ids is None:
            self._ids = sorted((one.id.upper(), one.path) for one in self._memories if one.id)
        at = bisect_left(self._ids, (prefix, ""))
        while at < len(self._ids) and self._ids[at][0].startswith(prefix):
            yield self._ids[at][1]
            at += 1


def fits_a_link(target: str) -> bool:
    """Whether `[[target]]` is read back as just that target."""
    return bool(target) and target == target.strip() and not _UNFIT.search(target) and target[-1] != "\\"


def names_a_file(source: str, target: str) -> bool:
    """Whether a target in the file `source` is that of a picture or another file that is no memory, and
    would lie in the vault."""
    outside = _URL.match(target) or _lies_outside(source.rpartition("/")[0], target)
    return not outside and _ends_as_a_file(target)


def may_be_folder(name: str) -> bool:
    """Whether a name could be a folder's that notes or pictures lie in: not hidden, and not a file's."""
    return not (name.startswith(".") or is_memory_name(name) or _ends_as_a_file(name))


def _at(named: _Places, place: str) -> tuple[VaultPath, ...]:
    """The memory at a path from the root; of twins in case or Unicode form the one that is meant."""
    wanted = caseless(place)
    found = [path for folded, path in named if folded == wanted]
    if len(found) > 1:
        found = [path for path in found if place in (path, without_ending(path))][:1] or found
    return tuple(found)


def _by_end(named: _Places, folder: str, target: str) -> tuple[VaultPath, ...]:
    """Those whose path ends so: those below the file's own folder first."""
    found = [path for _, path in named]
    if "/" in target:
        wanted = f"/{caseless(target)}"
        found = [path for folded, path in named if f"/{folded}".endswith(wanted)]
    if len(found) > 1 and folder:
        found.sort(key=lambda path: not path.startswith(f"{folder}/"))
    return tuple(found)


def _inside(text: str) -> str:
    """The name alone of a link that also names its vault, which may be this one."""
    found = _OF_A_VAULT.fullmatch(text)
    return found[1] if found else text


def names_by_dots(target: str, label: str) -> bool:
    """Whether the label looks like a name such as `topic.tags`, and the target does not."""
    return bool(_DOTTED.fullmatch(_cut(label, "#"))) and not _DOTTED.fullmatch(target)


def _forms(target: str) -> Iterator[str]:
    """The target whole, since a name may hold any sign, then without heading and block."""
    yield target
    for mark in _CUTS:
        if mark in target[1:]:
            yield _cut(target, mark)


def _cut(target: str, mark: str) -> str:
    return target.partition(mark)[0].strip() or target


def _without_memory(folder: str, target: str) -> Resolution:
    if _URL.match(target):
        return _ELSEWHERE
    bare = _cut(target, "#")
    if _lies_outside(folder, bare):
        return _ELSEWHERE
    return _FILE if _ends_as_a_file(bare) else _NOTHING


def _ends_as_a_file(target: str) -> bool:
    return "." in target and target.rpartition(".")[2].casefold() in _FILES


def _joined(folder: str, target: str) -> str | None:
    """The path from the root, `None` where it leads out of the vault."""
    place = posixpath.normpath(posixpath.join(folder, target))
    return None if place == ".." or place.startswith("../") else place


def _lies_outside(folder: str, target: str) -> bool:
    """Whether the target is a place that vmem does not look at: out of the vault, or hidden."""
    if "/" not in target:
        return False
    place = _joined(folder, target.lstrip("/"))
    return place is None or any(segment.startswith(".") for segment in place.split("/"))
