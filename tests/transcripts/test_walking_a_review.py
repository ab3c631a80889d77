"""`vmem review BRANCH` on a terminal: memory by memory, and nothing is done before the last yes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gitrun import Git
from tests.ops.proposed import begun
from tests.transcripts.test_terminal import editor, on_terminal

HERON, OWL, RSI = (f"shared/market/{name}.md" for name in ("heron", "owl", "rsi"))
PLAIN = {"NO_COLOR": "1", "VMEM_EMBEDDER": "none"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    scene = begun(tmp_path / "memory")
    with scene.proposal() as proposal:
        proposal.remember("RSI above 70", title="Rsi", namespace="market")
        proposal.edit("Heron", importance=0.9)
        proposal.forget("Owl")
    return scene.root


def test_each_memory_is_decided_on_and_then_all_is_carried_out(root: Path, home: Path, git: Git) -> None:
    own = editor(home, "sed -i 's/above 70/above 80/' \"$2\"")
    code, shown = on_terminal("review", "rsi", cwd=root, environment=PLAIN | own, typed=b"a\nr\nx\ne\na\ny\n")
    assert code == 0, shown
    assert "1 of 3   shared/market/heron.md   edited" in shown
    assert "3 of 3   shared/market/rsi.md   added" in shown
    assert "Take 2 memories in, take 1 memory back? [y/N]" in shown
    assert "2 memories taken in" in shown
    assert "above 80" in git(root, "show", f"HEAD:{RSI}")
    assert "importance: 0.9" in git(root, "show", f"HEAD:{HERON}")
    assert git(root, "show", f"HEAD:{OWL}")
    assert git(root, "branch", "--list", "memory/*") == ""


def test_what_is_changed_behind_an_accepted_memory_is_shown_again(root: Path, home: Path, git: Git) -> None:
    """An edit in the walk brings its end up to the branch as it is then, an agent's writes included."""
    proposal = root / ".vmem" / "local" / "worktrees" / "akashi" / "rsi"
    meanwhile = f"git -C '{proposal}' -c user.name=akashi -c user.email=a@b commit --quiet --all -m more"
    own = editor(home, f"sed -i s/0.9/0.1/ '{proposal / HERON}'; {meanwhile}; sed -i s/70/80/ \"$2\"")
    code, shown = on_terminal("review", "rsi", cwd=root, environment=PLAIN | own, typed=b"a\ns\ne\na\nr\ny\n")
    assert code == 0, shown
    assert shown.count("1 of 3   shared/market/heron.md   edited") == 2
    assert "Take 1 memory in, take 1 memory back, leave 1 memory open? [y/N]" in shown
    assert "importance" not in git(root, "show", f"HEAD:{HERON}")
    assert "above 80" in git(root, "show", f"HEAD:{RSI}")


def test_who_quits_or_says_no_has_changed_nothing(root: Path, git: Git) -> None:
    before = git(root, "for-each-ref")
    for typed in (b"a\nq\nn\n", b"q\n", b"a\nr\ns\nn\n", b"s\ns\ns\n", b"a\n\x04"):
        _, shown = on_terminal("review", "rsi", cwd=root, environment=PLAIN, typed=typed)
        assert "Traceback" not in shown
        assert "Nothing was changed." in shown or typed.endswith(b"\x04")
        assert git(root, "for-each-ref") == before, typed


def test_who_quits_in_between_is_asked_about_what_was_said_so_far(root: Path, home: Path, git: Git) -> None:
    """An editor that fails ends nothing, and a memory that is to go has nothing to edit."""
    fails = editor(home, "exit 3")
    code, shown = on_terminal("review", "rsi", cwd=root, environment=PLAIN | fails, typed=b"e\na\ne\nq\ny\n")
    assert code == 0, shown
    assert "ended with exit code 3; nothing was done" in shown
    assert shown.count("1 of 3   shared/market/heron.md   edited") == 2
    assert shown.count("[a]ccept, [r]eject, [s]kip (leave open), [q]uit: ") == 2
    assert "Take 1 memory in, leave 2 memories open? [y/N]" in shown
    assert "importance: 0.9" in git(root, "show", f"HEAD:{HERON}")
    assert git(root, "show", f"HEAD:{OWL}")
    assert git(root, "show", f"memory/akashi/rsi:{RSI}")


def test_an_agent_and_a_pipe_are_shown_it_and_asked_nothing(root: Path) -> None:
    code, shown = on_terminal("--agent", "akashi", "review", "rsi", cwd=root, environment=PLAIN)
    assert (code, "[a]ccept" in shown) == (0, False)
    code, shown = on_terminal("review", "rsi", cwd=root, environment=PLAIN, stdin=b"a\na\na\ny\n")
    assert (code, "[a]ccept" in shown) == (0, False)
    assert "vmem review memory/akashi/rsi --accept" in shown
