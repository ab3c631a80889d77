"""The bundled embedder: whole, quick to load, at home in many scripts, and refused when a byte differs."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.contracts.embedder_contract import EmbedderContract
from vault_memory.adapters.embedders import calibration
from vault_memory.adapters.embedders.bundled import published
from vault_memory.adapters.embedders.bundled.embedder import BundledEmbedder, create_bundled
from vault_memory.errors import EmbedderUnavailableError

if TYPE_CHECKING:
    from vault_memory.model.vector import Vectors
    from vault_memory.ports import Embedder

TABLE = Path(published.__file__).with_name(published.FILE)
TOP = Path(__file__).parents[2]
MOST_BYTES = 10_000_000
SHARED = create_bundled()
"""One for all tests: the table is read once."""

PARAPHRASES = {
    "en": (
        "my cat is ill",
        "The kitten threw up and was taken to the vet.",
        "The central bank raised its key rate.",
    ),
    "zh": ("猫生病了吗", "小猫吐了一晚上，被送到宠物医院。", "央行上个月加息。"),
    "ja": ("会社の株価", "この企業の株式は昨日大きく値上がりした。", "猫が窓辺で昼寝をしている。"),
    "ko": ("고양이가 아파요", "새끼 고양이가 밤새 토해서 동물병원에 갔다.", "중앙은행이 기준금리를 올렸다."),
    "ru": ("деньги компании", "Банк открыл счёт для нашей фирмы.", "Летом мы были на море."),
    "th": ("แมวป่วย", "ลูกแมวอาเจียนทั้งคืนเลยพาไปหาสัตวแพทย์", "ธนาคารกลางขึ้นอัตราดอกเบี้ย"),
    "ar": (
        "القطة مريضة",
        "تقيأت القطة الصغيرة فأخذناها إلى الطبيب البيطري.",
        "رفع البنك المركزي سعر الفائدة.",
    ),
    "fr": (
        "le chat est malade",
        "Le chaton a vomi, on l'a emmené chez le vétérinaire.",
        "La banque centrale a relevé son taux.",
    ),
    "de": (
        "Die Katze ist krank",
        "Das Kätzchen hat erbrochen und kam zum Tierarzt.",
        "Die Zentralbank erhöhte den Leitzins.",
    ),
    "en-zh": ("my cat is ill", "小猫吐了一晚上，被送到宠物医院。", "央行上个月加息。"),
    "ja-en": (
        "猫の病気",
        "The kitten threw up and was taken to the vet.",
        "The central bank raised its key rate.",
    ),
}
"""Language → a query, a passage about the same in other words, and one about something else."""


class TestBundled(EmbedderContract):
    """An embedder like any other."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        return SHARED


def cosine(left: Vectors, right: Vectors) -> float:
    return float((left @ right.T).item())


def test_the_table_in_the_package_is_the_published_one_and_within_its_size() -> None:
    table = TABLE.read_bytes()
    assert hashlib.sha256(table).hexdigest() == published.SHA256
    assert len(table) <= MOST_BYTES


def test_the_notice_names_the_table_by_its_hash() -> None:
    notice = (TOP / "NOTICE").read_text(encoding="utf-8")
    assert published.SHA256 in notice
    assert TABLE.relative_to(TOP).as_posix() in notice


