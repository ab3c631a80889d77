"""The codes of faults that reading a file can find: one row each."""

from __future__ import annotations

from dataclasses import dataclass

from vault_memory.model.memory import Finding

NOT_UTF8 = "VM001"
UTF16 = "VM002"
BINARY = "VM003"
LFS_POINTER = "VM004"
NOT_CLOSED = "VM010"
TOO_LARGE = "VM011"
NOT_YAML = "VM012"
NOT_KEYS = "VM013"
EXPLODES = "VM014"
DUPLICATE_KEY = "VM015"
CASE_TWIN = "VM016"
BAD_IMPORTANCE = "VM020"
BAD_TAGS = "VM021"
COMMENT_TAGS = "VM022"
BAD_TTL = "VM023"
TTL_WITHOUT_CREATED = "VM024"
BAD_DATE = "VM025"
BAD_FLAG = "VM026"
NOT_TEXT = "VM027"
PLACEHOLDER = "VM028"
CONFLICT = "VM030"


@dataclass(frozen=True, slots=True)
class Code:
    """A kind of fault: its short name and what it means for the memory."""

    code: str
    name: str
    meaning: str


CODES = {
    row.code: row
    for row in (
        Code(NOT_UTF8, "not-utf8", "Bytes are not UTF-8; each is searched as U+FFFD and left as it is."),
        Code(UTF16, "utf16", "The file is UTF-16 or UTF-32; it is read where a byte order mark says so."),
        Code(BINARY, "binary", "The file holds zero bytes, so it is not text; nothing of it is searched."),
        Code(LFS_POINTER, "lfs-pointer", "Git LFS left a pointer in place of the text; it is not searched."),
        Code(NOT_CLOSED, "fence-not-closed", "Front matter opens and never closes; the file is all body."),
        Code(TOO_LARGE, "header-too-large", "The front matter is larger than is read; the body is searched."),
        Code(
            NOT_YAML, "not-yaml", "The front matter is not valid YAML and is ignored; the body is searched."
        ),
        Code(NOT_KEYS, "not-keys", "What lies between the fences has no keys, so it counts as body."),
        Code(EXPLODES, "header-explodes", "Aliases, nesting or sheer number make the front matter too big."),
        Code(DUPLICATE_KEY, "duplicate-key", "A key stands there twice; the first one counts."),
        Code(CASE_TWIN, "case-twin", "Two keys differ only in case; the lower-case one counts."),
        Code(BAD_IMPORTANCE, "bad-importance", "Not a number from 0 to 1; the default counts."),
        Code(
            BAD_TAGS,
            "bad-tags",
            "Tags, aliases or links are not a list or text; what can't be read is left out.",
        ),
        Code(COMMENT_TAGS, "comment-tags", "An unquoted '#' begins a comment, so these are no tags."),
        Code(BAD_TTL, "bad-ttl", "The ttl can't be read, so the memory never expires."),
        Code(TTL_WITHOUT_CREATED, "ttl-without-created", "A ttl counts from created; without it: never."),
        Code(BAD_DATE, "bad-date", "The date can't be read and counts as missing."),
        Code(BAD_FLAG, "bad-flag", "Neither true nor false; it counts as false."),
        Code(NOT_TEXT, "not-text", "The key takes one text; what is there counts as missing."),
        Code(PLACEHOLDER, "placeholder", "A template's placeholder that nobody has filled in yet."),
        Code(CONFLICT, "merge-conflict", "Unresolved merge markers; the memory stays out of recall."),
    )
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A finding before its file has a name; `line` is the file's line, 1-based."""

    code: str
    line: int
    message: str
    advice: str = ""

    def at(self, path: str) -> Finding:
        """The finding for a file."""
        return Finding(self.code, path, self.line, self.message, self.advice)


def docs_table() -> str:
    """The codes as a Markdown table."""
    rows = [f"| {row.code} | {row.name} | {row.meaning} |" for row in CODES.values()]
    return "\n".join(["| code | name | meaning |", "| --- | --- | --- |", *rows])
