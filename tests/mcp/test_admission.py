"""The door: only who bears the token, by a name of this machine, and from no page of elsewhere."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vault_memory.surfaces.mcp.admission import Door, is_loopback

TOKEN = "0123456789abcdef" * 4
DOOR = Door(TOKEN)
REMOTE = Door(TOKEN, remote=True, names=frozenset({"box.example"}))
BEARER = (b"authorization", f"Bearer {TOKEN}".encode())

NAMES = st.text(string.ascii_letters + string.digits + ".-", min_size=1, max_size=30)
BYTES = st.binary(max_size=40)


def status(door: Door, *headers: tuple[bytes, bytes], method: str = "POST", path: str = "/mcp") -> int | None:
    refused = door.refuses(method, path, headers)
    return None if refused is None else refused.status


@given(NAMES, st.sampled_from([b"", b":8636", b":0"]))
def test_a_name_is_let_in_only_where_it_is_this_machine_s(name: str, port: bytes) -> None:
    host = (b"host", name.encode() + port)
    ours = is_loopback(name.casefold().rstrip("."))
    assert (status(DOOR, host, BEARER) is None) == ours
    origin = (b"origin", b"http://" + name.encode())
    assert (status(DOOR, (b"host", b"localhost"), origin, BEARER) is None) == ours


@given(BYTES)
def test_nothing_but_the_token_opens(given: bytes) -> None:
    host = (b"host", b"localhost:8636")
    for line in (given, b"Bearer " + given, b"Bearer", TOKEN.encode(), b"Basic " + TOKEN.encode()):
        if line.strip() != BEARER[1]:
            assert status(DOOR, host, (b"authorization", line)) == 401


@given(st.lists(st.tuples(st.sampled_from([b"host", b"origin", b"Authorization", b"x"]), BYTES), max_size=6))
def test_whatever_is_sent_is_let_in_or_refused(headers: list[tuple[bytes, bytes]]) -> None:
    assert status(DOOR, *headers) in (401, 403)
    assert status(DOOR, *headers, BEARER) in (None, 401, 403)


@pytest.mark.parametrize(
    ("host", "here", "remote"),
    [
        (b"localhost", None, None),
        (b"LocalHost:1", None, None),
        (b"127.0.0.1:8636", None, None),
        (b"127.9.9.9", None, None),
        (b"[::1]:8636", None, None),
        (b"192.168.0.7:8636", 403, None),
        (b"[fe80::1]", 403, None),
        (b"box.example:8636", 403, None),
        (b"box.example.evil", 403, 403),
        (b"evil.example", 403, 403),
        (b"127.0.0.1.evil.example", 403, 403),
        (b"localhost@evil.example", 403, 403),
        (b"", 403, 403),
        (b"[::1", 403, 403),
    ],
)
def test_others_may_call_by_addresses_and_names_where_that_is_allowed(
    host: bytes, here: int | None, remote: int | None
) -> None:
    assert status(DOOR, (b"host", host), BEARER) == here
    assert status(REMOTE, (b"host", host), BEARER) == remote


def test_two_hosts_or_two_tokens_are_none() -> None:
    host = (b"host", b"localhost")
    assert status(DOOR, host, host, BEARER) == 403
    assert status(DOOR, host, BEARER, BEARER) == 401
    assert status(DOOR, BEARER) == 403


def test_a_page_that_the_machine_itself_serves_may_ask_by_the_name_it_has() -> None:
    host = (b"host", b"box.example:8636")
    assert status(REMOTE, host, (b"origin", b"https://box.example"), BEARER) is None
    for origin in (b"https://evil.example", b"null", b"file://box.example", b"box.example", b"http://[x"):
        assert status(REMOTE, host, (b"origin", origin), BEARER) == 403
