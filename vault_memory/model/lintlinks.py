"""The rules about links: those that lead to no memory, to no file, or to no place in one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vault_memory.model import pages_of_links as rules
from vault_memory.model.anchors import anchored_links
from vault_memory.model.linkmap import Leads, names_a_file, names_by_dots
from vault_memory.model.links import OWN_KEYS, file_marks
from vault_memory.model.markdown import fenced_spans
from vault_memory.model.memory import Entry, Finding, Link
from vault_memory.model.namespace import VaultPath, is_memory_name
from vault_memory.model.shelf import Shelf, Told
from vault_memory.model.split import split

_MAY_NAME_A_PLACE = re.compile(rb"\[\[[^\]\n]*#|\]\([^)\n]*#")
_MAY_SHOW_A_FILE = b"]("


def broken_links(shelf: Shelf) -> Iterator[Told]:
    """Links that lead nowhere: those that name a file, and wikilinks to notes that nobody has written."""
    links = shelf.places()
    for path, link in shelf.links:
        if not links.resolve(path, link).broken or _is_placeholder(link.target):
            continue
        target = repr(link.target)
        if link.kind in OWN_KEYS:
            code, message = rules.BROKEN_LINK, f"{link.kind}: no memory is called {target}"
            advice = "name the memory as it is called now, or take the entry out"
        elif is_memory_name(link.target):
            code, message = rules.BROKEN_LINK, f"the link leads to {target}, and no such memory is there"
            advice = "name the file where it lies now, or take the link out"
        else:
            code, message = rules.UNWRITTEN_NOTE, f"no note is called {target} (yet)"
            advice = "write it, or correct the name"
        yield Told(Finding(code, path, link.line, message, advice))


def links_by_title(shelf: Shelf) -> Iterator[Told]:
    """Links that only vmem follows, since they name a note by its title, alias or id."""
    links = shelf.places()
    for path, link in shelf.links:
        if link.kind in OWN_KEYS or names_by_dots(link.target, link.label):
            continue
        found = links.resolve(path, link)
        if found.path is None or found.by_place:
            continue
        target = links.target_of(found.path, path)
        message = f"{link.target!r} is no file's name; vmem finds {found.path} by title, alias or id"
        advice = (
            f"for other programs too: [[{target}|{link.label or link.target}]]" if target else "name the file"
        )
        yield Told(Finding(rules.LINK_BY_TITLE, path, link.line, message, advice), (found.path,))


def missing_files(shelf: Shelf) -> Iterator[Told]:
    """Wikilinks to pictures and other files that are not in the vault."""
    links = shelf.places()
    for path, link in shelf.links:
        if links.resolve(path, link).leads is Leads.FILE and not _is_placeholder(link.target):
            yield from _told_if_missing(shelf, path, link)


def missing_pictures(shelf: Shelf, entry: Entry, content: bytes) -> Iterator[Told]:
    """The same of `![](picture.png)` and `[text](paper.pdf)`."""
    if _MAY_SHOW_A_FILE not in content:
        return
    parts = split(content)
    for mark in file_marks(parts.body, parts.body_line, fenced_spans(parts.body)):
        target = mark.link.target
        if mark.form != "wiki" and names_a_file(entry.path, target) and not _is_placeholder(target):
            yield from _told_if_missing(shelf, entry.path, mark.link)


def _told_if_missing(shelf: Shelf, path: VaultPath, link: Link) -> Iterator[Told]:
    if not shelf.attachments().has(path, link.target):
        message = f"no file of the vault is called {link.target!r}"
        advice = "put it there, or name it as it is called now"
        yield Told(Finding(rules.MISSING_FILE, path, link.line, message, advice))


def missing_places(shelf: Shelf, entry: Entry, content: bytes) -> Iterator[Told]:
    """Links to a heading or block that their note does not have (any more)."""
    if not _MAY_NAME_A_PLACE.search(content):
        return
    parts = split(content)
    for found in anchored_links(parts.body, parts.body_line, fenced_spans(parts.body)):
        link, anchor = found.link, found.anchor
        path: VaultPath | None = entry.path
        if link.target:
            leads = shelf.places().resolve(entry.path, link)
            path = None if leads.by_label else leads.path
        elif "#" in link.label:
            path = None  # the label is the link, where labels come first
        if path is None or _is_placeholder(anchor) or shelf.anchors(path).has(anchor):
            continue
        what = "block" if anchor.startswith("^") else "heading"
        message = f"{path} has no {what} {anchor.removeprefix('^')!r}"
        advice = f"name the {what} as it is called now, or link to the note as a whole"
        yield Told(Finding(rules.MISSING_PLACE, entry.path, link.line, message, advice), (path,))


def _is_placeholder(target: str) -> bool:
    """Whether a template still has to fill it in: `[[{{date}}]]`, `[[<% tp.file.title %>]]`."""
    return any(sign in target for sign in ("{{", "<%", "${"))
