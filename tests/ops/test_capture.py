"""Lessons of a transcript go to the agent's inbox or a proposal, once each, and no secret comes along."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.gitrun import run_git
from tests.made_secrets import WORD, drawn, key_block
from tests.stand import CountedIds, ToldClock
from vault_memory.adapters.journal.cursors import SqliteCursors
from vault_memory.errors import LockedError, NotFoundError, UnsafePathError
from vault_memory.model.capture.captured import Captured
from vault_memory.model.injected import framed
from vault_memory.vault import Vault

DECISION = "We decided to use Postgres for the job queue."
CAUSE = "The export hangs because the lock file is on a network disk."
STILL = "We still need to update the docs for the new flag."
ALL = (DECISION, CAUSE, STILL)


def talk(*said: str, session: str = "s1") -> str:
    records = (
        {"type": "assistant", "sessionId": session, "message": {"role": "assistant", "content": text}}
        for text in said
    )
    return "".join(json.dumps(one) + "\n" for one in records)


def opened(root: Path, **settings: object) -> Vault:
    return Vault.open(
        root, clock=ToldClock(), ids=CountedIds(), settings={"refresh_seconds": 0.0, **settings}
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    place = tmp_path / "talk.jsonl"
    place.write_text(talk(*ALL), encoding="utf-8")
    return place


@pytest.fixture
def vault(tmp_path: Path) -> Iterator[Vault]:
    Vault.create(tmp_path / "vault")
    with opened(tmp_path / "vault") as one:
        yield one


def inbox(vault: Vault, agent: str = "akashi") -> list[str]:
    listed = vault.person.list(namespace=f"private/{agent}/inbox")
    return sorted((vault.root / one.path).read_text("utf-8").split("---\n", 2)[2].strip() for one in listed)


def take(vault: Vault, file: Path, agent: str = "akashi", **how: object) -> Captured:
    return vault.capture.transcript(file, agent, **how)  # type: ignore[arg-type]  # as a caller may


def test_lessons_lie_in_the_inbox_with_kind_expiry_session_and_line(vault: Vault, file: Path) -> None:
    done = take(vault, file)
    assert (len(done.lessons), done.turns, done.format, done.session) == (3, 3, "claude-code", "s1")
    assert inbox(vault) == sorted(ALL)
    [intent] = vault.person.list(kind=["intent"])
    text = (vault.root / intent.path).read_text(encoding="utf-8")
    for line in (
        "source_agent: akashi",
        "kind: intent",
        "ttl: 14d",
        "source_session: s1",
        'source_line: "3"',
    ):
        assert line in text.splitlines()
    assert all(one.path.startswith("private/akashi/inbox/") and one.commit for one in done.saved)


def test_the_same_part_is_captured_once_and_what_is_new_the_next_time(vault: Vault, file: Path) -> None:
    take(vault, file)
    again = take(vault, file)
    assert (again.turns, again.lessons, again.known) == (0, (), 0)
    with file.open("a") as more:
        more.write(talk("The report must never contain names of customers."))
    later = take(vault, file)
    assert ([one.kind for one in later.lessons], later.turns) == (["constraint"], 1)
    assert len(inbox(vault)) == 4


def test_what_a_person_threw_away_does_not_come_back_though_the_file_was_copied(
    vault: Vault, file: Path
) -> None:
    done = take(vault, file)
    vault.person.forget(done.saved[0].path)
    copy = file.with_name("resumed.jsonl")
    copy.write_text(file.read_text() + talk("We decided to pin the compiler."), encoding="utf-8")
    assert [one.text for one in take(vault, copy).lessons] == ["We decided to pin the compiler."]
    assert DECISION not in inbox(vault)


def test_a_rewritten_transcript_is_looked_through_anew_and_nothing_is_doubled(
    vault: Vault, file: Path
) -> None:
    take(vault, file)
    file.write_text(talk("Hello again, here we go on.", *ALL, session="s2"), encoding="utf-8")
    again = take(vault, file)
    assert (again.lessons, again.known, again.turns) == ((), 3, 4)
    assert inbox(vault) == sorted(ALL)


def test_what_was_moved_to_shared_memory_is_known_there(vault: Vault, file: Path) -> None:
    done = take(vault, file)
    for one in done.saved:
        vault.files.move(vault.person.scope, one.path, "shared/ops/")
    file.write_text(talk("Another beginning of it.", *ALL), encoding="utf-8")
    assert take(vault, file).known == 3
    assert inbox(vault) == []


def test_each_agent_has_a_capture_of_its_own_and_knows_nothing_of_the_other(vault: Vault, file: Path) -> None:
    take(vault, file)
    other = take(vault, file, "mira")
    assert (len(other.lessons), other.known) == (3, 0)
    assert inbox(vault, "mira") == inbox(vault)


def test_notes_that_were_put_before_the_agent_are_not_captured(vault: Vault, file: Path) -> None:
    block = framed(f"Queue · today · akashi · shared/ops/queue.md#L3\n  {DECISION}")
    file.write_text(talk(f"{block}\nwhat now?", f"As it says, {DECISION}", CAUSE), encoding="utf-8")
    assert [one.text for one in take(vault, file).lessons] == [CAUSE]


def test_a_lesson_with_a_secret_is_nowhere(vault: Vault, tmp_path: Path, file: Path) -> None:
    random = Random(7)
    token = "ghp_" + drawn(random, 36, WORD)
    said = (
        f"We decided to use the token {token} for the deploy job.",
        f"We decided to keep the old parser. The password is in DB_PASSWORD={drawn(random, 12)}x9 for now.",
        f"We decided to rotate the key.\n{key_block(random)}",
        f"Remember that the second job takes the token {token[:12]}\n  {token[12:]} for now.",
        CAUSE,
    )
    file.write_text(talk(*said), encoding="utf-8")
    done = take(vault, file, session=token)
    assert ([one.text for one in done.lessons], done.session) == ([CAUSE], None)
    assert done.refused >= 2
    run_git(vault.root, "gc", "-q")
    everything = b"".join(one.read_bytes() for one in vault.root.rglob("*") if one.is_file())
    log = run_git(vault.root, "log", "-p", "--all").encode()
    assert token.encode() not in everything + log
    assert b"rotate the key" not in log
    assert token[12:].encode() not in everything + log
    assert "ghp_" not in repr(done)


def test_by_the_settings_it_is_a_proposal_or_nothing(vault: Vault, file: Path) -> None:
    vault.person.remember("A proposal starts from a commit.")
    (vault.root / ".vmem" / "config.toml").write_text(
        'format = 1\n[agents.akashi]\ncapture = "propose"\n[agents.mira]\ncapture = "off"\n'
    )
    with opened(vault.root) as strict:
        dry = take(strict, file, dry_run=True)
        assert len(dry.lessons) == 3
        done = take(strict, file)
        assert {one.proposed for one in done.saved} == {"memory/akashi/captured"}
        assert all(one.path.startswith("shared/captured/") for one in done.saved)
        assert len(strict.person.list()) == 1
        assert not (strict.root / "shared").exists()
        assert take(strict, file).turns == 0
        named = take(strict, file, "mira", propose="mine")
        assert {one.proposed for one in named.saved} == {"memory/mira/mine"}
        off = take(strict, file, "mira")
        assert (off.off, off.turns) == (True, 0)


def test_a_dry_run_leaves_nothing_behind(vault: Vault, file: Path) -> None:
    assert len(take(vault, file, dry_run=True).lessons) == 3
    assert inbox(vault) == []
    assert len(take(vault, file).lessons) == 3


def test_a_name_that_no_agent_has_is_refused(vault: Vault, file: Path) -> None:
    with pytest.raises(UnsafePathError):
        take(vault, file, "../mira")


def test_several_captures_at_once_keep_each_lesson_once(vault: Vault, file: Path) -> None:
    def one() -> None:
        with Vault.open(vault.root, settings={"refresh_seconds": 0.0}) as own:
            counts.append(len(take(own, file).lessons))

    counts: list[int] = []
    threads = [threading.Thread(target=one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(counts) == [0, 0, 0, 3]
    assert inbox(vault) == sorted(ALL)


def test_who_finds_another_capture_at_work_is_told_who_it_is(vault: Vault, file: Path) -> None:
    from vault_memory import compose

    with opened(vault.root, lock_seconds=0.0) as other:
        *_, lock, _ = compose.capturing(other._opened)
        held, done = threading.Event(), threading.Event()

        def hold() -> None:
            with lock.held(wait=5):
                held.set()
                done.wait(30)

        thread = threading.Thread(target=hold)
        thread.start()
        held.wait(30)
        try:
            with pytest.raises(LockedError):
                take(other, file)
            assert take(other, file, dry_run=True).turns == 3
        finally:
            done.set()
            thread.join()


@pytest.mark.parametrize("kill", ["cursor", "index", *(f"fsync {number}" for number in (1, 2, 3, 4))])
def test_a_capture_that_is_killed_is_made_up_for_and_doubles_nothing(
    vault: Vault, file: Path, kill: str
) -> None:
    vault.close()
    with warnings.catch_warnings():
        # Some Pythons warn of a fork beside threads; this child needs none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:  # nothing of the tests may run here, whatever happens
        try:
            _be_killed(vault.root, file, kill)
        finally:
            os._exit(9)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL
    with opened(vault.root) as after:
        done = take(after, file)
        assert inbox(after) == sorted(ALL)
        assert done.known + len(done.lessons) == 3
        assert done.known == 3 or kill != "cursor"
        assert take(after, file).turns == 0
        after.upkeep.flush(after.person.scope)
        assert not after.upkeep.status(after.person.scope).waiting
    assert run_git(vault.root, "status", "--porcelain", "--", "private") == ""


def _be_killed(root: Path, file: Path, kill: str) -> None:
    from vault_memory.adapters.indexes.sqlite.backend import SqliteIndex

    def die(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    with opened(root) as vault:
        if kill == "cursor":
            SqliteCursors.put = die  # type: ignore[method-assign]
        elif kill == "index":
            SqliteIndex.apply = die  # type: ignore[method-assign,assignment]
        else:
            left, fsync = int(kill.removeprefix("fsync ")), os.fsync

            def counted(number: int) -> None:
                nonlocal left
                fsync(number)
                left -= 1
                if left == 0:
                    die()

            os.fsync = counted  # type: ignore[assignment]
        take(vault, file)


def distiller(answer: str) -> str:
    return shlex.join([sys.executable, "-S", "-c", f"import sys; said = sys.stdin.read(); {answer}"])


def test_a_command_of_the_persons_own_finds_the_lessons(vault: Vault, file: Path) -> None:
    token = "ghp_" + drawn(Random(3), 36, WORD)
    with file.open("a") as more:
        more.write(talk(f"the token is {token} here", framed("a note of the vault that was given")))
    answer = (
        "print(open('/dev/null').read(), end=''); import json; "
        "one = {'text': said, 'title': 'All of it', 'kind': 'decision', 'importance': 0.9, 'line': 2};"
        "print(json.dumps(one));"
        "print('no json'); print(json.dumps({'text': 'A fact of its own kind', 'kind': 'gossip'}))"
    )
    with opened(vault.root, capture_command=distiller(answer)) as own:
        done = take(own, file)
        assert [(one.title, one.kind, one.line) for one in done.lessons] == [
            ("All of it", "decision", 2), ("A fact of its own kind", "semantic", 1),
        ]  # fmt: skip
        [body] = [one for one in inbox(own) if "Assistant:" in one]
    assert DECISION in body
    assert "ghp_" not in body
    assert "[left out]" in body
    assert "a note of the vault" not in body


@pytest.mark.parametrize("answer", ["raise SystemExit(4)", "print('I am a model')"])
def test_where_the_command_fails_the_rules_find_them_and_it_is_told(
    vault: Vault, file: Path, answer: str
) -> None:
    with opened(vault.root, capture_command=distiller(answer)) as own:
        done = take(own, file)
    assert len(done.lessons) == 3
    [notice] = done.notices
    assert "the rules found the lessons instead" in notice


def test_a_vaults_own_file_names_no_command(vault: Vault, file: Path) -> None:
    (vault.root / ".vmem" / "config.toml").write_text('format = 1\ncapture_command = "touch /tmp/x"\n')
    argv = ["--vault", str(vault.root), "capture", str(file), "--agent", "a"]
    ran = subprocess.run(
        [sys.executable, "-m", "vault_memory", *argv], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 78
    assert "capture_command" in ran.stderr


@pytest.mark.parametrize(
    "place",
    [
        "private/mira/talk.md",
        "private/mira/../mira/talk.md",
        "link.txt",
        ".vmem/local/worktrees/one/private/mira/talk.md",
        "shared/closed/talk.md",
    ],
)
def test_what_an_agent_may_not_read_is_no_transcript_for_it(vault: Vault, tmp_path: Path, place: str) -> None:
    for folder in ("private/mira", ".vmem/local/worktrees/one/private/mira", "shared/closed"):
        (vault.root / folder).mkdir(parents=True)
        (vault.root / folder / "talk.md").write_text(f"User: {DECISION}\n", encoding="utf-8")
    (vault.root / "link.txt").symlink_to(vault.root / "private" / "mira" / "talk.md")
    (vault.root / ".vmem" / "config.toml").write_text('format = 1\n[namespaces.closed]\nreaders = ["mira"]\n')
    with opened(vault.root) as strict:
        with pytest.raises(NotFoundError) as raised:
            strict.capture.transcript(strict.root / place, "akashi", form="text", dry_run=True)
        with pytest.raises(NotFoundError) as none:
            strict.capture.transcript(strict.root / "none.md", "akashi", form="text", dry_run=True)
        told = raised.value.message.replace(str(strict.root / place), "")
        assert told == none.value.message.replace(str(strict.root / "none.md"), "")
        if ".vmem" not in place:
            own = strict.capture.transcript(strict.root / place, "mira", form="text", dry_run=True)
            assert len(own.lessons) == 1
