"""`vmem watch`: follow the files in the foreground and say what is indexed."""

from __future__ import annotations

import queue
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from vault_memory.errors import UsageError, VmemError
from vault_memory.model import wirewatch
from vault_memory.model.change import RefreshReport
from vault_memory.model.edits import Kept
from vault_memory.model.namespace import Scope
from vault_memory.model.wire import Json
from vault_memory.render.style import counted
from vault_memory.render.watching import render_kept, render_watched
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, VaultOption
from vault_memory.surfaces.cli.streams import Unfit

if TYPE_CHECKING:
    from vault_memory.live.foreground import Foreground

LOOK = 1.0
"""Seconds between two looks at whether following still goes well."""
FIRST = 600.0
"""Seconds that the first comparison may take before it is said that it goes on."""
NAMED = 20
"""So many files that were left uncommitted are named."""

End = None
News = RefreshReport | Kept | None


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("watch")(watch)


def watch(
    context: typer.Context,
    commit: Annotated[
        bool,
        typer.Option("--commit", help="Commit what you edit, in your name, once you have paused."),
    ] = False,
    pause: Annotated[
        float | None,
        typer.Option(
            "--pause",
            metavar="SECONDS",
            help="How long the pause must be. Else the setting commit_edits_seconds.",
            min=1.0,
            max=86_400.0,
            show_default=False,
        ),
    ] = None,
    vault: VaultOption = None,
    agent: AgentOption = None,
    json: Annotated[bool, typer.Option("--json", help="Say it in JSON, an object a line.")] = False,
) -> None:
    """Follow the files, and say what the search index takes in.

    It prints a line for each batch of changes until it is ended (Ctrl+C): what you save in your editor is
    there a moment later. There is no need for it: every command looks at the files first, and the vault's
    resident follows them as this does. It is there to see what vmem sees, and where no resident may run.

    With --commit, what you created, changed, moved or deleted is committed after a pause: one commit of
    just those files, in your name. What you staged, what a merge left unresolved and what holds a secret
    stays as it is.

    [bold]Examples[/bold]

      vmem watch
      vmem watch --commit --pause 60
      vmem watch --json
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=json)
    scope = call.asks()
    if pause is not None and not commit:
        raise UsageError("--pause is how long --commit waits", hint="vmem watch --commit --pause 60")
    if commit:
        hint = "leave --commit out, or ask the person to watch"
        scope.check_person("commit a person's edits", hint=hint)
    if not call.out.streams.own:
        raise Unfit("it goes on until it is ended")
    from vault_memory.live.foreground import followed

    news: queue.SimpleQueue[News] = queue.SimpleQueue()
    with (
        _ended_by_a_signal(news),
        call.out.progress() as progress,
        followed(
            call.vault,
            commit=commit,
            pause=pause,
            told=news.put,
            kept=news.put,
            clock=call.world.clock,
            ids=call.world.ids,
            progress=progress,
        ) as foreground,
    ):
        _Teller(call, foreground.scope(scope.agent), foreground).tell(news)


@contextmanager
def _ended_by_a_signal(news: queue.SimpleQueue[News]) -> Iterator[None]:
    """SIGTERM ends it as it should be ended: the block is left, and the exit code is 0."""
    before = signal.signal(signal.SIGTERM, lambda *_: news.put(End))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@dataclass(slots=True)
class _Teller:
    """Says what comes, in the order in which it comes."""

    call: Call
    scope: Scope
    foreground: Foreground
    trouble: str | None = None

    def tell(self, news: queue.SimpleQueue[News]) -> None:
        """Until the end."""
        self._begin()
        self._indexed(self.foreground.first)
        while True:
            one: News = None
            with suppress(queue.Empty):
                one = news.get(timeout=LOOK)
                if one is End:
                    break
            if isinstance(one, RefreshReport):
                self._indexed(one)
            elif isinstance(one, Kept):
                self._kept(one)
            self._look()

    def _begin(self) -> None:
        out, foreground = self.call.out, self.foreground
        with suppress(VmemError):  # a vault that goes away this moment; the next look says so
            foreground.following.catch_up(FIRST)
        state = foreground.following.state()
        pause = foreground.pause if foreground.commits else None
        if out.json:
            memories = foreground.memories(self.scope)
            self._event(
                "watching",
                wirewatch.began(str(foreground.root), memories, state.folders, state.polled, pause),
            )
        else:
            what = counted(foreground.memories(self.scope), "memory", "memories")
            folders = counted(state.folders, "folder")
            self._line(f"Watching {foreground.root}: {what} in {folders}. Ctrl+C ends it.")
            if pause is not None:
                seconds = "a second" if pause == 1 else f"{pause:g} seconds"
                self._line(f"What you edit is committed once you have paused for {seconds}.")
        if state.polled is not None:
            out.warn(f"the files are looked over from time to time instead of being watched: {state.polled}")
        if foreground.is_watched_by_a_resident():
            out.warn("the vault's resident watches it too (vmem daemon status); both may")

    def _indexed(self, report: RefreshReport) -> None:
        """What the caller may know of."""
        may = self.scope.may_read
        touched = tuple(one for one in report.touched if may(one[1]))
        unreadable = tuple(one for one in report.unreadable if may(one[0]))
        if self.scope.agent is not None:
            counts = [
                sum(touch.value == name for touch, _ in touched) for name in ("added", "changed", "removed")
            ]
            report = replace(report, added=counts[0], changed=counts[1], removed=counts[2])
        report = replace(report, touched=touched, unreadable=unreadable)
        if self.call.out.json:
            if touched or unreadable:
                self._event("indexed", wirewatch.indexed(report))
            return
        if touched:
            self._line(render_watched(report, colour=self.call.out.colour))
        for path, reason in unreadable:
            self.call.out.warn(f"{path}: {reason}")

    def _kept(self, kept: Kept) -> None:
        out = self.call.out
        if out.json:
            self._event("committed" if kept.commit else "left", wirewatch.kept(kept))
            return
        if kept.commit is not None:
            self._line(render_kept(kept, colour=out.colour))
        if kept.reason is not None:
            out.warn(f"your edits are not committed yet: {kept.reason}")
        for path, reason in kept.left[:NAMED]:
            out.warn(f"{path} is not committed: {reason}")
        if len(kept.left) > NAMED:
            out.warn(f"and {len(kept.left) - NAMED:,} more are not committed; vmem status lists them")

    def _look(self) -> None:
        """Whether following goes well; that it does not is said once, and so is that it does again."""
        if self.foreground.following.fault is not None:
            raise self.foreground.following.fault
        state = self.foreground.following.state()
        trouble = state.error or (state.behind if state.refreshed is None else None)
        if trouble == self.trouble:
            return
        self.trouble = trouble
        if self.call.out.json:
            self._event("trouble" if trouble else "well", {"message": trouble})
        elif trouble:
            self.call.out.warn(f"{trouble}; it is tried again until it goes")
        else:
            self._line("The files can be followed again.")

    def _event(self, name: str, more: Json) -> None:
        self.call.out.line(wirewatch.event(name, self.call.now(), more))

    def _line(self, text: str) -> None:
        self.call.out.result(text)
        self.call.out.streams.stdout.flush()
