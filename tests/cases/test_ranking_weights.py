"""What ranking looks at besides words can be weighed by settings, and each weight does what it says."""

from __future__ import annotations

import pytest

from tests.cases.doors import Case, Door

TALK = """\
Caroline: I bought {0} at the fair.
Melanie: I bought {0} at the fair.
Caroline: How lovely that is, I must say.
Melanie: It was a good day for all of us.
"""


@pytest.fixture(autouse=True)
def words_alone(case: Case) -> None:
    choose(case, "embedder", "none")


def choose(case: Case, key: str, value: object) -> None:
    assert case.vmem("config", key, str(value)).code == 0


def shown(door: Door, question: str, limit: int = 10) -> list[str]:
    """The texts of all passages shown, hit by hit."""
    hits = door.search(question, limit=limit).value["hits"]
    return [passage["text"].strip() for hit in hits for passage in hit["passages"]]


def paths(door: Door, question: str) -> list[str]:
    return [hit["path"].removesuffix(".md") for hit in door.search(question).value["hits"]]


def alone(case: Case, *but: str) -> None:
    """Nothing but words counts, and what is named."""
    for name in (
        "before",
        "after",
        "before_two",
        "after_two",
        "answer",
        "voice",
        "when",
        "date",
        "asking",
        "note",
    ):
        if name not in but:
            choose(case, f"rank_{name}", 0)


def test_what_the_one_who_is_named_said_comes_first_unless_voices_weigh_nothing(
    door: Door, case: Case
) -> None:
    case.write("talk.md", TALK.format("honey"))
    for who in ("Caroline", "Melanie"):
        assert shown(door, f"What did {who} buy, was it honey?")[0] == f"{who}: I bought honey at the fair."
    alone(case)
    choose(case, "rank_heading", 0)
    # The name is a word of each of her lines too, so it is the beginning of it that names her here.
    before = shown(door, "Mel: honey")[0]
    choose(case, "rank_voice", 0.8)
    assert before == "Caroline: I bought honey at the fair."
    assert shown(door, "Mel: honey")[0] == "Melanie: I bought honey at the fair."


def test_the_notes_of_the_agent_that_is_named_come_first(door: Door, case: Case) -> None:
    alone(case, "voice")
    for name in ("a", "b", "c"):
        case.write(
            f"notes/{name}.md", f"---\nsource_agent: {'mira' if name == 'b' else 'akashi'}\n---\nHoney.\n"
        )
    assert paths(door, "honey by mira")[0] == "notes/b"
    assert paths(door, "honey") == ["notes/a", "notes/b", "notes/c"]
    choose(case, "rank_voice", 0)
    assert paths(door, "honey by mira") == ["notes/a", "notes/b", "notes/c"]


def test_a_note_that_says_when_comes_first_where_the_question_asks_when(door: Door, case: Case) -> None:
    case.write("a.md", "The honey came in good jars.\n")
    case.write("b.md", "The honey came on Monday morning.\n")
    assert paths(door, "When did the honey come?") == ["b", "a"]
    assert paths(door, "did the honey come in jars?") == ["a", "b"]
    choose(case, "rank_when", 0)
    assert paths(door, "When did the honey come?") == ["a", "b"]


def test_a_note_of_the_day_that_the_question_names_comes_first(door: Door, case: Case) -> None:
    choose(case, "strategy", "importance")
    for name, day in (("a", "2024-01-20"), ("b", "2023-12-30"), ("c", "2023-05-07")):
        case.write(f"{name}.md", f"---\ncreated: {day}\n---\nHoney was sold.\n")
    case.write("d.md", "Honey was sold.\n")
    assert paths(door, "honey sold on 7 May 2023")[0] == "c"
    assert paths(door, "honey sold on 30 December")[:2] == ["b", "a"]
    assert paths(door, "honey sold 2023-12-28")[:2] == ["b", "a"]
    choose(case, "rank_date", 0)
    assert paths(door, "honey sold on 7 May 2023") == ["d", "a", "b", "c"]


@pytest.mark.parametrize(("month", "number"), {"May": 5, "June": 6, "July": 7, "December": 12}.items())
def test_a_note_without_a_date_is_of_no_month(door: Door, case: Case, month: str, number: int) -> None:
    choose(case, "strategy", "importance")
    case.write("a.md", "Honey was sold.\n")
    case.write("b.md", f"---\ncreated: 2023-{number:02}-11\n---\nHoney was sold.\n")
    assert paths(door, f"honey sold in {month}")[0] == "b"


