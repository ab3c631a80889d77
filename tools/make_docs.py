"""Pages of docs/ that the program writes itself: from the commands, the settings, the rules of lint.

python tools/make_docs.py           names the pages that are behind; exit 1 if there are any
python tools/make_docs.py --write   writes them
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer.main

from vault_memory.config.settings import table_markdown
from vault_memory.evaluate.live.rows import bars_markdown
from vault_memory.render.lint import rules_markdown
from vault_memory.surfaces.cli.app import app
from vault_memory.surfaces.cli.commands import GROUPS
from vault_memory.surfaces.cli.lazy import TAKES

DOCS = Path(__file__).parent.parent / "docs"

NOTE = "<!-- Written by tools/make_docs.py from the program itself; run `make docs-write` after a change. -->"

LINE = 105
"""Characters of a line of prose."""

GROUP: Any = typer.main.get_command(app)

CLI_HEAD = """\
# The command line

{note}

`vmem COMMAND --help` shows the same in the terminal.

Results go to stdout, everything else to stderr. `--json` answers with one JSON value on stdout, and
errors then are JSON on stderr; the shapes are in [json.md](json.md). Colours and bars are for
terminals only; `NO_COLOR` turns colours off.

{groups}

A memory (REF below) is named by its path, by its id or the beginning of it (four characters or more, as
long as only one begins so), by its exact title, by an alias, or by its file's name. Nothing is a wildcard.

## Options that commands share

They may stand before or after the command's name. `init`, `embedder` and `bench` are about nobody's memories
and take no `--agent`.

{shared}

## Exit codes

| code | meaning |
|---|---|
| 0 | done; a search that finds nothing is done too |
| 1 | a check found something |
| 2 | the command line can't be used as it is |
| 3 | no such vault, memory or commit |
| 4 | the name fits several memories, which are listed |
| 65 | a value or a file has the wrong form, or a rule keeps the text out |
| 69 | an embedder is unknown or not installed |
| 70 | git can't (with `--require-commit`: saved, but not committed) |
| 74 | the disk, the index or the lock can't serve |
| 75 | the file was changed by someone else, or the clock is in doubt; nothing was done |
| 77 | that agent may not do that there, or a quota is full |
| 78 | a setting can't be used |
| 130 | interrupted |
"""

SETTINGS_HEAD = """\
# Settings

{note}

Settings are read from these places, and a later one wins:

1. the defaults below;
2. this machine: `~/.config/vault-memory/config.toml` (below `$XDG_CONFIG_HOME` where that is set);
3. the vault: `.vmem/config.toml`, which travels with it;
4. the environment: `VMEM_` and the key in capitals, such as `VMEM_TIMEZONE=Europe/Berlin` (not `agents`
   and `namespaces`, the tables of [policy.md](policy.md); `VMEM_REVIEW` adds to what files say);
5. in Python: `Vault.open(path, settings={{"timezone": "Europe/Berlin"}})`.

`vmem config` lists them with where each comes from, `vmem config timezone` gives one value, and
`vmem config timezone --explain` says what it means and every place that sets it. `vmem config timezone
Europe/Berlin` changes it: in the vault's file what may travel with a vault, else in this machine's file
(`--shared` and `--machine` choose). One line changes, and your own remarks stay; `--unset` takes it out
again. Agents may look, and not change.

A vault's own file may come from somebody else's commit. So it can hold only the keys marked *vault or
machine*, and never a folder of a model, an address or a command. Its first line is `format = 1`: the
version of the vault's layout. A key that does not exist is an error that names the line, not a surprise
later; so is a `VMEM_` variable that is none of these, such as `VMEM_TIMEZON`.

{table}
Three more variables are no settings of a vault: `VMEM_VAULT` names the vault and `VMEM_AGENT` the
agent where the command line does not, and `VMEM_DEBUG=1` shows where a bug in vmem happened.
"""


def cli_page() -> str:
    """docs/cli.md."""
    parts = [CLI_HEAD.format(note=NOTE, groups=group_table(), shared=option_table(options_of(GROUP)))]
    parts += [section(name, command) for name, command in walk(GROUP, "vmem")]
    return "\n".join(parts)


def group_table() -> str:
    """The groups of `vmem --help`, each with links to its commands."""
    rows = ["| for | commands |", "|---|---|"]
    for group, names in GROUPS.items():
        rows.append(f"| {group} | {', '.join(f'[{name}](#{_anchor(name)})' for name in names)} |")
    return "\n".join(rows)


def _anchor(name: str) -> str:
    """The heading of a command; of a group of commands the first of its own."""
    below = getattr(GROUP.commands[name], "commands", None)
    return "-".join(["vmem", name, *([next(iter(below))] if below else [])])


def settings_page() -> str:
    """docs/settings.md."""
    return SETTINGS_HEAD.format(note=NOTE, table=table_markdown())


LINT_HEAD = """\
# What lint looks for

{note}

`vmem lint` names what is wrong in the files, with the line and what to do. It changes nothing.

```console
$ vmem lint
$ vmem lint notes/plan.md shared/market
$ vmem lint --explain VM012
```

**Errors** and **warnings** are problems, and with any the exit code is 1. An **info** is worth a word and
no problem: a note without an id, a link to a note that is yet to be written. Infos are counted, and listed
with `--info`. An agent hears only of files that it may read.

