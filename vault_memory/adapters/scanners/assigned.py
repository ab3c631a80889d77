"""Values given to names such as `password`, `api_key` or `client-secret`, in code, settings and prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from vault_memory.adapters.scanners.find import Find, compiled
from vault_memory.adapters.scanners.samples import (
    changes,
    is_hex,
    is_id,
    is_password,
    is_placeholder,
    is_random,
    is_reference,
    is_strong,
)

PASSWORD, SECRET, TOKEN = "assigned-password", "assigned-secret", "assigned-token"

_NAMES = {
    "password": PASSWORD, "passwd": PASSWORD, "passphrase": PASSWORD, "passwort": PASSWORD,
    "passcode": PASSWORD, "pwd": PASSWORD, "密码": PASSWORD, "密碼": PASSWORD, "パスワード": PASSWORD,
    "비밀번호": PASSWORD, "пароль": PASSWORD,
    "secret": SECRET, "credential": SECRET, "token": TOKEN, "key": TOKEN,
}  # fmt: skip
_BEFORE_KEY = (
    "api", "access", "auth", "private", "secret", "encryption", "signing", "account", "master", "storage",
    "subscription", "license", "app", "client", "service", "admin", "write", "bot", "webhook",
)  # fmt: skip
"""Words that make a key one to a lock; a primary key or a front matter key is none."""

_OTHER_TOKENS = frozenset(
    "page next continuation cursor cancel cancellation sync max min num eos bos pad unk special stop count "
    "csrf xsrf design lex".split()
)
_OTHER_THINGS = frozenset(
    """
    hash hashed sha sha1 sha256 md5 digest checksum fingerprint id ids name names file path dir folder url uri
    endpoint type kind count limit length len size min max ttl expiry expires expiration age policy manager
    store field label hint prompt regex pattern prefix suffix format version public budget usage arn ref
    header env var variable provider rotation created updated at date encoding algorithm scanner rules
    reset help
    """.split()
)
"""What follows a name when the value is about the secret: `token_count`, `password_hash`."""

_PREFIX = r"[\w.-]{0,40}$"
_SUFFIX = r"[A-Za-z0-9_-]{0,40}"
_WORDS = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+"
_GIVEN = r"""
    \\?["'`*_\])]{0,4} [ \t]{0,20}
    (?: (?P<equals> => | := | ={1,3} )
      | (?P<colon> :{1,2} | ： | ＝ )
      | (?P<cell> \| (?=[ \t]) )
      | (?P<verb> (?<=\s) (?: is | was | are | ist | est | 是 | は ) (?: \s+now )? (?=[ \t:]) :? )
      | (?P<verb_cjk> 是 | は | が )
    )
    [*_]{0,3} [ \t]{0,20} [*_]{0,3}
    """
_OPTION = r"[ \t]{1,4}"
_QUOTE = r"""\\?["'`“‘]"""
_BARE = r"[^\s\"'`“”‘’<>，。、；]{1,400}"
_CLOSES = {"“": "”", "‘": "’"}
_NOTHING_MORE = r"[ \t]*[\"'`*_.,;)\]}\\|]{0,6}[ \t]*(?:$|[\r\n]|\\[rn]|#|//|--|<)"
_PARAMETER = r"[&;,][A-Za-z][\w .-]{0,40}="
_RUN = r"\S{1,4000}"
LOOKS_A_RUN = 20
"""So many names are looked at in one run without a space: their values overlap, and each may be long."""
_ADDRESS = r"https?://\S{0,2000}$"


class _Given(NamedTuple):
    """A value, where it stands, and whether the form is one that only code and settings have."""

    start: int
    value: str
    firm: bool


def assigned(text: str, lowered: str) -> Iterator[Find]:
    """Every value that a secret-like name is given; `lowered` is the text in small letters."""
    for word, rule in _NAMES.items():
        at = lowered.find(word)
        run_end = looks = 0
        while at >= 0:
            end = at + len(word)
            if at >= run_end and (run := compiled(_RUN).match(text, at)):
                run_end, looks = run.end(), 0
            looks += 1
            if looks > LOOKS_A_RUN:
                at = lowered.find(word, run_end)
                continue
            found = _look(text, lowered, at, end, rule)
            if found is not None:
                yield found
            at = lowered.find(word, end)


def _look(text: str, lowered: str, at: int, end: int, rule: str) -> Find | None:
    suffix = compiled(_SUFFIX).match(text, end)
    stop = suffix.end() if suffix else end
    given = _given(text, at, stop)
    if given is None or not _names_a_secret(text, lowered, at, end, stop):
        return None
    if rule is SECRET and lowered.startswith("key", stop - 3):
        rule = TOKEN
    within_address = _within_address(text, at)
    if within_address and lowered[at:end] == "pwd":
        return None  # the address of a meeting, which is an invitation
    if not _is_secret(rule, given, within_address=within_address):
        return None
    return Find(rule, given.start, given.start + len(given.value))


def _names_a_secret(text: str, lowered: str, at: int, end: int, stop: int) -> bool:
    word = lowered[at:end]
    before = lowered[max(0, at - 40) : at]
    if word == "key" and not before.rstrip(" _-").endswith(_BEFORE_KEY):
        return False
    if word == "pwd" and before[-1:].isalpha():
        return False
    suffix = text[end:stop]
    if suffix[:1].isalpha() and (suffix[0].islower() or text[end - 1].isupper()):
        return False  # tokens, tokenizer, secretary, KEYWORD
    if any(part.lower() in _OTHER_THINGS for part in compiled(_WORDS).findall(suffix)):
        return False
    found = compiled(_PREFIX).search(text, max(0, at - 40), at)
    words = [part.lower() for part in compiled(_WORDS).findall(found[0])] if found else []
    return not (word == "token" and words and words[-1] in _OTHER_TOKENS)


def _given(text: str, at: int, stop: int) -> _Given | None:
    """The value behind a name that ends at `stop`, `None` where none is given."""
    how = compiled(_GIVEN, re.VERBOSE).match(text, stop)
    if how is None:
        prefix = compiled(_PREFIX).search(text, max(0, at - 40), at)
        option = compiled(_OPTION).match(text, stop)
        if option is None or prefix is None or not prefix[0].startswith("--"):
            return None
        return _value(text, option.end(), firm=True)
    if how["equals"] is not None:
        return _value(text, how.end(), firm=True)
    if how["colon"] is not None:
        return _value(text, how.end(), firm=None)
    return _value(text, how.end(), firm=False)


def _value(text: str, start: int, *, firm: bool | None) -> _Given | None:
    """`firm=None`: it is, where the value is quoted or nothing follows it on its line."""
    quote = compiled(_QUOTE).match(text, start)
    if quote is not None:
        mark = _CLOSES.get(quote[0][-1], quote[0][-1])
        close = text.find(mark, quote.end(), quote.end() + 400)
        value = text[quote.end() : close] if close >= 0 else ""
        if "\n" in value or not value:
            return None
        return _Given(quote.end(), value.rstrip("\\"), firm is not False)
    bare = compiled(_BARE).match(text, start)
    if bare is None:
        return None
    value = bare[0]
    cut = compiled(_PARAMETER).search(value)
    value = (value[: cut.start()] if cut else value).split("\\n")[0].rstrip(".,;:)]}|*_\\")
    if firm is None:
        firm = bool(compiled(_NOTHING_MORE).match(text, start + len(value)))
    return _Given(start, value, firm)


def _is_secret(rule: str, given: _Given, *, within_address: bool) -> bool:
    value, firm = given.value, given.firm
    if len(value) < 6 or is_id(value) or is_reference(value) or is_placeholder(value):
        return False
    if is_hex(value) and not firm:
        return False  # "the token is 3f2a9c1…": as likely a commit
    if is_random(value):
        return True
    if within_address:
        return False
    if rule is PASSWORD:
        return is_password(value) if firm else is_strong(value)
    return rule is SECRET and firm and len(value) >= 10 and is_password(value) and changes(value) >= 2


def _within_address(text: str, at: int) -> bool:
    return compiled(_ADDRESS).search(text, max(0, at - 300), at) is not None
