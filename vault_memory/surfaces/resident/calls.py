"""The verbs that a program may call, each with the arguments that it takes, and its answer as JSON."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from vault_memory.agent import Agent
from vault_memory.errors import UsageError
from vault_memory.model import wire, wiretext
from vault_memory.model.filters import choice
from vault_memory.surfaces.resident.viewed import NAMES as VIEWS
from vault_memory.surfaces.resident.viewed import viewed
from vault_memory.vault import Vault

T = TypeVar("T")
Args = dict[str, Any]
_ALL = None
"""In place of names: any, since the verb itself says which there are."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a verb gives, and what is to be told where the value has no room for it."""

    value: object
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verb:
    """One row. `needs` must be given, `takes` may be."""

    act: Callable[[Vault, Agent, Args], Answer]
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] | None = ()
    writes: bool = False


class _LastEncoded:
    """The last answers with their texts: the very same answer is given again to the same question."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._texts: OrderedDict[tuple[int, object], tuple[object, wiretext.Encoded]] = OrderedDict()

    def of(self, answer: T, encode: Callable[[T], wiretext.Encoded]) -> wiretext.Encoded:
        """The text of an answer."""
        key = id(answer), encode
        known = self._texts.get(key)
        if known is not None and known[0] is answer:
            return known[1]
        text = encode(answer)
        # It is held here, so its number is nobody else's. Threads may each put theirs: one more is no harm.
        self._texts[key] = answer, text
        while len(self._texts) > self._most:
            with suppress(KeyError):
                self._texts.popitem(last=False)
        return text


_ENCODED = _LastEncoded(64)


def _recall(_: Vault, agent: Agent, args: Args) -> Answer:
    encode = wiretext.brief if args.pop("brief", False) else wiretext.recall
    return Answer(_ENCODED.of(agent.recall(**args), encode))


def _search(_: Vault, agent: Agent, args: Args) -> Answer:
    return Answer(_ENCODED.of(agent.search(**args), wiretext.search))


def _list(_: Vault, agent: Agent, args: Args) -> Answer:
    listing = agent.list(**args)
    return Answer([wire.entry(entry) for entry in listing], listing.notices)


def _show(vault: Vault, agent: Agent, args: Args) -> Answer:
    shown = agent.show(args["ref"])
    return Answer(wire.memory(shown.memory, shown.version), vault.index.notices)


def _log(vault: Vault, agent: Agent, args: Args) -> Answer:
    return Answer([wire.revision(one) for one in vault.history.log(agent.scope, **args)])


def _changes(vault: Vault, agent: Agent, args: Args) -> Answer:
    from vault_memory.model import wirechanges  # here: few ask

    return Answer(wirechanges.changes(vault.overview.changes(agent.scope, **args)))


def _working_set(vault: Vault, agent: Agent, args: Args) -> Answer:
    from vault_memory.facets.hooks import Unasked  # here: few ask

    made = Unasked.of(agent).working_set(**args)
    return Answer({"text": made.text, "tokens": made.tokens}, vault.index.notices)


def _status(vault: Vault, agent: Agent, _: Args) -> Answer:
    return Answer(wire.status(vault.upkeep.status(agent.scope)))


def _remember(_: Vault, agent: Agent, args: Args) -> Answer:
    options = {name: args.pop(name) for name in _WRITING if name in args}
    [written] = agent.remember_many([args], **options)
    return Answer(wire.written(written))


def _remember_many(_: Vault, agent: Agent, args: Args) -> Answer:
    return Answer([wire.written(one) for one in agent.remember_many(**args)])


def _edit(_: Vault, agent: Agent, args: Args) -> Answer:
    own = {name: args.pop(name) for name in _EDITING if name in args}
    extra = args.pop("extra", None) or {}
    twice = sorted(set(extra) & set(args))
    if twice:
        raise UsageError(f"{twice[0]} is given twice", hint="give each key one value")
    return Answer(wire.written(agent.edit(**own, extra={**args, **extra})))


def _forget(_: Vault, agent: Agent, args: Args) -> Answer:
    return Answer(wire.written(agent.forget(**args)))


def _link(vault: Vault, agent: Agent, args: Args) -> Answer:
    return Answer(wire.written(agent.kept(vault.files.link(agent.scope, **args))), vault.index.notices)


def _propose(_: Vault, agent: Agent, args: Args) -> Answer:
    changes = [_change(one) for one in args["changes"]]
    with agent.propose(args.get("name"), args.get("about")) as proposal:
        written = [act(proposal.vault, proposal, given).value for act, given in changes]
    return Answer({"proposed": proposal.branch, "written": written})


def _change(one: Args) -> tuple[Callable[[Vault, Agent, Args], Answer], Args]:
    """What one change of a proposal does, checked before the proposal begins."""
    name = one.get("verb")
    if name not in _PROPOSED:
        raise UsageError(f"{name!r:.100} can't be proposed", hint=f"what can: {', '.join(_PROPOSED)}")
    verb, args = checked(name, one.get("args", {}))
    return verb.act, dict(args)


def _restore(_: Vault, agent: Agent, args: Args) -> Answer:
    return Answer(wire.written(agent.restore(**args)))


def _undo(_: Vault, agent: Agent, __: Args) -> Answer:
    return Answer([wire.written(one) for one in agent.undo()])


_WRITING = ("dry_run", "allow_secret", "wait", "on_duplicate")
_EDITING = ("ref", "text", "add_tags", "remove_tags", "if_match", "allow_secret")
_SCORED = ("strategy", "min_score")
_PROPOSED = ("remember", "edit", "link", "forget")

VERBS: Mapping[str, Verb] = {
    "recall": Verb(viewed(_recall), ("query",), ("max_tokens", "brief", *_SCORED, *choice.NAMES, *VIEWS)),
    "search": Verb(viewed(_search), ("query",), ("limit", *_SCORED, *choice.NAMES, *VIEWS)),
    "list": Verb(viewed(_list), (), ("sort", "limit", "expired", *choice.NAMES, *VIEWS)),
    "show": Verb(viewed(_show), ("ref",), VIEWS),
    "log": Verb(_log, (), ("ref", "limit", "source_agent", "since", "until")),
    "changes": Verb(_changes, (), ("since", "others", "limit", "namespace", "tag", "kind", "source_agent")),
    "working_set": Verb(_working_set, (), ("max_tokens",)),
    "status": Verb(_status),
    "remember": Verb(_remember, ("text",), _ALL, writes=True),
    "remember_many": Verb(_remember_many, ("memories",), _WRITING, writes=True),
    "edit": Verb(_edit, ("ref",), _ALL, writes=True),
    "forget": Verb(_forget, ("ref",), ("if_match",), writes=True),
    "link": Verb(_link, ("ref", "to"), ("key", "remove"), writes=True),
    "propose": Verb(_propose, ("changes",), ("name", "about"), writes=True),
    "restore": Verb(_restore, ("ref",), writes=True),
    "undo": Verb(_undo, writes=True),
}


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_texts(value: object) -> bool:
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(one, str) for one in value))


_FORMS: dict[str, tuple[Callable[[object], bool], str]] = {
    "ref": (_is_text, "a text"),
    "if_match": (lambda value: value is None or _is_text(value), "a text"),
    "dry_run": (_is_flag, "true or false"),
    "allow_secret": (_is_flag, "true or false"),
    "expired": (_is_flag, "true or false"),
    "brief": (_is_flag, "true or false"),
    "limit": (
        lambda value: value is None or (isinstance(value, int) and not isinstance(value, bool)),
        "a whole number",
    ),
    "add_tags": (_is_texts, "a list of texts"),
    "remove_tags": (_is_texts, "a list of texts"),
    "extra": (lambda value: value is None or isinstance(value, dict), "an object"),
    "memories": (
        lambda value: isinstance(value, list) and all(isinstance(one, str | dict) for one in value),
        "a list of texts and objects",
    ),
    "wait": (lambda value: value in (None, "commit", "saved"), "commit or saved"),
    "on_duplicate": (lambda value: value in ("keep", "refuse", "new"), "keep, refuse or new"),
}
"""The form of each argument that the verbs themselves don't look at before they use it."""

