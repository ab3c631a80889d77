"""What the move of a file does to links, and the targets that keep them leading where they led."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vault_memory.model.linkmap import LinkMap
from vault_memory.model.linksplice import MARKDOWN
from vault_memory.model.memory import Link
from vault_memory.model.namespace import VaultPath, folder_of, is_memory_name, without_ending


@dataclass(frozen=True, slots=True)
class Relinking:
    """A vault's links before and after one file went from `start` to `end`."""

    before: LinkMap
    after: LinkMap
    start: VaultPath
    end: VaultPath

    def touched(self, links: Iterable[tuple[VaultPath, Link]]) -> list[tuple[VaultPath, Link]]:
        """The links that would no longer lead where they led, each with the file it stood in."""
        return [(path, link) for path, link in links if self._meant(path, link) is not None]

    def target(self, path: VaultPath, link: Link, form: str) -> tuple[str, bool] | None:
        """What to write instead in a link of `path` (as it was called before), and whether that goes
        where the label stands; `None` where the link needs no change, or none would help."""
        meant = self._meant(path, link)
        if meant is None:
            return None
        by_label = self.before.resolve(path, link).by_label
        for target in self._candidates(path, link.label if by_label else link.target, meant, form):
            changed = replace(link, label=target) if by_label else replace(link, target=target)
            if self._still_leads(path, link, changed, meant):
                return target, by_label
        return None

    def _meant(self, path: VaultPath, link: Link) -> VaultPath | None:
        """Where a link has to lead that now would lead elsewhere; `None` for every other."""
        led = self.before.resolve(path, link).path
        if led is None:
            return None
        meant = self._now(led)
        return None if self._still_leads(path, link, link, meant) else meant

    def _still_leads(self, path: VaultPath, old: Link, new: Link, meant: VaultPath) -> bool:
        """Whether the new link leads there as the old one led, by a name that others know as well.

        Other programs know no titles, and browsers of Markdown only paths from the file's folder or
        from the root, not the mere end of a path.
        """
        before, after = self.before.resolve(path, old), self.after.resolve(self._now(path), new)
        if after.path != meant or after.by_label != before.by_label or after.by_place < before.by_place:
            return False
        assert before.path is not None
        was_exact = _is_exact(path, old.target, before.path)
        return not was_exact or _is_exact(self._now(path), new.target, meant)

    def _now(self, path: VaultPath) -> VaultPath:
        return self.end if path == self.start else path

    def _candidates(self, path: VaultPath, old: str, meant: VaultPath, form: str) -> Iterator[str]:
        """Targets in the shape that the old one has, best first."""
        source = self._now(path)
        beside = posixpath.relpath(meant, folder_of(source) or ".")
        if form == MARKDOWN:
            led = posixpath.normpath(posixpath.join(folder_of(path), old))
            from_folder = self._now(VaultPath(led)) == meant or led.casefold() == self.start.casefold()
            yield from _with_ending(old, meant, beside, from_folder=from_folder)
            return
        whole: str = meant if is_memory_name(old) else without_ending(meant)
        if old.startswith(("./", "../")):
            beside = beside if beside.startswith("../") else f"./{beside}"
            yield beside if is_memory_name(old) else without_ending(beside)
        elif old.startswith("/"):
            yield f"/{whole}"
        elif "/" in old:
            yield whole
        elif is_memory_name(old):
            yield meant.rpartition("/")[2]
        shortest = self.after.target_of(meant, source)
        if shortest is not None:
            yield shortest
        yield whole


def carried_along(link: Link, form: str, start: VaultPath, end: VaultPath) -> tuple[VaultPath, str] | None:
    """The place that a link to a file leads to from the note at `start`, and the target that leads there from
    `end`; `None` where the target is not looked for from the note's folder, or stays the same."""
    if link.target.startswith("/"):
        return None
    place = posixpath.normpath(posixpath.join(folder_of(start), link.target))
    if place == ".." or place.startswith("../"):
        return None
    target = posixpath.relpath(place, folder_of(end) or ".")
    # Without steps in front a wikilink would be looked for everywhere, not from the folder.
    steps = form != MARKDOWN or link.target.startswith("./")
    if steps and not target.startswith("../"):
        target = f"./{target}"
    return None if target == link.target else (VaultPath(place), target)


def _with_ending(old: str, meant: VaultPath, beside: str, *, from_folder: bool) -> Iterator[str]:
    """For `[text](target.md)`: from the file's own folder, or from the root, as it was."""
    if old.startswith("/"):
        yield f"/{meant}"
    elif not from_folder:
        yield meant if "/" in old else meant.rpartition("/")[2]
    elif old.startswith("./") and not beside.startswith("../"):
        yield f"./{beside}"
    yield beside
    yield meant
    yield f"/{meant}"


def _is_exact(source: VaultPath, target: str, path: VaultPath) -> bool:
    """Whether a target with an ending is the whole path from the file's folder, or from the root."""
    if not is_memory_name(target):
        return False
    beside = posixpath.normpath(posixpath.join(folder_of(source), target))
    return path in (beside, target.lstrip("/"))
