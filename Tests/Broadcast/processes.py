# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The programs that the tests run: each in a process group of its own, with its words kept, and none left behind."""

import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import time

# How long anything may take; only a failing test waits so long.
PATIENCE = 20
# How often a condition is looked at.
INTERVAL = 0.02
# How much of a log a failure shows.
LAST_WORDS = 4000
# As the kernel writes them in /proc/net: a TCP socket that listens, a UDP socket that is bound.
LISTENING = {"tcp": "0A", "udp": "07"}
ESTABLISHED = "01"


def now():
    """Nanoseconds of CLOCK_MONOTONIC, by which the cameras stamp."""
    return time.monotonic_ns()


def wait_until(condition, what, timeout=PATIENCE):
    """What `condition` gives as soon as that is true."""
    deadline = time.monotonic() + timeout
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not come about within {timeout} s")
        time.sleep(INTERVAL)
    return value


_given = set()


def free_port(kind="tcp"):
    """A port of the loopback that nobody has, and that was not given before: who asked may not have bound it yet."""
    while True:
        with socket.socket(type=socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        if (kind, port) not in _given:
            _given.add((kind, port))
            return port


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
        """What `condition` gives as soon as that is true, unless the program ends before."""

        def look():
            value = condition()
            if not value and not self.is_running:
                raise self.failure(f"ended with {self.process.returncode} before {what}")
            return value

        try:
            return wait_until(look, f"{self.name}: {what}", timeout)
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
        """Its own port, that of the other side, and the state of each socket in its network."""
        own = pathlib.Path(f"/proc/{self.process.pid}")
        try:
            if self.namespace and not os.path.samestat((own / "ns/net").stat(),
                                                       os.stat(f"/run/netns/{self.namespace}")):
                return []
            lines = (own / "net" / kind).read_text().splitlines()[1:]
        except OSError:
            return []
        fields = [line.split() for line in lines]
        return [(int(one[1].rpartition(":")[2], 16), int(one[2].rpartition(":")[2], 16), one[3]) for one in fields]

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
