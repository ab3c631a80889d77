"""Whether a pipe takes a text at once, or whoever writes it may have to wait for its reader."""

from __future__ import annotations

import sys

if sys.platform == "linux":
    import fcntl
    import termios

    def has_room(pipe: int, size: int) -> bool:
        """Whether `size` bytes can be written without waiting: nothing is in the pipe, and it holds twice as
        much, so that a little may go between. Of what is no pipe that is not known."""
        try:
            unread = fcntl.ioctl(pipe, termios.FIONREAD, bytes(4))
            return not any(unread) and 2 * size <= fcntl.fcntl(pipe, fcntl.F_GETPIPE_SZ)
        except OSError:
            return False

else:

    def has_room(_: int, __: int) -> bool:
        """Other systems don't tell how much a pipe holds."""
        return False
