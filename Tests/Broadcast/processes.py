# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The programs that the tests run: each with its own process group and log, and none left running."""

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

import number_row  # noqa: E402, F401
import waiting  # noqa: E402
from tool import tool  # noqa: E402, F401

# The time limit of operations, in seconds; only a failing test waits this long.
PATIENCE = waiting.PATIENCE
# The polling interval of a program's conditions, in seconds.
INTERVAL = 0.02
# The length of the log that a failure shows.
LAST_WORDS = 4000
# States in /proc/net: a listening TCP socket, a bound UDP socket.
LISTENING = {"tcp": "0A", "udp": "07"}
ESTABLISHED = "01"
# The ports of the tests: below Linux's ephemeral ports (32768 and above).
PORTS = range(20000, 32000)
# A lock file for each port; not in TMPDIR, which differs between tests.
LOCKS = pathlib.Path(f"/tmp/obscura-ports-{os.getuid()}")


def now():
    """Nanoseconds of CLOCK_MONOTONIC, the clock of the cameras' time stamps."""
    return time.monotonic_ns()


class Ports:
    """Allocates ports of the loopback interface: each to one process, and only once."""

    def __init__(self):
        self._lock = threading.Lock()
        # Each is locked until this process ends.
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


@contextlib.contextmanager
def free_pair():
    """Two UDP sockets with consecutive ports."""
    while True:
        with socket.socket(type=socket.SOCK_DGRAM) as first, socket.socket(type=socket.SOCK_DGRAM) as second:
            first.bind(("127.0.0.1", 0))
            try:
                second.bind(("127.0.0.1", first.getsockname()[1] + 1))
            except (OSError, OverflowError):
                continue
            first.setblocking(False)
            yield first, second
            return


def _is_bound(port, kind):
    with socket.socket(type=socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM) as probe:
        # Ended connections do not block the port for servers.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return True
    return False


_ports = Ports()


def free_port(kind="tcp"):
    """A loopback port that no other test uses, in this process or another, until this process ends."""
    return _ports.take(kind)


class Program:
    """A program with its log; its whole process group ends with it."""

    def __init__(self, name, command, folder, namespace=None, **options):
        """`namespace` is the name of its network namespace, `options` are those of Popen."""
        self.name, self.namespace, self.options = name, namespace, options
        self.command = [str(word) for word in command]
        self.log = pathlib.Path(folder) / f"{name}.log"
        self.process = None

    def start(self):
        place = ["ip", "netns", "exec", self.namespace] if self.namespace else []
        # If the tests are killed, the program is killed too: its process group alone would survive.
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
        """Its output until now."""
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def send_signal(self, number):
        """Sends the signal to the whole group, even when its first process has ended."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)

    def kill(self):
        """Kills it, as the out-of-memory killer does."""
        self.send_signal(signal.SIGKILL)
        if self.process is not None:
            self.process.wait()

    def stop(self, number=signal.SIGTERM, timeout=5):
        """Asks it to end, and returns its exit code; kills it after `timeout`."""
        self.send_signal(number)
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout)
        self.kill()
        return self.process.returncode if self.process else None

    def wait(self, timeout=PATIENCE):
        """Waits until it ends by itself, and returns its exit code."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise self.failure(f"did not end within {timeout} s") from None

    def wait_until(self, condition, what, timeout=PATIENCE):
        """Returns the first true value of `condition()`; raises AssertionError if the program ends before."""

        def look():
            # In this order: the condition may become true when the program ends.
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
        """Whether a process in its network has bound the port. Reading the kernel's table needs no connection."""
        return any(local == port and state == LISTENING[kind] for local, _, state in self._sockets(kind))

    def is_connected(self, port):
        """Whether a process in its network is connected to the port."""
        return any(remote == port and state == ESTABLISHED for _, remote, state in self._sockets("tcp"))

    def _sockets(self, kind):
        """The local port, the remote port, and the state of each socket in its network."""
        return [(int(one[1].rpartition(":")[2], 16), int(one[2].rpartition(":")[2], 16), one[3])
                for one in self._table(kind)]

    @property
    def lost_datagrams(self):
        """The number of datagrams that the program's UDP sockets dropped."""
        return sum(int(one[12]) for one in self._own_sockets)

    @property
    def _own_sockets(self):
        """The lines of the program's UDP sockets in the kernel's table."""
        links = []
        with contextlib.suppress(OSError):
            for path in pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir():
                with contextlib.suppress(OSError):
                    links.append(os.readlink(path))
        return [one for one in self._table("udp") if f"socket:[{one[9]}]" in links]

    @property
    def unread_bytes(self):
        """The number of bytes that wait in the program's UDP sockets."""
        return sum(int(one[4].partition(":")[2], 16) for one in self._own_sockets)

    def _table(self, kind):
        """The lines of the kernel's table of sockets in its network, split into words."""
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
        """The error with a note of the program's last output, added once."""
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
