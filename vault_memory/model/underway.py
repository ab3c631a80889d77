"""The commit that git is about to make, as a hook of it sees it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from vault_memory.model.namespace import VaultPath


class Form(StrEnum):
    """What a commit under way takes."""

    WHOLE = "whole"
    """Everything in the index: what is taken out of it is not in the commit."""
    PARTIAL = "partial"
    """Some files by name, through an index of its own that is thrown away afterwards."""
    NONE = "none"
    """No commit: somebody prepares one at the prompt."""
    CHECK = "check"
    """No commit: the pre-commit program runs its hooks over what is there."""
    OWN = "own"
    """A commit of vmem's own, which ran the hooks."""


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A commit under way. `amends` where it takes the place of HEAD.

    `aside_ns` is set where a program runs the hooks that first sets a person's unstaged changes
    aside: a file stamped at that time (nanoseconds since 1970) or later may lack one.
    """

    form: Form
    amends: bool = False
    aside_ns: int | None = None


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A file as the commit under way holds it, its bytes as git stores them."""

    path: VaultPath
    blob: str
    mode: int
    content: bytes
