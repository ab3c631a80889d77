"""The guard around one call of a hook: whatever happens inside, at most one whole object is printed, in time,
and the exit code is 0.

All the work is done by a child process. This one waits for its answer, and for nothing else: no library that
hangs, breaks down, prints or holds the interpreter can keep it from its end.
"""

from __future__ import annotations

import os
import sys

from vault_memory.surfaces.hook import limit
from vault_memory.surfaces.hook.words import Words, words_of

TYPE_CHECKING = False  # as in config/given.py
if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 16 * 1024 * 1024
"""Bytes of stdin that are looked at; what is longer is read to its end and thrown away."""
_CHUNK = 1 << 16
_END = b"\0"
"""Behind a whole answer: without it the child was ended before it had said all."""
_LATER = 20.0
"""Seconds for what is left to do when the answer is out."""


def guarded(argv: Sequence[str]) -> None:
    """Carry out a call of `vmem hook`, and end this process; return where it is none."""
    words = words_of(argv)
    if words is None:
        return
    _open_what_is_closed()
    seconds = limit.seconds()
    if hasattr(os, "fork"):
        _by_child(argv, words, seconds)
    else:
        _by_thread(argv, words, seconds)
    os._exit(0)


def _by_child(argv: Sequence[str], words: Words, seconds: float) -> None:
    import _signal  # type: ignore[import-not-found]  # signal itself, without what it loads

    hearing, saying = os.pipe()
    try:
        child = os.fork()
    except OSError:  # no more processes may be made
        return
    if not child:
        os.close(hearing)
        _signal.signal(_signal.SIGALRM, _signal.SIG_DFL)
        _signal.setitimer(_signal.ITIMER_REAL, seconds)  # it ends by itself, even if we are gone by then
        try:
            _work(argv, words, seconds, saying)
        finally:
            os._exit(0)

    late = f"it took longer than {seconds:g} s (the setting {limit.KEY})"

    def too_late(_: int, __: object) -> None:
        _end_of(child)
        _leave_behind(words, late)
        os._exit(0)

    _signal.signal(_signal.SIGALRM, too_late)
    _signal.setitimer(_signal.ITIMER_REAL, seconds)
    os.close(saying)
    heard = _all_of(hearing, None)
    if heard.endswith(_END):
        _print(heard[: -len(_END)])
        return
    _signal.setitimer(_signal.ITIMER_REAL, 0)
    _, status = os.waitpid(child, 0)
    by = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    _leave_behind(words, late if by == _signal.SIGALRM else f"it broke down (signal {by})")


def _work(argv: Sequence[str], words: Words, seconds: float, saying: int) -> None:
    """In the child: answer, let go of the one who waits, then do the rest."""
    import _signal

    from vault_memory.surfaces.hook.answering import Answer, answered, where

    content = _all_of(0, MOST)
    _silence()
    root = _root_of(words)
    try:
        if len(content) > MOST:
            answer = Answer(cause=f"stdin holds more than {MOST:,} bytes")
        else:
            answer = answered(argv, words, root, content, seconds)
    except BaseException as error:  # noqa: BLE001 - a bug must not break somebody's session
        answer = Answer(cause=where(error))
    if answer.cause and not answer.said:
        _note(root, words, answer.cause)
    _say(saying, answer.said + _END)
    os.close(saying)
    _signal.setitimer(_signal.ITIMER_REAL, _LATER)
    if answer.cause and answer.said:
        _note(root, words, answer.cause)
    if answer.later is not None:
        answer.later()


def _by_thread(argv: Sequence[str], words: Words, seconds: float) -> None:
    """Where there is no fork: a thread does the work, and this one prints. What holds the interpreter itself
    can't be ended that way."""
    import _thread

    from vault_memory.surfaces.hook.answering import Answer, answered, where

    done = _thread.allocate_lock()
    done.acquire()
    found: list[Answer] = []
    out = os.dup(1)

    def work() -> None:
        try:
            content = _all_of(0, MOST)
            _silence()
            found.append(answered(argv, words, _root_of(words), content[:MOST], seconds))
        except BaseException as error:  # noqa: BLE001 - a bug must not break somebody's session
            found.append(Answer(cause=where(error)))
        finally:
            done.release()

    _thread.start_new_thread(work, ())
    answer = found[0] if done.acquire(timeout=seconds) else Answer(cause=f"it took longer than {seconds:g} s")
    _say(out, answer.said)
    if answer.cause:
        _note(_root_of(words), words, answer.cause)
    if answer.later is not None:
        answer.later()


def _leave_behind(words: Words, cause: str) -> None:
    """Note why nothing was said, and begin a resident for the next time, in a process nobody waits for."""
    import _signal

    from vault_memory.surfaces.hook.answering import begin_resident

    try:
        if os.fork():
            return
    except OSError:
        return
    try:
        _signal.signal(_signal.SIGALRM, _signal.SIG_DFL)
        _signal.setitimer(_signal.ITIMER_REAL, _LATER)
        _silence()
        root = _root_of(words)
        _note(root, words, cause)
        if root is not None:
            begin_resident(root)
    finally:
        os._exit(0)


def _root_of(words: Words) -> str | None:
    from vault_memory.surfaces.resident.quick import root_of

    return root_of(words.vault)


def _note(root: str | None, words: Words, cause: str) -> None:
    from pathlib import Path

    from vault_memory.facets.hooklog import note

    note(None if root is None else Path(root), f"{words.event[:40] or '-'} ({words.caller[:40]})", cause)


def _end_of(child: int) -> None:
    import _signal

    try:
        os.kill(child, _signal.SIGKILL)
    except OSError:
        return


def _print(said: bytes) -> None:
    """Print the answer. Who doesn't want to read it has ended, and is not to hear of that."""
    if said.strip():
        _say(1, said)


def _say(number: int, content: bytes) -> None:
    try:
        while content:
            content = content[os.write(number, content) :]
    except OSError:
        return


def _all_of(number: int, most: int | None) -> bytes:
    """All that comes, up to one byte more than `most`; the rest is read as well, and forgotten."""
    parts: list[bytes] = []
    size = 0
    while True:
        try:
            part = os.read(number, _CHUNK)
        except OSError:
            break
        if not part:
            break
        if most is None or size <= most:
            parts.append(part)
            size += len(part)
    return b"".join(parts)


def _silence() -> None:
    """From here on nothing that a library prints, and nothing that outlives us, reaches the program."""
    device = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(device, number)
    if device > 2:
        os.close(device)


def _open_what_is_closed() -> None:
    """A closed stdin, stdout or stderr becomes /dev/null, or a pipe of ours would get its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "r" if number == 0 else "w", closefd=False))  # noqa: SIM115 - to the end
