"""Secrets told by the shape of what stands around them: key blocks, addresses, headers, .netrc lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vault_memory.adapters.scanners.find import Find, compiled, stands_apart
from vault_memory.adapters.scanners.samples import (
    is_id,
    is_password,
    is_placeholder,
    is_random,
    is_reference,
    is_sample,
)

_KEY_HEAD = r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_KEY_TAIL = r"-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
_BREAK = r"\\[nr]|[\r\n]"
_AROUND = " \t>\"'|,+"
"""What quotations, lists and tables put around the lines of a key."""
_OF_A_KEY = r"[A-Za-z0-9+/=]*"
_FILLED = r"[A-Za-z0-9+/=_-]{16,}|Proc-Type:|Version:|Comment:"
_PUTTY = r"PuTTY-User-Key-File-[0-9]:[\s\S]{0,4000}?Private-Lines: *[0-9]+\s+([A-Za-z0-9+/=]{16,})"

_ADDRESS = r"://([^\s/?#:@\"'`]{0,200}):([^\s/@\"'`]{1,300})@([\w\[$<{.-]+)"
_LOOPBACK = r"localhost|127\.|\[|0\.0\.0\.0|db|database|postgres|mysql|redis|mongo|rabbitmq"
_NO_PASSWORDS = frozenset(
    "pass password passwd pwd pw secret token apikey api_key key pass123 passw0rd p4ssw0rd p@ssw0rd".split()
)

_JWT = r"[A-Za-z0-9_-]{8,}\.(eyJ[A-Za-z0-9_-]{8,})\.[A-Za-z0-9_-]{16,}"
_JWT_OF_MANUALS = ("eyJzdWIiOiIxMjM0NTY3ODkwIi",)
"""`{"sub":"1234567890"`: the token on jwt.io, copied into a thousand manuals."""

_HEADER = r"""["'`*]{0,3}\s{0,3}[:=]\s{0,3}["'`]?(Bearer|Basic|Token|ApiKey|Bot|Digest)?[ \t]+["'`]?"""
_CREDENTIAL = r"[A-Za-z0-9._~+/=-]{8,4096}"
_NETRC = r"\s+\S+\s+login\s+\S+\s+(?:account\s+\S+\s+)?password\s+(\S+)"
_CURL = r"""[^\n]{0,300}?\s(?:-u|--user)[ =]{0,2}["']?[^\s:"'$<{]{1,100}:([^\s"'\\]{3,200})"""
_DISCORD = (
    r"[MNO][DTjz][AEIMQUYcgk][w-z0-5](?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){3}[A-Za-z0-9_-]{6,14}"
    r"\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"
)
"""A bot's number in base 64, the time, a signature."""


def shaped(text: str, lowered: str, words: str) -> Iterator[Find]:
    """Every secret that stands in one of these shapes; `lowered` is the text in small letters, `words`
    are its long words."""
    if "PRIVATE KEY" in text:
        yield from _key_blocks(text)
    if "PuTTY-User-Key-File-" in text:
        yield from (Find("private-key", *found.span(1)) for found in compiled(_PUTTY).finditer(text))
    if "://" in text and "@" in text:
        yield from _addresses(text)
    if "eyJ" in text:
        yield from _json_web_tokens(text)
    if "authorization" in lowered:
        yield from _headers(text, lowered)
    if "bearer " in lowered:
        yield from _bearers(text, lowered)
    if "machine " in text and "password" in text:
        yield from _worded(text, "machine", _NETRC, "netrc-password")
    if "curl" in text:
        yield from _worded(text, "curl", _CURL, "curl-password")
    if compiled(_DISCORD).search(words):
        for found in compiled(_DISCORD).finditer(text):
            if stands_apart(text, found.start()):
                yield Find("discord-bot-token", *found.span())


def _key_blocks(text: str) -> Iterator[Find]:
    """A private key from its first line on; a head that only prose speaks of has neither key nor end."""
    heads = list(compiled(_KEY_HEAD).finditer(text))
    tails = compiled(_KEY_TAIL).finditer(text)
    tail = next(tails, None)
    for number, head in enumerate(heads):
        while tail is not None and tail.start() < head.end():
            tail = next(tails, None)
        # A key ends before the next one begins, and so no text is looked at twice.
        limit = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        own_tail = tail if tail is not None and tail.start() <= limit else None
        yield from _key_block(text, head, own_tail, limit)


def _key_block(text: str, head: re.Match[str], tail: re.Match[str] | None, limit: int) -> Iterator[Find]:
    end = tail.start() if tail else min(limit, head.end() + 4000)
    inner = text[head.end() : end]
    filled = compiled(_FILLED).search(inner[:400])
    if filled and not is_sample(filled[0]):
        yield Find("private-key", head.end() + filled.start(), end)
    elif tail and not filled and _is_key_or_nothing(inner):
        yield Find("private-key", head.start(), tail.end())


def _is_key_or_nothing(inner: str) -> bool:
    """Whether what stands between head and end is blank, or lines of a key and no more."""
    if not inner.strip():
        return True
    first, *lines = compiled(_BREAK).split(inner)
    of_a_key = compiled(_OF_A_KEY)
    return not first and all(of_a_key.fullmatch(line.strip(_AROUND)) for line in lines)


def _addresses(text: str) -> Iterator[Find]:
    for found in compiled(_ADDRESS).finditer(text):
        user, password, host = found.groups()
        lowered = password.lower()
        if lowered in _NO_PASSWORDS or is_placeholder(password) or is_reference(password):
            continue
        if password == user and compiled(_LOOPBACK).match(host):
            continue  # postgres:postgres@localhost, which opens what anybody on the machine may open
        yield Find("password-in-url", *found.span(2))


def _json_web_tokens(text: str) -> Iterator[Find]:
    for at in _places(text, "eyJ"):
        if text[at - 1 : at] in ("-", "_") or not stands_apart(text, at):
            continue  # within a longer run, which is looked through once
        found = compiled(_JWT).match(text, at + 3)
        if found and not found[1].startswith(_JWT_OF_MANUALS):
            yield Find("json-web-token", at, found.end())


def _headers(text: str, lowered: str) -> Iterator[Find]:
    for at in _places(lowered, "authorization"):
        head = compiled(_HEADER, re.IGNORECASE).match(text, at + len("authorization"))
        value = head and compiled(_CREDENTIAL).match(text, head.end())
        if not head or not value:
            continue
        if (head[1] or "").lower() == "basic":
            if _holds_password(value[0]):
                yield Find("authorization-header", *value.span())
        elif is_random(value[0]) and not _stands_for(value[0]):
            yield Find("authorization-header", *value.span())


def _bearers(text: str, lowered: str) -> Iterator[Find]:
    for at in _places(lowered, "bearer "):
        value = compiled(_CREDENTIAL).match(text, at + len("bearer "))
        if value and is_random(value[0]) and not _stands_for(value[0]):
            yield Find("authorization-header", *value.span())


def _worded(text: str, word: str, tail: str, rule: str) -> Iterator[Find]:
    """Passwords that come behind a word and what `tail` says follows it."""
    for at in _places(text, word):
        found = compiled(tail).match(text, at + len(word))
        if not found or not stands_apart(text, at):
            continue
        password = found[1].strip("\"'`,;)")
        if not _stands_for(password) and (is_password(password) or is_random(password)):
            yield Find(rule, *found.span(1))


def _stands_for(value: str) -> bool:
    if value.startswith("eyJ"):  # a token of three parts has its own rule
        return True
    return is_placeholder(value) or is_reference(value) or is_id(value)


def _holds_password(encoded: str) -> bool:
    """Whether a Basic credential holds `user:password` with a password that is one."""
    import base64
    import binascii

    try:
        decoded = base64.b64decode(encoded + "=" * (-len(encoded) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return False
    user, colon, password = decoded.partition(":")
    return bool(colon and password) and not (is_placeholder(password) or user.lower() == "aladdin")


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word))
