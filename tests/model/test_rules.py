"""The table of rules: every fault has a page, and names are found however they are typed."""

from __future__ import annotations

import re
from datetime import UTC

import pytest

from vault_memory.errors import UsageError
from vault_memory.model.codes import CODES
from vault_memory.model.frontmatter import parse_memory
from vault_memory.model.namespace import VaultPath
from vault_memory.model.pages_of_files import PAGES_OF_FILES
from vault_memory.model.rules import RULES, find_rule

OF_FILES: dict[str, tuple[bytes, bytes]] = {
    "VM001": (b"Caf\xe9\n", "Café\n".encode()),
    "VM002": ("Note\n".encode("utf-16"), b"Note\n"),
    "VM003": (b"a\x00b", b"ab"),
    "VM004": (
        b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a" * 16 + b"\nsize 9\n",
        b"Text\n",
    ),
    "VM010": (b"---\ntitle: Plan\n\nThe text.\n", b"---\ntitle: Plan\n---\nThe text.\n"),
    "VM011": (b"---\nlog: " + b"x" * 2_000_000 + b"\n---\nText\n", b"---\nlog: x\n---\nText\n"),
    "VM012": (b"---\ntitle: Plan: phase two\n---\n", b'---\ntitle: "Plan: phase two"\n---\n'),
    "VM013": (b"---\nJust a thought.\n---\n", b"---\ntitle: Just a thought\n---\n"),
    "VM014": (
        b"---\na: &a [x, x, x, x, x, x, x, x, x]\n"
        + b"".join(
            b"%c: &%c [%s]\n" % (98 + n, 98 + n, b", ".join([b"*%c" % (97 + n)] * 9)) for n in range(8)
        )
        + b"---\n",
        b"---\na: [x]\n---\n",
    ),
    "VM015": (b"---\ntags: [ops]\ntags: [trading]\n---\n", b"---\ntags: [ops, trading]\n---\n"),
    "VM016": (b"---\nTitle: Old\ntitle: New\n---\n", b"---\ntitle: New\n---\n"),
    "VM020": (b"---\nimportance: 8/10\n---\n", b"---\nimportance: 0.8\n---\n"),
    "VM021": (b"---\ntags: {ops: true}\n---\n", b"---\ntags: [ops]\n---\n"),
    "VM022": (b"---\ntags: #ops #trading\n---\n", b"---\ntags: [ops, trading]\n---\n"),
    "VM023": (b"---\nttl: soon\ncreated: 2026-03-14\n---\n", b"---\nttl: 7d\ncreated: 2026-03-14\n---\n"),
    "VM024": (b"---\nttl: 90d\n---\n", b"---\nttl: 90d\ncreated: 2026-03-14\n---\n"),
    "VM025": (b"---\ncreated: 2026-02-30\n---\n", b"---\ncreated: 2026-02-28\n---\n"),
    "VM026": (b"---\npinned: very\n---\n", b"---\npinned: true\n---\n"),
    "VM027": (b"---\ntitle: [Plan, Phase two]\n---\n", b"---\ntitle: Plan, phase two\n---\n"),
    "VM028": (b"---\ncreated: {{date}}\n---\n", b"---\ncreated: 2026-03-14\n---\n"),
    "VM030": (b"<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n", b"    <<<<<<< HEAD\n"),
}
"""What breaks each rule that one file can break, and what keeps it."""


def told(content: bytes) -> list[str]:
    return [finding.code for finding in parse_memory(VaultPath("a.md"), content, zone=UTC).findings]


def test_every_fault_of_a_file_has_a_page_and_a_test() -> None:
    assert set(PAGES_OF_FILES) == set(CODES)
    assert set(OF_FILES) == set(CODES)


@pytest.mark.parametrize("code", OF_FILES)
def test_the_bad_file_breaks_the_rule_and_the_good_one_none(code: str) -> None:
    bad, good = OF_FILES[code]
    assert set(told(bad)) == {code}
    assert told(good) == []


def test_codes_and_names_are_each_ones_own_and_have_one_form() -> None:
    assert len({rule.name for rule in RULES.values()}) == len(RULES)
    for code, rule in RULES.items():
        assert re.fullmatch(r"VM\d{3}", code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", rule.name)
        assert list(RULES) == sorted(RULES)


@pytest.mark.parametrize("code", RULES)
def test_every_page_says_why_how_and_shows_both(code: str) -> None:
    page = RULES[code].page
    for text in (page.why, page.mend):
        assert text.endswith((".", "`)"))
        assert len(text) > 10
    assert page.bad != page.good
    assert page.bad
    assert page.good


@pytest.mark.parametrize("text", ["VM012", "vm012", " not-yaml ", "NOT-YAML"])
def test_a_rule_is_found_by_code_or_name_in_any_case(text: str) -> None:
    assert find_rule(text).code == "VM012"


@pytest.mark.parametrize(("typed", "meant"), [("broken-lnk", "broken-link"), ("VM12", "VM012")])
def test_a_slip_of_the_pen_gets_the_rule_that_is_meant(typed: str, meant: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_rule(typed)
    assert f"did you mean {meant}?" in str(caught.value.hint)


def test_what_is_like_no_rule_gets_the_way_to_the_list() -> None:
    with pytest.raises(UsageError) as caught:
        find_rule("qqqqqqqq")
    assert caught.value.hint == "vmem lint --explain all lists them"
