# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""What an attacker does to the Studio with plain sockets; run as a program, in a process of its own:

    attackers.py PORT flood COUNT     opens that many connections, says "open N", and holds them until its input ends
"""

import contextlib
import resource
import socket
import sys
import time


def connect(port, timeout=10):
    return socket.create_connection(("127.0.0.1", port), timeout=timeout)


def raw(port, data, timeout=10):
    """What comes back for these bytes, until the other side closes or says nothing for a while."""
    answer = b""
    with contextlib.closing(connect(port, timeout)) as wire, contextlib.suppress(OSError):
        wire.sendall(data)
        while len(answer) < 1 << 20:
            part = wire.recv(65536)
            if not part:
                break
            answer += part
            if is_whole(answer):
                break
    return answer


def is_whole(answer):
    """Whether all that the answer's head promises is here."""
    head, mark, body = answer.partition(b"\r\n\r\n")
    if not mark:
        return False
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return len(body) >= int(line.split(b":")[1])
    return False


def status(answer):
    """The status of a raw answer; 0 for none."""
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 2 and words[0].startswith(b"HTTP/1.") else 0


def seconds_until_closed(wire, limit):
    """How long the other side keeps the connection, whatever it says; None if longer than `limit`."""
    begin = time.monotonic()
    while (left := begin + limit - time.monotonic()) > 0:
        wire.settimeout(left)
        try:
            if not wire.recv(65536):
                return time.monotonic() - begin
        except TimeoutError:
            return None
        except OSError:
            return time.monotonic() - begin
    return None


def flood(port, count):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    wires = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            wires.append(connect(port))
    print(f"open {len(wires)}", flush=True)
    sys.stdin.read()
    for wire in wires:
        wire.close()


if __name__ == "__main__":
    if sys.argv[2] == "flood":
        flood(int(sys.argv[1]), int(sys.argv[3]))
