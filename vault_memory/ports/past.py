"""Everything that git holds of a vault on any branch, tag or stash, for whoever looks for what must go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from vault_memory.model.past import PastCommit


class Past(Protocol):
    """The whole history. Raises `GitError`."""

    @property
    def shallow(self) -> bool:
        """Whether older commits are missing in this clone."""

    def commits(self) -> Iterator[PastCommit]:
        """Every commit that any ref leads to and that touched the vault, newest first."""

    def contents(self, names: Iterable[str], *, most: int) -> Iterator[tuple[str, bytes | None]]:
        """Each of these blobs with its bytes; `None` where they are not in this clone or more than `most`."""

    def now(self) -> Mapping[str, str]:
        """The blob of each file of the vault in HEAD, by path."""
