"""People ask in the sentences of their own language; its little words and endings are in nobody's way."""

from __future__ import annotations

import pytest

from tests.cases.doors import Case, Door

NOTES = {
    "de": "Die Rechnungen der Druckerei liegen im roten Ordner.",
    "de-haus": "Unsere Häuser in Freiburg werden im Mai vermietet.",
    "de-little": "Wo ist das, und wer ist der, von dem die Rede ist?",
    "fr": "Les factures du fournisseur sont payées le trente de chaque mois.",
    "fr-little": "Est-ce que c'est là ? Quand est-ce que c'est ?",
    "es": "Las copias de seguridad se guardan durante noventa días.",
    "es-little": "¿Qué es lo que es, y cuánto es lo que no es?",
    "ru": "Ключи от дачи лежат у соседки.",
    "ru-little": "У кого что есть, тот о том и говорит.",
    "zh": "服务器密码存放在保险柜里。",
    "zh-little": "这个是放在什么地方的，我们都不记得了。",
    "ja": "倉庫の鍵は受付で借りる。",
    "ja-little": "どこに行ったらいいのでしょうか、と聞かれた。",
    "ko": "서버를 재시작하면 캐시가 비워진다.",
    "ko-little": "무엇을 언제 어떻게 해야 하나요?",
    "th": "กุญแจรถเก็บไว้ในลิ้นชัก",
    "th-little": "ใครอยู่ที่ไหนเมื่อไหร่ครับ",
}

QUESTIONS = {
    "Wo ist die Rechnung von der Druckerei?": "de",
    "Welches Haus wird vermietet?": "de-haus",
    "Haus": "de-haus",
    "Quand est-ce que la facture est payée ?": "fr",
    "¿Cuánto tiempo se guarda una copia?": "es",
    "У кого ключ от дачи?": "ru",
    "ключа": "ru",
    "服务器的密码现在在哪里？": "zh",
    "鍵はどこで借りたらいいのでしょうか？": "ja",
    "서버는 언제 재시작해야 하나요?": "ko",
    "กุญแจรถเก็บไว้ที่ไหนครับ": "th",
}


@pytest.fixture
def filled(case: Case) -> Case:
    for name, text in NOTES.items():
        case.write(f"{name}.md", f"{text}\n")
    assert case.vmem("config", "embedder", "none").code == 0
    return case


@pytest.mark.parametrize(("question", "name"), QUESTIONS.items(), ids=QUESTIONS)
def test_a_question_finds_its_note_before_one_of_little_words(
    door: Door, filled: Case, question: str, name: str
) -> None:
    hits = [hit["path"] for hit in door.search(question).value["hits"]]
    assert hits[:1] == [f"{name}.md"]
    assert f"{name[:2]}-little.md" not in hits
    assert door.recall(question).value["memories"][0]["path"] == f"{name}.md"


@pytest.mark.parametrize("name", [name for name in NOTES if name.endswith("-little")])
def test_a_note_of_little_words_is_found_by_what_it_says(door: Door, filled: Case, name: str) -> None:
    assert door.search(NOTES[name]).value["hits"][0]["path"] == f"{name}.md"
    quoted = NOTES[name].rstrip("?？。.!")
    assert [hit["path"] for hit in door.search(f'"{quoted}"').value["hits"]] == [f"{name}.md"]


def test_the_word_that_matched_is_marked_in_whichever_form_it_stands(filled: Case) -> None:
    assert "‹Rechnungen›" in filled.vmem("search", "Wo ist die Rechnung von der Druckerei?").out
    assert "‹Häuser›" in filled.vmem("search", "Haus").out
    assert "‹Ключи›" in filled.vmem("search", "ключа").out
