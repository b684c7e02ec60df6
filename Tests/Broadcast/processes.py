# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The programs that the tests run: each in a process group of its own with a log, and none left behind."""

import contextlib
import fcntl
import itertools
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/support"))

import waiting  # noqa: E402
from tool import tool  # noqa: E402, F401

# How long anything may take, in seconds; only a failing test waits this long.
PATIENCE = waiting.PATIENCE
# How often a condition of a program is tested, in seconds.
INTERVAL = 0.02
# How much of a log a failure shows.
LAST_WORDS = 4000
# As the kernel writes them in /proc/net: a TCP socket that listens, a UDP socket that is bound.
LISTENING = {"tcp": "0A", "udp": "07"}
ESTABLISHED = "01"
# The ports of the tests: below those that Linux chooses itself (32768 and above).
PORTS = range(20000, 32000)
# One file for each; not in TMPDIR, which is not the same for all tests.
LOCKS = pathlib.Path(f"/tmp/obscura-ports-{os.getuid()}")


def now():
    """Nanoseconds of CLOCK_MONOTONIC, by which the cameras stamp."""
    return time.monotonic_ns()


class Ports:
    """Hands out ports of the loopback: each to one process, and only once."""

    def __init__(self):
        self._lock = threading.Lock()
        # Each locked for as long as this process lives.
        self._files = []
        begin = os.getpid() * 64 % len(PORTS)
        self._next = itertools.chain(PORTS[begin:], PORTS[:begin])

    def take(self, kind):
        LOCKS.mkdir(exist_ok=True)
        with self._lock:
            for port in self._next:
                if self._is_ours(LOCKS / f"{port}") and not _is_bound(port, kind):
                    return port
        raise AssertionError("no port is left")

    def _is_ours(self, path):
        file = path.open("a")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        self._files.append(file)
        return True


def _is_bound(port, kind):
    with socket.socket(type=socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM) as probe:
        # Connections that have ended do not keep servers from the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


_ports = Ports()


def free_port(kind="tcp"):
    """A port of the loopback that no other test has, in this process or another, for as long as this process lives."""
    return _ports.take(kind)


class Program:
    """A program with its log; nothing of its process group lives longer than it."""

    def __init__(self, name, command, folder, namespace=None, **options):
        """`namespace` is the name of the network namespace that it lives in, `options` are those of Popen."""
        self.name, self.namespace, self.options = name, namespace, options
        self.command = [str(word) for word in command]
        self.log = pathlib.Path(folder) / f"{name}.log"
        self.process = None

    def start(self):
        place = ["ip", "netns", "exec", self.namespace] if self.namespace else []
        # Who kills the tests kills what they started: a process group alone would be left behind.
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([*place, "setpriv", "--pdeathsig", "KILL", "--", *self.command],
                                            start_new_session=True,
                                            **{"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log,
                                               **self.options})

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    @property
    def words(self):
        """All that it has said."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def send_signal(self, number):
        """To the whole group, even when its first process has ended."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)

    def kill(self):
        """As the out-of-memory killer does."""
        self.send_signal(signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def stop(self, number=signal.SIGTERM, timeout=5):
        """Asks it to end, and returns its exit code; kills what does not listen."""
        self.send_signal(number)
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout)
        self.kill()
        return self.process.returncode if self.process else None

    def wait(self, timeout=PATIENCE):
        """Its exit code when it ends by itself."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise self.failure(f"did not end within {timeout} s") from None

    def wait_until(self, condition, what, timeout=PATIENCE):
        """Returns the first true value of `condition()`; raises AssertionError if the program ends before."""

        def look():
            # In this order: the condition may come true with the end.
            was_running = self.is_running
            value = condition()
            if not value and not was_running:
                raise self.failure(f"ended with {self.process.returncode} before {what}")
            return value

        try:
            return waiting.wait_until(look, f"{self.name}: {what}", timeout, INTERVAL)
        except AssertionError as error:
            raise self.described(error)

    def wait_for_port(self, port, kind="tcp"):
        self.wait_until(lambda: self.has_bound(port, kind), f"{kind} port {port}")

    def has_bound(self, port, kind):
        """Whether someone in its network has bound the port. Asking the kernel costs the server no connection."""
        return any(local == port and state == LISTENING[kind] for local, _, state in self._sockets(kind))

    def is_connected(self, port):
        """Whether someone in its network has a connection to the port."""
        return any(remote == port and state == ESTABLISHED for _, remote, state in self._sockets("tcp"))

    def _sockets(self, kind):
        """The own port, the port of the other side, and the state of each socket in its network."""
        return [(int(one[1].rpartition(":")[2], 16), int(one[2].rpartition(":")[2], 16), one[3])
                for one in self._table(kind)]

    @property
    def lost_datagrams(self):
        """Number of datagrams for which the UDP sockets of the program had no room."""
        links = []
        with contextlib.suppress(OSError):
            for path in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    links.append(os.readlink(path))
        return sum(int(one[12]) for one in self._table("udp") if f"socket:[{one[9]}]" in links)

    def _table(self, kind):
        """The lines of the kernel's table of the sockets in its network, in words."""
        own = pathlib.Path(f"/proc/{self.process.pid}")
        try:
            if self.namespace and not os.path.samestat((own / "ns/net").stat(),
                                                       os.stat(f"/run/netns/{self.namespace}")):
                return []
            lines = (own / "net" / kind).read_text().splitlines()[1:]
        except OSError:
            return []
        return [line.split() for line in lines]

    def failure(self, what):
        return self.described(AssertionError(f"{self.name} {what}"))

    def described(self, error):
        """The error with what the program said last; once is enough."""
        note = f"--- the end of {self.log.name}\n{self.words[-LAST_WORDS:]}"
        if note not in getattr(error, "__notes__", []):
            error.add_note(note)
        return error

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, error, trace):
        self.stop()
        if error is not None:
            self.described(error)
