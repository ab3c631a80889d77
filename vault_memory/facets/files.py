"""`vault.files`: memories changed as files: by a program of the caller's own, linked, moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from vault_memory.compose import Opened
from vault_memory.model.comparison import Comparison
from vault_memory.model.namespace import Scope
from vault_memory.model.outcome import Moved, Written
from vault_memory.ops.diff import diff
from vault_memory.ops.edit import edit_in_place
from vault_memory.ops.link import link, unlink
from vault_memory.ops.move import move


@dataclass(frozen=True, slots=True)
class FilesFacet:
    """The Markdown files of one open vault."""

    opened: Opened
    freshen: Callable[[], tuple[str, ...]]

    def edit(
        self,
        scope: Scope,
        ref: str,
        change: Callable[[Path], None],
        *,
        if_match: str | None = None,
        allow_secret: bool = False,
    ) -> Written:
        """Let `change` (an editor, say) do with a memory's file as it likes, then index and commit it.

        It is given the file and returns when it is done; nothing is locked meanwhile. A version
        that a person left uncommitted is committed first, as theirs. `if_match` and `allow_secret` are
        as for `Agent.edit`; what looks like a secret stays in the file and is not committed.
        """
        self.freshen()
        root = self.opened.ports.files.root
        return edit_in_place(
            self.opened.ports,
            self.opened.settings,
            scope,
            ref,
            lambda path: change(root / path),
            if_match=if_match,
            allow_secret=allow_secret,
        )

    def diff(self, scope: Scope, *what: str) -> Comparison:
        """What has changed: in the files since HEAD; with a memory, in it (its last commit where nothing
        is uncommitted); with a commit, since then; with two, between them.

        Raises `MemoryNotFoundError`, `RevisionNotFoundError`, `GitError`.
        """
        notices = self.freshen()
        found = diff(self.opened.ports, self.opened.settings.zone, scope, what)
        return replace(found, notices=(*notices, *found.notices))

    def link(self, scope: Scope, ref: str, to: str, *, key: str = "links", remove: bool = False) -> Written:
        """Add the memory `to` to a list in the front matter of `ref`, or take it out; one line changes.

        `key` is `links`, `supersedes` or a key of the person's own. Raises `UsageError` for a memory
        that is to be linked to itself, `FrontMatterError` where the list can't be changed by the line.
        """
        self.freshen()
        change = unlink if remove else link
        return change(self.opened.ports, self.opened.settings, scope, ref, to, key=key)

    def move(self, scope: Scope, ref: str, to: str, *, update_links: bool = False) -> Moved:
        """Give a memory another folder (`"archive/"`), name or path; id and text stay, in one commit.

        With `update_links` the links that lead to it are changed too, in all that the scope may write.
        Raises `ConflictError` where something has that name, and then nothing was moved.
        """
        self.freshen()
        return move(self.opened.ports, self.opened.settings, scope, ref, to, update_links=update_links)
