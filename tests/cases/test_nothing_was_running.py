"""What changed while no vmem ran is seen by the next call; a vault that is not there is no empty one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases.beside_git import PACKAGE, Desk, new_desk
from vault_memory.errors import SidecarError, VaultNotFoundError
from vault_memory.vault import Vault

NOBODY = 65534
BIRDS = (
    "avocet", "bittern", "curlew", "dunlin", "egret", "fulmar", "gannet", "heron", "ibis", "jackdaw",
    "kestrel", "lapwing",
)  # fmt: skip
NEW = ("merlin", "nightjar", "oriole")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """Twelve memories, each of another bird."""
    desk = new_desk(tmp_path / "vault")
    lines = "\n".join(json.dumps({"text": f"The {bird} nests here", "title": bird}) for bird in BIRDS)
    assert desk.vmem("remember", "--stdin-jsonl", stdin=lines).code == 0
    assert desk.recalled("nests") != []
    return desk


def change_behind_its_back(root: Path) -> None:
    """Delete three, edit three, rename three, add three."""
    notes = root / "notes"
    for bird in BIRDS[:3]:
        (notes / f"{bird}.md").unlink()
    for bird in BIRDS[3:6]:
        file = notes / f"{bird}.md"
        file.write_text(file.read_text().replace("nests here", "winters at the lagoon"))
    (notes / "moved").mkdir()
    for bird in BIRDS[6:9]:
        (notes / f"{bird}.md").rename(notes / "moved" / f"{bird} of the cliffs.md")
    for bird in NEW:
        (notes / f"{bird}.md").write_text(f"# {bird}\n\nThe {bird} was seen once\n")


def check_the_new_state(found: Callable[[str], list[str]]) -> None:
    """`found` gives the paths that a query finds, best first."""
    for bird in BIRDS[:3]:
        assert found(bird) == []
    for bird in BIRDS[3:6]:
        assert found(f"{bird} lagoon")[0] == f"notes/{bird}.md"
        assert found(f'"{bird} nests here"') == []
    for bird in BIRDS[6:9]:
        assert found(bird) == [f"notes/moved/{bird} of the cliffs.md"]
    for bird in BIRDS[9:]:
        assert found(bird) == [f"notes/{bird}.md"]
    for bird in NEW:
        assert found(bird)[0] == f"notes/{bird}.md"


def test_the_next_recall_by_the_command_line_is_right(desk: Desk) -> None:
    change_behind_its_back(desk.root)
    first = desk.process("recall", "winters at the lagoon", "--json")
    assert (first.code, first.err) == (0, "")
    assert first.value["notices"] == []
    found = [one["path"] for one in first.value["memories"]]
    assert sorted(found) == [f"notes/{bird}.md" for bird in sorted(BIRDS[3:6])]
    assert all("winters at the lagoon" in one["text"] for one in first.value["memories"])
    assert first.value["considered"] == 12
    check_the_new_state(desk.recalled)
    check_the_new_state(lambda query: [one["path"] for one in desk.json("search", query)["hits"]])
    assert len(desk.json("list")) == 12


def test_the_next_recall_by_python_is_right(desk: Desk) -> None:
    with desk.python() as vault:  # a process that lives on
        assert len(vault.person.list()) == 12
        change_behind_its_back(desk.root)
        agent = vault.agent("akashi")
        check_the_new_state(lambda query: [str(hit.entry.path) for hit in agent.recall(query).hits])
        check_the_new_state(lambda query: [str(hit.entry.path) for hit in agent.search(query).hits])
    with Vault.open(desk.root) as vault:
        for bird in BIRDS[6:9]:
            assert vault.person.show(bird).memory.path == f"notes/moved/{bird} of the cliffs.md"


def test_the_index_ends_as_one_built_from_the_files(desk: Desk) -> None:
    change_behind_its_back(desk.root)
    desk.vmem("recall", "avocet")
    with Vault.open(desk.root) as vault:
        followed = vault.index.dump()
        vault.index.rebuild()
        assert vault.index.dump() == followed


def test_an_edit_that_keeps_size_and_time_is_seen(desk: Desk) -> None:
    file = desk.root / "notes/heron.md"
    before = file.stat()
    file.write_text(file.read_text().replace("nests", "sleep"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size
    assert desk.recalled("heron sleep")[0] == "notes/heron.md"
    assert "sleep here" in desk.vmem("recall", "heron").out


def test_all_memories_deleted_by_hand_are_gone_from_recall_and_back_with_git(desk: Desk) -> None:
    for file in (desk.root / "notes").iterdir():
        file.unlink()
    said = desk.vmem("recall", "nests")
    assert said.code == 0
    assert "here" not in said.out
    desk.git("checkout", "--quiet", "--", "notes")
    assert len(desk.json("list")) == 12
    assert len(desk.recalled("nests")) == 12


def test_a_checkout_while_nothing_ran_is_followed(desk: Desk) -> None:
    desk.git("switch", "--quiet", "--create", "other")
    change_behind_its_back(desk.root)
    desk.git("add", "notes")
    desk.git("commit", "--quiet", "--message=many changes")
    check_the_new_state(desk.recalled)
    desk.git("switch", "--quiet", "main")
    assert sorted(desk.recalled("nests")) == sorted(f"notes/{bird}.md" for bird in BIRDS)
    desk.git("switch", "--quiet", "other")
    check_the_new_state(desk.recalled)


Absence = Callable[[Path], Callable[[], object]]


def moved_away(root: Path) -> Callable[[], object]:
    away = root.with_name("elsewhere")
    root.rename(away)
    return lambda: away.rename(root)


def empty_folder(root: Path) -> Callable[[], object]:
    """As a mount point looks when its disk is not mounted."""
    back = moved_away(root)
    root.mkdir()

    def restore() -> None:
        assert list(root.iterdir()) == [], "something was made in a vault that is not there"
        root.rmdir()
        back()

    return restore


def only_the_index_left(root: Path) -> Callable[[], object]:
    """The notes' disk is gone and `.vmem/local` lies elsewhere and is still there."""
    back = empty_folder(root)
    shutil.copytree(root.with_name("elsewhere") / ".vmem" / "local", root / ".vmem" / "local")

    def restore() -> None:
        assert {path.name for path in root.iterdir()} == {".vmem"}
        shutil.rmtree(root / ".vmem")
        back()

    return restore


