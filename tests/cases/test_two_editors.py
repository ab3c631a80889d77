"""Two who change one memory: the second to write learns of the first, and no version is ever lost."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

import pytest

from tests.cases.beside_git import Desk, new_desk, sound, vmem_command, vmem_environment
from vault_memory.errors import ConflictError, VmemError
from vault_memory.model.namespace import PERSON, VaultPath
from vault_memory.model.revision import FileState
from vault_memory.ports import Files, History
from vault_memory.vault import Vault

TEXT = "The harbour closes at nine"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = new_desk(tmp_path / "vault")
    desk.json("--agent", "akashi", "remember", TEXT, "--title", "Harbour", "-n", "sea")
    return desk


@pytest.fixture
def file(desk: Desk) -> Path:
    return desk.root / "shared/sea/harbour.md"


def version(desk: Desk) -> str:
    return str(desk.json("show", "Harbour")["version"])


def bodies(desk: Desk) -> list[str]:
    """The text of the memory in each of its commits, newest first."""
    path = "shared/sea/harbour.md"
    commits = desk.git("log", "--format=%H", "--", path).splitlines()
    return [desk.git("show", f"{commit}:{path}").rpartition("\n---\n")[2] for commit in commits]


def test_an_agents_stale_text_never_replaces_what_a_person_saved(desk: Desk, file: Path) -> None:
    read = version(desk)
    v2 = file.read_bytes().replace(b"nine", b"ten, and on Sundays at six")
    file.write_bytes(v2)
    said = desk.vmem(
        "--agent",
        "akashi",
        "edit",
        "Harbour",
        "--text",
        f"{TEXT}. Bring a lamp.",
        "--if-match",
        read,
        "--json",
    )
    assert said.code == 75
    assert said.out == ""
    assert said.error["kind"] == "ConflictError"
    assert said.error["path"] == "shared/sea/harbour.md"
    assert said.error["expected"] == read
    assert said.error["found"] == version(desk)
    assert file.read_bytes() == v2
    assert bodies(desk) == [TEXT]
    # On top of the version just told, it goes through, and the person's is in history as theirs.
    desk.json(
        "--agent", "akashi", "edit", "Harbour", "--text", "Ask the office.", "--if-match", said.error["found"]
    )
    assert bodies(desk) == ["Ask the office.", "The harbour closes at ten, and on Sundays at six", TEXT]
    assert desk.git("log", "--format=%an", "--", "shared").splitlines() == ["akashi", "Test Person", "akashi"]
    sound(desk.root)


def test_an_overwrite_on_demand_keeps_the_persons_version_in_history(desk: Desk, file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b"nine", b"ten"))
    desk.json("--agent", "akashi", "edit", "Harbour", "--text", f"{TEXT}. Bring a lamp.")
    assert bodies(desk) == [f"{TEXT}. Bring a lamp.", "The harbour closes at ten", TEXT]
    assert desk.git("log", "-1", "--skip=1", "--format=%an <%ae>") == "Test Person <person@example.invalid>"


def test_a_stale_forget_is_refused(desk: Desk, file: Path) -> None:
    read = version(desk)
    file.write_bytes(file.read_bytes().replace(b"nine", b"ten"))
    said = desk.vmem("--agent", "akashi", "forget", "Harbour", "--if-match", read)
    assert said.code == 75
    assert said.err.startswith("vmem: shared/sea/harbour.md: it was changed since you read it\n")
    assert f"version now: {version(desk)}" in said.err
    assert said.err.endswith(
        "read it again with vmem show --json and put your change on top of that version\n"
    )
    assert file.read_bytes().endswith(b"The harbour closes at ten\n")


def test_of_two_agents_with_one_version_the_second_is_told(desk: Desk) -> None:
    with desk.python() as vault:
        akashi, mira = vault.agent("akashi"), vault.agent("mira")
        read = akashi.show("Harbour").version
        assert mira.show("Harbour").version == read
        first = akashi.edit("Harbour", text="by akashi", if_match=read)
        with pytest.raises(ConflictError) as told:
            mira.edit("Harbour", text="by mira", if_match=read)
        assert (told.value.expected, told.value.found) == (read, first.version)
        mira.edit("Harbour", text="by akashi, and mira", if_match=told.value.found)
    assert bodies(desk) == ["by akashi, and mira", "by akashi", TEXT]


def test_two_handles_in_one_process_see_each_others_writes(desk: Desk) -> None:
    with Vault.open(desk.root) as one, Vault.open(desk.root) as two:
        read = one.person.show("Harbour").version
        assert two.person.show("Harbour").version == read
        one.person.edit("Harbour", text="from the first", if_match=read)
        with pytest.raises(ConflictError):
            two.person.edit("Harbour", text="from the second", if_match=read)
        found = two.person.show("Harbour")
        assert found.memory.body.strip() == "from the first"
        two.person.edit("Harbour", text="from both", if_match=found.version)
        assert one.person.show("Harbour").memory.body.strip() == "from both"
    assert bodies(desk) == ["from both", "from the first", TEXT]


def test_threads_that_edit_at_once_win_one_by_one(desk: Desk) -> None:
    read = version(desk)
    outcomes: list[str] = []

    def write(number: int) -> None:
        with Vault.open(desk.root) as vault:
            try:
                vault.agent(f"agent{number}").edit("Harbour", text=f"by {number}", if_match=read)
                outcomes.append("won")
            except ConflictError:
                outcomes.append("told")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["told", "told", "told", "won"]
    assert len(bodies(desk)) == 2


def test_processes_that_edit_at_once_win_one_by_one(desk: Desk) -> None:
    read = version(desk)
    running = [
        subprocess.Popen(
            vmem_command(desk.root, "edit", "Harbour", "--text", f"by {number}", "--if-match", read),
            env=vmem_environment({}), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        for number in range(4)
    ]  # fmt: skip
    said = [one.communicate()[1] for one in running]
    assert sorted(one.returncode for one in running) == [0, 75, 75, 75]
    assert sum("it was changed since you read it" in one for one in said) == 3
    winner = next(number for number, one in enumerate(running) if one.returncode == 0)
    assert bodies(desk) == [f"by {winner}", TEXT]
    sound(desk.root)


def test_processes_that_add_at_once_lose_no_tag(desk: Desk) -> None:
    tags = [f"tag{number}" for number in range(6)]
    running = [
        subprocess.Popen(
            vmem_command(desk.root, "edit", "Harbour", "--add-tag", tag),
            env=vmem_environment({}), stdout=subprocess.DEVNULL,
        )
        for tag in tags
    ]  # fmt: skip
    assert [one.wait() for one in running] == [0] * len(tags)
    assert sorted(desk.json("show", "Harbour")["tags"]) == tags
    assert len(bodies(desk)) == 7


def test_a_save_before_the_commit_of_theirs_is_committed_before_the_edit(desk: Desk, file: Path) -> None:
    """The person's editor saves after the edit has read the file: the edit begins anew on what they saved."""
    theirs = file.read_bytes().replace(b"nine", b"ten")
    with desk.python() as vault:
        place = type(vault._opened.ports.history)
        real = place.file_state
        saves = iter([theirs])

        def saved_first(self: History, path: VaultPath) -> FileState:
            file.write_bytes(next(saves, None) or file.read_bytes())
            return real(self, path)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(place, "file_state", saved_first)
            vault.agent("akashi").edit("Harbour", text="by akashi")
    assert bodies(desk) == ["by akashi", "The harbour closes at ten", TEXT]


