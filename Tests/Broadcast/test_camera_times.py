# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that recordings and broadcasts keep the times of a network camera whose clock is off, with and without jitter."""

import os
import pathlib
import tempfile
import unittest

import drifting_clock
import jitter
import processes
import servers
import side_by_side
from camera_receivers import CameraReceivers
from network_camera import JITTER
from obscura_sender import ObscuraSender

SECONDS = 600 if os.environ.get("OBSCURA_TEST_LONG") == "1" else 5
# Small, because each test decodes and encodes it several times.
SIZE = (320, 180)

load_tests = side_by_side.load_tests


class CameraTimesTest(unittest.TestCase):

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-camera-")))

    def camera(self, *addresses):
        clock = drifting_clock.command(self.folder)
        return self.enterContext(ObscuraSender(*addresses, size=SIZE, before=clock))

    def expect(self, camera, recorded, broadcast, *options):
        receivers = self.enterContext(CameraReceivers(recorded, broadcast, self.folder, SECONDS, *options))
        receivers.end()
        camera.stop()
        is_srt = recorded.startswith("srt:")
        receivers.check(self, camera, *(() if is_srt else range(len(camera.addresses))))

    def expect_rtsp(self, transport="tcp", delay=0, options=()):
        port = processes.free_port()
        camera = self.camera(f"rtsp://127.0.0.1:{port}/live?mode=listener")
        camera.wait_for_event("connected")
        if delay:
            port = self.enterContext(jitter.TCPRelay(port, delay)).port
        url = f"rtsp://127.0.0.1:{port}/live?transport={transport}"
        self.expect(camera, url, url, *options)

    def expect_rtmp(self, delay=0, options=()):
        server = self.enterContext(servers.RTMPServer())
        camera = self.camera(server.url)
        camera.wait_for_event("connected")
        url = server.url
        if delay:
            relay = self.enterContext(jitter.TCPRelay(server.port, delay))
            url = url.replace(f":{server.port}/", f":{relay.port}/")
        self.expect(camera, url, url, *options)

    def expect_srt(self, options=()):
        # Each has one receiver.
        ports = [processes.free_port("udp") for _ in range(2)]
        camera = self.camera(*(f"srt://127.0.0.1:{port}?mode=listener&latency=500" for port in ports))
        for port in ports:
            camera.program.wait_for_port(port, "udp")
        self.expect(camera, *(f"srt://127.0.0.1:{port}" for port in ports), *options)

    def expect_mpeg_ts(self, delay=0, options=()):
        ports = [processes.free_port("udp") for _ in range(2)]
        targets = ports
        if delay:
            targets = [self.enterContext(jitter.UDPRelay(port, delay, seed=port)).port for port in ports]
        camera = self.camera(*(f"udp://127.0.0.1:{port}" for port in targets))
        self.expect(camera, *(f"udp://127.0.0.1:{port}" for port in ports), *options)

    def test_rtsp_over_tcp(self):
        self.expect_rtsp()

    def test_rtsp_over_tcp_with_jitter(self):
        self.expect_rtsp(delay=JITTER)

    def test_rtsp_over_tcp_with_jitter_copied(self):
        self.expect_rtsp(delay=JITTER, options=["--copy"])

    def test_rtsp_over_udp(self):
        self.expect_rtsp("udp")

    def test_rtmp(self):
        self.expect_rtmp()

    def test_rtmp_with_jitter(self):
        self.expect_rtmp(JITTER)

    def test_rtmp_with_jitter_copied(self):
        self.expect_rtmp(JITTER, ["--copy"])

    def test_srt(self):
        self.expect_srt()

    def test_srt_copied(self):
        self.expect_srt(["--copy"])

    def test_mpeg_ts(self):
        self.expect_mpeg_ts()

    def test_mpeg_ts_with_jitter(self):
        self.expect_mpeg_ts(JITTER)

    def test_mpeg_ts_with_jitter_copied(self):
        self.expect_mpeg_ts(JITTER, ["--copy"])


if __name__ == "__main__":
    unittest.main()
