"""The operations that get killed: for each, how its vault is made ready, and the act itself."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.crash.children import Tell, in_child
from tests.crash.steps import Steps
from tests.crash.vaults import PERSONS, TARGET, open_vault
from tests.crash.witness import copy_tree
from tests.gitrun import put_hook, run_git
from tests.grouped import change_all
from vault_memory.live.committing import Committing
from vault_memory.model.namespace import PERSON
from vault_memory.model.revision import Op
from vault_memory.ops import refresh
from vault_memory.vault import Vault

Act = Callable[[Any], object]
"""What is done to an open vault, or to a folder that is to become one."""


def _one_after_the_other(*prepares: Callable[[Path], None]) -> Callable[[Path], None]:
    def prepare(root: Path) -> None:
        for one in prepares:
            one(root)

    return prepare


def _as_it_is(_: Path) -> None:
    """The vault needs no more."""


@dataclass(frozen=True, slots=True)
class Scene:
    """`act` is what gets killed, `commits` how many it makes. `creates` tells that it makes the vault
    itself and has none to open.

    `by_hand` tells that the file is changed by the person's own editor, so that it may stand changed
    without a commit. `in_company` tells that a person's git is at work, which makes ours take
    another road. `partly` tells that a kill between its files leaves a commit of those it has come to.
    `owed` is how many of the commits are due from before, whenever the act is killed.
    `every` is the distance of kill points where steps repeat themselves; `only`, where there is one, matches
    the steps after which alone it is killed: those of what other scenes don't do."""

    act: Act
    commits: int
    prepare: Callable[[Path], None] = _as_it_is
    creates: bool = False
    by_hand: bool = False
    in_company: bool = False
    partly: bool = False
    owed: int = 0
    every: int = 1
    only: str = ""


def _remember(vault: Vault) -> object:
    return vault.agent("akashi").remember("An interrupted thought", title="Interrupted", namespace="ops")


def _remember_far_away(vault: Vault) -> object:
    return vault.person.remember("A thought of its own", title="Far", namespace="shared/new/deep")


def _many(count: int) -> Act:
    def act(vault: Vault) -> object:
        memories = [
            {"text": f"Thought number {number}", "title": f"N{number}", "namespace": f"n{number % 2}"}
            for number in range(count)
        ]
        return vault.agent("akashi").remember_many(memories)

    return act


def _edit(vault: Vault) -> object:
    return vault.agent("akashi").edit(TARGET, importance=0.9, add_tags=["x"])


def _edit_in_place(vault: Vault) -> object:
    def editor(file: Path) -> None:
        subprocess.run(["sh", "-c", 'echo "and a line more" >> "$0"', str(file)], check=True)

    return vault.files.edit(PERSON, TARGET, editor)


def _forget(vault: Vault) -> object:
    return vault.agent("akashi").forget(TARGET)


def _restore(vault: Vault) -> object:
    return vault.agent("akashi").restore("Target")


def _undo(vault: Vault) -> object:
    return vault.agent("akashi").undo()


def _learn_wrong_things(vault: Vault) -> object:
    """An agent edits two memories of others, forgets one and makes one."""
    mira = vault.agent("mira")
    mira.edit(TARGET, importance=0.9, add_tags=["x"])
    mira.edit("Heron", add_tags=["x"])
    mira.forget("Queue")
    return mira.remember("A wrong thought", title="Wrong", namespace="ops")


def _revert(vault: Vault) -> object:
    return vault.history.revert(PERSON, source_agent="mira", namespace="ops")


def _accept(vault: Vault) -> object:
    return vault.review.decide(PERSON, vault.review.find(PERSON, "learned"))


def _sync(vault: Vault) -> object:
    done = vault.remote.sync(PERSON)
    assert done.error is None
    return done


def _remove_three(*, whole: bool) -> Act:
    def act(vault: Vault) -> object:
        paths = (TARGET, "shared/ops/heron.md", "private/akashi/ibis.md")
        return change_all(vault, Op.GC, dict.fromkeys(paths), whole=whole)

    return act


def _move(vault: Vault) -> object:
    """To a new folder, with a link led after it."""
    heron = vault.root / "shared/ops/heron.md"
    files = {
        "shared/new/deep/target.md": (vault.root / TARGET).read_bytes(),
        "shared/ops/heron.md": heron.read_bytes() + b"[[new/deep/target]]\n",
        TARGET: None,
    }
    return change_all(vault, Op.MOVE, files, whole=True)


def _refresh(vault: Vault) -> object:
    return vault.index.refresh()


def _rebuild(vault: Vault) -> object:
    return vault.index.rebuild()


def _settle(vault: Vault) -> object:
    return vault.upkeep.settle()


