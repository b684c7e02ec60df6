# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The common part of the tests of bad networks: a link, a sender at its near end, and a movie beside the broadcast."""

import subprocess
import tempfile
import unittest

import farend
import network
import processes
from obscura_sender import ObscuraSender

# The bit rate without throttling: several times the throttled one.
BITRATE = 2_000_000
SIZE = (640, 360)
REASON = network.reason_against()


@unittest.skipIf(REASON, f"network namespaces are not possible: {REASON}")
class NetworkTest(unittest.TestCase):

    def setUp(self):
        self.network = self.enterContext(network.Network())
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-network-"))
        self.movie = f"{self.folder}/movie.mp4"
        # The test pattern is so simple that it does not need the bit rate.
        self.noise = f"{self.folder}/noise.png"
        noise = f"nullsrc=s={SIZE[0]}x{SIZE[1] * 4 // 5},geq=random(1)*255:random(2)*255:random(3)*255"
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", noise, "-frames:v", "1", self.noise],
                       check=True, timeout=processes.PATIENCE)

    def place(self):
        return {"host": network.FAR, "namespace": self.network.far}

    def sender(self, url, *options):
        return ObscuraSender(url, size=SIZE, namespace=self.network.near,
                             options=["--bitrate", str(BITRATE), "--microphone", "none", "--effect",
                                      f"overlay:{self.noise}", "--record", self.movie, *options])

    def watch(self, server):
        return farend.Watch(server.reading_url, namespace=self.network.far)

    def expect_whole_movie(self, sender):
        """The movie has each encoded frame. At the lowest bit rates some numbers cannot be read."""
        self.assertEqual(farend.count(self.movie), sender.statistics["encodedFrames"])
