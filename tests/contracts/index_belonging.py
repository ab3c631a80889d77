"""What the `Index` port promises of a scope with a policy, and of sizes."""

from __future__ import annotations

from tests.contracts.index_values import upsert
from vault_memory.model.change import Removal
from vault_memory.model.namespace import PERSON, Scope, VaultPath
from vault_memory.model.policy import Policy
from vault_memory.ports import Index

SHUT = Policy(namespaces={"shared/vault": {"readers": ("mira",)}})


def words_read(index: Index, scope: Scope) -> int:
    """How many passages count for the scope."""
    return index.corpus(scope).count


class BelongingContract:
    """Part of `IndexContract`."""

    def test_what_a_policy_hides_counts_nowhere_whatever_comes_and_goes(self, index: Index) -> None:
        akashi, mira = Scope("akashi", policy=SHUT), Scope("mira", policy=SHUT)
        free = Scope("akashi")
        index.apply(
            [upsert(f"shared/{one}.md", f"about ships {one}\n") for one in ("vault/a", "b", "vaults/c")]
        )

        def seen(scope: Scope) -> tuple[int, int, int]:
            return words_read(index, scope), index.count(scope), len(index.entries(scope))

        assert [seen(one) for one in (akashi, mira, free, PERSON)] == [(2,) * 3, (3,) * 3, (3,) * 3, (3,) * 3]
        index.apply([upsert("shared/Vault/deep/d.md", "about ships d\n"), upsert("private/mira/e.md", "e\n")])
        assert [seen(one) for one in (akashi, mira, free)] == [(2,) * 3, (5,) * 3, (4,) * 3]
        index.apply([Removal(VaultPath("shared/b.md")), Removal(VaultPath("shared/vault/a.md"))])
        assert [seen(one) for one in (akashi, mira, free)] == [(1,) * 3, (3,) * 3, (2,) * 3]
        index.apply([upsert("top.md", "top\n")])
        assert seen(akashi) == (2,) * 3

    def test_the_size_of_what_is_an_agents_and_of_what_lies_below_a_folder(self, index: Index) -> None:
        assert (index.size_of_agent("akashi"), index.size_below("shared/ops")) == ((0, 0), (0, 0))
        own, foreign = upsert("private/akashi/a.md", "mine\n"), upsert("private/akashi2/b.md", "not mine\n")
        by_it, other = (
            upsert("shared/ops/db/c.md", "by it\n", source_agent="akashi"),
            upsert("shared/opsx/d.md", "x\n"),
        )
        index.apply([own, foreign, by_it, other])
        sizes = {one.stamp.path: one.stamp.size for one in (own, foreign, by_it, other)}
        assert index.size_of_agent("akashi") == (2, sizes[own.stamp.path] + sizes[by_it.stamp.path])
        assert index.size_of_agent("Akashi") == (0, 0)
        assert index.size_below("shared/ops") == (1, sizes[by_it.stamp.path])
        assert index.size_below("shared") == (2, sizes[by_it.stamp.path] + sizes[other.stamp.path])
        twin = upsert("shared/OPS/e.md", "the same folder on many machines\n")
        index.apply([twin, upsert("Shared/ops/f.md", "a person's\n")])
        both = sizes[by_it.stamp.path] + twin.stamp.size
        assert index.size_below("shared/ops") == index.size_below("shared/Ops") == (2, both)
        alike = upsert("shared/\u043eps./g.md", "the same folder to an eye\n")
        index.apply([alike])
        assert index.size_below("shared/ops") == (3, both + alike.stamp.size)