ABSENCES: tuple[Absence, ...] = (moved_away, empty_folder, only_the_index_left)
COMMANDS = (
    ("recall", "heron"),
    ("search", "heron"),
    ("list",),
    ("reindex",),
    ("remember", "The quail is new"),
    ("edit", "heron", "--importance", "0.9"),
    ("forget", "heron"),
    ("status",),
    ("undo",),
)


@pytest.mark.parametrize("absence", ABSENCES, ids=lambda one: one.__name__)
def test_a_vault_that_is_not_there_is_an_error_to_every_command(desk: Desk, absence: Absence) -> None:
    restore = absence(desk.root)
    for command in COMMANDS:
        said = desk.vmem(*command)
        assert said.code == 3, command
        assert said.out == ""
        assert said.err.startswith(f"vmem: no vault at {desk.root}")
    restore()
    assert len(desk.recalled("nests")) == 12


@pytest.mark.parametrize("absence", ABSENCES, ids=lambda one: one.__name__)
def test_a_vault_that_goes_away_from_under_a_living_process_loses_nothing(
    desk: Desk, absence: Absence
) -> None:
    with desk.python() as vault:
        agent = vault.agent("akashi")
        before = vault.index.dump()
        restore = absence(desk.root)
        for call in (
            lambda: agent.recall("heron"),
            lambda: agent.search("heron"),
            agent.list,
            vault.index.refresh,
            vault.index.rebuild,
            lambda: agent.remember("The quail is new"),
            lambda: agent.edit("heron", importance=0.9),
            lambda: agent.forget("heron"),
        ):
            with pytest.raises((SidecarError, VaultNotFoundError)) as told:
                call()
            assert str(desk.root) in told.value.message
        restore()
        assert vault.index.dump() == before
        assert len(agent.recall("nests", max_tokens=4000).hits) == 12
        assert agent.remember("The quail is new").commit
    assert desk.git("status", "--porcelain", "--", "notes") == ""


_AS_NOBODY = """
import json, os, sys
from pathlib import Path
from tests.cases.beside_git import Desk, new_desk

def warm_up(root):
    # Whoever we become may not read the modules, so all are loaded before.
    desk = new_desk(root)
    for command in (("remember", "warm up"), ("recall", "warm"), ("reindex",), ("status",), ("log",)):
        desk.vmem(*command)

warm_up(Path(sys.argv[1]) / "warm")
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({nobody})
    os.setuid({nobody})
os.umask(0o022)
root = Path(sys.argv[1]) / "vault"
desk = new_desk(root)
told = []
"""


