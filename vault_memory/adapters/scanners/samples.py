"""What looks like a secret and is none: samples, placeholders, references to a secret kept elsewhere."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

from vault_memory.adapters.scanners.find import compiled

_SAMPLE_MARKS = (
    "example", "xxxxxx", "******", "......", "…", "••", "your-", "your_", "yourkey", "yourtoken", "yourapi",
    "yoursecret", "placeholder", "redacted", "dummy", "changeme",
)  # fmt: skip
"""Long enough that chance puts none of them into a real token (once in a million at most)."""

_PLACEHOLDER_MARKS = (
    "xxx", "***", "...", "…", "••", "{{", "example", "sample", "placeholder", "changeme", "change-me",
    "change_me", "changethis", "your", "redacted", "removed", "masked", "hidden", "dummy", "fake", "mock",
    "insert", "replace", "foobar", "1password", "bitwarden", "keepass", "lastpass", "keychain",
)  # fmt: skip

_USUAL = frozenset(
    """
    password password1 password12 password123 password1234 passw0rd p4ssword p4ssw0rd p@ssword p@ssw0rd
    p@ssw0rd! pass123 pass1234 secret1 secret123 s3cret s3cr3t t0ken token123 abc123 abc1234 abcd1234
    hunter2 letmein1 qwerty1 qwerty123 admin1 admin123 admin1234 root123 test1 test12 test123 test1234
    testing123 demo123 demo1234 foo123 bar123 pw123 user123 welcome1 changeme1 changeme123 1q2w3e4r
    argon2 argon2i argon2id bcrypt base64 sha256 sha512 sha3 pbkdf2 scrypt utf8 oauth2
    """.split()
)
"""Passwords that every manual prints, and words with digits that stand where a password would."""

_WORDS = frozenset(
    "pass passwd password passphrase pwd pw secret token apikey api key access auth private user name my "
    "the a an db database admin root some new old this that here test value string text client".split()
)

_REFERENCE = r"""
      [<({\[\]|\\] | \$[A-Za-z_({]  # <your-token> {{ x }} [redacted] $VAR ${X}
    | %\w+% | [!&@][a-z]+$          # %NAME% !secret &anchor @file
    | @?(?:\.{0,2}|~)/              # a path
    | [a-z][a-z0-9+.-]*://          # https://, op://
    | (?:vault|env|file|ssm|arn|keyring|pass|ref|urn|aws|gcp|azure|sha\d+|md5):
    | sha\d+-                       # subresource integrity
    | (?:sk|pk|rk)_test_ | pk_live_ # Stripe's keys that open nothing
    | [A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+ (?: \W | $ )   # settings.password
    """
_CALL = r"[\w\])]\s*[(\[]"
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_ULID = r"[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}"
_HEX = r"(?:0x)?[0-9a-fA-F]+"
_PARTS = r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^A-Za-z0-9]+"


def is_sample(token: str) -> bool:
    """Whether a vendor's token is one of those that manuals print."""
    lowered = token.lower()
    return len(set(lowered)) <= 3 or any(mark in lowered for mark in _SAMPLE_MARKS)


def is_placeholder(value: str) -> bool:
    """Whether a value stands for a password instead of being one."""
    lowered = value.lower()
    if lowered in _USUAL or len(set(lowered)) <= 2:
        return True
    if any(mark in lowered for mark in _PLACEHOLDER_MARKS):
        return True
    words = [part.lower() for part in compiled(_PARTS).findall(value) if part[0].isalnum()]
    return all(word in _WORDS for word in words)


def is_reference(value: str) -> bool:
    """Whether a value says where the secret is kept: a variable, a path, an address, code."""
    return bool(compiled(_REFERENCE, re.VERBOSE).match(value) or compiled(_CALL).search(value))


def is_id(value: str) -> bool:
    """A UUID or a ULID: they name things and open nothing."""
    return bool(compiled(_UUID).fullmatch(value) or compiled(_ULID).fullmatch(value))


def is_hex(value: str) -> bool:
    """Nothing but hexadecimal digits: a checksum as well as a key."""
    return bool(compiled(_HEX).fullmatch(value))


def is_password(value: str) -> bool:
    """What a person would type as a password: letters together with digits or signs, in one word."""
    if not 6 <= len(value) <= 200 or any(char.isspace() for char in value):
        return False
    letters = any(char.isalpha() for char in value)
    return letters and any(char.isdigit() or char in "!@#$%^&*?~+=" for char in value)


def is_strong(value: str) -> bool:
    """A password that no word of prose looks like: digits among its letters, again and again."""
    return 8 <= len(value) <= 200 and is_password(value) and changes(value) >= 2 and not is_hex(value)


def is_random(value: str) -> bool:
    """A key that a machine made: 16 characters or more that form no words."""
    if not 16 <= len(value) <= 4096 or any(char.isspace() for char in value):
        return False
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    if is_hex(value):
        return len(value) >= 32 and digits > 0 and letters > 0 and entropy(value) >= 3.0
    if letters == 0 or entropy(value) < (3.0 if len(value) < 20 else 3.3):
        return False
    turns = changes(value, cases=True) / len(value)
    return turns >= (0.2 if digits >= 2 else 0.42)


def changes(value: str, *, cases: bool = False) -> int:
    """How often a letter stands next to a digit; with `cases` also small letters next to capitals."""
    kinds = [_kind(char, cases) for char in value]
    return sum(one != other and "" not in (one, other) for one, other in pairwise(kinds))


def entropy(value: str) -> float:
    """Shannon's, in bits a character."""
    total = len(value)
    return -sum(count / total * math.log2(count / total) for count in Counter(value).values())


def _kind(char: str, cases: bool) -> str:
    if char.isdigit():
        return "digit"
    if char.isalpha():
        return "capital" if cases and char.isupper() else "letter"
    return ""
