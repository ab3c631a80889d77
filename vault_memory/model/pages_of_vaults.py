"""The rules that take more than one file, or more than its text, to tell; and their pages."""

from __future__ import annotations

from vault_memory.model.rule import Page, Rule, Severity

DUPLICATE_ID = "VM031"
CONFLICT_COPY = "VM032"
NAME_TWIN = "VM033"
MISSING_ID = "VM036"
EXPIRED = "VM037"
UNREADABLE = "VM038"
EMPTY_TITLE = "VM039"
UNVERSIONED = "VM040"
NEAR_DUPLICATE = "VM041"
SECRET = "VM050"  # noqa: S105 - the code of a rule

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

RULES_OF_VAULTS: tuple[Rule, ...] = (
    Rule(
        DUPLICATE_ID,
        "duplicate-id",
        "Two files have the same id, so a reference by id is ambiguous.",
        Page(
            _ERROR,
            "An id names one memory for ever. A file that was copied brings its id along, and then"
            " `vmem show ID`, links by id and history can't tell the two apart. The file that is older by its"
            " `created` (else by its first commit, else by its path) keeps the id.",
            "Take the id out of the newer file; `vmem lint --fix` gives it a new one.",
            'a.md   id: "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"\nb.md   id: "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"',
            'a.md   id: "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"\nb.md   id: "01K8ZR77AAC5W8S3J4F2M9QEYH"',
            fixable=True,
        ),
    ),
    Rule(
        CONFLICT_COPY,
        "conflict-copy",
        "A sync tool, a merge or a backup left a copy beside the file.",
        Page(
            _WARNING,
            "Sync tools that meet two versions of a file keep both, and the name of the second one says so."
            " Which is right only a person can tell. While the original is there, recall leaves a copy out if"
            " its name says what it is; search finds it and says so. Nothing is ever deleted.",
            "Merge what the copy has that the original lacks, then remove the copy: `vmem forget PATH`.",
            "plan.md\nplan.sync-conflict-20260301-101500-ABCDEFG.md",
            "plan.md",
        ),
    ),
    Rule(
        NAME_TWIN,
        "name-twin",
        "Two names differ only in case, or in the form of their Unicode.",
        Page(
            _WARNING,
            "On Linux they are two files; on Windows and macOS they are one, so a checkout there shows one of"
            " them and git calls it changed. An `é` can be one character or an `e` with an accent behind it:"
            " the names look the same and are not.",
            "Rename one of them: `git mv`. If they say the same, keep one.",
            "Plan.md\nplan.md",
            "Plan.md\nplan-2027.md",
        ),
    ),
    Rule(
        MISSING_ID,
        "missing-id",
        "The file has no id, so it is known by its path.",
        Page(
            _INFO,
            "A memory without an id is searched and recalled like any other. Only its name changes when its"
            " file is moved or renamed: references by path no longer find it.",
            "`vmem lint --fix --rule missing-id` puts an `id:` line into every such file, and changes nothing"
            " else in it. A plain `--fix` leaves them alone.",
            "---\ntitle: Plan\n---",
            '---\ntitle: Plan\nid: "01K8ZQ4T7R3M5N9V2XW6Y0ABCD"\n---',
            fixable=True,
        ),
    ),
    Rule(
        EXPIRED,
        "expired",
        "The memory has expired; recall and lists leave it out.",
        Page(
            _INFO,
            "What has expired is left out of recall, search and lists, and the file stays until somebody"
            " removes it.",
            "`vmem gc` removes what has expired, in one commit. `pinned: true` keeps a memory for ever.",
            "expires: 2026-01-31",
            "expires: 2030-01-31",
        ),
    ),
    Rule(
        UNREADABLE,
        "unreadable",
        "The file is called like a memory and can't be read as one.",
        Page(
            _WARNING,
            "It is too large, not permitted, a pipe, a folder called `x.md`, a link that leaves the vault, or"
            " has a name that is no UTF-8. Nothing of it is searched.",
            "Mend what the message names, or move it out of the vault. The setting `max_file_bytes` says how"
            " large a file may be.",
            "notes/huge.md (40 MB)",
            "notes/part-1.md\nnotes/part-2.md",
        ),
    ),
    Rule(
        EMPTY_TITLE,
        "empty-title",
        "The key `title` is there and empty.",
        Page(
            _INFO,
            "The memory is then called after its first heading, else after its file.",
            "Give it a title, or take the line out.",
            "title:",
            "title: Plan",
        ),
    ),
    Rule(
        UNVERSIONED,
        "unversioned",
        "Git ignores the file, so it has no history.",
        Page(
            _INFO,
            "The memory is searched and recalled like any other, and is in no commit: a clone does not have"
            " it, and `vmem restore` can't bring it back.",
            "If that is not meant, take the line out of `.gitignore`.",
            ".gitignore:  private/*.md",
            ".gitignore:  (without that line)",
            slow=True,
        ),
    ),
    Rule(
        NEAR_DUPLICATE,
        "near-duplicate",
        "The text is nearly the same as that of another memory.",
        Page(
            _INFO,
            "Recall shows one of such memories, so none is lost; but who mends one leaves the other wrong."
            " Texts that differ in a number, a negation or a comparison do not count as the same.",
            "Keep one: `vmem forget PATH` removes the other.",
            "a.md   Restart the worker, then the feed.\nb.md   Restart the worker; then the feed.",
            "a.md   Restart the worker, then the feed.",
            slow=True,
        ),
    ),
    Rule(
        SECRET,
        "secret",
        "The file holds what looks like a password, a key or a token.",
        Page(
            _ERROR,
            "What is in a memory goes into prompts, into history and to whoever clones the vault. `remember`"
            " and `edit` refuse such text; this one came with a person's editor, a merge or an older version."
            " The text itself is never shown.",
            "First renew the secret where it is used: whoever has a clone has the old one. Then take it out"
            " of the file and commit. If the old commits are shared, rewrite them with git filter-repo"
            " (`--replace-text`) and let everybody clone anew. `vmem lint --secrets --history` says where in"
            " history one still stands.",
            "The token is (a token).",
            "The token is in the password manager, under 'feed'.",
        ),
    ),
)