def as_nobody(script: str) -> Iterator[Any]:
    """What the lines put into `told`; they have the `desk` of a new vault."""
    home = Path(tempfile.mkdtemp(prefix="vmem-cases-"))
    try:
        home.chmod(0o755)
        shutil.copy(os.environ["GIT_CONFIG_GLOBAL"], home / "gitconfig")
        if os.geteuid() == 0:
            os.chown(home, NOBODY, NOBODY)
        lines = [_AS_NOBODY.format(nobody=NOBODY), textwrap.dedent(script), "print(json.dumps(told))"]
        done = subprocess.run(
            [sys.executable, "-c", "\n".join(lines), str(home)],
            cwd=PACKAGE,
            env={**os.environ, "HOME": str(home), "GIT_CONFIG_GLOBAL": str(home / "gitconfig")},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        yield from json.loads(done.stdout)
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", str(home)], check=True)
        shutil.rmtree(home)


def test_a_folder_that_may_not_be_read_is_an_error_and_nothing_is_forgotten() -> None:
    told = as_nobody(
        """
        desk.json("remember", "The heron nests here", "-n", "birds")
        desk.json("remember", "The newt sleeps there", "-n", "pond")
        with desk.python() as vault:
            before = vault.index.dump()
        os.chmod(root / "shared/pond", 0)
        for command in (("recall", "heron"), ("reindex",), ("list",), ("status",)):
            said = desk.vmem(*command)
            told.append([command[0], said.code, said.out, said.err])
        os.chmod(root / "shared/pond", 0o755)
        with desk.python() as vault:
            told.append(vault._opened.ports.index.dump() == before)
        told.append(desk.recalled("newt"))
        """
    )
    words = (
        "vmem: can't read shared/pond: permission denied\n"
        "      mend its permissions, then try again; the index was left alone\n"
    )
    for command in ("recall", "reindex", "list", "status"):
        name, code, out, err = next(told)
        assert (name, code, out) == (command, 74, "")
        assert err.splitlines()[0] == words.splitlines()[0]
        assert "the index was left alone" in err
    assert next(told) is True
    assert next(told) == ["shared/pond/the-newt-sleeps-there.md"]


def test_a_file_that_may_not_be_read_is_named_and_the_others_are_found() -> None:
    told = as_nobody(
        """
        desk.json("remember", "The heron nests here", "-n", "birds")
        desk.json("remember", "The newt sleeps there", "-n", "pond", "--title", "Newt")
        os.chmod(root / "shared/pond/newt.md", 0)
        told.append(desk.recalled("heron"))
        told.append(desk.recalled("newt"))
        said = desk.vmem("reindex")
        told.append([said.code, said.out, said.err])
        said = desk.vmem("edit", "Newt", "--importance", "0.9")
        told.append([said.code, said.err])
        os.chmod(root / "shared/pond/newt.md", 0o644)
        told.append(desk.recalled("newt"))
        """
    )
    assert next(told) == ["shared/birds/the-heron-nests-here.md"]
    assert next(told) == []
    code, out, err = next(told)
    assert code == 0
    assert out.startswith("Indexed 1 ")
    assert "shared/pond/newt.md" in err
    assert "permission denied" in err
    code, err = next(told)
    assert code in (3, 74)
    assert "newt" in err.lower()
    assert next(told) == ["shared/pond/newt.md"]


def test_a_vault_that_may_not_be_written_is_still_recalled_from() -> None:
    told = as_nobody(
        """
        import subprocess
        desk.json("remember", "The heron nests here", "--title", "Heron", "-n", "birds")
        desk.json("status")
        subprocess.run(["chmod", "-R", "a-w", str(root)], check=True)
        said = desk.vmem("recall", "heron")
        told.append([said.code, said.out, said.err])
        edit = ("edit", "Heron", "--importance", "0.9")
        for command in (("remember", "The newt sleeps there"), edit, ("forget", "Heron")):
            said = desk.vmem(*command)
            told.append([said.code, said.out, said.err])
        subprocess.run(["chmod", "-R", "u+w", str(root)], check=True)
        told.append([desk.names(), desk.waiting(), desk.json("remember", "newts")["committed"] is not None])
        """
    )
    code, out, err = next(told)
    assert code == 0
    assert "The heron nests here" in out
    for _ in range(3):
        code, out, err = next(told)
        assert (code, out) == (74, "")
        assert err.startswith("vmem: can't ")
        assert "permission denied" in err or "can't be written" in err or "read-only" in err
    assert next(told) == [["shared/birds/heron.md"], [], True]
