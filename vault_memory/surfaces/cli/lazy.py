"""The group of all commands, each of which is loaded when it is asked for: most calls need one."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from vault_memory.surfaces.cli import commands

if TYPE_CHECKING:
    from typer._click import Command

TAKES = {
    "str": "TEXT",
    "path": "PATH",
    "directory": "PATH",
    "int": "N",
    "int range": "N",
    "float": "N",
    "float range": "N",
}
"""What an option of that type takes, in a word."""


class LoadedWhenAsked(MutableMapping[str, "Command"]):
    """The commands by name. Names and their order are those of the table; the rest comes by itself."""

    def __init__(self) -> None:
        self._loaded: dict[str, Command] = {}

    def __getitem__(self, name: str) -> Command:
        if name not in self._loaded:
            self._loaded[name] = _load(name, commands.COMMANDS[name])
        return self._loaded[name]

    def __setitem__(self, name: str, command: Command) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*commands.COMMANDS, *self._loaded]))

    def __len__(self) -> int:
        return len(list(iter(self)))


class LazyGroup(TyperGroup):
    """A group whose commands are those of the table."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = LoadedWhenAsked()


def _load(name: str, module: str) -> Command:
    alone = typer.Typer(rich_markup_mode="rich")
    import_module(f"{commands.__name__}.{module}").register(alone)
    command = typer.main.get_group(alone).commands[name]
    assert isinstance(command, TyperCommand | TyperGroup)
    command.rich_help_panel = commands.GROUP_OF[name]
    _dress(command)
    return command


def _dress(command: TyperCommand | TyperGroup) -> None:
    """What `--help` shows, put right; of a group of commands also that of each."""
    command.help = unwrapped(command.help or "")
    _name_what_is_taken(command)
    if isinstance(command, TyperGroup):
        for below in command.commands.values():
            assert isinstance(below, TyperCommand | TyperGroup)
            _dress(below)


def unwrapped(text: str) -> str:
    """Each paragraph on one line, for the terminal to break; examples, which are indented, as they are."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(one if "\n " in f"\n{one}" else one.replace("\n", " ") for one in paragraphs)


def _name_what_is_taken(command: TyperCommand | TyperGroup) -> None:
    """In capitals, as docs and hints say it: REF, QUERY..., TEXT."""
    for one in command.params:
        if isinstance(one, TyperArgument):
            one.metavar = one.metavar or (one.name or "").upper() + ("..." if one.nargs == -1 else "")
        elif isinstance(one, TyperOption) and not one.is_flag:
            one.metavar = one.metavar or TAKES.get(one.type.name)
