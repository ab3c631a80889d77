"""Who may do what under random tables: writing needs reading, and rules only take away."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from vault_memory.config.tables import AGENTS, NAMESPACES, read_tables
from vault_memory.model.namespace import Scope
from vault_memory.model.policy import OPEN, Capture, Policy, policy_from

NAMES = ("aka", "akashi", "akashi2", "mira", "ci-runner.2")
SPACES = ("market", "ops", "ops/db", "opsx", "Märkte", "market/a/b")
TWINS = ("Akashi", "AKASHI", "akashı", "аkashi", "akash\u0130", "akashi\u200b", "ａｋａｓｈｉ", "akashi ")
"""Names on a disk that look like an agent's, or fold to it, and are none."""
FOLDERS = (
    "shared", "shared/market", "shared/market/a/b/c", "shared/Market", "shared/ops", "shared/ops/db",
    "shared/opsx", "shared/OPS/DB/x", "shared/ma\u0308rkte", "shared/Märkte/x", "Shared/ops", "SHARED/market",
    "shared2/market", "notes", "", "market", "private", "private/aka", "private/akashi",
    "private/akashi/inbox", "private/mira/x", "Private/mira", *(f"private/{twin}" for twin in TWINS),
)  # fmt: skip

agent_tables = st.dictionaries(
    st.sampled_from((*NAMES, "*")),
    st.fixed_dictionaries(
        {},
        optional={
            "readonly": st.booleans(),
            "review": st.sampled_from(("required", "never")),
            "reads": st.lists(st.sampled_from((*SPACES, "*")), max_size=3),
            "writes": st.lists(st.sampled_from((*SPACES, "*")), max_size=3),
            "quota_files": st.integers(0, 9),
            "capture": st.sampled_from(tuple(Capture)),
        },
    ),
    max_size=4,
)
namespace_tables = st.dictionaries(
    st.sampled_from((*SPACES, "*")),
    st.fixed_dictionaries(
        {},
        optional={
            "readers": st.lists(st.sampled_from((*NAMES, "*")), max_size=3),
            "writers": st.lists(st.sampled_from((*NAMES, "*")), max_size=3),
            "readonly": st.booleans(),
            "review": st.sampled_from(("required", "never")),
        },
    ),
    max_size=4,
)


def policy_of(agents: object, namespaces: object = (), review: tuple[str, ...] = ()) -> Policy:
    """The policy of tables as a file has them."""
    one = read_tables("agents", AGENTS, agents, "")
    other = read_tables("namespaces", NAMESPACES, dict(namespaces or {}), "")  # type: ignore[call-overload]  # of any
    assert not one.faults
    assert not other.faults
    return policy_from({"agents": one.tables, "namespaces": other.tables, "review": review})


policies = st.builds(
    policy_of, agent_tables, namespace_tables, st.sampled_from(((), ("shared/ops",), ("shared",)))
)
paths = st.builds(
    lambda folder, name: f"{folder}/{name}" if folder else name,
    st.sampled_from(FOLDERS),
    st.sampled_from(("x.md", "Y.MD")),
)
agents = st.sampled_from(NAMES)


@given(policies, agents, paths)
def test_who_may_write_may_propose_and_who_may_propose_may_read(
    policy: Policy, agent: str, path: str
) -> None:
    scope = Scope(agent, policy=policy)
    assert scope.may_propose(path) or not scope.may_write(path)
    assert scope.may_read(path) or not scope.may_propose(path)
    assert not (scope.may_write(path) and scope.must_propose(path))
    proposing = Scope(agent, policy=policy, proposing=True)
    assert proposing.may_write(path) == scope.may_propose(path)
    assert proposing.may_read(path) == scope.may_read(path)


@given(policies, agents, paths)
def test_a_policy_only_takes_away(policy: Policy, agent: str, path: str) -> None:
    scope, free = Scope(agent, policy=policy), Scope(agent)
    assert free.may_read(path) or not scope.may_read(path)
    assert free.may_write(path) or not scope.may_write(path)
    assert Scope(None, policy=policy).may_read(path)
    assert Scope(None, policy=policy).may_write(path)


@given(policies, agents, paths)
def test_what_is_kept_of_a_folder_is_what_would_be_found_again(policy: Policy, agent: str, path: str) -> None:
    first = Scope(agent, policy=policy)
    again = Scope(agent, policy=Policy(policy.agents, policy.namespaces, policy.review))
    assert [first.may_read(path), first.may_read(path)] == [again.may_read(path)] * 2
    assert first.may_write(path) == again.may_write(path)