def test_the_answer_is_found_by_the_question_before_it(door: Door, case: Case) -> None:
    case.write(
        "talk.md",
        "Ann: Which honey is it that you like?\nBo: The dark one.\n"
        "Ann: I see it now.\nBo: More of that then.\n",
    )
    assert "Bo: The dark one." in shown(door, "honey")
    alone(case)
    assert shown(door, "honey") == ["Ann: Which honey is it that you like?"]
    choose(case, "rank_answer", 1)
    assert "Bo: The dark one." in shown(door, "honey")


def test_a_turn_that_asks_counts_less_and_a_note_with_a_question_in_it_does_not(
    door: Door, case: Case
) -> None:
    alone(case, "asking")
    case.write("a.md", "Is honey sold at the fair?\n")
    case.write("b.md", "All honey sold at the fair.\n")
    first = door.search("honey at the fair").value["hits"]
    assert [hit["path"] for hit in first] == ["a.md", "b.md"]
    case.write(
        "a.md",
        "Ann: Is honey sold at the fair?\nBo: Yes, all the way.\nAnn: I am glad then.\nBo: So it goes.\n",
    )
    assert paths(door, "honey at the fair") == ["b", "a"]


def test_nothing_is_asked_of_the_vectors_where_meaning_weighs_nothing(door: Door, case: Case) -> None:
    choose(case, "embedder", "bundled")
    case.write("a.md", "The honey came in good jars.\n")
    assert door.search("honey").value["mode"] == "keyword + meaning"
    choose(case, "rank_meaning", 0)
    found = door.search("honey").value
    assert found["mode"] == "keyword only: rank_meaning is 0"
    assert [hit["parts"]["meaning"] for hit in found["hits"]] == [None]


@pytest.mark.parametrize(
    ("key", "value"),
    [("rank_voice", "-1"), ("rank_voice", "11"), ("rank_voice", "much"), ("rank_asking", "1.5"),
     ("rank_length", "2"), ("rank_date", "nan")],
)  # fmt: skip
def test_a_weight_out_of_bounds_is_refused_and_nothing_changes(case: Case, key: str, value: str) -> None:
    file = case.root / ".vmem" / "config.toml"
    before = file.read_bytes()
    ran = case.vmem("config", "--", key, value)
    assert ran.code == 78
    assert key in ran.err
    most = "1" if key in ("rank_asking", "rank_length") else "10"
    assert f"a number from 0 (not at all) to {most}" in ran.err
    assert file.read_bytes() == before


def test_an_unknown_ingredient_is_refused_with_one_that_is_like_it(case: Case) -> None:
    ran = case.vmem("config", "rank_voices", "1")
    assert ran.code == 78
    assert "rank_voice" in ran.err


# What is shown of a hit


def test_a_search_shows_the_best_passage_of_each_hit_and_those_among_the_best_of_all(
    door: Door, case: Case
) -> None:
    alone(case)
    case.write("a.md", "\n\n".join(f"# {n}\n\n{'honey ' * n}{'wax ' * (9 - n)}" for n in range(1, 6)) + "\n")
    case.write("b.md", "# b\n\nhoney wax wax wax wax wax wax wax wax\n")
    for limit in range(1, 9):
        hits = door.search("honey", limit=limit).value["hits"]
        passages = [passage["text"] for hit in hits for passage in hit["passages"]]
        assert [hit["path"] for hit in hits] == ["a.md", "b.md"][:limit]
        assert all(hit["passages"] for hit in hits)
        counts = [text.count("honey") for text in passages]
        of_a = [text.count("honey") for text in (p["text"] for p in hits[0]["passages"])]
        assert of_a == sorted(of_a, reverse=True)
        assert of_a[0] == 5
        assert len(passages) <= limit + 1
        if limit >= 6:
            assert sorted(counts) == [1, 1, 2, 3, 4, 5]


def test_of_passages_that_fit_alike_no_more_are_shown_than_asked_for(door: Door, case: Case) -> None:
    alone(case)
    case.write("a.md", "\n\n".join(f"# {n}\n\nhoney and wax" for n in range(6)) + "\n")
    for limit in (1, 2, 4):
        (hit,) = door.search("honey", limit=limit).value["hits"]
        assert len(hit["passages"]) == limit
        lines = [passage["start_line"] for passage in hit["passages"]]
        assert lines == sorted(lines)
