"""Front matter that is not YAML costs the note its keys and nothing else, and nobody the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.doors import Case, Door

BROKEN: dict[str, tuple[str, str, int, str]] = {
    "a colon": ("title: Plan: phase two", "VM012", 3, "':' in an unquoted value"),
    "an at": ("author: @mira", "VM012", 3, "'@' can't begin"),
    "a path": ("path: C:\\temp\\x: y", "VM012", 3, "':' in an unquoted value"),
    "a tick": ("cmd: `make`", "VM012", 3, "'`' can't begin"),
    "a star": ("title: *draft*", "VM012", 3, "begins a reference"),
    "a tab": ("tags:\n\t- a", "VM012", 4, "a tab can't indent"),
    "a quote": ('title: "open', "VM012", 3, "a quote is opened and never closed"),
    "a link and more": ("up: [[Home]] and more", "VM012", 3, "something follows the end of the value"),
    "a percent": ("%x: y", "VM012", 3, "can't begin with '%'"),
    "a twin": ("title: a\ntitle: b", "VM015", 4, "'title' stands here again"),
}
"""Lines below an `id`, and the code, the file's line and the reason that they are told with."""

PLACEHOLDERS = {
    "created: {{date}}": "created is still the placeholder {{date}}",
    "created: '{{date:YYYY-MM-DD}}'": "created is still the placeholder",
    "created: <% tp.date.now() %>": "created is still the placeholder <% tp.date.now() %>",
    "tags: {{tags}}": "tags is still the placeholder {{tags}}",
    "importance: {{ importance }}": "importance is still the placeholder",
}


def note(header: str, number: int) -> str:
    return f"---\nid: bad{number}\n{header}\n---\nThe halyard number{number:02} is frayed.\n"


@pytest.fixture
def vault(case: Case) -> Case:
    """Ten broken notes beside ten good ones."""
    for number, (header, _, _, _) in enumerate(BROKEN.values()):
        case.write(f"bad{number:02}.md", note(header, number))
        case.write(
            f"good{number:02}.md", f"---\nid: g{number}\ntags: [ok]\n---\nThe mast number{number:02}.\n"
        )
    return case


def test_each_is_named_with_line_and_reason_and_all_bodies_are_found(door: Door, vault: Case) -> None:
    before = vault.files()
    told = {finding["path"]: finding for finding in door.status().value["findings"]}
    for number, (_, code, line, reason) in enumerate(BROKEN.values()):
        finding = told.pop(f"bad{number:02}.md")
        assert (finding["code"], finding["line"]) == (code, line)
        assert reason in finding["message"]
        assert finding["advice"]
        hits = door.search(f"halyard number{number:02}").value["hits"]
        assert hits[0]["path"] == f"bad{number:02}.md"
    assert told == {}
    assert len(door.list(tag="ok").value) == len(BROKEN)
    assert vault.vmem("reindex").code == 0
    assert vault.files() == before


def test_the_check_of_a_broken_vault_fails_and_names_all(vault: Case) -> None:
    checked = vault.vmem("lint")
    assert checked.code == 1
    for number, (_, code, line, _) in enumerate(BROKEN.values()):
        assert f"bad{number:02}.md:{line}" in checked.out
        assert code in checked.out


@pytest.mark.parametrize("number", range(len(BROKEN)), ids=BROKEN)
def test_a_change_is_refused_or_one_line_in_the_block_that_is_there(
    door: Door, vault: Case, number: int
) -> None:
    place = vault.root / f"bad{number:02}.md"
    before = place.read_bytes()
    for change in ({"importance": 0.4}, {"add_tags": ["x"]}, {"title": "New"}):
        answered = door.edit(place.name, **change)
        after = place.read_bytes()
        assert after.startswith(before.split(b"\n")[0])
        if answered.code:
            assert (answered.code, after) == (65, before)
            assert f"{place.name}:" in answered.error
        else:
            assert after.count(b"---\n") == 2, "never a second block"
            kept = [line for line in before.split(b"\n") if line in after.split(b"\n")]
            assert len(kept) >= before.count(b"\n"), "never a lost key"
            before = after
    others = {name: content for name, content in vault.files().items() if name != place.name}
    assert len(others) == 2 * len(BROKEN) - 1


def test_a_block_that_is_never_closed_is_text_and_is_told(door: Door, case: Case) -> None:
    content = "---\ntitle: open\ntags: [a]\n\nThe halyard is frayed.\n"
    place = case.write("open.md", content)
    shown = door.show("open.md").value
    assert (shown["tags"], shown["front"], shown["text"]) == ([], {}, content)
    [finding] = shown["findings"]
    assert (finding["code"], finding["line"]) == ("VM010", 1)
    assert [hit["path"] for hit in door.search("halyard").value["hits"]] == ["open.md"]
    assert door.edit("open.md", importance=0.4).code == 65
    assert place.read_text() == content


@pytest.mark.parametrize(("line", "told"), PLACEHOLDERS.items(), ids=PLACEHOLDERS)
def test_a_template_is_told_for_what_it_is(door: Door, case: Case, line: str, told: str) -> None:
    place = case.write("Templates/daily.md", f"---\n{line}\n---\nText of the template.\n")
    [finding] = door.show("Templates/daily.md").value["findings"]
    assert told in finding["message"]
    assert "template" in finding["message"]
    assert [hit["path"] for hit in door.search("template").value["hits"]] == ["Templates/daily.md"]
    assert place.read_text() == f"---\n{line}\n---\nText of the template.\n"


def test_an_editor_session_that_breaks_a_note_says_so(case: Case, tmp_path: Path) -> None:
    case.write("plan.md", "---\ntitle: Plan\nttl: soon\n---\nText.\n")

    def spoil(file: Path) -> None:
        file.write_text(file.read_text().replace("title: Plan", "title: Plan\nimportance: 9"))

    from vault_memory.model.namespace import PERSON
    from vault_memory.vault import Vault

    with Vault.open(case.root, clock=case.clock, ids=case.ids) as vault:
        written = vault.files.edit(PERSON, "plan.md", spoil)
    [notice] = written.notices
    assert "plan.md:3 VM020 importance can't be '9'" in notice
    with Vault.open(case.root, clock=case.clock, ids=case.ids) as vault:
        again = vault.files.edit(PERSON, "plan.md", lambda file: _write_over(file, "---\nimportance: 9: x\n"))
    assert any("VM010" in notice for notice in again.notices)
    assert not any("VM020" in notice for notice in again.notices)


def _write_over(file: Path, text: str) -> None:
    file.write_text(text)
