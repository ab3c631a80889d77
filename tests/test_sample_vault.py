"""The sample vault, read with little more than YAML: it must hold for every reader, and for its checks."""

from __future__ import annotations

import re
import shutil
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path, PurePosixPath

import pytest
import yaml

from tests.stand import ToldClock
from vault_memory.model.recallcheck.words import sentence
from vault_memory.vault import Vault

VAULT = Path(__file__).parent.parent / "vault"
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
KINDS = {"episodic", "semantic", "procedural", "decision", "constraint", "evidence", "preference"}
KEY_ORDER = [
    "id", "title", "importance", "tags", "ttl", "expires", "source_agent", "kind", "pinned", "created",
]  # fmt: skip
FAR = datetime(2099, 1, 1, tzinfo=UTC)
EARLIEST, LATEST = datetime(2025, 9, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC)

_BLOCK = re.compile(r"---\n(.*?\n)---\n(.*)", re.DOTALL)
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_WIKI = re.compile(r"\[\[([^\]|#]+)")


@dataclass(frozen=True)
class Note:
    """One file: its path below the vault, its front matter and its body."""

    path: str
    front: Mapping[str, object]
    body: str

    @property
    def stem(self) -> str:
        return PurePosixPath(self.path).stem

    @property
    def generated(self) -> bool:
        """Written by vmem; the others are a person's own notes."""
        return "id" in self.front

    def moment(self, key: str) -> datetime:
        """A time of the front matter; YAML gives it without a zone and means UTC."""
        value = self.front[key]
        assert isinstance(value, datetime)
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value


def read(file: Path) -> Note:
    text = file.read_bytes().decode("utf-8")
    block = _BLOCK.fullmatch(text)
    front = yaml.safe_load(block[1]) if block else {}
    assert isinstance(front, dict)
    return Note(file.relative_to(VAULT).as_posix(), front, block[2] if block else text)


NOTES = [read(file) for file in sorted(VAULT.rglob("*.md"))]
GENERATED = [note for note in NOTES if note.generated]


def names_of(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def links_of(note: Note) -> list[str]:
    """Targets as written: in the text outside code, and in the front matter."""
    targets = _WIKI.findall(_CODE.sub("", note.body)) + names_of(note.front.get("links"))
    return [target.strip() for target in targets]


def test_the_vault_has_its_settings_and_keeps_its_index_out_of_git() -> None:
    settings = tomllib.loads((VAULT / ".vmem" / "config.toml").read_text(encoding="utf-8"))
    assert settings["format"] == 1
    assert (VAULT / ".vmem" / ".gitignore").read_text(encoding="utf-8") == "/local\n"


def test_there_are_about_twenty_memories_of_two_agents_in_two_shared_namespaces() -> None:
    folders = {str(PurePosixPath(note.path).parent) for note in NOTES}
    assert 20 <= len(NOTES) <= 30
    assert folders == {"notes", "private/akashi", "private/mira", "shared/market", "shared/ops"}
    assert {note.front["source_agent"] for note in GENERATED} == {"akashi", "mira"}


def test_every_file_is_utf8_with_lf_and_one_last_line_end() -> None:
    for file in VAULT.rglob("*.md"):
        content = file.read_bytes()
        assert content.decode("utf-8") == unicodedata.normalize("NFC", content.decode("utf-8"))
        assert b"\r" not in content
        assert not content.startswith(b"\xef\xbb\xbf")
        assert content.endswith(b"\n")
        assert not content.endswith(b"\n\n")


@pytest.mark.parametrize("note", GENERATED, ids=lambda note: note.stem)
def test_a_generated_memory_has_its_keys_in_order_and_no_blank_line_after_the_fence(note: Note) -> None:
    keys = [key for key in note.front if key in KEY_ORDER]
    assert keys == [key for key in KEY_ORDER if key in note.front]
    assert {"id", "title", "importance", "tags", "source_agent", "kind", "created"} <= set(keys)
    assert note.body[0] != "\n"
    assert note.front["kind"] in KINDS
    assert EARLIEST < note.moment("created") < LATEST
    if note.path.startswith("private/"):
        assert note.path.split("/")[1] == note.front["source_agent"]


@pytest.mark.parametrize("note", GENERATED, ids=lambda note: note.stem)
def test_an_id_is_a_quoted_ulid_of_the_moment_of_creation(note: Note) -> None:
    name = str(note.front["id"])
    assert re.fullmatch(f"[0-7][{ALPHABET}]{{25}}", name)
    assert f'id: "{name}"\n' in (VAULT / note.path).read_text(encoding="utf-8")
    at_ms = 0
    for character in name[:10]:
        at_ms = at_ms * 32 + ALPHABET.index(character)
    made = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=at_ms)
    assert timedelta(0) <= made - note.moment("created") < timedelta(seconds=1)


