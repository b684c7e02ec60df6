# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A network of two machines with a cable between them, which can be pulled out, made narrow, and made to lose."""

import contextlib
import itertools
import json
import os
import pathlib
import subprocess

# Addresses that are for examples alone (RFC 5737): nothing outside has them.
NEAR, FAR = "192.0.2.1", "192.0.2.2"
# What may wait before a narrow place, and how long: a home router's buffer, so that a sender is slowed, not cut off.
BURST, QUEUE = "16kb", "400ms"

_numbers = itertools.count()


class NotAllowed(Exception):
    """This machine lets nobody make a network."""


def _ip(*words):
    run = subprocess.run(words, capture_output=True, text=True)
    if run.returncode:
        raise NotAllowed(f"{' '.join(words)}: {run.stderr.strip()}")
    return run.stdout


def reason_against():
    """Why there can be no such network here; None if there can."""
    try:
        with Network() as network:
            network.squeeze(1000)
    except (NotAllowed, FileNotFoundError) as error:
        return str(error)
    return None


class Network:
    """Two network namespaces: the sender lives in `near`, at NEAR, servers and the far end in `far`, at FAR."""

    def __init__(self):
        mark = f"obscura-{os.getpid()}-{next(_numbers)}"
        self.near, self.far = f"{mark}-near", f"{mark}-far"

    @staticmethod
    def _sweep():
        """Takes away what tests left behind that were killed."""
        for path in pathlib.Path("/run/netns").glob("obscura-*-*-*"):
            if not pathlib.Path(f"/proc/{path.name.split('-')[1]}").exists():
                with contextlib.suppress(NotAllowed):
                    _ip("ip", "netns", "delete", path.name)

    def __enter__(self):
        self._sweep()
        try:
            for name in (self.near, self.far):
                _ip("ip", "netns", "add", name)
                _ip("ip", "-n", name, "link", "set", "lo", "up")
            _ip("ip", "-n", self.near, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns",
                self.far)
            for name, address in ((self.near, NEAR), (self.far, FAR)):
                _ip("ip", "-n", name, "address", "add", f"{address}/24", "dev", "cable")
                _ip("ip", "-n", name, "link", "set", "cable", "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in (self.near, self.far):
            # What lived in it has ended before: a namespace goes with its last process.
            with contextlib.suppress(NotAllowed):
                _ip("ip", "netns", "delete", name)

    def down(self):
        """Pulls the cable out at the far end: the sender's own card stays up, and nothing gets through."""
        _ip("ip", "-n", self.far, "link", "set", "cable", "down")

    def up(self):
        _ip("ip", "-n", self.far, "link", "set", "cable", "up")

    def squeeze(self, kilobits):
        """Lets only so much through in a second, from the sender to the far end."""
        _ip("tc", "-n", self.near, "qdisc", "replace", "dev", "cable", "root", "tbf", "rate", f"{kilobits}kbit",
            "burst", BURST, "latency", QUEUE)

    def impair(self, loss, jitter=0, distribution=None):
        """Loses so many percent of the packets on their way to the far end. With `jitter`, in milliseconds, each is
        also held up for so long, and up to so much more or less: they come in another order. Evenly, unless
        `distribution` (that of `tc`, such as normal) says otherwise. Not every kernel has netem; that of the lab has.
        """
        delay = ["delay", f"{jitter}ms", f"{jitter}ms"] if jitter else []
        if distribution:
            delay += ["distribution", distribution]
        _ip("tc", "-n", self.near, "qdisc", "replace", "dev", "cable", "root", "netem", "loss", f"{loss}%", *delay)

    @property
    def waiting(self):
        """How many bytes wait before the narrow place."""
        return self._count("backlog")

    @property
    def lost(self):
        """How many packets were lost since the cable was last impaired."""
        return self._count("drops")

    def _count(self, what):
        run = _ip("tc", "-n", self.near, "-s", "-j", "qdisc", "show", "dev", "cable")
        return sum(queue.get(what, 0) for queue in json.loads(run))

    def release(self):
        """The whole width again, without loss."""
        _ip("tc", "-n", self.near, "qdisc", "delete", "dev", "cable", "root")
