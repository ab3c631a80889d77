"""The front matter keys that vmem knows: what each takes, its default, and its parser.

Everything else follows from this table: what callers may set, what lint says, the docs.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from vault_memory.errors import ValueFormatError
from vault_memory.model import codes
from vault_memory.model.clip import one_line
from vault_memory.model.dateforms import NoDateError
from vault_memory.model.duration import TTL_FORM, canonical_ttl
from vault_memory.model.kinds import KINDS
from vault_memory.model.moments import MOMENT_FORM
from vault_memory.model.moments import parse_moment as moment_in
from vault_memory.model.namespace import parse_agent
from vault_memory.model.normalform import normalized
from vault_memory.model.yamlwrite import FieldValue

MAX_TITLE = 500
MAX_TAG = 100
MAX_VALUE = 10_000
MAX_KEY = 100

IMPORTANCE_FORM = "a number from 0 to 1"
FLAG_FORM = "true or false"
TAG_FORM = "a word without spaces and commas"
TITLE_FORM = f"one line of at most {MAX_TITLE} characters"
KIND_FORM = f"a word of letters, digits, '-' and '_', such as {', '.join(KINDS)}"
TEXT_FORM = f"text of at most {MAX_VALUE:,} characters without control characters"
KEY_FORM = "letters, digits, '-', '_' and '.', beginning with a letter or '_'"
BODY_FORM = "text that can be written as UTF-8, without zero bytes"

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_FLAGS = {
    "true": True, "yes": True, "on": True, "y": True, "1": True,
    "false": False, "no": False, "off": False, "n": False, "0": False, "": False,
}  # fmt: skip
_KIND = re.compile(r"[^\W_][\w-]{0,63}")
_NOT_IN_FILES = re.compile("[\x00\ud800-\udfff]")
_KEY = re.compile(r"[^\W\d][\w.-]*")
_TAG_STOPS = frozenset("Cc Cs Zs Zl Zp".split())


def parse_importance(text: str, *, field: str = "importance") -> float:
    """A number from 0 to 1. Raises `ValueFormatError`."""
    cleaned = text.strip()
    value = float(cleaned) if _NUMBER.fullmatch(cleaned) else -1.0
    if not 0.0 <= value <= 1.0:
        raise ValueFormatError(field, text, IMPORTANCE_FORM)
    return abs(value)  # not -0.0


def parse_flag(text: str, *, field: str = "pinned") -> bool:
    """True or false, in the words YAML has had for them. Raises `ValueFormatError`."""
    flag = _FLAGS.get(text.strip().casefold())
    if flag is None:
        raise ValueFormatError(field, text, FLAG_FORM)
    return flag


def parse_ttl(text: str) -> str | None:
    """A time to live as it is written (`90d`), `None` for never. Raises `ValueFormatError`."""
    return canonical_ttl(text)


def parse_tag(text: str) -> str:
    """One tag without its `#`. Raises `ValueFormatError`."""
    tag = normalized("NFC", text.strip().lstrip("#"))
    stops = any(char == "," or unicodedata.category(char) in _TAG_STOPS for char in tag)
    if not tag or stops or len(tag) > MAX_TAG:
        raise ValueFormatError("tag", text, f"{TAG_FORM}, of at most {MAX_TAG} characters")
    return tag


def parse_tags(text: str) -> tuple[str, ...]:
    """Tags parted by commas, each once. Raises `ValueFormatError`."""
    return tuple(dict.fromkeys(parse_tag(part) for part in text.split(",") if part.strip()))


def parse_title(text: str) -> str:
    """A title on one line; line breaks become spaces. Raises `ValueFormatError`."""
    _check_characters("title", text, TITLE_FORM)
    title = one_line(text) if any(unicodedata.category(c) in _LINE_CATEGORIES for c in text) else text.strip()
    if not title or len(title) > MAX_TITLE:
        raise ValueFormatError("title", text, TITLE_FORM)
    return title


def parse_kind(text: str) -> str:
    """A kind in lower case; it need not be one of the table. Raises `ValueFormatError`."""
    kind = text.strip().lower()
    if not _KIND.fullmatch(kind):
        raise ValueFormatError("kind", text, KIND_FORM)
    return kind


def parse_moment(field: str, text: str, zone: tzinfo = UTC) -> datetime:
    """An instant in UTC; a date alone is that day's first instant. Raises `ValueFormatError`."""
    try:
        return moment_in(text, zone)
    except NoDateError as error:
        raise ValueFormatError(field, text, MOMENT_FORM, reason=str(error)) from error


def parse_expires(text: str) -> str | None:
    """When a memory expires, as typed (a date alone keeps meaning the whole day); `None` for never.

    Raises `ValueFormatError`.
    """
    cleaned = text.strip()
    if cleaned.casefold() in ("", "never"):
        return None
    try:
        moment_in(cleaned, UTC, whole_day=True)
    except NoDateError as error:
        form = f"{MOMENT_FORM}, or never"
        raise ValueFormatError("expires", text, form, reason=str(error)) from error
    return cleaned


