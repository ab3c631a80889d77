"""Replacing a file's text while its front matter stays as it was, byte for byte."""

from __future__ import annotations

from vault_memory.errors import FrontMatterError
from vault_memory.model import codes
from vault_memory.model.fields import parse_body
from vault_memory.model.split import split
from vault_memory.model.yamlread import read_header


def replace_body(path: str, content: bytes, text: str) -> bytes:
    """The file with another text below its front matter, in the file's own line ends.

    Raises `FrontMatterError` where it is not clear what is front matter and what is text, and
    `ValueFormatError` for text that no file can hold.
    """
    body = parse_body(text).rstrip("\n")
    parts = split(content)
    for fault in parts.faults:
        if parts.encoding != "utf-8" or fault.code == codes.NOT_CLOSED:
            raise FrontMatterError(path, fault.line, fault.message, hint=fault.advice)
    header = read_header(parts.header or "")
    if getattr(header, "code", None) == codes.NOT_KEYS:
        raise FrontMatterError(path, 1, "what lies between the '---' lines is text, not keys")
    head = content[: parts.body_start]
    if parts.header is not None and not head.endswith((b"\n", b"\r")):
        head += parts.newline.encode()
    after = head + (f"{body}\n" if body else "").replace("\n", parts.newline).encode("utf-8")
    again = split(after)
    if again.header != parts.header or again.body.rstrip("\n") != body:
        raise FrontMatterError(
            path, 1, "the new text would itself be read as front matter",
            hint="begin the text with an empty line, or give the file front matter first",
        )  # fmt: skip
    return after
