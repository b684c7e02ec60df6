# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that recordings and broadcasts keep the times of a network camera whose clock is off, with all protocols at the same
time. Its packets go through a kernel that delays them (netem)."""

import os
import pathlib
import tempfile
import unittest

import drifting_clock
import jittery_network
import network
import processes
import servers
from camera_receivers import CameraReceivers
from network_camera import JITTER
from obscura_sender import ObscuraSender

SECONDS = 600
# Small, because two cores send, receive and delay all of it.
SIZE = (320, 180)
# The time that SRT has to send lost packets again and to sort them, in milliseconds.
LATENCY = 1000
# The protocols that bring packets back into their order. MPEG-TS has no numbers to do so, and RTP waits only 100 ms for a
# packet, on a busy machine not for one that is 80 ms late.
SORTED = ["rtsp", "rtmp", "srt"]
# The indices of the camera's destinations of each; those of SRT are listeners.
DESTINATIONS = {"rtmp": [0], "rtsp": [1], "rtsp-udp": [1], "mpeg-ts": [2, 3], "srt": []}


# There is no short form: a guest that waits for a processor loses packets, as beside the other tests.
@unittest.skipUnless(os.environ.get("OBSCURA_TEST_LONG") == "1", "ten minutes each, and the whole machine")
class FarCamerasTest(unittest.TestCase):

    def setUp(self):
        if reason := network.reason_against() or jittery_network.reason_against():
            self.skipTest(reason)
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-far-")))

    def test_packets_in_order(self):
        self.expect([*SORTED, "rtsp-udp", "mpeg-ts"], in_order=True)

    def test_packets_in_any_order(self):
        self.expect(SORTED, in_order=False)

    def expect(self, protocols, in_order):
        net = self.enterContext(jittery_network.JitteryNetwork(JITTER, in_order, SECONDS))
        camera, sources = self.camera(net)
        receivers = {}
        for protocol in protocols:
            folder = self.folder / protocol
            folder.mkdir()
            receivers[protocol] = self.enterContext(
                CameraReceivers(*sources[protocol], folder, SECONDS, "--copy", namespace=net.far))
        for pair in receivers.values():
            pair.end()
        camera.stop()
        for protocol, pair in receivers.items():
            pair.check(self, camera, *DESTINATIONS[protocol], protocol=protocol)

    def camera(self, net):
        """The camera, and for each protocol the addresses at which two programs receive it."""
        rtsp = f"rtsp://{network.NEAR}:{processes.free_port()}/live"
        rtmp = self.enterContext(servers.RTMPServer(host=network.NEAR, namespace=net.near)).url
        # Each of these has one receiver.
        srt = [f"srt://{network.NEAR}:{processes.free_port('udp')}" for _ in range(2)]
        mpeg_ts = [f"udp://{network.FAR}:{processes.free_port('udp')}" for _ in range(2)]
        camera = self.enterContext(ObscuraSender(
            rtmp, f"{rtsp}?mode=listener", *(f"{url}?pkt_size=1316" for url in mpeg_ts),
            *(f"{url}?mode=listener&latency={LATENCY}" for url in srt), size=SIZE, namespace=net.near,
            before=drifting_clock.command(self.folder)))
        # All but SRT, which waits for its receivers.
        camera.wait_for_event("connected", 4)
        for url in srt:
            camera.program.wait_for_port(int(url.rpartition(":")[2]), "udp")
        return camera, {"rtsp": [rtsp] * 2, "rtsp-udp": [f"{rtsp}?transport=udp"] * 2, "rtmp": [rtmp] * 2, "srt": srt,
                        "mpeg-ts": mpeg_ts}


if __name__ == "__main__":
    unittest.main()
