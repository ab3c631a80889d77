"""`vault.files`: memories changed as files: by a program of the caller's own, linked, moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from vault_memory.compose import Opened
from vault_memory.model.comparison import Comparison
from vault_memory.model.namespace import Scope
from vault_memory.model.outcome import Moved, Written
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

    def diff(self, scope: Scope, *what: str, staged: bool = False) -> Comparison:
        """What has changed: in the files since HEAD; with a memory, in it (its last commit where nothing
        is uncommitted); with a commit, since then; with two, or `A..B`, between them; with `A...B`, on B
        since the two parted. `staged` is the commit that git is about to make.

        Raises `MemoryNotFoundError`, `RevisionNotFoundError`, `GitError`.
        """
        # Loaded when it is asked for: an edit or a move needs none of the flags.
        from vault_memory.ops.diff import diff

        notices = self.freshen()
        found = diff(self.opened.ports, self.opened.settings, scope, what, staged=staged)
        return replace(found, notices=(*notices, *found.notices))

    def link(self, scope: Scope, ref: str, to: str, *, key: str = "links", remove: bool = False) -> Written:
        """Add the memory `to` to a list in the front matter of `ref`, or take it out; one line changes.

        `key` is `links`, `supersedes` or a key of the person's own. Raises `UsageError` for a memory
        that is to be linked to itself, `FrontMatterError` where the list can't be changed by the line.
        """
        self.freshen()
        change = unlink if remove else link
        return change(self.opened.ports, self.opened.settings, scope, ref, to, key=key)

    def move(self, scope: Scope, ref: str, to: str, *, update_links: bool = True) -> Moved:
        """Give a memory another folder (`"archive/"`), name or path; id and text stay, in one commit.

        The links that lead to it are changed too, in all that the scope may write, but for
        `update_links=False`. Raises `ConflictError` where something has that name; nothing was moved then.
        """
        self.freshen()
        return move(self.opened.ports, self.opened.settings, scope, ref, to, update_links=update_links)
