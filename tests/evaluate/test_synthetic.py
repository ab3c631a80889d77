"""Made-up vaults are the same for the same seed, look like memories, and are all in git."""

from __future__ import annotations

from collections import Counter
from datetime import UTC
from pathlib import Path

from tests.gitrun import Git
from vault_memory.evaluate.synthetic import A_FOLDER, COMMONEST, WORDS, Author, build, path_of
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.passage import passage_terms
from vault_memory.vault import Vault


def quiet(what: str, done: int, total: int) -> None:
    assert 0 <= done <= total


def test_the_same_seed_writes_the_same_memories_and_another_does_not() -> None:
    one, again, other = Author(7), Author(7), Author(8)
    assert [one.file(number) for number in range(20)] == [again.file(number) for number in range(20)]
    assert one.file(3) != other.file(3)
    assert one.query(5, 100) == again.query(5, 100)


def test_a_memory_is_read_without_a_fault_and_has_one_to_five_passages() -> None:
    author = Author(7)
    counts = set()
    for number in range(60):
        memory = parse_memory(VaultPath(path_of(number)), author.file(number), zone=UTC)
        assert memory.findings == ()
        assert memory.source_agent == "akashi"
        counts.add(len(passage_terms(memory)))
    assert counts == {1, 2, 3, 4, 5}


def test_one_in_five_expires_far_off_and_one_in_two_links_to_one_that_is_there() -> None:
    author = Author(7)
    made = [parse_memory(VaultPath(path_of(number)), author.file(number), zone=UTC) for number in range(50)]
    assert [number for number, memory in enumerate(made) if memory.expires] == list(range(0, 50, 5))
    assert {memory.expires.year for memory in made if memory.expires} == {2120}
    linked = {
        number: [link.target for link in memory.links] for number, memory in enumerate(made) if memory.links
    }
    assert list(linked) == list(range(0, 50, 2))
    names = {path_of(number).rpartition("/")[2].removesuffix(".md") for number in range(50)}
    assert {target for targets in linked.values() for target in targets} <= names
    assert {memory.front["status"] for memory in made} == {"open", "waiting", "done"}


def test_words_come_up_as_zipf_says() -> None:
    author = Author(7)
    assert len(set(author.words)) == WORDS
    seen = Counter(word for n in range(300) for word in author.text(n).body.lower().replace(".", "").split())
    first, tenth = seen[author.words[0]], seen[author.words[9]]
    assert 6 < first / tenth < 16


def test_a_question_is_two_or_three_words_that_stand_in_one_memory_and_not_the_commonest() -> None:
    author = Author(7)
    bodies = [set(author.text(n).body.lower().replace(".", "").split()) for n in range(30)]
    common = set(author.words[:COMMONEST])
    for number in range(40):
        words = set(author.query(number, 30).split())
        assert 2 <= len(words) <= 3
        assert not words & common
        assert any(words <= body for body in bodies)


def test_a_vault_is_built_in_folders_and_committed_whole(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "vault"
    build(root, Author(7), A_FOLDER + 2, quiet)
    assert len(list((root / "shared" / "area-000").iterdir())) == A_FOLDER
    assert len(list((root / "shared" / "area-001").iterdir())) == 2
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "fsck", "--strict") == ""
    assert len(git(root, "ls-files", "shared").splitlines()) == A_FOLDER + 2
    with Vault.open(root) as vault:
        assert vault.index.refresh().added == A_FOLDER + 2
