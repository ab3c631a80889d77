"""People and agents ask in sentences: the words that carry meaning find, the little ones do not."""

from __future__ import annotations

import random

import pytest

from tests.cases.doors import Case, Door

RELEASES = "Releases are cut on Thursday by the platform team."
SUBJECTS = ("the cat", "our landlord", "a courier", "the auditor", "that plumber", "my neighbour",
            "the choir", "an intern")  # fmt: skip
VERBS = ("likes", "cannot stand", "often asks about", "usually pays for", "tells everyone of",
         "could do with", "should look after")  # fmt: skip
OBJECTS = ("warm soup", "the old piano", "cheap flights", "a blue bicycle", "late trains", "the second floor",
           "fresh paint", "good tea")  # fmt: skip
TIMES = ("in May", "before lunch", "at night", "when it rains", "on holidays", "after work", "without a word",
         "more than we do")  # fmt: skip

LOG_WORDS = (
    "error warning at in of the to and by for with from java python line module object null undefined failed"
    " retry socket timeout thread worker stack frame memory heap pointer exception caused handler request"
    " response status code connection refused reset peer host port server client"
).split()


def others(count: int) -> list[str]:
    """That many different sentences about everyday things, always the same ones."""
    draw = random.Random(7)
    found: dict[str, None] = {}
    while len(found) < count:
        sentence = " ".join(draw.choice(part) for part in (SUBJECTS, VERBS, OBJECTS, TIMES))
        found[f"{sentence[0].upper()}{sentence[1:]}."] = None
    return list(found)


def log(word: str) -> str:
    """An error log of 300 words, one of which is `word`."""
    draw = random.Random(11)
    words = [draw.choice(LOG_WORDS) for _ in range(299)]
    words.insert(150, word)
    return "\n".join(" ".join(words[start : start + 12]) for start in range(0, 300, 12))


@pytest.fixture
def filled(case: Case) -> Case:
    """The memory about releases among two hundred others."""
    case.write("notes/releases.md", RELEASES + "\n")
    for number, sentence in enumerate(others(200)):
        case.write(f"notes/n{number:03}.md", sentence + "\n")
    assert case.vmem("status").code == 0
    return case


SENTENCES = (
    "when do we usually cut a release and who does it?",
    "could you please tell me why the thing about releases",
    "Why is it that releases are always cut by them and not by us?",
    "who is it that cuts releases?",
    "so what was the deal with the platform team again",
    "RELEASES!!!",
    "release",
    "releasing",
)


@pytest.mark.parametrize("query", SENTENCES)
def test_a_whole_sentence_finds_the_one_memory_it_is_about(door: Door, filled: Case, query: str) -> None:
    assert door.search(query).value["hits"][0]["path"] == "notes/releases.md"
    recalled = door.recall(query, max_tokens=200).value
    assert recalled["memories"][0]["path"] == "notes/releases.md"
    assert RELEASES in recalled["text"]


@pytest.mark.parametrize("word", ["release", "Thursday", "platform"])
def test_one_matching_term_in_a_pasted_log_is_enough(door: Door, filled: Case, word: str) -> None:
    query = log(word)
    assert len(query.split()) == 300
    assert "notes/releases.md" in [hit["path"] for hit in door.search(query).value["hits"][:3]]


@pytest.mark.parametrize("query", ["to the of and", "the", "who is it?", "what was that", "The. And! Of?"])
def test_little_words_alone_find_nothing_at_random(door: Door, filled: Case, query: str) -> None:
    found = door.search(query)
    assert (found.code, found.value["hits"], found.value["considered"]) == (0, [], 201)
    recalled = door.recall(query)
    assert (recalled.code, recalled.value["memories"]) == (0, [])


def test_little_words_in_quotes_are_looked_for_as_they_stand(door: Door, filled: Case) -> None:
    hits = door.search('"more than we do"').value["hits"]
    assert hits
    assert all("more than we do" in hit["passages"][0]["text"] for hit in hits)


def test_little_words_pull_no_junk_along(door: Door, filled: Case) -> None:
    first, *others = door.search("to whom does it fall to cut the releases").value["hits"]
    assert first["path"] == "notes/releases.md"
    assert all(hit["score"] < first["score"] / 5 for hit in others), (
        "what is like it a little comes far behind"
    )
    assert filled.vmem("config", "embedder", "none").code == 0
    hits = door.search("to whom does it fall to cut the releases").value["hits"]
    assert [hit["path"] for hit in hits] == ["notes/releases.md"]


def test_an_empty_result_is_told_apart_from_a_failed_search(filled: Case) -> None:
    nothing = filled.vmem("search", "zeppelin")
    assert (nothing.code, nothing.err) == (0, "")
    assert nothing.out == "No memory matches (of 201; keyword + meaning).\n"
    nothing = filled.vmem("recall", "zeppelin")
    assert (nothing.code, nothing.err) == (0, "")
    assert nothing.out == 'No stored notes on "zeppelin" (0 of 201).\n'
    (filled.root / ".vmem" / "config.toml").unlink()
    failed = filled.vmem("search", "zeppelin")
    assert failed.code == 3
    assert failed.out == ""
    assert failed.err.startswith("vmem: no vault at ")
