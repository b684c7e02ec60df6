# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A network of two hosts and a link, which can be cut, throttled, and made to lose packets."""

import contextlib
import itertools
import json
import os
import pathlib
import subprocess

# Addresses that are reserved for documentation (RFC 5737).
NEAR, FAR = "192.0.2.1", "192.0.2.2"
# The size and delay of the queue of a throttled link: a home router's buffer, so that a sender is slowed, not cut off.
BURST, QUEUE = "16kb", "400ms"

_numbers = itertools.count()


class NotAllowed(Exception):
    """This machine does not permit network namespaces."""


def run_ip(*words):
    """Runs a program of iproute2, and returns its output."""
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode:
        raise NotAllowed(f"{' '.join(words)}: {run.stderr.strip()}")
    return run.stdout


def reason_against():
    """The reason why such a network is not possible here; None if it is."""
    try:
        with Network() as network:
            network.squeeze(1000)
    except (NotAllowed, FileNotFoundError) as error:
        return str(error)
    return None


class Network:
    """Two network namespaces: the sender is in `near`, at NEAR, servers and the far end in `far`, at FAR."""

    def __init__(self):
        mark = f"obscura-{os.getpid()}-{next(_numbers)}"
        self.near, self.far = f"{mark}-near", f"{mark}-far"

    @staticmethod
    def _sweep():
        """Removes namespaces of killed tests."""
        for path in pathlib.Path("/run/netns").glob("obscura-*-*-*"):
            if not pathlib.Path(f"/proc/{path.name.split('-')[1]}").exists():
                with contextlib.suppress(NotAllowed):
                    run_ip("ip", "netns", "delete", path.name)

    def __enter__(self):
        self._sweep()
        try:
            for name in (self.near, self.far):
                run_ip("ip", "netns", "add", name)
                run_ip("ip", "-n", name, "link", "set", "lo", "up")
            self._connect()
            for name, address in ((self.near, NEAR), (self.far, FAR)):
                run_ip("ip", "-n", name, "address", "add", f"{address}/24", "dev", "cable")
                run_ip("ip", "-n", name, "link", "set", "cable", "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def _connect(self):
        """Creates the interface `cable` in both namespaces, connected to each other."""
        run_ip("ip", "-n", self.near, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", self.far)

    def __exit__(self, *_):
        for name in (self.near, self.far):
            # Its processes have ended before: a namespace is removed with its last process.
            with contextlib.suppress(NotAllowed):
                run_ip("ip", "netns", "delete", name)

    def down(self):
        """Cuts the link at the far end: the sender's own interface stays up, and no packet arrives."""
        run_ip("ip", "-n", self.far, "link", "set", "cable", "down")

    def up(self):
        run_ip("ip", "-n", self.far, "link", "set", "cable", "up")

    def squeeze(self, kilobits):
        """Limits the bit rate from the sender to the far end."""
        run_ip("tc", "-n", self.near, "qdisc", "replace", "dev", "cable", "root", "tbf", "rate", f"{kilobits}kbit",
               "burst", BURST, "latency", QUEUE)

    def impair(self, loss, jitter=0, distribution=None):
        """Loses this percentage of the packets to the far end. With `jitter`, in milliseconds, each is also delayed by
        `jitter`, plus or minus up to `jitter`, so packets are reordered. The delay is uniform, or as `distribution` (of
        `tc`, such as normal). Not every kernel has netem; the lab's does.
        """
        delay = ["delay", f"{jitter}ms", f"{jitter}ms"] if jitter else []
        if distribution:
            delay += ["distribution", distribution]
        run_ip("tc", "-n", self.near, "qdisc", "replace", "dev", "cable", "root", "netem", "loss", f"{loss}%", *delay)

    @property
    def waiting(self):
        """The number of bytes in the queue of the throttled link."""
        return self._count("backlog")

    @property
    def lost(self):
        """The number of lost packets since the last call of `impair`."""
        return self._count("drops")

    def _count(self, what):
        run = run_ip("tc", "-n", self.near, "-s", "-j", "qdisc", "show", "dev", "cable")
        return sum(queue.get(what, 0) for queue in json.loads(run))

    def release(self):
        """Restores the full bit rate, without loss."""
        run_ip("tc", "-n", self.near, "qdisc", "delete", "dev", "cable", "root")
