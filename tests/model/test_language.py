"""The language of a text: told by its little words, and never of an English one."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from vault_memory.model import language
from vault_memory.model.language import of_query, of_text

SENTENCES = {
    "german": "Wo ist die Rechnung von der Druckerei?",
    "french": "Quand est-ce que la facture est payée ?",
    "spanish": "¿Cuánto tiempo se guarda una copia?",
    "portuguese": "De quanto em quanto tempo é trocada a senha?",
    "italian": "Dove va archiviata la fattura?",
    "dutch": "Wanneer wordt de factuur verstuurd?",
    "swedish": "När ska vi skicka fakturan till kunden?",
    "danish": "Hvornår skal vi sende regningen til kunden?",
    "polish": "Gdzie jest kluczyk od samochodu?",
    "turkish": "Annem haplarını ne zaman yutuyor, sabah mı?",
    "vietnamese": "Vì sao bây giờ chưa nên sắm thiết bị mới?",
    "russian": "У кого ключ от дома?",
    "arabic": "في أي مدينة توجد خوادم الشركة؟",
}


@pytest.mark.parametrize(("name", "sentence"), SENTENCES.items(), ids=SENTENCES)
def test_a_sentence_tells_its_language_as_a_question_and_as_a_text(name: str, sentence: str) -> None:
    assert of_query(sentence) == name
    assert of_text(sentence) == name
    decomposed = unicodedata.normalize("NFD", sentence)
    assert (of_query(decomposed), of_text(decomposed)) == (name, name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "?!",
        "NVDA risk",
        "when do we usually cut a release and who does it?",
        "die hard",
        "El Paso trip",
        "Los Angeles",
        "UN report",
        "DES encryption of the archive",
        "who is van der Berg",
        "go over the pod logs in the bin folder",
        "Café reservation for two",
        "naïve résumé",
        "id: 67f35b15-a617-4ba6-9e53-d111ded53456, c, d, f",
        "to be or not to be",
        "日本語の設定ファイル",
        "서버를 다시 시작한다",
    ],
)
def test_english_and_what_says_too_little_is_not_taken_for_another_language(text: str) -> None:
    assert of_query(text) is None
    assert of_text(text) is None


@pytest.mark.parametrize(("word", "name"), [("Häuser", "german"), ("ações", "portuguese"), ("córka", None)])
def test_a_letter_may_tell_the_language_of_a_question_and_never_of_a_note(
    word: str, name: str | None
) -> None:
    assert of_query(word) == name
    assert of_text(word) is None


def test_an_english_note_stays_english_with_a_foreign_sentence_in_it() -> None:
    note = (
        "The sign at the door of the office says what we all know by now, and it is in German:"
        " »Wir sind bis auf weiteres nicht da.« It was put up by the landlord when he was in town."
    )
    assert of_text(note) is None


def test_a_note_in_two_languages_alike_is_of_neither() -> None:
    assert of_text("de la que") is None


def test_only_how_a_text_begins_is_looked_at() -> None:
    assert of_text(SENTENCES["german"] * 20 + "The end of it is in English. " * 1_000) == "german"


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_every_process_tells_the_same(seed: str) -> None:
    script = "from vault_memory.model.language import of_query; print(of_query('de la que es un'))"
    told = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": seed},
        timeout=60,
    )
    assert told.stdout == f"{of_query('de la que es un')}\n"


def test_the_words_of_a_text_in_ascii_are_those_of_any_text() -> None:
    text = "".join(f"a{chr(code)}b9 " for code in range(128))
    assert language._words_in(text) == language._WORD.findall(text)