def _commit_later(vault: Vault) -> object:
    """Three memories that are answered before their commits, which another thread makes together."""
    opened = vault._opened
    commits = Committing(opened, seconds=3600)
    opened.held = replace(opened.held, commits=commits)
    commits.start()
    commits.flush(60)  # its first look is over, so that the steps come in the same order each time
    for number in range(3):
        vault.agent("akashi").remember(f"Thought number {number}", title=f"N{number}", namespace="ops")
    commits.close(60)
    return None


def _create(root: Path) -> object:
    return Vault.create(root)


def _persons_version(root: Path) -> None:
    file = root / TARGET
    file.write_bytes(file.read_bytes() + b"a person's line\n")


def _before(*acts: Act) -> Callable[[Path], None]:
    def prepare(root: Path) -> None:
        with open_vault(root, first_id=50) as vault:
            for act in acts:
                act(vault)

    return prepare


def _proposed(root: Path) -> None:
    """A proposal, of which only the branch is there, and a branch that has gone on since."""
    with open_vault(root, first_id=50) as vault, vault.agent("akashi").propose("learned") as proposal:
        proposal.remember("An interrupted thought", title="Interrupted", namespace="ops")
        proposal.edit(TARGET, importance=0.9)
    shutil.rmtree(root / ".vmem/local/worktrees")
    run_git(root, "worktree", "prune")
    with open_vault(root, first_id=60) as vault:
        _remember_far_away(vault)


def _parted(root: Path) -> None:
    """A remote on which another clone has gone on, as this one has."""
    other = root.with_name("other")
    shutil.rmtree(other, ignore_errors=True)
    # In the vault's own repository, so that it is as it was whenever that is.
    run_git(root, "init", "-q", "--bare", ".git/there.git")
    run_git(root, "remote", "add", "origin", ".git/there.git")
    run_git(root, "push", "-q", "--set-upstream", "origin", "main")
    run_git(root, "clone", "-q", ".git/there.git", str(other))
    with open_vault(other, first_id=50) as vault:
        _edit(vault)
        vault.agent("akashi").remember("From elsewhere", title="Elsewhere", namespace="ops")
    run_git(other, "push", "-q")
    with open_vault(root, first_id=60) as vault:
        _remember_far_away(vault)


def _without_index(root: Path) -> None:
    shutil.rmtree(root / ".vmem" / "local")
    _small_transactions(root)


def _changed_files(root: Path) -> None:
    (root / "shared/ops/queue.md").unlink()
    (root / PERSONS / "changed.md").write_text("changed three\n")
    for name in ("new one", "new two", "new three"):
        (root / PERSONS / f"{name}.md").write_text(f"{name}\n")
    _small_transactions(root)


def _small_transactions(_: Path) -> None:
    """So that a kill can come between two of one refresh."""
    refresh.FILES_A_TRANSACTION = 3


def _waiting(root: Path) -> None:
    """Memories that wait for the end of a merge, which comes."""
    merge = root / ".git" / "MERGE_HEAD"
    merge.write_text(run_git(root, "rev-parse", "HEAD") + "\n")
    with open_vault(root, first_id=50) as vault:
        akashi = vault.agent("akashi")
        akashi.remember("Written during a merge", title="Waiting", namespace="ops")
        akashi.edit(TARGET, importance=0.7)
        akashi.edit(TARGET, importance=0.8)
        akashi.forget("Queue")
    merge.unlink()


def _target_waits(root: Path) -> None:
    """An edit of the target waits for the end of a merge, which comes."""
    merge = root / ".git" / "MERGE_HEAD"
    merge.write_text(run_git(root, "rev-parse", "HEAD") + "\n")
    with open_vault(root, first_id=50) as vault:
        vault.agent("akashi").edit(TARGET, importance=0.7)
    merge.unlink()


def _given_up_rebase(root: Path) -> None:
    """A memory was edited while HEAD was on no branch, and the file is again as it was before."""
    run_git(root, "checkout", "-q", "--detach")
    before = (root / TARGET).read_bytes()
    with open_vault(root, first_id=50) as vault:
        vault.agent("akashi").edit(TARGET, importance=0.7)
    (root / TARGET).write_bytes(before)
    run_git(root, "checkout", "-q", "main")


def _hook(name: str) -> Callable[[Path], None]:
    def prepare(root: Path) -> None:
        put_hook(root / ".git", name, "exit 0")

    return prepare


def _killed_in(first: Act, step: str, *, again: int = -1) -> Callable[[Path], None]:
    """A first process was killed in an act, right after a step that is told like this (the last of them)."""

    def prepare(root: Path) -> None:
        def act(last: int | None) -> list[str]:
            steps = Steps(last)
            steps.watch()
            with open_vault(root, first_id=80) as vault:
                first(vault)
            return steps.told

        def rehearse(tell: Tell) -> None:
            tell("\n".join(act(None)))

        rehearsal = root.with_name("rehearsal")
        root.rename(rehearsal)
        copy_tree(rehearsal, root)
        told = in_child(rehearse).out.decode().splitlines()
        shutil.rmtree(root)
        rehearsal.rename(root)
        last = [number for number, found in enumerate(told, 1) if found == step][again]
        assert in_child(lambda _: act(last)).killed

    return prepare