def parse_text(field: str, text: str) -> str:
    """Any text for a front matter value. Raises `ValueFormatError`."""
    _check_characters(field, text, TEXT_FORM)
    if len(text) > MAX_VALUE:
        raise ValueFormatError(field, text, TEXT_FORM)
    return text


def parse_key(text: str) -> str:
    """The name of a front matter key. Raises `ValueFormatError`."""
    key = text.strip()
    if not _KEY.fullmatch(key) or len(key) > MAX_KEY:
        raise ValueFormatError("a key", text, KEY_FORM)
    return key


def parse_body(text: str) -> str:
    """The text of a memory, line ends as LF. Raises `ValueFormatError`."""
    if _NOT_IN_FILES.search(text):
        raise ValueFormatError("the text", text.replace("\x00", "\ufffd"), BODY_FORM)
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True, slots=True)
class Field:
    """One known key. `parse` takes what a caller typed and gives what to write; `None` takes it out."""

    name: str
    form: str
    default: str
    doc: str
    code: str
    parse: Callable[[str], FieldValue | None]


def _texts(field: str) -> Callable[[str], FieldValue | None]:
    def parse(text: str) -> tuple[str, ...]:
        return tuple(parse_text(field, part.strip()) for part in text.split(",") if part.strip())

    return parse


def _text(field: str) -> Callable[[str], FieldValue | None]:
    return lambda text: parse_text(field, text.strip()) or None


def _moment(field: str) -> Callable[[str], FieldValue | None]:
    return lambda text: parse_moment(field, text) if text.strip() else None


_ROWS: tuple[tuple[str, str, str, str, str, Callable[[str], FieldValue | None]], ...] = (
    ("id", "one line of text, a quoted ULID as vmem writes it", "known by its path",
     "what the memory is called for ever, wherever the file moves", codes.NOT_TEXT, _text("id")),
    ("title", TITLE_FORM, "the first heading if it is a `# heading`, else the file's name",
     "shown in every list, exactly as typed", codes.NOT_TEXT, parse_title),
    ("importance", IMPORTANCE_FORM, "its kind's, else 0.5",
     "how much it counts against others", codes.BAD_IMPORTANCE, parse_importance),
    ("tags", "a list, or words parted by commas or spaces", "none",
     "for filtering; a leading `#` is no part of a tag; the key `tag` is read too",
     codes.BAD_TAGS, parse_tags),
    ("ttl", TTL_FORM, "never expires",
     "counts from `created`; d, w, h, m are exact, months and years go by the calendar",
     codes.BAD_TTL, parse_ttl),
    ("expires", f"{MOMENT_FORM}, or never", "as `ttl` says",
     "wins over `ttl`; a date alone lives through that day in the vault's zone",
     codes.BAD_DATE, parse_expires),
    ("source_agent", "an agent's name", "a person", "who wrote it", codes.NOT_TEXT, parse_agent),
    ("kind", KIND_FORM, "none", "gives the default importance and how fast the memory fades",
     codes.NOT_TEXT, parse_kind),
    ("pinned", FLAG_FORM, "false", "a pinned memory never expires", codes.BAD_FLAG, parse_flag),
    ("created", MOMENT_FORM, "unknown", "when it was first written", codes.BAD_DATE, _moment("created")),
    ("updated", MOMENT_FORM, "as `created`", "when it last changed; what recency looks at first",
     codes.BAD_DATE, _moment("updated")),
    ("aliases", "a list of texts, or one text in which commas part them", "none",
     "other names it is found by; the key `alias` is read too", codes.BAD_TAGS, _texts("aliases")),
    ("links", "a list of titles, ids or paths", "none", "memories that belong to this one",
     codes.BAD_TAGS, _texts("links")),
    ("supersedes", "a list of titles, ids or paths", "none", "memories that this one replaces",
     codes.BAD_TAGS, _texts("supersedes")),
    ("notify", "a list of agents", "none", "agents to be told of changes", codes.BAD_TAGS, _texts("notify")),
)  # fmt: skip

FIELDS = {row[0]: Field(*row) for row in _ROWS}


def parse_value(key: str, text: str) -> FieldValue | None:
    """What to write for `--set key=text`: known keys by their row, others as text.

    `None` means that the key is to be taken out. Raises `ValueFormatError`, or `UnsafePathError`
    for an agent's name.
    """
    row = FIELDS.get(parse_key(key).casefold())
    return row.parse(text) if row else parse_text(key, text)


def docs_table() -> str:
    """The known keys as a Markdown table."""
    rows = [f"| `{row.name}` | {row.form} | {row.default} | {row.doc} |" for row in FIELDS.values()]
    return "\n".join(["| key | takes | without it | what it is for |", "| --- | --- | --- | --- |", *rows])


_LINE_CATEGORIES = frozenset({"Cc", "Zl", "Zp"})


def _check_characters(field: str, text: str, form: str) -> None:
    for char in text:
        category = unicodedata.category(char)
        if category == "Cs" or (category == "Cc" and char not in "\n\r\t"):
            raise ValueFormatError(field, text, form)
