"""The rules that look at a whole vault: from what lies in it to findings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from shlex import quote

from vault_memory.model import lintlinks, pages_of_links
from vault_memory.model import pages_of_vaults as rules
from vault_memory.model.caseless import caseless
from vault_memory.model.conflict_copy import copy_of, told_copy
from vault_memory.model.memory import Entry, Finding
from vault_memory.model.namespace import VaultPath
from vault_memory.model.near import Known, near_duplicates
from vault_memory.model.normalform import normalized
from vault_memory.model.shelf import Shelf, Told
from vault_memory.model.split import split
from vault_memory.model.yamlread import Pairs, key_text, line_at, read_header

_LATE = datetime.max.replace(tzinfo=UTC)
FEW = 20
"""So many files may share an id for git to be asked which of them came first."""
_TELLING = 120
"""Characters of a text that is long enough to be called the same as another."""


def duplicate_ids(shelf: Shelf) -> Iterator[Told]:
    """Every file but the one that keeps the id; a conflict copy is told as such alone."""
    paths = {entry.path for entry in shelf.entries}
    for sharers in _by_id(shelf.entries).values():
        rest = [entry for entry in sharers if told_copy(entry.path, paths) is None]
        if len(rest) < 2:
            continue
        keeper, *others = in_order_of_age(rest, shelf.first_commit if len(rest) <= FEW else _not_asked)
        for entry in others:
            finding = Finding(
                rules.DUPLICATE_ID,
                entry.path,
                key_line(shelf.content(entry.path), "id"),
                f"has the same id as {keeper.path}",
                f"{keeper.path} is the older and keeps it; vmem lint --fix gives this one a new id",
            )
            yield Told(finding, tuple(one.path for one in sharers))


def in_order_of_age(
    entries: Sequence[Entry], first_commit: Callable[[VaultPath], datetime | None]
) -> list[Entry]:
    """The oldest first: by `created`, else by its first commit, else by path."""
    times = [entry.created or _LATE for entry in entries]
    tied = {at for at in times if times.count(at) > 1}

    def key(entry: Entry) -> tuple[datetime, datetime, str]:
        created = entry.created or _LATE
        return created, (first_commit(entry.path) or _LATE if created in tied else _LATE), entry.path

    return sorted(entries, key=key)


def conflict_copies(shelf: Shelf) -> Iterator[Told]:
    """Copies by name, and those that are named like one and say the same as the original."""
    by_path: dict[str, Entry] = {entry.path: entry for entry in shelf.entries}
    for entry in shelf.entries:
        copy = copy_of(entry.path)
        original = by_path.get(copy.original) if copy is not None else None
        if copy is None or original is None:
            continue
        if copy.told:
            message = f"a conflict copy of {original.path}; recall leaves it out"
        elif _says_the_same(shelf, entry, original):
            message = f"named like a copy of {original.path}, and says the same"
        else:
            continue
        advice = f"keep in {_name(original.path)} what is right, then: vmem forget {quote(entry.path)}"
        yield Told(Finding(rules.CONFLICT_COPY, entry.path, 1, message, advice), (original.path,))


def name_twins(shelf: Shelf) -> Iterator[Told]:
    """Files, or folders, of one folder whose names only a case-sensitive disk tells apart."""
    first_below: dict[str, str] = {}
    for entry in shelf.entries:
        parts = entry.path.split("/")
        for depth in range(1, len(parts) + 1):
            first_below.setdefault("/".join(parts[:depth]), entry.path)
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for place in first_below:
        folder, _, name = place.rpartition("/")
        groups[folder, caseless(name)].append(place)
    for places in groups.values():
        kept, *others = sorted(places)
        for place in others:
            what = "folder" if first_below[place] != place else "name"
            message = f"its {what} differs from {_difference(place, kept)}"
            advice = "rename one of them (git mv): on Windows and macOS they are one"
            finding = Finding(rules.NAME_TWIN, first_below[place], 1, message, advice)
            yield Told(finding, (first_below[kept],))


def _difference(place: str, kept: str) -> str:
    if normalized("NFC", place) == normalized("NFC", kept):
        return f"{_name(kept)!a} only in the form of its Unicode ({_name(place)!a})"
    return f"{_name(kept)!r} only in case"


def missing_ids(shelf: Shelf) -> Iterator[Told]:
    """Files that are known by their path alone; a copy needs no name of its own."""
    paths = {entry.path for entry in shelf.entries}
    for entry in shelf.entries:
        if entry.id is None and told_copy(entry.path, paths) is None:
            message = "has no id, so it is known by its path"
            advice = "vmem lint --fix --rule missing-id gives it one"
            yield Told(Finding(rules.MISSING_ID, entry.path, 1, message, advice))


def expired(shelf: Shelf) -> Iterator[Told]:
    """Memories whose time is over."""
    for entry in shelf.entries:
        if entry.expires is not None and entry.expires <= shelf.now:
            message = f"expired on {entry.expires:%Y-%m-%d}"
            advice = "vmem gc removes what has expired; pinned: true keeps it"
            yield Told(Finding(rules.EXPIRED, entry.path, 1, message, advice))


def unreadable(shelf: Shelf) -> Iterator[Told]:
    """What is called like a memory and is none."""
    for path, reason in shelf.odd:
        advice = "nothing of it is searched; mend it, or move it out of the vault"
        yield Told(Finding(rules.UNREADABLE, path, 1, reason, advice))


def empty_titles(shelf: Shelf) -> Iterator[Told]:
    """A `title:` with nothing behind it."""
    for entry in shelf.entries:
        for key, value in entry.front.items():
            if key.casefold() == "title" and value == "":
                line = key_line(shelf.content(entry.path), "title")
                message = f"title is empty; it is called {entry.title!r}"
                advice = "give it a title, or take the line out"
                yield Told(Finding(rules.EMPTY_TITLE, entry.path, line, message, advice))


def unversioned(shelf: Shelf) -> Iterator[Told]:
    """Memories that git ignores."""
    for entry in shelf.entries:
        if shelf.ignored(entry.path):
            message = "git ignores it, so it has no history and no clone has it"
            advice = "if that is not meant, take the line out of .gitignore"
            yield Told(Finding(rules.UNVERSIONED, entry.path, 1, message, advice))


def near_copies(shelf: Shelf) -> Iterator[Told]:
    """Texts that nearly repeat one before them."""
    known = Known()
    for number, entry in enumerate(shelf.entries):
        body = split(shelf.content(entry.path)).body
        # Notes made from one template are alike until somebody writes in them.
        first = known.first_like(number, body) if len(body) >= _TELLING else None
        if first is not None:
            other = shelf.entries[first].path
            message = f"says nearly the same as {other}"
            finding = Finding(rules.NEAR_DUPLICATE, entry.path, 1, message, "keep one of the two")
            yield Told(finding, (other,))


def secrets(shelf: Shelf, entry: Entry, content: bytes) -> Iterator[Told]:
    """What looks like a secret, in the file or in its name; never with the text."""
    return (Told(one) for one in secrets_in(entry.path, content, shelf.secrets))


def secrets_in(
    path: str, content: bytes, scan: Callable[[str], Iterable[tuple[str, int]]]
) -> Iterator[Finding]:
    """The same of any file; `scan` gives (rule, line) of each secret in a text."""
    advice = f"renew it where it is used, then take it out and commit; vmem lint --explain {rules.SECRET}"
    for rule, _line in scan(path):
        yield Finding(rules.SECRET, path, 1, f"its name looks like it holds a secret ({rule})", advice)
    for rule, line in scan(whole_text(content)):
        yield Finding(rules.SECRET, path, line, f"looks like a secret ({rule})", advice)


OfVault = Callable[[Shelf], Iterator[Told]]
OfFile = Callable[[Shelf, Entry, bytes], Iterator[Told]]

OF_VAULT: tuple[tuple[frozenset[str], OfVault], ...] = (
    (frozenset({rules.DUPLICATE_ID}), duplicate_ids),
    (frozenset({rules.CONFLICT_COPY}), conflict_copies),
    (frozenset({rules.NAME_TWIN}), name_twins),
    (frozenset({pages_of_links.BROKEN_LINK, pages_of_links.UNWRITTEN_NOTE}), lintlinks.broken_links),
    (frozenset({pages_of_links.MISSING_FILE}), lintlinks.missing_files),
    (frozenset({pages_of_links.LINK_BY_TITLE}), lintlinks.links_by_title),
    (frozenset({rules.MISSING_ID}), missing_ids),
    (frozenset({rules.EXPIRED}), expired),
    (frozenset({rules.UNREADABLE}), unreadable),
    (frozenset({rules.EMPTY_TITLE}), empty_titles),
    (frozenset({rules.UNVERSIONED}), unversioned),
    (frozenset({rules.NEAR_DUPLICATE}), near_copies),
)
"""Which codes each function can find, of the vault as a whole."""

OF_FILE: Mapping[str, OfFile] = {
    rules.SECRET: secrets,
    pages_of_links.MISSING_PLACE: lintlinks.missing_places,
    pages_of_links.MISSING_FILE: lintlinks.missing_pictures,
}
"""The same of one file and its bytes."""


def key_line(content: bytes, key: str) -> int:
    """The file's line on which a front matter key stands; 1 where it can't be told."""
    parts = split(content)
    header = read_header(parts.header) if parts.header else None
    if isinstance(header, Pairs) and parts.header is not None:
        for name, _ in header.pairs:
            if key_text(name).casefold() == key:
                return line_at(parts.header, name.start)
    return 1


def whole_text(content: bytes) -> str:
    """A file as text with its own lines, front matter and all."""
    parts = split(content, fenced=False)
    return parts.body if parts.encoding != "binary" else content.decode("utf-8", "replace")


def _by_id(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    found: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        if entry.id is not None:
            found[entry.id.casefold()].append(entry)
    return found


def _says_the_same(shelf: Shelf, one: Entry, other: Entry) -> bool:
    if one.version == other.version:
        return True
    if one.id is not None and other.id is not None:
        return one.id == other.id
    return bool(near_duplicates([split(shelf.content(one.path)).body, split(shelf.content(other.path)).body]))


def _not_asked(_: VaultPath) -> None:
    """In place of git's answer, where asking would take long."""


def _name(path: str) -> str:
    return path.rpartition("/")[2]
