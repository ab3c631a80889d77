"""Forms of one word share a stem, and other words do not."""

from __future__ import annotations

import pytest

from vault_memory.model.fold import fold
from vault_memory.model.stems import stem, stem_in


@pytest.mark.parametrize(
    "forms",
    [
        "release releases released releasing",
        "сервер сервера серверы серверов серверу",
        "новый новая новое",
        "ключ ключи ключа",
        "мой мои",
        "πελάτης πελάτες",
        "δρόμος δρόμου δρόμοι",
        "مفاتيح المفاتيح",
        "اجتماع الاجتماع",
    ],
)
def test_forms_of_a_word_share_a_stem_by_their_letters_alone(forms: str) -> None:
    assert len({stem(fold(form)) for form in forms.split()}) == 1


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("german", "Haus Häuser Häusern"),
        ("german", "Zahlung Zahlungen"),
        ("french", "cheval chevaux"),
        ("spanish", "reunión reuniones"),
        ("portuguese", "senha senhas"),
        ("italian", "fattura fatture"),
        ("dutch", "huis huizen"),
        ("polish", "faktura faktury fakturę"),
    ],
)
def test_forms_of_a_word_share_the_stem_of_their_language(language: str, forms: str) -> None:
    assert len({stem_in(language, fold(form)) for form in forms.split()}) == 1


@pytest.mark.parametrize("word", ["a", "я", "k8s", "4096", "größe", "नमस्ते", "設定", "میخواهم", "gpt-4o"])
def test_what_is_short_no_word_or_of_several_languages_stays_whole(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(("one", "other"), [("сервер", "сервис"), ("заказ", "закат"), ("δρόμος", "δράμα")])
def test_other_words_have_other_stems(one: str, other: str) -> None:
    assert stem(fold(one)) != stem(fold(other))
