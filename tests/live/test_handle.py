"""A vault kept open: questions wait for no writer, settings are followed, and closing leaves nothing."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from tests.gitrun import run_git
from vault_memory.adapters.files.lock import VaultLock
from vault_memory.errors import ClosedError, ConfigError, SidecarError, VaultNotFoundError
from vault_memory.live.alone import alone, is_taken
from vault_memory.live.following import BEHIND
from vault_memory.live.handle import LiveVault
from vault_memory.vault import Vault

SECONDS = 30.0
OURS = "vmem-"


def eventually(fact: Callable[[], object]) -> None:
    """Wait until it is so."""
    until = time.monotonic() + SECONDS
    while not fact():
        assert time.monotonic() < until, "it never came to be"
        time.sleep(0.01)


def own_threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name.startswith(OURS)]


def open_files() -> int:
    gc.collect()  # what is closed with its last user goes first, be it in a circle
    return len(list(Path("/proc/self/fd").iterdir()))


def found(live: LiveVault, query: str) -> list[str]:
    with live.reading() as vault:
        return [hit.entry.path for hit in vault.person.search(query).hits]


def configure(root: Path, line: str) -> None:
    place = root / ".vmem" / "config.toml"
    place.with_suffix(".new").write_text(f"format = 1\n{line}\n", encoding="utf-8")
    place.with_suffix(".new").replace(place)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    Vault.create(tmp_path / "memory")
    with Vault.open(tmp_path / "memory") as vault:
        vault.person.remember("The harbour closes at nine", title="Harbour")
    return tmp_path / "memory"


@pytest.fixture
def live(root: Path) -> Iterator[LiveVault]:
    with LiveVault.open(root) as opened:
        yield opened
    assert own_threads() == []


def test_what_was_just_written_is_found_and_soon_committed(live: LiveVault) -> None:
    with live.writing() as vault:
        written = vault.agent("ann").remember("Ferries sail north", title="Ferry")
    assert found(live, "ferries")[0] == written.path
    live.flush(SECONDS)
    assert live.waiting() == 0
    assert run_git(live.root, "log", "-1", "--format=%s") == "remember: Ferry"


def test_what_a_person_writes_is_found(live: LiveVault) -> None:
    (live.root / "lighthouse.md").write_text("The lamp is lit at dusk\n", encoding="utf-8")
    eventually(lambda: found(live, "lamp")[:1] == ["lighthouse.md"])


def test_a_question_waits_for_no_writer(live: LiveVault) -> None:
    eventually(lambda: live.watching().behind is None)
    other = apsw.Connection(str(live.root / ".vmem" / "local" / "index.db"))
    other.set_busy_timeout(5000)  # vectors may be on their way into it
    other.execute("BEGIN IMMEDIATE")
    try:
        with VaultLock(live.root / ".vmem" / "local" / "lock").held(wait=1):
            began = time.monotonic()
            assert found(live, "harbour") == ["notes/harbour.md"]
            assert time.monotonic() - began < 1.5  # a writer would be waited for five seconds and more
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_before_the_first_comparison_is_over_answers_come_from_the_old_index_and_say_so(root: Path) -> None:
    (root / "new.md").write_text("Ferries sail north\n", encoding="utf-8")
    writer = VaultLock(root / ".vmem" / "local" / "lock").held(wait=1)
    writer.__enter__()
    with LiveVault.open(root) as live:
        began = time.monotonic()
        with live.reading() as vault:
            answer = vault.person.search("harbour ferries")
        took = time.monotonic() - began
        writer.__exit__(None, None, None)
        assert [hit.entry.path for hit in answer.hits] == ["notes/harbour.md"]
        assert answer.notices == (BEHIND,)
        assert took < 1.5
        eventually(lambda: live.watching().behind is None)
        with live.reading() as vault:
            answer = vault.person.search("harbour ferries")
    assert {hit.entry.path for hit in answer.hits} == {"notes/harbour.md", "new.md"}
    assert answer.notices == ()


def test_changed_settings_count_from_the_next_question_on(live: LiveVault) -> None:
    with live.reading() as before:
        configure(live.root, "recall_tokens = 321")
        with live.reading() as after:
            assert after.settings["recall_tokens"] == 321
            assert after.person.recall("harbour").budget == 321
        assert before.person.recall("harbour").budget == 2000  # who is at it stays with what they began with
    eventually(lambda: own_threads().count("vmem-following") == 1)


def test_the_settings_of_the_machine_are_followed_too(live: LiveVault, home: Path) -> None:
    place = home / ".config" / "vault-memory" / "config.toml"
    place.parent.mkdir(parents=True)
    place.write_text("recall_tokens = 77\n", encoding="utf-8")
    with live.reading() as vault:
        assert vault.settings["recall_tokens"] == 77


def test_a_commit_that_waits_is_made_though_the_settings_change(live: LiveVault) -> None:
    configure(live.root, "")
    with live.writing() as vault:
        vault.person.remember("Ferries sail north", title="Ferry")
        configure(live.root, "recall_tokens = 321")
        with live.writing() as other:
            other.person.remember("Ferries sail south", title="South")
    both = {"remember: Ferry", "remember: South"}
    eventually(lambda: both <= set(run_git(live.root, "log", "--format=%s").splitlines()))


def test_faulty_settings_are_an_error_until_they_are_mended(live: LiveVault) -> None:
    configure(live.root, "recall_tokens = 'many'")
    for _ in range(2):
        with pytest.raises(ConfigError), live.reading():
            pass
    configure(live.root, "recall_tokens = 5")
    with live.reading() as vault:
        assert vault.settings["recall_tokens"] == 5


def test_models_stay_in_memory_when_other_settings_change(live: LiveVault) -> None:
    with live.reading() as before:
        configure(live.root, "recall_tokens = 321")
        with live.reading() as after:
            assert after._opened.held.embedder is before._opened.held.embedder
    configure(live.root, 'embedder = "none"')
    with live.reading() as vault:
        assert vault._opened.held.embedder.id == "none"


def test_a_vault_that_went_away_is_an_error_and_one_that_came_back_is_not(live: LiveVault) -> None:
    aside = live.root.with_name("aside")
    live.root.rename(aside)
    assert not live.is_there()
    with pytest.raises(VaultNotFoundError), live.reading():
        pass
    with pytest.raises(VaultNotFoundError), live.writing():
        pass
    assert not live.root.exists(), "the ghost of a vault was made"
    aside.rename(live.root)
    assert found(live, "harbour") == ["notes/harbour.md"]


def test_another_vault_in_its_place_is_not_taken_for_it(live: LiveVault) -> None:
    aside = live.root.with_name("aside")
    live.root.rename(aside)
    shutil.copytree(aside, live.root)
    assert not live.is_there()
    with pytest.raises(VaultNotFoundError), live.reading():
        pass


def test_an_index_that_was_deleted_is_filled_again(live: LiveVault) -> None:
    eventually(lambda: live.watching().first_seconds is not None)
    for file in (live.root / ".vmem" / "local").glob("index.db*"):
        file.unlink()
    assert found(live, "harbour") == ["notes/harbour.md"]
    with live.writing() as vault:
        vault.person.remember("Ferries sail north", title="Ferry")
    assert found(live, "ferries")[0] == "notes/ferry.md"


def test_the_whole_local_folder_may_be_deleted(live: LiveVault) -> None:
    shutil.rmtree(live.root / ".vmem" / "local")
    assert found(live, "harbour") == ["notes/harbour.md"]
    with live.writing() as vault:
        written = vault.person.remember("Ferries sail north", title="Ferry", wait="commit")
    assert written.commit == run_git(live.root, "rev-parse", "HEAD")


def test_two_vaults_in_one_process_know_nothing_of_each_other(live: LiveVault, tmp_path: Path) -> None:
    Vault.create(tmp_path / "other")
    with LiveVault.open(tmp_path / "other") as other:
        with other.writing() as vault:
            vault.person.remember("The harbour is frozen", title="Ice")
        assert found(other, "harbour") == ["notes/ice.md"]
        assert found(live, "harbour") == ["notes/harbour.md"]
        assert live.is_at(live.root / "notes")
        assert not live.is_at(other.root)
    assert found(live, "harbour") == ["notes/harbour.md"]


def test_many_ask_and_write_at_once_while_the_settings_change(live: LiveVault) -> None:
    failures: list[BaseException] = []

    def ask(number: int) -> None:
        try:
            for turn in range(10):
                with live.writing() as vault:
                    vault.agent(f"a{number}").remember(f"Word {number} of turn {turn} in the harbour")
                assert found(live, "harbour")
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for turn in range(5):
        configure(live.root, f"recall_tokens = {100 + turn}")
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    assert failures == []
    live.flush(SECONDS)
    assert len(found(live, "harbour")) == 10
    with live.reading() as vault:
        assert len(vault.person.list()) == 41
    eventually(lambda: len(run_git(live.root, "log", "--format=%h").splitlines()) == 41)


def test_closing_leaves_no_thread_and_no_open_file(root: Path) -> None:
    with LiveVault.open(root) as live:  # whatever is opened once and for all is opened now
        found(live, "harbour")
    before = open_files()
    for _ in range(3):
        with LiveVault.open(root) as live:
            found(live, "harbour")
            with live.writing() as vault:
                vault.person.remember(f"Ferries sail north {before}")
    assert own_threads() == []
    assert open_files() <= before
    with pytest.raises(ClosedError), live.reading():
        pass
    live.close()


def test_what_waits_for_a_commit_is_committed_at_the_end(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VMEM_COMMIT_SECONDS", "60")
    with LiveVault.open(root) as live, live.writing() as vault:
        assert vault.person.remember("Ferries sail north", title="Ferry").commit is None
    assert run_git(root, "log", "-1", "--format=%s") == "remember: Ferry"


def test_a_vault_on_a_network_disk_is_not_kept_open(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VMEM_DISK", "network")
    with pytest.raises(SidecarError, match="network disk"):
        LiveVault.open(root)
    assert own_threads() == []


def test_a_vault_whose_index_can_not_be_kept_in_a_file_is_not_kept_open(root: Path) -> None:
    for file in (root / ".vmem" / "local").glob("index.db*"):
        file.unlink()
    (root / ".vmem" / "local" / "index.db").mkdir()
    with pytest.raises(SidecarError, match="no process can keep"):
        LiveVault.open(root)
    assert own_threads() == []


def test_where_there_is_no_vault_none_is_kept_open(tmp_path: Path) -> None:
    with pytest.raises(VaultNotFoundError):
        LiveVault.open(tmp_path)
    with pytest.raises(VaultNotFoundError):
        LiveVault(tmp_path)


def test_there_is_one_resident_a_vault_and_the_next_may_follow(root: Path, tmp_path: Path) -> None:
    Vault.create(tmp_path / "other")
    with alone(root) as first:
        assert first
        assert is_taken(root)
        with alone(root) as second, alone(tmp_path / "other") as elsewhere:
            assert (second, elsewhere) == (False, True)
    assert not is_taken(root)
    with alone(root) as next_one:
        assert next_one


def test_the_place_of_a_killed_resident_is_free(root: Path) -> None:
    code = (
        "import sys, pathlib; from vault_memory.live.alone import alone\n"
        "with alone(pathlib.Path(sys.argv[1])) as first: print(first, flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        assert is_taken(root)
        process.kill()
    assert not is_taken(root)
