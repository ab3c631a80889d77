"""The rules about links, and their pages."""

from __future__ import annotations

from vault_memory.model.rule import Page, Rule, Severity

BROKEN_LINK = "VM034"
UNWRITTEN_NOTE = "VM035"
MISSING_PLACE = "VM042"
MISSING_FILE = "VM043"
LINK_BY_TITLE = "VM044"

_WARNING, _INFO = Severity.WARNING, Severity.INFO

RULES_OF_LINKS: tuple[Rule, ...] = (
    Rule(
        BROKEN_LINK,
        "broken-link",
        "A link by path, or an entry of `links` or `supersedes`, leads to no memory.",
        Page(
            _WARNING,
            "`[text](path.md)` and the front matter keys `links` and `supersedes` name a file that is there,"
            " or was when they were written. It was moved, renamed or removed.",
            "Name the file where it is now; `vmem log` shows where it went.",
            "See [the plan](notes/plam.md).",
            "See [the plan](notes/plan.md).",
        ),
    ),
    Rule(
        UNWRITTEN_NOTE,
        "unwritten-note",
        "A `[[wikilink]]` leads to a note that is not there (yet).",
        Page(
            _INFO,
            "Many write `[[Name]]` for a note that they mean to write some day, so this is no problem. It can"
            " also be a slip of the pen.",
            "Write the note, or correct the name.",
            "See [[market-regmie]].",
            "See [[market-regime]].",
        ),
    ),
    Rule(
        MISSING_PLACE,
        "missing-heading",
        "A link names a heading or a block that its note does not have.",
        Page(
            _WARNING,
            "`[[note#Heading]]` and `[[note#^block]]` lead to the note all the same, but to its top: the"
            " heading was renamed, or the block lost its `^name`. Case and signs make no difference, as in"
            " Obsidian; `[text](note.md#a-heading)` may be written as forges and VS Code name headings.",
            "Name the heading as it is called now, or link to the note as a whole.",
            "See [[market-regime#Stres]].",
            "See [[market-regime#Stress]].",
        ),
    ),
    Rule(
        MISSING_FILE,
        "missing-file",
        "A link leads to a picture or another file that is not in the vault.",
        Page(
            _INFO,
            "Editors show nothing, or an empty frame. A file that git ignores is looked for like any other;"
            " hidden folders are not looked into.",
            "Put the file into the vault, or name it as it is called now.",
            "![[drawdown-2025.pgn]]",
            "![[drawdown-2025.png]]",
        ),
    ),
    Rule(
        LINK_BY_TITLE,
        "link-by-title",
        "A link names a note by its title, an alias or its id, which only vmem follows.",
        Page(
            _INFO,
            "vmem finds the note, so nothing is broken here. Obsidian and other editors look for file names"
            " alone: there the link leads to a new, empty note. Entries of `links` and `supersedes` may be"
            " titles and ids, and are not meant.",
            "Write the file's name, and what is to be read behind a bar.",
            "See [[NVDA RSI rule]].",
            "See [[nvda-rsi-rule|NVDA RSI rule]].",
        ),
    ),
)
