"""What an exchange with a remote did, as text."""

from __future__ import annotations

from collections.abc import Iterator

from vault_memory.model.synced import Synced, Way
from vault_memory.render.style import cells, counted, filled, harmless, styled

MOST = 10
"""So many memories of a kind are named; the others are counted."""
_WIDEST = 40


def render_synced(one: Synced, *, colour: bool) -> str:
    """A line for what went each way, and one for each memory that asks for a look."""
    lines = [_headline(one, colour=colour)]
    came = one.received
    lines += _named("+", [harmless(path) for path in came.added])
    lines += _named("~", [harmless(path) for path in came.edited])
    lines += _named("-", [harmless(path) for path in came.removed])
    lines += _named("→", [f"{harmless(old)} is now {harmless(new)}" for old, new in came.renamed])
    lines += _asking(one)
    lines += _conflicts(one)
    return "\n".join(line for line in lines if line)


def _headline(one: Synced, *, colour: bool) -> str:
    done = []
    if one.head is None and one.error is None:
        done.append("nothing to exchange yet: no memory is committed")
    if one.commits_received and not one.conflicts:
        done.append(f"received {counted(one.commits_received, 'commit')}")
    if one.commits_received and one.way is not None:
        done.append("merged by key" if one.way is Way.MERGE else "yours are on top of them")
    if one.commits_sent:
        done.append(f"sent {counted(one.commits_sent, 'commit')}")
    if one.follows_now and one.commits_sent:
        done.append(f"{harmless(one.branch)} follows it from now on")
    if one.commits_unsent and (done or one.error is None):
        done.append(f"{counted(one.commits_unsent, 'commit')} not sent")
    if not done and one.error is None:
        done.append("nothing new on either side")
    if not done:
        return ""
    mark = styled("✔", "green", colour=colour) if one.error is None else " "
    return f"{mark} {harmless(str(one.followed))}   {', '.join(done)}"


def _named(mark: str, texts: list[str]) -> Iterator[str]:
    for text in texts[:MOST]:
        yield f"  {mark} {text}"
    if len(texts) > MOST:
        yield f"  {mark} and {len(texts) - MOST:,} more"


def _asking(one: Synced) -> Iterator[str]:
    """What a person may want to look at."""
    for each in one.apart:
        whose = "yours" if each.ours_moved else "theirs"
        yield (
            f"  Both sides made {harmless(each.path)}, two memories: {whose} is now {harmless(each.moved_to)}"
        )
    for path, other in one.same_id:
        yield f"  {harmless(path)} has the same id as {harmless(other)}: vmem lint --fix gives one a new one"
    if one.uncommitted:
        yield (
            f"  {counted(one.uncommitted, 'file')} that you changed {'is' if one.uncommitted == 1 else 'are'}"
            " not committed, and so not sent: vmem diff"
        )
    if one.waiting:
        still = "waits" if one.waiting == 1 else "wait"
        yield (
            f"  {counted(one.waiting, 'memory', 'memories')} still {still} for a commit,"
            " and so not sent: vmem status"
        )


def _conflicts(one: Synced) -> Iterator[str]:
    if not (one.conflicts or one.conflicts_outside):
        return
    yield f"Changed here and on {harmless(str(one.followed))}:"
    titles = [harmless(each.title) for each in one.conflicts]
    paths = [harmless(each.conflict.path) for each in one.conflicts]
    wide = min(max(map(cells, titles), default=0), _WIDEST)
    far = min(max(map(cells, paths), default=0), _WIDEST)
    for title, path, each in zip(titles, paths, one.conflicts, strict=True):
        keys = ", ".join(map(harmless, each.conflict.keys))
        keys += " and lines of the text" if keys and each.conflict.lines else ""
        yield f"  {filled(title, wide)}  {filled(path, far)}  {keys or harmless(each.conflict.why)}"
    for name in one.conflicts_outside:
        yield f"  {harmless(name)}  (not in this vault)"