def test_a_save_in_the_middle_of_an_edit_is_not_overwritten(desk: Desk, file: Path) -> None:
    """The person's editor saves right before the edit would write."""
    theirs = file.read_bytes().replace(b"nine", b"ten")
    with desk.python() as vault:
        place, name = type(vault._opened.ports.files), "write"
        real = getattr(place, name)

        def saved_first(self: Files, *args: object, **options: object) -> object:
            file.write_bytes(theirs)
            return real(self, *args, **options)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(place, name, saved_first)
            with pytest.raises(ConflictError):
                vault.agent("akashi").edit("Harbour", text="by akashi")
        assert file.read_bytes() == theirs
        assert vault.upkeep.status(PERSON).waiting == ()
        vault.agent("akashi").edit("Harbour", text="by akashi")
    assert bodies(desk) == ["by akashi", "The harbour closes at ten", TEXT]


def test_a_save_right_after_an_edit_is_the_persons_and_waits_for_them(desk: Desk, file: Path) -> None:
    """The editor had unsaved text when the agent wrote: what it saves then stands, ours is in history."""
    theirs = file.read_bytes().replace(b"nine", b"ten")
    desk.json("--agent", "akashi", "edit", "Harbour", "--text", "by akashi")
    file.write_bytes(theirs)
    assert desk.recalled("harbour closes at ten") == ["shared/sea/harbour.md"]
    assert desk.json("status")["uncommitted"] == [{"path": "shared/sea/harbour.md", "state": "modified"}]
    desk.json("--agent", "akashi", "edit", "Harbour", "--importance", "0.9")
    assert bodies(desk)[:3] == ["The harbour closes at ten", "The harbour closes at ten", "by akashi"]


def test_an_editor_that_saves_before_the_commit_leaves_two_true_versions(
    desk: Desk, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between our write and our commit the person saves: their bytes are never committed as ours."""
    with desk.python() as vault:
        place = type(vault._opened.ports.history)
        real = place.commit
        theirs = b"---\ntitle: Harbour\n---\ntheir own words\n"

        def saved_first(self: object, *args: object, **options: object) -> object:
            file.write_bytes(theirs)
            return real(self, *args, **options)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(place, "commit", saved_first)
            written = vault.agent("akashi").edit("Harbour", text="by akashi")
        assert written.commit is None
        assert written.reason
        assert file.read_bytes() == theirs
        assert vault.upkeep.status(PERSON).waiting == ()
    assert bodies(desk) == [TEXT]
    assert desk.git("status", "--porcelain", "--", "shared") == " M shared/sea/harbour.md"


def test_every_refusal_is_one_of_our_errors(desk: Desk) -> None:
    with desk.python() as vault, pytest.raises(VmemError):
        vault.person.edit("Harbour", text="x", if_match="not a version at all")