def _no_commit_yet(root: Path) -> None:
    """A vault of which nothing was ever committed."""
    shutil.rmtree(root / ".git")
    shutil.rmtree(root / ".vmem" / "local")
    run_git(root, "init", "-q")


def _only_files(root: Path) -> None:
    """The folder as it was before it became a vault, in a repository."""
    shutil.rmtree(root / ".vmem")
    run_git(root, "rm", "-r", "-q", "--cached", "--ignore-unmatch", ".vmem")
    run_git(root, "commit", "-q", "--allow-empty", "-m", "no vault yet")


def _nothing(root: Path) -> None:
    """Nothing there at all."""
    shutil.rmtree(root)


_BRANCHES = r"(state|index)\.db$|vmem-merge|^(start|end) (-c|worktree|update-ref|push)|^end config --local"
"""The steps of what merges, goes forward, fetches, pushes, and takes branches away."""

SCENES: dict[str, Scene] = {
    "remember": Scene(_remember, 1),
    "remember in a new folder": Scene(_remember_far_away, 1),
    "remember before any commit": Scene(_remember, 1, _no_commit_yet),
    "remember with a commit hook": Scene(_remember, 1, _hook("commit-msg")),
    "remember with a hook on refs": Scene(_remember, 1, _hook("reference-transaction")),
    "remember in company": Scene(_remember, 1, in_company=True, every=2),
    "remember three": Scene(_many(3), 3, every=2),
    "remember three in company": Scene(_many(3), 3, in_company=True, every=2),
    "remember fifty-two": Scene(_many(52), 52, every=29),
    "edit": Scene(_edit, 1),
    "edit over a person's version": Scene(_edit, 2, _persons_version),
    "edit in an editor": Scene(_edit_in_place, 1, by_hand=True),
    "forget": Scene(_forget, 1),
    "forget over a person's version": Scene(_forget, 2, _persons_version),
    "forget over a person's version in company": Scene(
        _forget, 2, _persons_version, in_company=True, every=2
    ),
    "restore": Scene(_restore, 1, _before(_forget)),
    "undo an edit": Scene(_undo, 1, _before(_edit)),
    "undo a remember": Scene(_undo, 1, _before(_remember)),
    "undo a forget": Scene(_undo, 1, _before(_forget)),
    "revert what an agent did": Scene(
        _revert,
        2,
        _one_after_the_other(_before(_learn_wrong_things), _persons_version),
        only=r"(state|index)\.db$|\.md$|^git create_commit|^replace",
    ),
    "accept a proposal": Scene(_accept, 3, _proposed, only=_BRANCHES),
    "sync": Scene(_sync, 3, _parted, only=_BRANCHES),
    "remove three": Scene(_remove_three(whole=False), 1, partly=True),
    "remove three or none": Scene(_remove_three(whole=True), 1, every=2),
    "remove three in company": Scene(_remove_three(whole=False), 1, in_company=True, partly=True, every=2),
    "remove three with a commit hook": Scene(_remove_three(whole=True), 1, _hook("commit-msg"), every=2),
    "move": Scene(_move, 1),
    "undo a removal of three": Scene(_undo, 1, _before(_remove_three(whole=False)), every=2),
    "undo a move": Scene(_undo, 1, _before(_move), every=2),
    "commit what waited": Scene(_settle, 3, _waiting, owed=3),
    "edit what waits": Scene(_edit, 2, _target_waits, owed=1),
    "forget what waits": Scene(_forget, 2, _target_waits, owed=1),
    "commit later": Scene(_commit_later, 3, every=2),
    "put back what a rebase took": Scene(_remember, 2, _given_up_rebase, owed=1),
    "first index": Scene(_refresh, 0, _without_index),
    "refresh": Scene(_refresh, 0, _changed_files),
    "reindex": Scene(_rebuild, 0, _small_transactions),
    "init": Scene(_create, 0, _nothing, creates=True),
    "init in a repository": Scene(_create, 0, _only_files, creates=True),
}

# The second process finds what the first left, and dies as well.
SCENES |= {
    f"remember after a kill at: {step}": Scene(
        _remember, commits, _killed_in(_remember_far_away, step), owed=commits - 1, every=2
    )
    for step, commits in (
        ("link far.md", 2),
        ("git create_commit", 2),
        ("link main.lock", 2),
        ("replace index", 2),
        ("replace main", 1),
        ("close git-recent.json.new", 1),
    )
}
SCENES["remember after a person's version was half committed"] = Scene(
    _remember,
    2,
    _one_after_the_other(_persons_version, _killed_in(_edit, "replace index", again=0)),
    owed=1,
)
