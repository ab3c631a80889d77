"""A message of the protocol, as it comes in: one JSON object, or the reason why it is none."""

from __future__ import annotations

import json
from typing import Any

PARSE_ERROR, INVALID_REQUEST = -32700, -32600

Message = dict[str, Any]


class NoMessage(Exception):  # noqa: N818 - an answer to whoever sent it
    """What came is no message. `code` is the protocol's, `asked` the id where one can be made out."""

    def __init__(self, code: int, why: str, asked: object = None) -> None:
        super().__init__(why)
        self.code, self.why, self.asked = code, why, asked

    @property
    def answer(self) -> Message:
        """What to answer."""
        return refusal(self.code, self.why, self.asked)


def refusal(code: int, why: str, asked: object = None) -> Message:
    """An error of the protocol, in answer to a request, or to what was none."""
    return {"jsonrpc": "2.0", "id": asked, "error": {"code": code, "message": why}}


def message_in(line: bytes, what: str = "this line") -> Message:
    """The message that these bytes are. Raises `NoMessage`, which calls them `what`.

    Half of a surrogate pair is a question mark: there is no UTF-8 for it, and a decoder of another make
    would refuse the whole message.
    """
    try:
        message = json.loads(line.decode("utf-8", "replace"), parse_constant=_no_number)
        if b"\\ud" in line.lower():
            plain = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
            message = json.loads(plain)
    except (ValueError, RecursionError) as error:
        raise NoMessage(PARSE_ERROR, f"{what} is not JSON: {error}; one message at a time") from error
    why = _why_no_message(message)
    if why is None:
        return dict(message)
    asked = message.get("id") if isinstance(message, dict) else None
    raise NoMessage(INVALID_REQUEST, why, asked if _is_id(asked) else None)


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _why_no_message(message: object) -> str | None:
    """What keeps a value of JSON from being a message; `None` where it is one."""
    if not isinstance(message, dict):
        return "a message is one JSON object; several in a list are not taken"
    if message.get("jsonrpc") != "2.0":
        return 'a message says "jsonrpc": "2.0"'
    if "method" not in message:
        is_answer = _is_id(message.get("id")) and isinstance(
            message.get("result", message.get("error")), dict
        )
        return None if is_answer else "a message has a method, or an id and a result"
    if not isinstance(message["method"], str):
        return "the method is a text"
    if "id" in message and not _is_id(message["id"]):
        return "an id is a text or a whole number"
    if not isinstance(message.get("params", {}), dict):
        return "the params are an object"
    return None


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no number of JSON")
