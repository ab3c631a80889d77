"""Expressions over front matter: `bandgap>1.5 and status=open`, `not due`, `owner in (ann, bo)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from vault_memory.model.caseless import caseless
from vault_memory.model.filters.compare import Literal, fits, literal
from vault_memory.model.filters.condition import KEYWORDS, MEANT, Condition, Grammar, Not, Subject
from vault_memory.model.filters.known import KNOWN
from vault_memory.model.filters.scanner import QUOTES, Scanner, quote
from vault_memory.model.yamlread import NULLS

WHAT = "the where expression"
FORM = "a key (status) or a comparison (status=open)"

MAX_KEY = 200

COMPARISONS = ("=", "!=", "<", "<=", ">", ">=", "~")
_SIGNS = "=<>!~≤≥≠"
_KEY_STOPS = f"(),{_SIGNS}"
_ELSEWHERE = {
    "==": "=", "===": "=", "!==": "!=", "<>": "!=", "≠": "!=", "=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=",
    "=~": "~", "~=": "~", "~~": "~", "!": "not", "!~": "not … ~", "=!": "!=",
}  # fmt: skip
"""Signs that say the same in other languages."""
_WORDS = {
    "is": "=", "equals": "=", "eq": "=", "contains": "~", "like": "~", "has": "~", "matches": "~",
    "gt": ">", "lt": "<", "gte": ">=", "lte": "<=", "before": "<", "after": ">", ":": "=",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Has:
    """The key is there and has a value; `pinned` alone asks whether it is true."""

    key: str

    def holds(self, subject: Subject) -> bool:
        """Whether the memory has it."""
        known = KNOWN.get(self.key.casefold())
        if known is None:
            return any(map(_is_there, _found(subject.entry.front, self.key)))
        return known.there(subject) if known.there else any(value != "" for value in known.values(subject))

    def __str__(self) -> str:
        return _key(self.key)


@dataclass(frozen=True, slots=True)
class Compared:
    """Some value of the key compares so with a value; for `!=`, none is equal to it."""

    key: str
    comparison: str
    value: Literal
    _fitting: dict[str, bool] = field(init=False, default_factory=dict, compare=False, repr=False)
    """Of each value that came up, whether it fits; thousands of memories have few different ones."""

    def holds(self, subject: Subject) -> bool:
        """Whether the comparison holds of the memory."""
        return self._any(subject) is not (self.comparison == "!=")

    def _any(self, subject: Subject) -> bool:
        """Whether some value fits; for `!=`, whether some value is equal."""
        known = KNOWN.get(self.key.casefold())
        if known is None:
            return any(map(self._fits, values_of(subject.entry.front, self.key)))
        if self.comparison == "~":
            return any(self.value.within(str(one)) for one in known.values(subject))
        return any(fits(self._sought, known.sort.side(self.value, one)) for one in known.values(subject))

    def _fits(self, value: str) -> bool:
        fitting = self._fitting.get(value)
        if fitting is None:
            within = self.comparison == "~"
            side = None if within else self.value.side(value)
            fitting = self.value.within(value) if within else fits(self._sought, side)
            self._fitting[value] = fitting
        return fitting

    @property
    def _sought(self) -> str:
        return "=" if self.comparison == "!=" else self.comparison

    def __str__(self) -> str:
        return f"{_key(self.key)}{self.comparison}{_value(self.value.text)}"


@dataclass(frozen=True, slots=True)
class OneOf:
    """Some value of the key equals one of several."""

    key: str
    values: tuple[Literal, ...]
    parts: tuple[Compared, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(Compared(self.key, "=", one) for one in self.values))

    def holds(self, subject: Subject) -> bool:
        """Whether any of them does."""
        return any(part.holds(subject) for part in self.parts)

    def __str__(self) -> str:
        return f"{_key(self.key)} in ({', '.join(_value(one.text) for one in self.values)})"


def parse_where(text: str, now: datetime, zone: tzinfo) -> Condition:
    """The condition of a where expression. Raises `ExpressionError`."""
    reader = _Reader(now, zone)
    return Grammar(reader.read, FORM, {**MEANT, **_WORDS}).parse(text, WHAT)


def values_of(front: Mapping[str, object], key: str) -> Iterable[str]:
    """The texts at a key of the front matter: one, those of a list, or none where it holds a map."""
    plain = front.get(key)
    if isinstance(plain, str):  # as nearly always
        return (plain,)
    return (text for value in _found(front, key) for text in _texts(value))


def _found(front: Mapping[str, object], key: str) -> Iterator[object]:
    """What stands at a key, of whatever case; `a.b` is the key `b` of the map `a`, or of maps in a list."""
    whole = _at(front, key)
    if whole is not None:
        yield whole
    elif "." in key:
        head, _, rest = key.partition(".")
        while rest:
            for inner in _maps(_at(front, head)):
                yield from _found(inner, rest)
            more, dot, rest = rest.partition(".")
            head = f"{head}.{more}" if dot else head


def _at(front: Mapping[str, object], key: str) -> object:
    found = front.get(key)
    if found is not None:
        return found
    folded = caseless(key)
    return next((value for name, value in front.items() if caseless(name) == folded), None)


def _is_there(value: object) -> bool:
    if isinstance(value, str):
        return value.strip() not in NULLS
    if isinstance(value, Mapping):
        return bool(value)
    return isinstance(value, Sequence) and any(map(_is_there, value))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Sequence):
        for one in value:
            yield from _texts(one)


def _maps(value: object) -> Iterator[Mapping[str, object]]:
    if isinstance(value, Mapping):
        yield value
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for one in value:
            yield from _maps(one)


class _Reader:
    """Reads one term: a key alone, compared with a value, or `in` a list of them."""

    def __init__(self, now: datetime, zone: tzinfo) -> None:
        self._now = now
        self._zone = zone

    def read(self, scanner: Scanner) -> Condition:
        start = scanner.at
        key = self._key(scanner)
        place = scanner.at
        signs = scanner.run(_SIGNS)
        if signs:
            if signs not in COMPARISONS:
                meant = _ELSEWHERE.get(signs)
                also = f"comparisons are {' '.join(COMPARISONS)}; other signs of a value go in quotes"
                hint = f"did you mean {meant!r}?" if meant else also
                raise scanner.error(f"there is no comparison {signs!r}", at=place, hint=hint)
            return Compared(key, signs, self._value(scanner, key, signs, start, "()"))
        negated = scanner.took("not", "in")
        if negated or scanner.took("in"):
            found = OneOf(key, self._list(scanner, key, start))
            return Not(found) if negated else found
        return Has(key)

    def _key(self, scanner: Scanner) -> str:
        start = scanner.at
        found = scanner.quoted()
        if found is None:
            found = scanner.word(_KEY_STOPS)
            if ":" in found:
                place = start + found.index(":")
                raise scanner.error("a key ends before ':'", at=place,
                                    hint="did you mean '='? A key with ':' in it goes in quotes")  # fmt: skip
        if not found.strip():
            hint = "did you mean 'not'?" if scanner.text.startswith("!", start) else None
            raise scanner.error(f"{FORM} is expected here", at=start, hint=hint)
        if len(found) > MAX_KEY:
            raise scanner.error(f"this key is longer than {MAX_KEY} characters", at=start)
        return found.strip()

    def _list(self, scanner: Scanner, key: str, start: int) -> tuple[Literal, ...]:
        opened = scanner.at
        if not scanner.take("("):
            raise scanner.error("'(' and values are expected here", hint=f"such as {key} in (open, waiting)")
        values = [self._value(scanner, key, "=", start, "(),")]
        while scanner.take(","):
            values.append(self._value(scanner, key, "=", start, "(),"))
        if scanner.ended:
            raise scanner.error("this '(' is not closed", at=opened, hint="put a ')' where it ends")
        if not scanner.take(")"):
            raise scanner.error("',' or ')' is expected here", hint="a value of several words goes in quotes")
        return tuple(values)

    def _value(self, scanner: Scanner, key: str, comparison: str, start: int, stops: str) -> Literal:
        place = scanner.at
        text = scanner.quoted()
        if text is None:
            text = scanner.word(stops)
            if not text or text.casefold() in KEYWORDS:
                hint = f'the value is called so? Put it in quotes: "{text}"' if text else None
                raise scanner.error(f"a value to compare {key} with is expected here", at=place, hint=hint)
            if text.endswith(",") and len(text) > 1:
                hint = "did you mean 'and'? A value with a comma goes in quotes"
                raise scanner.error("',' says nothing here", at=place + len(text) - 1, hint=hint)
        value = literal(text, self._now, self._zone)
        known = KNOWN.get(key.casefold())
        if known and comparison not in known.sort.comparisons:
            allowed = " ".join(known.sort.comparisons)
            raise scanner.error(
                f"{key} can't be compared by {comparison!r}", at=start, hint=f"it takes {allowed}"
            )
        if known and not known.sort.takes(value):
            raise scanner.error(f"{key} can't be {text!r:.60}", at=place, hint=f"{key} is {known.sort.form}")
        return value


def _key(text: str) -> str:
    odd = text[0] in QUOTES or any(one in _KEY_STOPS or one == ":" or one.isspace() for one in text)
    return quote(text) if odd or text.casefold() in KEYWORDS else text


def _value(text: str) -> str:
    odd = not text or text[0] in (*QUOTES, *_SIGNS) or any(one in "()," or one.isspace() for one in text)
    return quote(text) if odd or text.casefold() in KEYWORDS else text
