"""Made-up conversations in the forms of the data sets, small enough to mark by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def turn(number: str, speaker: str, text: str, **more: str) -> dict[str, Any]:
    """A turn as LoCoMo has it."""
    return {"speaker": speaker, "dia_id": number, "text": text, **more}


def asked(question: str, *evidence: str, category: int = 4) -> dict[str, Any]:
    """A question as LoCoMo has it."""
    return {"question": question, "answer": "…", "evidence": list(evidence), "category": category}


def locomo() -> list[Any]:
    """Two conversations; the first has two sessions and four questions that can be asked."""
    orchard = {
        "speaker_a": "Nora",
        "speaker_b": "Tomas",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            turn("D1:1", "Nora", "Hello Tomas, how was the week at the mill?"),
            turn("D1:2", "Tomas", "Busy as ever. We repaired the old waterwheel on Tuesday."),
            turn("D1:3", "Nora", "I planted three quince trees\nbehind the shed.", blip_caption="saplings"),
            turn("D1:4", "Tomas", "Lovely, quince jelly is my favourite thing in autumn."),
        ],
        "session_2_date_time": "12:05 am on 20 June, 2023",
        "session_2": [
            turn("D2:1", "Tomas", "My sister Ilse moved to Bergen for her new job."),
            turn("D2:2", "Nora", "What does she do there, still marine biology?"),
            turn("D2:3", "Tomas", "Yes, she counts jellyfish from a small research boat."),
        ],
        "session_3_date_time": "9:00 am on 1 July, 2023",
        "session_3": [],
    }
    harbour = {
        "speaker_a": "Ravi",
        "speaker_b": "Mina",
        "session_1_date_time": "8:30 am on 2 January, 2024",
        "session_1": [
            turn("D1:1", "Ravi", "The ferry to the island was cancelled because of fog."),
            turn("D1:2", "Mina", "Then take the night train, it is cheaper anyway."),
            turn("D1:3", "Ravi", "Good idea, I will bring my accordion along."),
        ],
    }
    return [
        {
            "sample_id": "conv-1",
            "conversation": orchard,
            "qa": [
                asked("Which trees did Nora plant?", "D1:3"),
                asked("What was repaired at the mill?", "D1:2", category=2),
                asked("Where does Ilse live and what does she count?", "D2:1; D2:3", "D1:99", category=1),
                asked("What would Nora like?", "D1:3", category=5),
                asked("What has no evidence?"),
                asked("What did nobody say?", "D7:1"),
                asked("Which jelly does Tomas like?", "D:1:4"),
            ],
        },
        {
            "sample_id": "conv/../2",
            "conversation": harbour,
            "qa": [asked("Why was the ferry cancelled?", "D1:1")],
        },
    ]


def longmemeval() -> list[Any]:
    """One history whose second session answers, and one question that nothing answers."""
    pasta = [
        {"role": "user", "content": "What is a good sauce for pasta?"},
        {"role": "assistant", "content": "Try tomatoes with basil.\n\n- garlic\n- olive oil"},
        {"role": "user", "content": "Thanks, that sounds simple enough."},
    ]
    cello = [
        {"role": "user", "content": "I started to learn the cello last week.", "has_answer": True},
        {"role": "assistant", "content": "Wonderful, it is an instrument with a rich sound."},
        {"role": "user", "content": "My teacher is patient with me."},
    ]
    return [
        {
            "question_id": "q-1",
            "question_type": "single-session-user",
            "question": "Which instrument do I learn?",
            "answer": "the cello",
            "question_date": "2023/06/01 (Thu) 10:00",
            "haystack_session_ids": ["chat-1", "answer-1"],
            "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/22 (Mon) 12:00"],
            "haystack_sessions": [pasta, cello],
            "answer_session_ids": ["answer-1"],
        },
        {
            "question_id": "q-2_abs",
            "question_type": "single-session-user",
            "question": "Which horse do I ride?",
            "answer": "no such thing was said",
            "haystack_session_ids": ["chat-1"],
            "haystack_dates": ["2023/05/20 (Sat) 02:21"],
            "haystack_sessions": [pasta],
            "answer_session_ids": [],
        },
    ]


def saved(folder: Path, value: object, name: str = "talk.json") -> Path:
    """The value as a JSON file."""
    file = folder / name
    file.write_text(json.dumps(value), encoding="utf-8")
    return file