def test_id_reason_and_dimensions_need_neither_numpy_nor_the_table() -> None:
    code = (
        "import sys\n"
        "from vault_memory.plugins import embedder\n"
        "made = embedder('bundled', '')\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, args: event == 'open' and opened.append(str(args[0])))\n"
        "made.id, made.reason, made.dimensions, made.trust\n"
        "print([name for name in ('numpy', 'torch', 'tokenizers') if name in sys.modules], opened)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[] []"


def test_embedding_loads_no_library_of_models() -> None:
    code = (
        "import sys\n"
        "from vault_memory.plugins import embedder\n"
        "made = embedder('bundled', '')\n"
        "made.passages(['a text', '文章', 'réunion']), made.query('a text'), made.span\n"
        "heavy = ('torch', 'tokenizers', 'transformers', 'onnxruntime', 'sentence_transformers')\n"
        "print([name for name in heavy if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("place", [0, 9, 5_000, 400_000, 3_000_000, -1])
def test_a_changed_byte_is_refused_and_the_way_out_named(tmp_path: Path, place: int) -> None:
    table = bytearray(TABLE.read_bytes())
    table[place] ^= 1
    damaged = tmp_path / "damaged.table"
    damaged.write_bytes(table)
    embedder = BundledEmbedder(str(damaged))
    with pytest.raises(EmbedderUnavailableError, match=r"damaged\.table") as caught:
        embedder.passages(["a text"])
    assert "pip install" in (caught.value.hint or "")
    assert embedder.reason == caught.value.message
    assert embedder.dimensions == 0
    assert embedder.span == calibration.UNCALIBRATED
    with pytest.raises(EmbedderUnavailableError):
        embedder.query("a text")


@pytest.mark.parametrize("content", [None, b"", b"VMEMTAB1", b"{}"])
def test_a_table_that_is_missing_or_cut_short_is_refused(tmp_path: Path, content: bytes | None) -> None:
    place = tmp_path / "short.table"
    if content is not None:
        place.write_bytes(content)
    embedder = BundledEmbedder(str(place))
    with pytest.raises(EmbedderUnavailableError):
        embedder.query("a text")
    assert embedder.reason is not None
    assert (embedder.dimensions == 0) == (embedder.reason is not None)


def test_two_processes_make_the_same_bytes() -> None:
    code = (
        "import hashlib\n"
        "from vault_memory.plugins import embedder\n"
        "rows = embedder('bundled', '').passages(['the worker', '止损', 'réunion à 9 h'])\n"
        "print(hashlib.sha256(rows.tobytes()).hexdigest())\n"
    )
    said = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(said) == 1


@pytest.mark.parametrize("language", PARAPHRASES)
def test_what_says_the_same_is_nearer_than_what_does_not(language: str) -> None:
    query, same, other = PARAPHRASES[language]
    asked = SHARED.query(query)
    assert asked.any(), "no piece of the query is known"
    near, far = SHARED.passages([same]), SHARED.passages([other])
    assert cosine(asked, near) > cosine(asked, far)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(), max_size=8))
def test_any_text_gives_a_finite_row_of_length_one_or_zero(texts: list[str]) -> None:
    rows = SHARED.passages(texts)
    assert np.isfinite(rows).all()
    for text, row in zip(texts, rows, strict=True):
        length = float(np.linalg.norm(row))
        assert length == 0 or abs(length - 1) < 1e-5
        assert np.allclose(SHARED.query(text)[0], row, atol=1e-5), "a query is a passage"


def test_the_last_words_of_a_long_text_count() -> None:
    start = "The roof leaks in the storm. " * 2000
    without, with_end = SHARED.passages([start, start + "kitten veterinarian " * 2000])
    cat = SHARED.query("kitten veterinarian")[0]
    assert float(with_end @ cat) > float(without @ cat) + 0.2


@pytest.mark.parametrize("text", ["", "?", "nests of herons, of herons", "鷺の巣", "heron 鷺", "zq9 xx xx"])
def test_a_text_alone_has_the_very_row_that_it_has_among_others(text: str) -> None:
    embedder = create_bundled()
    among = embedder.passages(["a pond", text, "鷺"])
    assert np.array_equal(embedder.passages([text])[0], among[1])


def test_spellings_that_fold_alike_are_one_text() -> None:
    assert np.array_equal(SHARED.query("Café RÉUNION"), SHARED.query("cafe reunion"))
    assert np.array_equal(SHARED.query("ｶﾅ１２"), SHARED.query("カナ12"))


def test_a_text_without_letters_or_in_an_unknown_script_has_no_direction() -> None:
    assert not SHARED.passages(["—!?…", "🚀🚀", "\U0001e900\U0001e922"]).any()


def test_threads_share_one_embedder_from_its_first_text_on() -> None:
    texts = [f"note {number}: {language}" for number in range(40) for language in PARAPHRASES["zh"]]
    expected = SHARED.passages(texts)
    fresh = create_bundled()
    made: list[Vectors] = []
    threads = [threading.Thread(target=lambda: made.append(fresh.passages(texts))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 4
    assert all(np.allclose(rows, expected, atol=1e-6) for rows in made)


def test_the_span_is_what_the_calibration_pairs_give() -> None:
    queries = SHARED.passages([query for query, _ in calibration.PAIRS])
    passages = SHARED.passages([passage for _, passage in calibration.PAIRS])
    assert SHARED.span == pytest.approx(calibration.measure(queries, passages), abs=1e-3)