_NAMED_FORMS = {
    **_FORMS,
    "at": (lambda value: value is None or _is_text(value), "a commit or a date"),
    "reviewed": (_is_flag, "true or false"),
    "proposals": (_is_flag, "true or false"),
    "to": (_is_text, "a text"),
    "key": (_is_text, "a text"),
    "remove": (_is_flag, "true or false"),
    "others": (_is_flag, "true or false"),
    "name": (lambda value: value is None or _is_text(value), "a text"),
    "about": (lambda value: value is None or _is_text(value), "a text"),
    "changes": (
        lambda value: isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value),
        "a list of objects of verb and args",
    ),
}
"""Those of verbs that name all their arguments; with others the same name may be a front matter key."""


def checked(name: object, args: object) -> tuple[Verb, Args]:
    """The verb of that name, and its arguments with right names and forms. Raises `UsageError`."""
    verb = VERBS.get(name) if isinstance(name, str) else None
    if verb is None:
        raise UsageError(f"there is no verb {name!r:.100}", hint=f"there are: {', '.join(VERBS)}")
    if not isinstance(args, dict):
        raise UsageError("the arguments are no object", hint='"args": {"query": "…"}')
    _check_names(str(name), verb, args)
    forms = _FORMS if verb.takes is None else _NAMED_FORMS
    for one, value in args.items():
        fits, form = forms.get(one, (None, ""))
        if fits is not None and not fits(value):
            raise UsageError(f"{one} can't be {value!r:.100}", hint=f"{one} takes {form}")
    return verb, args


def _check_names(name: str, verb: Verb, args: Sequence[str] | Mapping[str, object]) -> None:
    missing = [one for one in verb.needs if one not in args]
    if missing:
        raise UsageError(f"{name} needs {missing[0]}", hint=f'"args": {{"{missing[0]}": …}}')
    if verb.takes is None:
        return
    names = (*verb.needs, *verb.takes)
    wrong = [one for one in args if one not in names]
    if wrong:
        raise UsageError(
            f"{name} has no argument {wrong[0]!r:.100}", hint=f"it takes {', '.join(names) or 'none'}"
        )


__all__ = ["VERBS", "Answer", "Verb", "checked"]