`vmem lint --fix` mends what needs no guess, in one commit that names each file; on a terminal it asks
first, elsewhere it takes `--yes`, and `--dry-run` shows the changes. A file in which a person has changes
that are not committed is left as it is. What is no problem is mended only if its rule is named:
`vmem lint --fix --rule missing-id`.

The setting `lint_ignore` leaves rules and folders out, for everybody who uses the vault:

```toml
lint_ignore = ["name-twin", "Templates/"]
```

In CI, `--format github` writes commands that GitHub shows beside the lines of a pull request, and
`--format sarif` a file for code scanning. As hooks of [pre-commit](https://pre-commit.com) there are
`vmem-lint` and `vmem-secrets`, and `vmem install github` writes a workflow: [ci.md](ci.md).

`vmem lint --secrets` looks for secrets alone, in any file that is named, and needs no search index; with
`--history` it looks through every version that git still has ([secrets.md](secrets.md)).

"""


def lint_page() -> str:
    """docs/lint.md."""
    return LINT_HEAD.format(note=NOTE) + rules_markdown()


LIVE_BARS = "<!-- live bars: written by tools/make_docs.py; run `make docs-write` after a change -->"


def benchmarks_page() -> str:
    """The page as it is, with the table of what is measured of a live vault written anew."""
    before, _, rest = (DOCS / "benchmarks.md").read_text(encoding="utf-8").partition(LIVE_BARS)
    _, _, after = rest.partition("<!-- end -->")
    return f"{before}{LIVE_BARS}\n{bars_markdown()}<!-- end -->{after}"


PAGES: dict[str, Callable[[], str]] = {
    "benchmarks.md": benchmarks_page,
    "cli.md": cli_page,
    "settings.md": settings_page,
    "lint.md": lint_page,
}


def walk(group: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Every command that `--help` shows, with its full name and in that order."""
    for short, command in group.commands.items():
        if command.hidden:
            continue
        if hasattr(command, "commands"):
            yield from walk(command, f"{name} {short}")
        else:
            yield f"{name} {short}", command


SHARED = frozenset(one.help for one in GROUP.params)
"""Options that are described at the top, told by what they say."""


def section(name: str, command: Any) -> str:
    """One command: what it does, examples, arguments and options."""
    said, examples = parted_help(command)
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    usage = " ".join([name, *(usage_of(one) for one in arguments), "[OPTIONS]"])
    parts = [f"## {name}", said, f"```console\n{examples}\n```", f"Usage: `{usage}`"]
    if any(one.help for one in arguments):
        parts.append("\n".join(f"- `{usage_of(one)}`: {one.help}" for one in arguments))
    own = [one for one in options_of(command) if one.help not in SHARED]
    if own:
        parts.append(option_table(own))
    return "\n\n".join(parts) + "\n"


def parted_help(command: Any) -> tuple[str, str]:
    """The paragraphs of a command's help, and its examples as console lines."""
    text, _, examples = inspect.cleandoc(command.help or "").partition("[bold]Examples[/bold]")
    assert examples.strip(), f"{command.name} has no examples"
    lines = [f"$ {line.strip()}" for line in examples.strip().splitlines()]
    said = "\n\n".join(
        textwrap.fill(one, LINE, break_long_words=False, break_on_hyphens=False)
        for one in text.strip().split("\n\n")
    )
    return said, "\n".join(lines)


def options_of(command: Any) -> list[Any]:
    """Its options, without the one for help and those that install completion."""
    return [
        one
        for one in command.params
        if one.param_type_name == "option"
        and not set(one.opts) & {"--help", "--install-completion", "--show-completion"}
    ]


def usage_of(argument: Any) -> str:
    """`REF`, `[PATH]` or `QUERY...`, as the usage line has it."""
    name = argument.name.upper() + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def option_table(options: list[Any]) -> str:
    """Options as a Markdown table."""
    rows = ["| option | meaning |", "|---|---|"]
    for one in options:
        names = ", ".join(
            f"`{name}`" for name in sorted([*one.opts, *one.secondary_opts], key=len, reverse=True)
        )
        takes = "" if one.is_flag else f" `{one.metavar or TAKES.get(one.type.name, one.type.name.upper())}`"
        several = " May be repeated." if one.multiple and "repeated" not in (one.help or "") else ""
        default = (
            ""
            if one.is_flag or one.default in (None, ()) or callable(one.default)
            else f" Default: {one.default}."
        )
        rows.append(f"| {names}{takes} | {one.help or ''}{several}{default} |")
    return "\n".join(rows)


def behind() -> list[str]:
    """The pages whose file is not what the program would write."""
    return [
        name
        for name, page in PAGES.items()
        if not (DOCS / name).exists() or (DOCS / name).read_text(encoding="utf-8") != page()
    ]


def main() -> int:
    """Name the pages that are behind, or write them."""
    late = behind()
    if "--write" in sys.argv[1:]:
        for name in late:
            (DOCS / name).write_text(PAGES[name](), encoding="utf-8")
            print(f"docs/{name} written")
        return 0
    for name in late:
        print(f"docs/{name} is behind: make docs-write")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
