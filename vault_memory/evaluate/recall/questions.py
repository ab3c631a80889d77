"""Reading a person's own questions: a YAML list of what is asked and which notes answer it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vault_memory.errors import FileFormatError, NotFoundError
from vault_memory.evaluate.recall.conversations import HELD_OUT, TUNING
from vault_memory.model.yamlfault import Snag
from vault_memory.model.yamlread import Items, Node, Pairs, Text, key_text, read_tree, resolve

SHAPE = "begin each with  - question: …   and below it  answers: [notes/a.md]"
TRUE, FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})


@dataclass(frozen=True, slots=True)
class NoteQuestion:
    """What is asked, the names of the notes any of which answers it, and where it stands in the file."""

    line: int
    text: str
    answers: tuple[str, ...]
    category: str
    half: str | None


def read_questions(file: Path) -> tuple[NoteQuestion, ...]:
    """The questions in the file. Raises `NotFoundError`, `FileFormatError` with the line.

    Besides `question` and `answers` (or `answer`) an entry may hold `category`, a word to report it
    under; `far: true` for one that shares few words with its answer; `tune: true` where weights may
    be chosen on it. Other keys are left alone.
    """
    text = _text(file)
    root = read_tree(text)
    if isinstance(root, Snag):
        raise FileFormatError(
            str(file), root.line + 1, f"{root.trouble.value}: {root.reason}", hint=root.advice or None
        )
    if not isinstance(root, Items) or not root.items:
        line = 1 if root is None else _line(text, root)
        raise FileFormatError(str(file), line, "it is no list of questions", hint=SHAPE)
    read = [_Entry(str(file), text, item) for item in root.items]
    halved = any(one.flag("tune") is not None for one in read)
    ranged = any(one.flag("far") is not None for one in read)
    return tuple(one.question(halved=halved, ranged=ranged) for one in read)


class _Entry:
    """One map of the list, with what is needed to say where it is wrong."""

    def __init__(self, file: str, text: str, node: Node) -> None:
        self.file, self.text, self.node = file, text, node
        found = resolve(node)
        if not isinstance(found, Pairs):
            raise self.wrong(node, "a question is a map", SHAPE)
        self.keys = {key_text(key): resolve(value) for key, value in found.pairs}

    def question(self, *, halved: bool, ranged: bool) -> NoteQuestion:
        """The entry as a question; the flags say whether any entry has `tune`, and `far`."""
        answers = tuple(self._answers())
        if not answers:
            raise self.wrong(self.node, "it has no answers", SHAPE)
        category = self.word("category") or (("far" if self.flag("far") else "near") if ranged else "")
        half = (TUNING if self.flag("tune") else HELD_OUT) if halved else None
        return NoteQuestion(_line(self.text, self.node), self._asked(), answers, category, half)

    def word(self, key: str) -> str:
        """A text, empty where there is none."""
        value = self.keys.get(key)
        return value.value.strip() if isinstance(value, Text) and not value.empty else ""

    def flag(self, key: str) -> bool | None:
        """True or false; `None` where the key is not there."""
        if key not in self.keys:
            return None
        word = self.word(key).lower()
        if word not in TRUE | FALSE:
            raise self.wrong(self.keys[key], f"{key} must be true or false", f"write  {key}: true")
        return word in TRUE

    def wrong(self, node: Node, reason: str, hint: str) -> FileFormatError:
        """The error for what stands there."""
        return FileFormatError(self.file, _line(self.text, node), reason, hint=hint)

    def _asked(self) -> str:
        asked = self.word("question")
        if not asked:
            raise self.wrong(self.keys.get("question", self.node), "it has no question", SHAPE)
        return asked

    def _answers(self) -> Iterator[str]:
        found = self.keys.get("answers", self.keys.get("answer"))
        nodes = found.items if isinstance(found, Items) else [] if found is None else [found]
        for node in map(resolve, nodes):
            if not isinstance(node, Text):
                raise self.wrong(node, "an answer is the path or the file name of a note", SHAPE)
            if not node.empty:
                yield node.value.strip()


def _line(text: str, node: Node) -> int:
    return text.count("\n", 0, node.start) + 1


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise NotFoundError(f"there is no file {file}", hint="name a file of questions") from error
    except OSError as error:
        raise NotFoundError(f"{file} can't be read: {error.strerror}", hint="name a readable file") from error
    except UnicodeDecodeError as error:
        raise FileFormatError(str(file), 1, "it is not UTF-8 text", hint="save it as UTF-8") from error
