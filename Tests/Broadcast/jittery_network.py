# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A network of two hosts whose packets go through a guest of the lab, which delays each by a different time."""

import itertools
import os
import pathlib
import tempfile
import unittest

import lab_guest
import network
import processes

HERE = pathlib.Path(__file__).resolve().parent
# The time limit for the boot of the guest, in seconds.
BOOT = 180

_numbers = itertools.count()


def reason_against():
    """The reason why the guest cannot have network interfaces here; None if it can."""
    return None if os.access("/dev/net/tun", os.R_OK | os.W_OK) else "/dev/net/tun cannot be opened"


class JitteryNetwork(network.Network):
    """The delay of each packet to the far end is uniform, from 0 to `jitter` seconds. `in_order`, none overtakes another.

    The link exists for at least `seconds`.
    """

    def __init__(self, jitter, in_order, seconds):
        super().__init__()
        self._folder = tempfile.TemporaryDirectory(prefix="obscura-network-")
        # The names of interfaces have 15 characters at most.
        self._ends = [f"ob{os.getpid()}-{next(_numbers)}" for _ in range(2)]
        bridge = ["sh", HERE / "bridge.sh", str(round(jitter * 1000)), "in-order" if in_order else "any-order"]
        options = [word for name in self._ends for word in ("--network", name)]
        self._guest = processes.Program("guest", lab_guest.command(bridge, seconds, *options), self._folder.name)

    def _connect(self):
        self._guest.start()
        try:
            self._guest.wait_until(lambda: "ready" in self._guest.words.split(), "the bridge", BOOT)
        except AssertionError:
            if self._guest.process.poll() == lab_guest.UNAVAILABLE:
                raise unittest.SkipTest(self._guest.words) from None
            raise
        for end, namespace in zip(self._ends, (self.near, self.far)):
            network.run_ip("ip", "link", "set", end, "netns", namespace, "name", "cable")

    def __exit__(self, *why):
        self._guest.stop()
        super().__exit__(*why)
        self._folder.cleanup()
