"""The pages of the rules that one file can break: why each matters, and how to mend it."""

from __future__ import annotations

from vault_memory.model import codes
from vault_memory.model.rule import Page, Severity

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

PAGES_OF_FILES: dict[str, Page] = {
    codes.NOT_UTF8: Page(
        _WARNING,
        "Memories are UTF-8. Bytes that are not are shown as U+FFFD (�), and a search for the word they"
        " stand in does not find it. The usual cause is a file saved as Latin-1 or Windows-1252.",
        "Save the file as UTF-8; `iconv -f WINDOWS-1252 -t UTF-8` does it for whole folders.",
        "Caf\\xe9 (one byte, Latin-1)",
        "Café (two bytes, UTF-8)",
    ),
    codes.UTF16: Page(
        _WARNING,
        "A UTF-16 file is searched where its first bytes say that it is one, but vmem does not change it,"
        " and git shows no diff of it. Without these first bytes nothing of it is searched.",
        "Save it as UTF-8: `iconv -f UTF-16 -t UTF-8 note.md > new.md`.",
        "\\xff\\xfeN\\x00o\\x00t\\x00e\\x00",
        "Note",
    ),
    codes.BINARY: Page(
        _WARNING,
        "The file is called like a Markdown file and holds zero bytes, so it is no text: a picture or a"
        " damaged file. Nothing of it is searched.",
        "Give it the name of what it is, or restore it: `vmem restore` takes a version from history.",
        "photo.md",
        "photo.png",
    ),
    codes.LFS_POINTER: Page(
        _WARNING,
        "Git LFS keeps the file's text elsewhere, and this clone holds only the pointer to it. A pointer is"
        " no text of anybody's, so nothing of it is searched, and vmem does not change it.",
        "Fetch the text: `git lfs install`, then `git lfs pull`.",
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a…\nsize 12345",
        "The text itself.",
    ),
    codes.NOT_CLOSED: Page(
        _ERROR,
        "The first line `---` opens front matter, and no second `---` closes it. So none of its keys count:"
        " title, tags and expiry are only words of the text.",
        "Put a line `---` behind the last key.",
        "---\ntitle: Plan\n\nThe text.",
        "---\ntitle: Plan\n---\nThe text.",
    ),
    codes.TOO_LARGE: Page(
        _ERROR,
        "Front matter is for a few keys. One that is larger than is read is left out whole, so that a file"
        " made to be slow can't hold up a search; its text is still found.",
        "Move what is long into the text below the front matter.",
        "---\nlog: (a megabyte)\n---",
        "---\ntitle: Log\n---\n(a megabyte)",
    ),
    codes.NOT_YAML: Page(
        _ERROR,
        "The front matter is no YAML, so none of its keys count; the text is searched as ever. Most often a"
        " value holds a colon, or begins with a sign that means something to YAML.",
        "Put the value in quotes.",
        "title: Plan: phase two",
        'title: "Plan: phase two"',
    ),
    codes.NOT_KEYS: Page(
        _WARNING,
        "The file begins with a line `---`, and what stands between it and the next one is a text or a list"
        " and no `key: value`. It counts as text, so that nothing of it is lost to search.",
        "If it was meant as front matter, give it keys; if it is a rule across the page, put a blank line or"
        " a heading before it.",
        "---\nJust a thought.\n---",
        "---\ntitle: Just a thought\n---",
    ),
    codes.EXPLODES: Page(
        _ERROR,
        "Anchors and aliases, deep nesting or thousands of entries make the front matter far bigger than it"
        " looks. It is not unfolded, and its keys do not count.",
        "Write the values out, or move them into the text.",
        "a: &a [x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]",
        "c: [x]",
    ),
    codes.DUPLICATE_KEY: Page(
        _ERROR,
        "A key stands in the front matter twice. The first one counts, and other programs may take the last"
        " one; `vmem edit` does not change such a key.",
        "Keep one of the two lines.",
        "tags: [ops]\ntags: [trading]",
        "tags: [ops, trading]",
    ),
    codes.CASE_TWIN: Page(
        _WARNING,
        "Keys are read in any case, so `Title` and `title` are the same key twice. The lower-case one"
        " counts.",
        "Keep one of the two lines.",
        "Title: Old\ntitle: New",
        "title: New",
    ),
    codes.BAD_IMPORTANCE: Page(
        _WARNING,
        "`importance` is a number from 0 to 1. Anything else counts as the default, so the memory weighs less"
        " or more than you meant. Lint does not guess what `8/10` should be.",
        "Write a number from 0 to 1.",
        "importance: 8/10",
        "importance: 0.8",
    ),
    codes.BAD_TAGS: Page(
        _WARNING,
        "`tags`, `aliases`, `links` and `supersedes` take a list or a text. A map or a list in a list can't"
        " be read as one and is left out; a filter by tag does not find the memory.",
        "Write a list.",
        "tags: {ops: true}",
        "tags: [ops]",
    ),
    codes.COMMENT_TAGS: Page(
        _WARNING,
        "To YAML an unquoted `#` begins a comment, so the tags behind it are not there. Tags need no `#`.",
        "Take the `#` off, or quote it.",
        "tags: #ops #trading",
        "tags: [ops, trading]",
    ),
    codes.BAD_TTL: Page(
        _WARNING,
        "The time to live can't be read, so the memory never expires: better kept too long than dropped.",
        "Write a number and a unit: 12h, 7d, 2w, 6mo, 1y.",
        "ttl: soon",
        "ttl: 7d",
    ),
    codes.TTL_WITHOUT_CREATED: Page(
        _WARNING,
        "A ttl counts from `created`. Without it (or where it can't be read) the memory never expires.",
        "Add the date. `vmem lint --fix` puts in the time of the file's first commit, where `created` is"
        " missing.",
        "ttl: 90d",
        "ttl: 90d\ncreated: 2026-03-14",
        fixable=True,
    ),
    codes.BAD_DATE: Page(
        _WARNING,
        "The date can't be read and counts as missing: recency is neutral, an expiry is never. Dates that can"
        " be read in two ways (04/05/2026) are not guessed.",
        "Write year, month, day; a time and an offset may follow.",
        "created: 2026-02-30",
        "created: 2026-02-28",
    ),
    codes.BAD_FLAG: Page(
        _WARNING,
        "`pinned` takes true or false. Anything else counts as false, so the memory can expire.",
        "Write true or false.",
        "pinned: very",
        "pinned: true",
    ),
    codes.NOT_TEXT: Page(
        _WARNING,
        "The key takes one line of text; a list or a map counts as missing.",
        "Write one value.",
        "title: [Plan, Phase two]",
        "title: Plan, phase two",
    ),
    codes.PLACEHOLDER: Page(
        _INFO,
        "Where the value is to be there is still the placeholder of a template, such as `{{date}}`. In the"
        " template itself all is well; in a note made from one the value is missing.",
        "In a note, fill it in. A folder of templates can be left out with the setting `exclude`, so that"
        " templates are no memories at all.",
        "created: {{date}}",
        "created: 2026-03-14",
    ),
    codes.CONFLICT: Page(
        _ERROR,
        "Git left both sides of a merge in the file, with `<<<<<<<` and `>>>>>>>` around them. Which side is"
        " true can't be told, so the memory stays out of recall; search still finds it. Markers in a code"
        " block are an example and no fault.",
        "Keep one side, take the marker lines out, and commit.",
        "<<<<<<< HEAD\nStop at 5 %.\n=======\nStop at 8 %.\n>>>>>>> side",
        "Stop at 8 %.",
    ),
}