@pytest.mark.parametrize("note", GENERATED, ids=lambda note: note.stem)
def test_a_generated_file_is_named_after_its_title(note: Note) -> None:
    words = re.sub(r"[^\w]+", "-", str(note.front["title"]).lower().replace("'", "")).strip("-")
    assert note.stem == words


def test_ids_titles_and_file_names_are_all_different() -> None:
    for values in (
        [note.front["id"] for note in GENERATED],
        [note.front["title"] for note in NOTES if "title" in note.front],
        [note.stem.casefold() for note in NOTES],
    ):
        assert len(set(values)) == len(values)


def test_every_link_leads_to_a_memory() -> None:
    known = {
        name.casefold()
        for note in NOTES
        for name in (note.stem, str(note.front.get("title", "")), *names_of(note.front.get("aliases")))
    }
    links = [(note.path, target) for note in NOTES for target in links_of(note)]
    assert len(links) > 20
    assert [link for link in links if link[1].casefold() not in known] == []


def test_nobody_links_into_a_private_folder() -> None:
    private = {note.stem for note in NOTES if note.path.startswith("private/")}
    assert [note.path for note in NOTES for target in links_of(note) if target in private] == []


def test_nothing_expires_in_this_century_and_one_memory_does_expire_in_2099() -> None:
    ends: list[datetime] = []
    for note in NOTES:
        if "expires" in note.front:
            day = note.front["expires"]
            assert isinstance(day, date)
            ends.append(datetime(day.year, day.month, day.day, tzinfo=UTC))
        elif "ttl" in note.front:
            ttl = re.fullmatch(r"(\d+)d", str(note.front["ttl"]))
            assert ttl is not None
            ends.append(note.moment("created") + timedelta(days=int(ttl[1])))
    assert len(ends) == 2
    assert all(end > FAR for end in ends)
    assert datetime(2099, 12, 31, tzinfo=UTC) in ends


def test_kinds_and_importance_are_spread_and_one_memory_is_pinned() -> None:
    importance = [note.front["importance"] for note in GENERATED]
    assert all(isinstance(value, float) and 0 <= value <= 1 for value in importance)
    assert len(set(importance)) >= 6
    assert {note.front["kind"] for note in GENERATED} == KINDS
    assert [note.stem for note in GENERATED if note.front.get("pinned") is True] == ["position-sizing"]


def test_a_person_s_notes_need_no_front_matter_and_may_hold_keys_of_their_own() -> None:
    own = {note.stem: note for note in NOTES if not note.generated}
    assert all(note.path.startswith("notes/") for note in own.values())
    assert [note.stem for note in own.values() if not note.front] == ["questions-for-the-broker"]
    assert any(set(note.front) - {"title", "tags", "aliases"} for note in own.values())


@pytest.mark.parametrize(("script", "least"), [("[一-鿿]", 3), ("[ぁ-ヿ]", 1)])
def test_there_are_chinese_and_japanese_memories(script: str, least: int) -> None:
    assert sum(len(re.findall(script, note.body)) > 20 for note in NOTES) >= least


def test_several_memories_speak_of_nvda_and_of_risk() -> None:
    nvda = [note for note in NOTES if re.search("NVDA|英伟达", note.body + str(note.front.get("title")))]
    both = [note for note in nvda if re.search("risk|风险", note.body + str(note.front), re.IGNORECASE)]
    assert len(nvda) >= 6
    assert len(both) >= 4


def test_one_longer_memory_has_headings_a_code_block_and_a_table() -> None:
    long = next(note for note in NOTES if note.stem == "runbook-restart-the-market-data-worker")
    assert len(re.findall(r"^## ", long.body, re.MULTILINE)) == 4
    assert "```bash\n" in long.body
    assert re.search(r"^\|( ?-+ ?\|)+$", long.body, re.MULTILINE)


@pytest.mark.parametrize("settings", [{}, {"embedder": "none"}], ids=["as it comes", "by keyword alone"])
@pytest.mark.parametrize("year", [2026, 2036])
def test_the_recall_checks_hold_now_and_when_the_notes_are_old(
    tmp_path: Path, year: int, settings: dict[str, object]
) -> None:
    # A copy: a vault that is asked keeps its index, and this one belongs to whoever works here.
    root = tmp_path / "vault"
    shutil.copytree(VAULT, root, ignore=shutil.ignore_patterns("local"))
    with Vault.open(root, clock=ToldClock(datetime(year, 12, 1, tzinfo=UTC)), settings=settings) as vault:
        report = vault.upkeep.checks.run(vault.person.scope)
    assert 5 <= len(report.results) <= 10
    assert [sentence(result, one) for result in report.broken for one in result.broken] == []
    assert not [notice for notice in report.notices if "checks.yaml" in notice]
