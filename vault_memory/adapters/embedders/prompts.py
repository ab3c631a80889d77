"""What some families of models want to see in front of a query and of a passage."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_SEARCH = "Represent this sentence for searching relevant passages: "


@dataclass(frozen=True, slots=True)
class Prompts:
    """The words in front of a query and of a passage."""

    query: str = ""
    passage: str = ""


FAMILIES: tuple[tuple[str, Prompts], ...] = (
    (
        r"\be5\b.*\binstruct\b",
        Prompts("Instruct: Given a search query, retrieve relevant passages that answer the query\nQuery: "),
    ),
    (r"\be5\b", Prompts("query: ", "passage: ")),
    (r"\bbge\b.*\bzh\b", Prompts("为这个句子生成表示以用于检索相关文章：")),
    (r"\bbge\b.*\ben\b", Prompts(_SEARCH)),
    (r"\b(mxbai|arctic)\b.*\bembed\b", Prompts(_SEARCH)),
    (r"\bnomic\b.*\bembed\b", Prompts("search_query: ", "search_document: ")),
)
"""(pattern of the model's name, prompts), the first that fits; any other model wants none."""

_QUERY_NAMES = ("query", "search_query", "retrieval.query")
_PASSAGE_NAMES = ("document", "passage", "corpus", "search_document", "retrieval.passage")


def prompts_for(name: str, own: Mapping[str, str]) -> Prompts:
    """The model's own prompts where it brings any, else those of its family."""
    if own:
        return Prompts(_named(own, _QUERY_NAMES), _named(own, _PASSAGE_NAMES))
    words = re.sub(r"[\W_]+", " ", name.casefold())
    return next((prompts for pattern, prompts in FAMILIES if re.search(pattern, words)), Prompts())


def _named(own: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((own[name] for name in names if name in own), "")
