"""Words of every script, with and without accents, are found by what people type, and no others are."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.cases.doors import Case, Door

BODIES = {
    "ja": "新しい設定ファイルの場所",
    "zh": "重启worker后生效",
    "ko": "서버를 다시 시작한다",
    "th": "ที่อยู่ของเซิร์ฟเวอร์",
    "latin": "Größe, naïve, São Paulo, İstanbul",
    "emoji": "release 🚀 party",
    "de": "Die Straße ist lang, die Übung auch",
    "zh2": "部署前请先备份数据库",
    "ko2": "데이터베이스에서 백업을 복원했다",
    "th2": "สำรองข้อมูลก่อนติดตั้ง",
    "ru": "Ёлка стоит у сервера",
    "el": "Η ΟΔΟΣ είναι κλειστή",
    "tr": "ılık ırmak",
    "mixed": "用Python3写的API服务",
    "hi": "सर्वर को पुनः आरंभ करें",
    "flag": "Ferien in 🇨🇭",
}

FINDS = {
    "設定": {"ja"},
    "ファイル": {"ja"},
    "設定ファイル": {"ja"},
    "場所": {"ja"},
    "worker": {"zh"},
    "重启": {"zh"},
    "生效": {"zh"},
    "重启worker": {"zh"},
    "서버": {"ko"},
    "서버가": {"ko"},
    "시작": {"ko"},
    "데이터베이스": {"ko2"},
    "백업": {"ko2"},
    "เซิร์ฟเวอร์": {"th"},
    "ที่อยู่": {"th"},
    "ข้อมูล": {"th2"},
    "groesse": {"latin"},
    "grosse": {"latin"},
    "GRÖSSE": {"latin"},
    "Größe": {"latin"},
    "größe": {"latin"},
    "Gro\u0308ße": {"latin"},
    "strasse": {"de"},
    "STRASSE": {"de"},
    "ubung": {"de"},
    "uebung": {"de"},
    "naive": {"latin"},
    "sao paulo": {"latin"},
    "istanbul": {"latin"},
    "ISTANBUL": {"latin"},
    "İSTANBUL": {"latin"},
    "🚀": {"emoji"},
    "🇨🇭": {"flag"},
    "数据库": {"zh2"},
    "备份": {"zh2"},
    "елка": {"ru"},
    "ЁЛКА": {"ru"},
    "οδος": {"el"},
    "irmak": {"tr"},
    "API": {"mixed"},
    "python3": {"mixed"},
    "服务": {"mixed"},
    "सर्वर": {"hi"},
}
"""A query, and the memories that it is to find, all of them."""

NOTHING = ["設備", "重量", "커피", "รถยนต์", "🎉", "🇩🇪", "osaka", "据备", "naivete2"]


@pytest.fixture
def filled(case: Case) -> Case:
    for name, body in BODIES.items():
        case.write(f"{name}.md", f"{body}\n")
    return case


def choose(case: Case, embedder: str) -> None:
    assert case.vmem("config", "embedder", embedder).code == 0


def names_in(found: list[dict[str, Any]]) -> list[str]:
    return [one["path"].removesuffix(".md") for one in found]


@pytest.mark.parametrize(("query", "names"), FINDS.items(), ids=FINDS)
def test_a_word_finds_the_memories_that_hold_it_and_no_others(
    door: Door, filled: Case, query: str, names: set[str]
) -> None:
    choose(filled, "none")
    assert set(names_in(door.search(query).value["hits"])) == names
    assert set(names_in(door.recall(query).value["memories"])) == names


def test_what_is_like_a_word_in_meaning_does_not_pass_as_holding_it(door: Door, filled: Case) -> None:
    choose(filled, "bundled")
    for query, names in FINDS.items():
        hits = door.search(query).value["hits"]
        found = names_in(hits)
        assert set(found[: len(names)]) == names, query
        best = hits[0]["parts"]["relevance"]
        assert all(hit["parts"]["relevance"] < best / 2 for hit in hits[len(names) :]), query
        assert names_in(door.recall(query).value["memories"])[0] in names, query


@pytest.mark.parametrize("query", NOTHING)
def test_a_word_that_none_holds_finds_nothing(door: Door, filled: Case, query: str) -> None:
    choose(filled, "none")
    assert names_in(door.search(query).value["hits"]) == []


def test_every_note_is_found_by_each_of_its_words_and_by_itself(door: Door, filled: Case) -> None:
    choose(filled, "none")
    for name, body in BODIES.items():
        for asked in [body, *re.findall(r"[^\s,]{3,}", body)]:
            assert names_in(door.search(asked).value["hits"])[:1] == [name], asked


def test_a_tag_a_title_and_a_name_of_any_script_are_found(door: Door, case: Case) -> None:
    written = door.remember("Der Text.", title="Größe der Straße", tags=["設定", "größe"]).value
    assert written["path"] == "notes/größe-der-straße.md"
    assert [entry["path"] for entry in door.list(tag="設定").value] == [written["path"]]
    assert [entry["path"] for entry in door.list(tag="GRÖßE").value] == [written["path"]]
    assert door.search("strasse").value["hits"][0]["path"] == written["path"]
