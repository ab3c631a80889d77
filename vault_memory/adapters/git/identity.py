"""Who the person is: the committer of every commit, and the author of their own."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from vault_memory.config.environ import git_identity
from vault_memory.model.revision import Author

if TYPE_CHECKING:
    import pygit2

    from vault_memory.adapters.git.settings import Settings

_NAME_KEYS = ("committer.name", "user.name")
_EMAIL_KEYS = ("committer.email", "user.email")


def person(settings: Settings) -> Author | None:
    """The committer git would name: environment first, then configuration; `None` if git had to guess."""
    name, email = git_identity()
    for key in _NAME_KEYS:
        name = name or settings.text(key)
    for key in _EMAIL_KEYS:
        email = email or settings.text(key)
    # Git takes these characters out of a name, and has nobody left where nothing remains.
    name = (name or "").translate({ord(mark): None for mark in "<>\n"}).strip(" .,:;\"'\\")
    email = (email or "").translate({ord(mark): None for mark in "<>\n"}).strip()
    return Author(name, email) if name and email else None


def signature(author: Author, at: datetime) -> pygit2.Signature:
    """The author or committer line for a moment, in UTC."""
    import pygit2

    return pygit2.Signature(author.name, author.email, int(at.timestamp()), 0, "utf-8")


def environment(author: Author, committer: Author, at: datetime, now: datetime) -> dict[str, str]:
    """The same two lines for the git program."""
    return {
        "GIT_AUTHOR_NAME": author.name,
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_AUTHOR_DATE": f"{int(at.timestamp())} +0000",
        "GIT_COMMITTER_NAME": committer.name,
        "GIT_COMMITTER_EMAIL": committer.email,
        "GIT_COMMITTER_DATE": f"{int(now.timestamp())} +0000",
    }
