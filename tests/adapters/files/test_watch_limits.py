"""What is watched and what is not, and what happens where the system gives no watches."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from time import time_ns

import pytest
from watchdog.observers.inotify_c import InotifyFD

from tests.contracts.watch_contract import Listener
from vault_memory.adapters.files.exploring import Folder, explore, is_looked_at
from vault_memory.adapters.files.skipping import skipping
from vault_memory.adapters.files.tree import VaultFiles
from vault_memory.adapters.files.watch import vault as watches
from vault_memory.adapters.files.watch.vault import watch_vault
from vault_memory.model.namespace import VaultPath
from vault_memory.ports import Watch

PACKAGE = Path(__file__).parents[3]


def made(root: Path, *files: str, rules: str = "") -> Path:
    (root / ".vmem/local").mkdir(parents=True)
    (root / ".vmem/config.toml").write_text("format = 1\n")
    (root / ".gitignore").write_text(rules)
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text\n")
    return root.resolve()


def watch_of(root: Path) -> Watch:
    return watch_vault(
        root, exclude=("left-out/",), inbox="notes", scan=VaultFiles(root).scan, now_ns=time_ns
    )


@pytest.fixture
def broad(tmp_path: Path) -> Path:
    """A vault below a hidden folder, with all that is passed over."""
    root = made(
        tmp_path / ".hidden" / "node_modules" / "vault",
        "top.md",
        "notes/a.md",
        "_templates/t.md",
        ".obsidian/plugins/x.md",
        ".trash/x.md",
        "out/deep/x.md",
        "left-out/x.md",
        "private/akashi/out/x.md",
        "shared/node_modules/x.md",
        "notes/.git/x.md",
        rules="out/\n",
    )
    (root / "_templates/.gitignore").write_text("inner/\n")
    (root / "_templates/inner").mkdir()
    for number in range(3000):
        folder = root / f"node_modules/{number % 300}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.md").write_text("of a package\n")
    return root


def test_one_watch_is_set_on_each_folder_that_a_scan_looks_into(broad: Path) -> None:
    listener = Listener(watch_of(broad))
    try:
        # The root, notes, _templates, private and what is below it, shared and what is below it.
        assert listener.watch.state() == (8, None)
        (broad / "private/akashi/out/x.md").write_text("an agent's own\n")
        assert listener.heard("private/akashi/out/x.md")
        (broad / "node_modules/7/7.md").write_text("a package's own\n")
        (broad / "out/deep/x.md").write_text("ignored\n")
        (broad / "top.md").write_text("mine\n")
        assert listener.heard("top.md")
        assert listener.paths == {"private/akashi/out/x.md", "top.md"}
    finally:
        listener.watch.close()


def test_going_through_the_folders_finds_what_a_scan_finds(broad: Path) -> None:
    skip = skipping(os.fsencode(broad), ("left-out/",), "notes")
    files = VaultFiles(broad, exclude=("left-out/",))
    entered: list[str] = []
    found: list[str] = []
    for folder in explore(
        os.fsencode(broad), skip, Folder("", skip.around), lambda prefix, _: entered.append(prefix)
    ):
        found += folder.notes
    scanned = [stamp.path for stamp in files.scan().stamps]
    assert sorted(found) == scanned
    assert {path.rpartition("/")[0] for path in scanned} <= {prefix[:-1] for prefix in entered}
    everything = [str(path.relative_to(broad)) for path in broad.rglob("*.md")]
    assert sorted(path for path in everything if files.is_memory(VaultPath(path))) == scanned
    assert is_looked_at(os.fsencode(broad), skip, "notes/new/deep/x.md")
    assert not is_looked_at(os.fsencode(broad), skip, "out/new/x.md")
    assert not is_looked_at(os.fsencode(broad), skip, "notes/~$x.md")


def test_a_root_that_lost_its_settings_is_told_apart(broad: Path) -> None:
    files = VaultFiles(broad)
    files.check_root()
    (broad / ".vmem/config.toml").unlink()
    with pytest.raises(Exception, match="any more"):
        files.check_root()


_WORDS: dict[int, str] = {
    errno.EMFILE: "sysctl fs.inotify.max_user_instances=",
    errno.ENOSPC: "sysctl fs.inotify.max_user_watches=",
    errno.ENOSYS: "the system can't watch it: ",
}


@pytest.mark.parametrize("number", _WORDS)
def test_where_there_are_no_watches_it_polls_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(InotifyFD, "_create_inotify_fd", classmethod(refuse))
    root = made(tmp_path / "vault", "notes/a.md")
    files = open_files()
    listener = Listener(watch_of(root))
    try:
        assert _WORDS[number] in str(listener.watch.state()[1])
        (root / "notes/a.md").write_text("changed text\n")
        assert listener.heard("notes/a.md")
    finally:
        listener.watch.close()
    assert open_files() == files


def test_watches_that_run_out_half_way_are_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made(tmp_path / "vault", "one/a.md", "two/a.md", "three/a.md")
    few(monkeypatch, 2)
    threads, files = threading.active_count(), open_files()
    listener = Listener(watch_of(root))
    try:
        assert "max_user_watches" in str(listener.watch.state()[1])
        (root / "three/a.md").write_text("changed text\n")
        assert listener.heard("three/a.md")
    finally:
        listener.watch.close()
    assert (threading.active_count(), open_files()) == (threads, files)


def test_watches_that_run_out_later_lead_to_a_comparison_and_to_polling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = made(tmp_path / "vault", "one/a.md")
    few(monkeypatch, 3)
    listener = Listener(watch_of(root))
    try:
        assert listener.watch.state()[1] is None
        for name in ("two", "three", "four"):
            (root / name).mkdir()
            (root / name / "a.md").write_text("new\n")
        assert listener.heard("four/a.md")
        listener.settle()
        assert "max_user_watches" in str(listener.watch.state()[1])
        (root / "four/a.md").write_text("changed text\n")
        assert listener.heard("four/a.md")
    finally:
        listener.watch.close()


def few(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """The system gives no more watches than so many."""
    whole = InotifyFD._add_callback

    def add(self: InotifyFD, *given: object) -> object:
        if len(self._watch_for_wd) >= most:
            raise OSError(errno.ENOSPC, "inotify watch limit reached")
        return whole(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(InotifyFD, "_add_callback", add)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_network_disk_is_polled_though_the_kernel_would_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watches, "network_disk", lambda _: "nfs4")
    root = made(tmp_path / "vault", "a.md")
    listener = Listener(watch_of(root))
    try:
        assert "network disk (nfs4)" in str(listener.watch.state()[1])
        (root / "a.md").write_text("changed text\n")
        assert listener.heard("a.md")
    finally:
        listener.watch.close()


_FOLLOWS = """
import os, resource, sys
from pathlib import Path
from tests.live.scene import eventually, followed
root = Path(sys.argv[1])
{limit}
with followed(root) as scene:
    print(scene.following.state().folders, scene.following.state().polled)
    for number in range(3):
        scene.write(f"folder 7/a.md", f"the owl hoots {{number}} times\\n")
        scene.write(f"new/{{number}}/a.md", f"the newt number {{number}}\\n")
        eventually(lambda: scene.found(f'"hoots {{number}} times"') == ["folder 7/a.md"])
    eventually(lambda: len(scene.found("newt")) == 3)
    scene.check_against_a_rebuild()
