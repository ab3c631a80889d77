"""Cutting a file's bytes into front matter and body."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from vault_memory.model import codes
from vault_memory.model.codes import Fault

_OPEN = re.compile(rb"---[ \t]*(?:\r\n|\n|\r)")
_CLOSE = re.compile(rb"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|\Z)")
_LINE_END = re.compile(rb"\r\n|\n|\r")

# UTF-32 before UTF-16: the little endian marks begin alike.
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SNIFFED = 4096
"""How many bytes are looked at to tell UTF-16 without a mark from other files with zero bytes."""

HEADER_LINE = 2
"""The file's line on which front matter begins: the opening fence is always line 1."""

_LFS_POINTER = b"version https://git-lfs.github.com/spec/"
_LARGEST_POINTER = 1024
"""Bytes; the specification's own limit."""
_IS_POINTER = Fault(
    codes.LFS_POINTER,
    1,
    "a pointer of Git LFS stands here, and not the text",
    "fetch the text: git lfs install, then git lfs pull",
)


@dataclass(frozen=True, slots=True)
class Split:
    """A file in two parts. `header` is `None` where there is no (closed) front matter.

    `header_span` are the bytes between the fence lines and `body_start` is the first byte of the
    body, both in the file's bytes; they mean nothing where `encoding` is not `utf-8`. `newline` is
    the file's first line end. `header` and `body` have LF line ends.
    """

    encoding: str
    bom: bytes
    newline: str
    header: str | None
    header_span: tuple[int, int]
    body: str
    body_line: int
    body_start: int
    faults: tuple[Fault, ...] = ()


def split(content: bytes, *, fenced: bool = True) -> Split:
    """Find front matter and body; `fenced=False` takes the whole file as body. Never raises."""
    for mark, encoding in _WIDE_MARKS:
        if content.startswith(mark):
            return _split_wide(content, encoding, fenced)
    if b"\x00" in content:
        return _binary(content)
    if content.startswith(_LFS_POINTER) and len(content) <= _LARGEST_POINTER:
        return _not_text(_IS_POINTER)
    return _split_utf8(content, fenced)


def lf(text: str) -> str:
    """The text with every line end as LF."""
    if "\r" not in text:
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _split_utf8(content: bytes, fenced: bool) -> Split:
    faults: list[Fault] = []
    bom = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    first_end = _LINE_END.search(content)
    newline = first_end.group().decode() if first_end else "\n"
    body_start, span, header = len(bom), (len(bom), len(bom)), None
    opening = _OPEN.match(content, len(bom)) if fenced else None
    if opening:
        closing = _CLOSE.search(content, opening.end())
        if closing:
            span = (opening.end(), closing.start())
            header = lf(content[span[0] : span[1]].decode("utf-8", "replace"))
            body_start = closing.end()
        else:
            faults.append(
                Fault(
                    codes.NOT_CLOSED,
                    1,
                    "front matter is opened by '---' and never closed",
                    "close it with a line '---'; until then the whole file counts as text",
                )
            )
    try:
        body = content[body_start:].decode("utf-8")
        if header is not None and "\ufffd" in header:
            content[: span[1]].decode("utf-8")
    except UnicodeDecodeError:
        body = content[body_start:].decode("utf-8", "replace")
        faults.append(_not_utf8(content))
    body_line = 1 + len(_LINE_END.findall(content, 0, body_start)) if header is not None else 1
    if header is not None and content[body_start - 1] not in b"\r\n":
        body_line += 1  # the closing fence is the last line and has no line end
    return Split("utf-8", bom, newline, header, span, lf(body), body_line, body_start, tuple(faults))


def _not_utf8(content: bytes) -> Fault:
    line = 1
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line += len(_LINE_END.findall(content, 0, error.start))
    return Fault(
        codes.NOT_UTF8,
        line,
        "bytes that are not UTF-8",
        "save the file as UTF-8; until then these bytes are not searched",
    )


def _split_wide(content: bytes, encoding: str, fenced: bool) -> Split:
    text = content.decode(encoding, "replace").replace("\x00", "\ufffd")
    parts = _split_utf8(text.encode("utf-8", "replace"), fenced)
    fault = Fault(
        codes.UTF16,
        1,
        f"the file is {encoding.upper()}, not UTF-8",
        "save it as UTF-8; until then it is searched, and vmem does not change it",
    )
    return Split(
        encoding, b"", parts.newline, parts.header, (0, 0), parts.body, parts.body_line, 0,
        (fault, *parts.faults),
    )  # fmt: skip


def _binary(content: bytes) -> Split:
    sample = content[:_SNIFFED]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    few, many = sorted((even, odd))
    if many > 1 and many * 5 > len(sample) and few * 10 < many:
        fault = Fault(
            codes.UTF16,
            1,
            "the file looks like UTF-16 without a byte order mark",
            "save it as UTF-8; until then nothing of it is searched",
        )
    else:
        fault = Fault(
            codes.BINARY,
            1,
            "the file holds zero bytes, so it is not text",
            "give it another extension than .md, or take the zero bytes out",
        )
    return _not_text(fault)


def _not_text(fault: Fault) -> Split:
    """Nothing of the file is text, and no line of it may be changed."""
    return Split("binary", b"", "\n", None, (0, 0), "", 1, 0, (fault,))
