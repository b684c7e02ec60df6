# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Attacks on the Studio with plain sockets. As a program, it runs one attack in a separate process:

    attackers.py PORT flood COUNT     opens that many connections, prints "open N", and holds them until its input ends
"""

import contextlib
import resource
import select
import socket
import sys


def connect(port, timeout=10):
    return socket.create_connection(("127.0.0.1", port), timeout=timeout)


def raw(port, data, timeout=10):
    """The response to these bytes: until it is complete, the server closes, or nothing comes for `timeout` seconds."""
    with contextlib.closing(connect(port, timeout)) as wire:
        wire.sendall(data)
        return answer_on(wire)


def answer_on(wire):
    answer = b""
    with contextlib.suppress(OSError):
        while len(answer) < 1 << 20 and not is_whole(answer):
            part = wire.recv(65536)
            if not part:
                break
            answer += part
    return answer


def is_whole(answer):
    """Whether the head of the response and a body of the announced length have arrived."""
    head, mark, body = answer.partition(b"\r\n\r\n")
    if not mark:
        return False
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return len(body) >= int(line.split(b":")[1])
    return False


def status(answer):
    """The status of a raw response; 0 for none."""
    words = answer.split(b" ", 2)
    return int(words[1]) if len(words) > 2 and words[0].startswith(b"HTTP/1.") else 0


def is_answered(wire):
    """Whether something can be read, or the server has closed."""
    return bool(select.select([wire], [], [], 0)[0])


def wait_until_closed(wire, timeout):
    """Reads until the server closes the connection; raises TimeoutError if it does not."""
    wire.settimeout(timeout)
    try:
        while wire.recv(65536):
            pass
    except TimeoutError:
        raise
    except OSError:
        # A reset closes it as well.
        pass


def send_and_wait_until_closed(wire, part, count, timeout):
    """Sends a part this many times, unless the server closes the connection earlier, and waits until it does."""
    wire.settimeout(timeout)
    try:
        for _ in range(count):
            wire.sendall(part)
    except TimeoutError:
        raise
    except OSError:
        return
    wait_until_closed(wire, timeout)


def shut_down(wire):
    """Ends a `recv` on another thread."""
    with contextlib.suppress(OSError):
        wire.shutdown(socket.SHUT_RDWR)


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
