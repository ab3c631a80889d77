"""The names in folders, kept as long as a folder provably stands as it was listed."""

from __future__ import annotations

import os
import threading
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

TICK_NS = 2_000_000_000
"""So coarse may a file system's times be: of two changes in one tick the second leaves no trace."""
CONTINUED_SECONDS = 1.0
"""How long a listing is carried on over writes of ours."""
MOST_NAMES = 200_000
"""So many names are kept in all, about 20 MB of them."""

Key = tuple[int, int, int, int]
"""(device, inode, mtime_ns, ctime_ns) of a folder."""


@dataclass(slots=True)
class _Listing:
    """What a folder held at the monotonic time `listed`, and whether any change since shows in its key."""

    key: Key
    listed: float
    settled: bool
    names: frozenset[str]
    spellings: dict[str, bytes | None] | None
    """Each folded name's own form, `None` where several fold to it; only where that was asked for."""
    continued: bool = False
    """Whether it is of a folder that we wrote to since."""

    def holds(self, now: float) -> bool:
        """Whether it may be taken for the folder, whose key is the same."""
        return self.settled or (self.continued and self.may_go_on(now))

    def may_go_on(self, now: float) -> bool:
        """Whether a write of ours may still carry it on."""
        return self.settled or now - self.listed <= CONTINUED_SECONDS


class Listings:
    """Lists folders, each again only where it may have changed since.

    A change of a folder shows in its times only where it comes in a later tick of the file system's clock
    than the one before. So a listing is trusted only if it was made when the folder had stood for longer
    than a tick. What that clock says is learned from the files that we write.

    A folder that we write to is not listed after each file: for a second the names are carried on. A
    name that somebody else adds in the very moment of such a write may be missed for as long. That does
    no harm, since no file is ever written over another (`missed`).
    """

    def __init__(self) -> None:
        self._kept: dict[bytes, _Listing] = {}
        self._names = 0
        self._now_ns = 0
        self._mutex = threading.Lock()

    def before(self, folder: bytes) -> Key:
        """How the folder stands just before a write of ours. Raises `OSError`."""
        return _key(folder)

    def learn_time(self, changed_ns: int) -> None:
        """Take the file system's own time for a change made just now."""
        self._now_ns = changed_ns

    def added(self, place: bytes, before: Key) -> None:
        """Take a name that we made just now, in a folder that stood like `before`."""
        folder, _, name = place.rpartition(b"/")
        now = time.monotonic()
        with self._mutex:
            kept = self._kept.get(folder)
            if kept is None or kept.key != before or not kept.may_go_on(now):
                return
            listed = now if kept.settled else kept.listed
            names = kept.names | {folded(name)}
            self._keep(folder, _Listing(_key(folder), listed, False, names, None, continued=True))

    def missed(self, folder: bytes) -> None:
        """Forget a folder that holds a name that we did not know of."""
        with self._mutex:
            gone = self._kept.pop(folder, None)
            self._names -= len(gone.names) if gone is not None else 0

    def names(self, folder: bytes) -> frozenset[str]:
        """The folded names in it. Raises `OSError` where it can't be listed."""
        return self._look(folder, spellings=False).names

    def spelling(self, folder: bytes, name: bytes) -> bytes | None:
        """The one name in the folder that folds to the same as `name`; `None` for none, and for several.
        Raises `OSError` where it can't be listed."""
        found = self._look(folder, spellings=True).spellings
        return found.get(folded(name)) if found is not None else None

    def _look(self, folder: bytes, *, spellings: bool) -> _Listing:
        # The key comes before the listing: what happens between the two then shows as a change.
        key, now = _key(folder), time.monotonic()
        with self._mutex:
            kept = self._kept.get(folder)
        same = kept if kept is not None and kept.key == key else None
        if same is not None and not (spellings and same.spellings is None) and same.holds(now):
            return same
        settled = max(key[2:]) + TICK_NS < self._now_ns
        raw = os.listdir(folder)
        names = folded_all(raw)
        own = same is not None and same.continued
        apart = _spellings(names, raw) if spellings else None
        found = _Listing(key, now, settled, frozenset(names), apart, continued=own)
        with self._mutex:
            self._keep(folder, found)
        return found

    def _keep(self, folder: bytes, listing: _Listing) -> None:
        before = self._kept.pop(folder, None)
        self._names += len(listing.names) - (len(before.names) if before is not None else 0)
        self._kept[folder] = listing
        while self._names > MOST_NAMES and len(self._kept) > 1:
            # The oldest, but never the one in hand; whoever asks for it next lists it again.
            gone = self._kept.pop(next(iter(self._kept)))
            self._names -= len(gone.names)


def folded_all(names: Sequence[bytes]) -> list[str]:
    """The names as `folded` gives each, in their order."""
    # In one piece: no name holds a slash, nothing folds to one, and no mark composes with one.
    return folded(b"/".join(names)).split("/") if names else []


def folded(name: bytes) -> str:
    """A name case-folded and in NFC: the same for two names that some file systems take for one."""
    if name.isascii():
        return name.lower().decode("ascii")
    return unicodedata.normalize("NFC", name.decode("utf-8", "surrogateescape").casefold())


def _spellings(names: Sequence[str], raw: Sequence[bytes]) -> dict[str, bytes | None]:
    found: dict[str, bytes | None] = {}
    for name, own in zip(names, raw, strict=True):
        found[name] = None if name in found else own
    return found


def _key(folder: bytes) -> Key:
    status = os.stat(folder)
    return status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns
