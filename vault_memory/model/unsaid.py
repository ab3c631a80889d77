"""What a draft brings beside its text that the memory which says the same does not have."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from vault_memory.model.again import words_said
from vault_memory.model.flags.statements import agree_in_title
from vault_memory.model.memory import Draft, Memory
from vault_memory.model.succession import Told, own_title


def is_of_the_same(draft: Draft, memory: Memory) -> bool:
    """Whether the titles let both be about one thing, where each has one of its own."""
    mine, theirs = Told(draft.text, draft.title).own_title, own_title(memory)
    return mine is None or theirs is None or agree_in_title(mine, theirs)


def title_is_known(draft: Draft, memory: Memory) -> bool:
    """Whether the draft's title says nothing that the memory's title and text do not."""
    said = {*words_said(memory.title), *words_said(memory.body)}
    return said.issuperset(words_said(draft.title or ""))


def unsaid(draft: Draft, memory: Memory) -> str | None:
    """What to tell of it, with the way to add it; `None` where there is nothing."""
    names = list(_unsaid(draft, memory))
    if not names:
        return None
    what = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"that memory has not got the {what} given here: vmem edit {shlex.quote(memory.path)} adds it"


def _unsaid(draft: Draft, memory: Memory) -> Iterator[str]:
    if draft.title and not title_is_known(draft, memory):
        yield "title"
    had = {tag.casefold() for tag in (*memory.tags, *memory.inline_tags)}
    new = [tag for tag in draft.tags if tag.casefold() not in had]
    if new:
        yield f"tag{'s' if len(new) > 1 else ''} {', '.join(new)}"
    if draft.importance is not None and draft.importance != memory.importance:
        yield "importance"
    front = {key.casefold(): value for key, value in memory.front.items()}
    if draft.kind is not None and draft.kind != memory.kind:
        yield "kind"
    for key, text in (("ttl", draft.ttl), ("expires", draft.expires)):
        if text is not None and front.get(key) != text:
            yield key
    if draft.pinned and not memory.pinned:
        yield "pin"
    if set(draft.links) - {link.target for link in memory.links}:
        yield "links"
    yield from (key for key, text in draft.extra.items() if front.get(key.casefold()) != text)
    if draft.header is not None:
        yield "front matter"