@given(policies, agents, agents, paths)
def test_equal_sight_is_equal_reading(policy: Policy, one: str, other: str, path: str) -> None:
    scopes = Scope(one, policy=policy), Scope(other, policy=policy)
    if scopes[0].sight == scopes[1].sight:
        assert scopes[0].may_read(path) == scopes[1].may_read(path)
    if scopes[0].sight == one:  # nothing shared is hidden
        assert scopes[0].may_read(path) == Scope(one).may_read(path)


@given(policies, agents, st.sampled_from(SPACES))
def test_a_rule_holds_below_its_folder_and_in_each_spelling_that_is_the_same_folder_somewhere(
    policy: Policy, agent: str, space: str
) -> None:
    scope = Scope(agent, policy=policy)
    folder = f"shared/{space}"
    for twin in (folder.upper(), folder.title(), unicodedata.normalize("NFD", folder)):
        # A twin is never more open than the folder itself.
        assert scope.may_read(f"{folder}/x.md") or not scope.may_read(f"{twin}/x.md"), twin
        assert scope.may_write(f"{folder}/x.md") or not scope.may_write(f"{twin}/x.md"), twin
    if policy.rights(agent).reads is None and not scope.may_read(f"{folder}/x.md"):
        assert not scope.may_read(f"{folder}/deep/er/x.md")


@given(policies, agents)
def test_a_private_folder_is_one_agents_whatever_the_policy(policy: Policy, agent: str) -> None:
    scope = Scope(agent, policy=policy)
    assert scope.may_read(f"private/{agent}/x.md")
    for other in (*NAMES, *TWINS):
        if other != agent:
            assert not scope.may_read(f"private/{other}/x.md"), other
            assert not scope.may_write(f"private/{other}/x.md"), other
    assert not scope.may_read("private/x.md")


def test_namespaces_are_compared_segment_by_segment() -> None:
    scope = Scope("aka", policy=policy_of({"aka": {"reads": ["ops"], "writes": ["ops/db"]}}))
    assert [scope.may_read(f"shared/{one}/x.md") for one in ("ops", "ops/db", "opsx", "OPS", "op")] == [
        True, True, False, False, False,
    ]  # fmt: skip
    assert [scope.may_write(f"shared/{one}/x.md") for one in ("ops", "ops/db", "ops/db/a", "ops/dbx")] == [
        False, True, True, False,
    ]  # fmt: skip
    assert not scope.may_read("shared/x.md")
    assert scope.may_read("notes/x.md")


def test_the_table_of_the_star_is_for_agents_without_one() -> None:
    policy = policy_of({"*": {"readonly": True, "capture": "off"}, "mira": {}})
    assert not Scope("aka", policy=policy).may_write("private/aka/x.md")
    assert Scope("mira", policy=policy).may_write("private/mira/x.md")
    assert (policy.capture("aka"), policy.capture("mira")) == (Capture.OFF, Capture.INBOX)
    assert policy.capture(None) is Capture.INBOX


def test_each_rule_on_the_way_to_a_folder_must_let_one_in() -> None:
    policy = policy_of(
        {}, {"*": {"readers": ["aka", "mira"]}, "ops": {"writers": ["aka"]}, "ops/db": {"readers": ["mira"]}}
    )
    aka, mira, other = (Scope(name, policy=policy) for name in ("aka", "mira", "akashi"))
    assert (aka.may_read("shared/ops/x.md"), aka.may_write("shared/ops/x.md")) == (True, True)
    assert (aka.may_read("shared/ops/db/x.md"), aka.may_write("shared/ops/db/x.md")) == (False, False)
    assert (mira.may_read("shared/ops/db/x.md"), mira.may_write("shared/ops/db/x.md")) == (True, False)
    assert not other.may_read("shared/x.md")
    assert not aka.rights.sees_all_below("shared/ops")
    assert mira.rights.sees_all_below("shared/ops")


def test_the_setting_review_and_the_tables_are_one_policy() -> None:
    policy = policy_of(
        {"aka": {"review": "required"}}, {"ops/db": {"review": "required"}}, ("shared/market",)
    )
    aka, mira = Scope("aka", policy=policy), Scope("mira", policy=policy)
    assert aka.must_propose("shared/anything/x.md")
    assert not aka.must_propose("private/aka/x.md")
    assert [mira.must_propose(f"shared/{one}/x.md") for one in ("market", "ops", "ops/db", "x")] == [
        True, False, True, False,
    ]  # fmt: skip
    assert policy_of({}) is OPEN
    assert not Scope("aka").proposes
