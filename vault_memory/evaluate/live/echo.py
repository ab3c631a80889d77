"""A process of its own that sends back what comes over the socket that is its stdin."""

from __future__ import annotations

import socket
import sys

LONGEST = 1 << 16


def main() -> None:
    """Answer until the other side closes."""
    with socket.socket(fileno=sys.stdin.fileno()) as peer:
        while line := peer.recv(LONGEST):
            peer.sendall(line)


if __name__ == "__main__":
    main()
