"""Text that speaks to a model: orders to forget its rules, to hide or send things, marks of a prompt.

What is looked for is narrow on purpose: memories are full of rules ("always run the tests"), and those are
what they are for. A flag is for words that no note to a person or a colleague has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from vault_memory.model.flags import flag
from vault_memory.model.flags.flag import Flag, Sides
from vault_memory.model.markdown import fenced_spans, without_code
from vault_memory.model.normalform import normalized

SHOWN = 60
"""Characters of the text that a message repeats."""
_GAP = r"[^.!?。！？]{0,40}?"
_ORDERS = r"(?:instructions?|prompts?|directives?|orders|commands)"
_RULES = rf"(?:{_ORDERS}|rules|guidelines|messages?|context|training)"
_HEARERS = r"(?:user|human|person|operator|owner|people|anyone|anybody)s?"
_UNSEEN = re.compile("[\u00ad\u180e\u200b-\u200f\u2060-\u2064\ufeff]")
_DIRECTED = re.compile("[\u202d\u202e]|(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0000-\U000e007f]")
"""What turns the direction of text by force, and letters that nobody sees (but in flags, which have them)."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """`needles` are words of which one must be there for the pattern to be tried at all."""

    what: str
    needles: tuple[str, ...]
    pattern: str
    in_code: bool = True


PATTERNS = (
    Pattern(
        "an order to forget instructions",
        ("ignor", "disregard", "forget", "overrid", "bypass"),
        r"\b(?:ignor(?:e|ing)|disregard|forget|overrid(?:e|ing)|bypass)\b"
        rf"(?:{_GAP}\b(?:previous|prior|above|earlier|preceding|your|system|all other){_GAP}\b{_RULES}"
        rf"|\s+(?:all|any|every)\s+(?:of\s+)?(?:the\s+|these\s+|those\s+)?{_ORDERS})\b",
    ),
    Pattern(
        "an order to hide something",
        ("tell", "inform", "mention", "reveal", "show", "disclose"),
        r"\b(?:do not|don't|don’t|never|must not|without)\s+(?:ever\s+)?"
        r"(?:tell(?:ing)?|mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing))\b(?:\s+(?:this|it|that|anything))?"
        rf"(?:\s+to)?\s+(?:the\s+|your\s+){_HEARERS}\b"
        r"|\b(?:do not|don't|don’t|never|must not|without)\s+(?:show(?:ing)?|inform(?:ing)?)\s+"
        rf"(?:this\s+to\s+)?(?:the\s+|your\s+){_HEARERS}\s+(?:(?:of|about)\s+)?(?:this|these)\s+"
        r"(?:instructions?|messages?|notes?|memor(?:y|ies)|prompts?)\b",
    ),
    Pattern(
        "an order to give away a prompt",
        ("prompt", "instructions"),
        r"\b(?:reveal|print|output|repeat|show|leak|disclose|display)\s+(?:me\s+)?"
        r"(?:(?:your|the)\s+(?:full\s+|entire\s+|complete\s+)?(?:system|initial|hidden|original|secret)"
        r"\s+(?:prompt|instructions|message)|your\s+(?:prompt|instructions))\b",
    ),
    Pattern(
        "an order to send secrets",
        ("send", "post", "upload", "exfiltrate", "forward", "mail", "transmit"),
        r"\b(?:send|post|upload|exfiltrate|forward|e-?mail|transmit)\b[^.!?\n]{0,60}?"
        r"\b(?:credentials?|secrets?|api[ _-]?keys?|tokens?|passwords?|private keys?|ssh keys?|\.env"
        r"|environment variables?|(?:chat|conversation) history)\b[^\n]{0,60}?\bto\b[^\n]{0,20}?"
        r"(?:https?://|[\w.+-]+@[\w-]+\.\w)",
    ),
    Pattern(
        "a new role for the model",
        ("you are", "act as", "pretend", "respond as", "you're"),
        r"\b(?:you are|you're|act as|pretend (?:to be|you are)|respond as)\s+(?:now\s+)?(?:in\s+)?"
        r"(?:an?\s+|the\s+)?(?:unrestricted|unfiltered|uncensored|jailbroken|dan\b|developer mode|god mode"
        r"|admin mode|root mode|(?:different|new|another)\s+(?:ai|assistant|model|agent|persona))",
    ),
    Pattern(
        "words to a model by name",
        ("ai", "llm", "language model", "chatbot"),
        r"\b(?:if|as|since) you are an?\s+(?:ai|llm|(?:large )?language model|chatbot)\b"
        r"(?!\s+(?:engineer|company|researcher|developer|startup))"
        r"|\b(?:important|attention|note|message|instructions?)\s+(?:to|for)\s+(?:all\s+|any\s+|the\s+)?"
        r"(?:ais?|llms?|language models?|chatbots?|ai (?:assistants?|agents?|models?))\s*[:：]",
    ),
    Pattern(
        "a claim to overrule",
        ("overrid", "supersede", "precedence"),
        r"\bthis\s+(?:message|memory|note|instruction|prompt)\s+"
        r"(?:overrides?|supersedes?|takes? precedence over)\s+(?:all|any|your|every|system|previous|prior)\b",
    ),
    Pattern(
        "a line that poses as a prompt's",
        ("system", "developer"),
        r"(?m:^)[ \t>*_#-]*(?:system|developer)(?:\s+(?:message|prompt|note|override|instructions?))?"
        r"[*_]*\s*[:：][^\n]*?\b(?:you (?:are|must|should|will)|ignore|disregard|from now on|do not|don't"
        r"|never|always|skip)\b",
    ),
    Pattern(
        "a mark of a prompt",
        ("<", "["),
        r"(?<!\w)</?\s*(?:system|system[-_](?:reminder|prompt|message)|instructions?|memory|memories|assistant|human"
        r"|tool[-_](?:result|call|use)s?|function[-_](?:calls?|results?)|antml:[a-z_]+)\s*>"
        r"|<\|[a-z_]{2,30}\|>|\[/?inst\]|<</?sys>>",
        in_code=False,
    ),
    Pattern(
        "an order to forget instructions",
        ("忽略", "无视", "無視", "忘记", "忘記", "忘れ"),
        r"(?:忽略|无视|無視|忘记|忘記)[^。\n]{0,12}?(?:之前|以前|以上|先前|上述|前面|所有)[^。\n]{0,8}?"
        r"(?:指令|指示|提示|规则|規則|说明|說明)"
        r"|(?:以前|これまで|上記|前|すべて|全て)の[^。\n]{0,10}?(?:指示|命令|プロンプト|ルール)[^。\n]{0,6}?(?:無視|忘れ)",
    ),
    Pattern(
        "an order to forget instructions",
        ("anweisung", "instruktion", "consigne", "instruction", "instruccion", "reglas", "indicaciones"),
        r"\b(?:ignoriere?n?|vergiss|vergessen|missachte)\b[^.\n]{0,40}?\b(?:bisherigen|vorherigen|obigen|früheren"
        r"|alle)\b[^.\n]{0,20}?(?:anweisungen|instruktionen)"
        r"|\b(?:ignore[zr]?|oublie[zr]?)\b[^.\n]{0,30}?\b(?:instructions?|consignes?)\b[^.\n]{0,20}?"
        r"(?:précédent|antérieur|ci-dessus)"
        r"|\b(?:ignora|olvida)\w*\b[^.\n]{0,30}?\b(?:instrucciones|reglas|indicaciones)\b[^.\n]{0,20}?"
        r"(?:anterior|previa)",
    ),
)


def instructions(sides: Sides) -> Iterator[Flag]:
    """Each kind once, at its first place whose words the older version does not have."""
    if sides.after is None:
        return
    found = list(found_in(sides.new))
    known = {words.casefold() for _, words, _ in found_in(sides.old)} if found else set()
    told: set[str] = set()
    for what, words, line in found:
        if words.casefold() not in known and what not in told:
            told.add(what)
            shown = f": “{_short(words)}”" if words else ""
            yield Flag(flag.INSTRUCTIONS, f"{what}{shown}", line)


def found_in(text: str) -> Iterator[tuple[str, str, int]]:
    """(what it is, the words, the line) of each place. Letters that nobody sees do not hide it."""
    hidden = _DIRECTED.search(text) if not text.isascii() else None
    if hidden is not None:
        yield "letters that nobody sees", "", text.count("\n", 0, hidden.start()) + 1
    plain = text if text.isascii() else normalized("NFKC", _UNSEEN.sub("", _DIRECTED.sub("", text)))
    lowered = plain.lower()
    prose: str | None = None
    for row in PATTERNS:
        if not any(needle in lowered for needle in row.needles):
            continue
        if not row.in_code and prose is None:
            prose = without_code(plain, fenced_spans(plain))
        searched = plain if row.in_code else prose or ""
        line, counted = 1, 0
        for found in _compiled(row.pattern).finditer(searched):
            line += searched.count("\n", counted, found.start())
            counted = found.start()
            yield row.what, " ".join(found[0].split()), line


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first needed."""
    return re.compile(pattern, re.IGNORECASE)


def _short(words: str) -> str:
    return words if len(words) <= SHOWN else f"{words[: SHOWN - 1].rstrip()}…"
