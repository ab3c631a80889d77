"""What lint found, as text, as commands for GitHub's log, and as SARIF."""

from __future__ import annotations

import re
from typing import Any

import pytest

from vault_memory.model.linted import FixPlan, LintReport, Mend
from vault_memory.model.memory import Finding
from vault_memory.model.namespace import VaultPath
from vault_memory.model.rules import RULES
from vault_memory.render import lint as render

YAML = Finding("VM012", "notes/plan.md", 3, "front matter is not valid YAML: x", "quote the value")
TTL = Finding("VM023", "notes/plan.md", 10, "ttl can't be 'soon'", "ttl takes 7d")
ID = Finding("VM036", "größe 100%.md", 1, "has no id", "")
HOSTILE = Finding("VM034", "a,b:c%d\n::error::.md", 1, "links\r\n::error file=x::pwned \x1b[31m 50%", "a\nb")
REPORT = LintReport((YAML, TTL, ID), 212)


def test_each_finding_has_place_code_message_and_its_advice_below() -> None:
    assert render.render_findings(REPORT, REPORT.problems, colour=False).split("\n") == [
        "notes/plan.md:3    VM012  front matter is not valid YAML: x",
        "                   quote the value",
        "notes/plan.md:10   VM023  ttl can't be 'soon'",
        "                   ttl takes 7d",
        "2 problems in 212 files",
        "besides: 1 × missing-id (no problems; vmem lint --info lists them)",
    ]


def test_the_same_advice_twice_in_a_row_is_given_once_and_what_is_listed_is_not_counted_again() -> None:
    again = Finding("VM012", "notes/plan.md", 4, "another", "quote the value")
    said = render.render_findings(LintReport((YAML, again, ID), 1), (YAML, again, ID), colour=False)
    assert said.count("quote the value") == 1
    assert said.endswith("2 problems in 1 file")


def test_a_vault_without_problems_says_so() -> None:
    assert render.render_findings(LintReport((), 1), (), colour=False) == "no problems in 1 file"


@pytest.mark.parametrize("colour", [True, False])
def test_no_name_and_no_message_can_steer_the_terminal(colour: bool) -> None:
    said = render.render_findings(LintReport((HOSTILE,), 1), (HOSTILE,), colour=colour)
    assert len(said.split("\n")) == 3
    assert "\x1b[31m 50%" not in said


def test_github_gets_a_command_a_finding_below_the_vaults_place() -> None:
    error, notice = render.render_github((YAML, ID), "docs/vault/").split("\n")
    assert error == (
        "::error file=docs/vault/notes/plan.md,line=3,title=VM012 not-yaml"
        "::front matter is not valid YAML: x; quote the value"
    )
    assert notice == "::notice file=docs/vault/größe 100%25.md,line=1,title=VM036 missing-id::has no id"


def test_nothing_hostile_ends_a_github_command_or_begins_another() -> None:
    [line] = render.render_github((HOSTILE,), "").split("\n")
    assert line.startswith(
        "::warning file=a%2Cb%3Ac%25d %3A%3Aerror%3A%3A.md,line=1,title=VM034 broken-link::"
    )
    properties, _, message = line[2:].partition("::")
    assert len(properties.split(",")) == 3
    assert "\x1b" not in message
    assert "50%25" in message


def required(value: Any, **types: type) -> None:
    for name, kind in types.items():
        assert isinstance(value[name], kind), name


def test_sarif_has_all_that_its_schema_requires() -> None:
    log: Any = render.sarif((YAML, TTL, ID, HOSTILE), "docs/vault/", "0.1")
    required(log, version=str, runs=list)
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    driver = run["tool"]["driver"]
    required(driver, name=str, version=str, rules=list)
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for rule in driver["rules"]:
        required(rule, id=str, name=str)
        required(rule["shortDescription"], text=str)
        required(rule["fullDescription"], text=str)
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    for result in run["results"]:
        required(result["message"], text=str)
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        [location] = result["locations"]
        place = location["physicalLocation"]
        # A URI reference: relative, and nothing in it that has to be escaped.
        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", place["artifactLocation"]["uri"])
        assert place["artifactLocation"]["uri"].startswith("docs/vault/")
        assert place["region"]["startLine"] >= 1
    assert [result["level"] for result in run["results"]] == ["error", "warning", "note", "warning"]


def test_a_page_names_the_rule_its_weight_and_both_examples() -> None:
    page = render.render_rule(RULES["VM012"], colour=False)
    assert page.startswith("VM012  not-yaml   error\n\n")
    assert 'Bad:\n  title: Plan: phase two\n\nGood:\n  title: "Plan: phase two"' in page
    assert "mended by vmem lint --fix" in render.render_rule(RULES["VM031"], colour=False)


def test_every_rule_has_a_section_that_the_table_of_the_docs_leads_to() -> None:
    page = render.rules_markdown()
    anchors = {
        re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
        for head in re.findall(r"^## (.+)$", page, re.MULTILINE)
    }
    assert set(re.findall(r"\(#([^)]+)\)", page)) == anchors
    assert len(anchors) == len(RULES)


def mend(path: str, before: bytes, after: bytes) -> Mend:
    return Mend(VaultPath(path), ("VM036",), "id X", before, after, "X", "T")


def test_a_plan_names_at_most_twenty_files_and_what_is_left() -> None:
    plan = FixPlan(tuple(mend(f"{n:02}.md", b"", b"") for n in range(23)), (("x.md", "it is gone"),))
    said = render.render_plan(plan, colour=False).split("\n")
    assert said[0] == "23 files can be mended:"
    assert said[1] == "  00.md   missing-id: id X"
    assert said[21:] == ["  and 3 more", "left as they are:", "  x.md   it is gone"]


def test_the_diff_is_a_patch_without_what_would_steer_a_terminal() -> None:
    before = b"\xef\xbb\xbftext \x1b[31m\r\nmore\r\n"
    said = render.render_diff(
        [mend("a.md", before, b'\xef\xbb\xbf---\r\nid: "X"\r\n---\r\n' + before[3:])], colour=False
    )
    assert said.split("\n") == [
        "--- a/a.md", "+++ b/a.md", "@@ -1,2 +1,5 @@", "+---", '+id: "X"', "+---", " text  [31m", " more",
    ]  # fmt: skip
