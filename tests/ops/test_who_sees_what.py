"""What an agent is told of the whole vault leaves out what lies in others' private folders."""

from __future__ import annotations

from pathlib import Path

from tests.gitrun import Git
from vault_memory.model.namespace import PERSON, Scope
from vault_memory.vault import Vault

AKASHI = Scope("akashi")


def test_the_doctor_names_an_agent_no_file_of_anothers(root: Path) -> None:
    with Vault.open(root) as vault:
        secret = vault.agent("mira").remember("where the spare key is", title="Spare key")
        (root / secret.path).with_name("torn-letter.md").symlink_to("/etc/passwd")
        told = repr(vault.upkeep.doctor(AKASHI))
        assert "torn-letter" in repr(vault.upkeep.doctor(PERSON))
    assert "mira" not in told
    assert "'files', well=True, found='0 Markdown files'" in told


def test_what_waits_of_others_is_not_counted_for_an_agent(root: Path, git: Git) -> None:
    git(root, "checkout", "--quiet", "--detach", git(root, "commit-tree", "-m", "x", EMPTY_TREE))
    with Vault.open(root) as vault:
        assert vault.agent("mira").remember("where the spare key is").commit is None
        found = {check.name: check.well for check in vault.upkeep.doctor(AKASHI)}
        assert found["journal"]
        assert not {check.name: check.well for check in vault.upkeep.doctor(PERSON)}["journal"]


EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def test_the_log_of_a_shared_memory_hides_what_a_commit_says_of_a_private_one(root: Path, git: Git) -> None:
    with Vault.open(root) as vault:
        shared = vault.agent("mira").remember("the fair is on Sunday", title="Fair", namespace="plans")
        secret = vault.agent("mira").remember("where the spare key is", title="Spare key")
        for path in (shared.path, secret.path):
            file = root / path
            file.write_bytes(file.read_bytes() + b"more\n")
        git(root, "commit", "--quiet", "--all", "--message", "move the spare key, and the fair")
        told = vault.history.log(Scope("akashi"), shared.path)
        assert [one.subject for one in told] == ["(several memories)", "remember: Fair"]
        assert [one.paths for one in told] == [(shared.path,)] * 2
        assert vault.history.log(Scope("mira"), shared.path)[0].subject == "move the spare key, and the fair"
