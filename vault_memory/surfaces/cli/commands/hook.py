"""`vmem hook`: what an agent's program is told when something happens in its session."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from vault_memory.model.agenthook import CAPTURES, Event, HookCall, caller_named, event_named, read_call
from vault_memory.surfaces.cli.context import Call
from vault_memory.surfaces.cli.options import AgentOption, VaultOption
from vault_memory.surfaces.cli.streams import Unfit


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("hook")(hook)


def hook(
    context: typer.Context,
    event: Annotated[
        str, typer.Argument(help="What happened, by our name or the program's own.", metavar="EVENT")
    ],
    program: Annotated[
        str, typer.Option("--for", help="Whose hook it is: claude-code, codex, gemini or cursor.")
    ] = "claude-code",
    vault: VaultOption = None,
    agent: AgentOption = None,
) -> None:
    """Answer a hook of an agent's program, on stdin and stdout.

    The program calls this, with JSON on stdin; nobody types it. At session-start it prints the working set,
    at user-prompt-submit the memories that bear on the prompt and that the session was not given yet: one
    JSON object, or nothing. After pre-compact, stop and session-end it has the conversation looked through in
    the background. The exit code is always 0, in two seconds at most (the setting hook_seconds); what went
    wrong stands in .vmem/local/hook.log.

    [bold]Examples[/bold]

      vmem hook session-start --vault ~/memory --agent claude
      echo '{"prompt": "how large is the pool?"}' | vmem hook user-prompt-submit
      vmem hook BeforeAgent --for gemini --vault ~/memory --agent gemini
    """
    call: Call = context.obj.narrowed(vault=vault, agent=agent, json=False)
    caller, what = caller_named(program), event_named(event)
    if what in CAPTURES and not call.out.streams.own:
        raise Unfit("it begins a process of its own")
    told = read_call(what, caller, call.out.streams.stdin().read())
    if what in CAPTURES:
        _capture(call, told)
    elif what in caller.injects:
        said = told.worded(_text(call, told))
        if said is not None:
            call.out.result(json.dumps(said, ensure_ascii=False))


def _capture(call: Call, told: HookCall) -> None:
    from vault_memory.surfaces.hook.capturing import begin

    with call.open() as vault:
        why_not = begin(vault.root, told, call.caller(vault).scope.agent)
    if why_not:
        call.out.warn(why_not)


def _text(call: Call, told: HookCall) -> str:
    from vault_memory.facets.hooks import Unasked

    with call.open() as vault:
        if not vault.settings["hooks"]:
            return ""
        unasked = Unasked.of(call.caller(vault))
        if told.event is Event.SESSION_START:
            return unasked.session_start(told.session)
        return unasked.prompt(told.session, told.prompt)