"""


def in_a_process(root: Path, limit: str, *before: str) -> str:
    """What a process of its own says that follows the vault under a limit."""
    script = _FOLLOWS.format(limit=textwrap.dedent(limit))
    done = subprocess.run(
        [*before, sys.executable, "-c", script, str(root)],
        cwd=PACKAGE, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


@pytest.fixture
def many_folders(tmp_path: Path) -> Path:
    return made(tmp_path / "vault", *(f"folder {number}/a.md" for number in range(400)))


def test_four_hundred_folders_are_watched_with_few_files_open(many_folders: Path) -> None:
    limit = "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))"
    assert in_a_process(many_folders, limit) == "401 None"


def test_no_file_left_for_a_watch_leads_to_polling(many_folders: Path) -> None:
    limit = """
    from vault_memory.adapters.files.watch.kernel import Ear
    real = Ear.__init__
    def init(self, deaf):
        # Just then this process has used up what it may open.
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, before[1]))
        try:
            real(self, deaf)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
    Ear.__init__ = init
    """
    said = in_a_process(many_folders, limit)
    assert "ulimit -n" in said


def _may_have_a_namespace() -> bool:
    probe = ["unshare", "--user", "--map-root-user", "test", "-w", "/proc/sys/user/max_inotify_watches"]
    try:
        return subprocess.run(probe, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        return False


@pytest.mark.skipif(
    not _may_have_a_namespace(), reason="needs a user namespace; the stubs above show the same"
)
@pytest.mark.parametrize(
    ("limit", "words"),
    [("max_inotify_instances", "max_user_instances"), ("max_inotify_watches", "max_user_watches")],
)
def test_the_systems_own_limits_lead_to_polling(many_folders: Path, limit: str, words: str) -> None:
    most = {"max_inotify_instances": 0, "max_inotify_watches": 100}[limit]
    inside = f'echo {most} > /proc/sys/user/{limit}; exec "$0" "$@"'
    said = in_a_process(many_folders, "", "unshare", "--user", "--map-root-user", "sh", "-c", inside)
    assert words in said


def test_an_unwatched_vault_costs_little(tmp_path: Path) -> None:
    """The pause between two looks is so long that they take one hundredth of the time."""
    root = made(tmp_path / "vault", *(f"{number}.md" for number in range(1500)))
    pauses: list[float] = []
    scan: Callable[[], object] = VaultFiles(root).scan

    class Stopping(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            pauses.append(timeout or 0.0)
            return len(pauses) > 4

    from vault_memory.adapters.files.watch.polling import PollingWatch

    watch = PollingWatch(scan, because="a test", now_ns=time_ns, shortest=0.0)  # type: ignore[arg-type]
    watch._stopping = Stopping()
    began = os.times()
    watch._run()
    ended = os.times()
    worked = ended.user + ended.system - began.user - began.system
    assert pauses[0] == 0.0
    assert sum(pauses[1:5]) >= 50 * worked
