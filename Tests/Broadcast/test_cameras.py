# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that recordings of network cameras have the times of the cameras, not those at which packets arrive."""

import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

import jitter
import network_camera
import processes
import servers
import whole_movie
from obscura_sender import ObscuraSender

SECONDS, RATE = 5, 30
# The recorded seconds of a camera whose packets come with jitter.
MANY_SECONDS = 600 if os.environ.get("OBSCURA_TEST_LONG") == "1" else SECONDS
# The longest time without a connection: until it is opened again, the streams are found and a key frame has come.
GAP = 5
# The longest delay of a packet, in seconds.
JITTER = 0.08


class NetworkCameraTest(unittest.TestCase):
    """Each has the right number of frames, each once and in even steps, and the sound in its place."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-camera-")))

    def expect(self, sender, url, seconds=SECONDS, options=()):
        self.check(sender, network_camera.record(url, self.folder, seconds, *options), seconds)

    def check(self, sender, movie, seconds=SECONDS, gap=0, sound_error=0.010):
        """A recording of so many seconds, with at most `gap` seconds without a connection."""
        recording = network_camera.Recording.of(movie)
        schedule = sender.schedule
        self.assertNotIn(None, recording.numbers)
        self.assertEqual(sorted(set(recording.numbers)), recording.numbers)
        # A busy machine drops frames of the sender, and counts them.
        self.assertLessEqual(recording.missing, sender.unsent() + gap * RATE)
        # A recording ends with the frame that is due at its end. The sender's clock may be followed meanwhile.
        self.assertIn(len(recording.numbers) + recording.missing, range(seconds * RATE - 2, seconds * RATE + 4))
        self.assertLess(recording.unevenness, 0.001)
        # A new connection is timed by its first packets, each of which can be late by the jitter.
        self.assertLess(recording.error_of_gaps, JITTER)
        delays = recording.sound_delay(schedule)
        self.assertGreaterEqual(
            len(delays), seconds - 2 - gap,
            f"beeps at {recording.beeps}; {recording.missing} frames missing; {sender.statistics}")
        self.assertLess(max(map(abs, delays)), sound_error, delays)

    def camera(self, url, **how):
        sender = self.enterContext(ObscuraSender(url, **how))
        sender.wait_for_event("connected")
        return sender

    def test_rtsp_over_tcp(self):
        url = f"rtsp://127.0.0.1:{processes.free_port()}/live?mode=listener"
        self.expect(self.camera(url), url.partition("?")[0])

    def test_rtsp_over_udp(self):
        url = f"rtsp://127.0.0.1:{processes.free_port()}/live?mode=listener"
        self.expect(self.camera(url), url.partition("?")[0] + "?transport=udp")

    def test_rtmp(self):
        server = self.enterContext(servers.RTMPServer())
        self.expect(self.camera(server.url), server.url)

    def test_srt(self):
        port = processes.free_port("udp")
        url = f"srt://127.0.0.1:{port}?mode=listener&latency=50"
        sender = self.enterContext(ObscuraSender(url))
        sender.program.wait_for_port(port, "udp")
        self.expect(sender, f"srt://127.0.0.1:{port}")

    def test_mpeg_ts_by_udp(self):
        url = f"udp://127.0.0.1:{processes.free_port('udp')}"
        self.expect(self.camera(url), url)

    def test_rtsp_copied(self):
        url = f"rtsp://127.0.0.1:{processes.free_port()}/live?mode=listener"
        self.expect(self.camera(url), url.partition("?")[0], options=["--copy"])

    def test_rtmp_copied(self):
        server = self.enterContext(servers.RTMPServer())
        self.expect(self.camera(server.url), server.url, options=["--copy"])

    def test_mpeg_ts_copied(self):
        url = f"udp://127.0.0.1:{processes.free_port('udp')}"
        self.expect(self.camera(url), url, options=["--copy"])

    def test_rtsp_over_tcp_with_jitter(self):
        port = processes.free_port()
        sender = self.camera(f"rtsp://127.0.0.1:{port}/live?mode=listener")
        relay = self.enterContext(jitter.TCPRelay(port, JITTER))
        self.expect(sender, f"rtsp://127.0.0.1:{relay.port}/live", MANY_SECONDS)

    def test_mpeg_ts_by_udp_with_jitter(self):
        port = processes.free_port("udp")
        relay = self.enterContext(jitter.UDPRelay(port, JITTER))
        self.expect(self.camera(f"udp://127.0.0.1:{relay.port}"), f"udp://127.0.0.1:{port}")

    def test_rtmp_across_a_reconnection(self):
        self.expect_reconnection(0.010)

    def test_rtmp_copied_across_a_reconnection(self):
        # The estimate of the stream's clock improves by a part of the jitter. Copied sound cannot be stretched, and is
        # decoded here without a look at its times.
        self.expect_reconnection(JITTER, "--copy")

    def expect_reconnection(self, sound_error, *options):
        server = self.enterContext(servers.RTMPServer())
        sender = self.camera(server.url)
        relay = self.enterContext(jitter.TCPRelay(server.port, JITTER))
        url = server.url.replace(f":{server.port}/", f":{relay.port}/")
        movie = self.folder / "cut.mp4"
        seconds = SECONDS + GAP
        command = [processes.tool(), "record", url, "-o", movie, "--duration", f"{seconds}s", "--quiet", *options]
        with processes.Program("recorder", command, self.folder) as recorder:
            # About two seconds of the stream.
            recorder.wait_until(lambda: relay.carried > 40_000, "the stream")
            relay.cut()
            self.assertEqual(recorder.wait(timeout=seconds + processes.PATIENCE), 0)
        self.check(sender, movie, seconds, GAP, sound_error)

    def test_a_camera_that_is_not_there_yet(self):
        url = f"rtsp://127.0.0.1:{processes.free_port()}/live?mode=listener"
        movie = self.folder / "late.mp4"
        command = [processes.tool(), "record", url.partition("?")[0], "-o", movie, "--duration", "1s", "--quiet"]
        refused = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(refused.returncode, 1)
        self.assertFalse(movie.exists())
        with processes.Program("recorder", [*command, "--wait"], self.folder) as recorder:
            sender = self.camera(url)
            self.assertEqual(recorder.wait(), 0)
        numbers = whole_movie.numbers(movie, (640, 360))
        missing = numbers[-1] - numbers[0] + 1 - len(numbers)
        # A busy machine drops frames of the sender, and counts them.
        self.assertLessEqual(missing, sender.unsent())
        self.assertIn(len(numbers) + missing, range(RATE - 1, RATE + 3))

    def test_an_interrupt_ends_the_wait(self):
        url = f"rtsp://127.0.0.1:{processes.free_port()}/live"
        for words in (["record", url, "-o", self.folder / "a.mp4"], ["photo", url, "-o", self.folder / "a.jpg"],
                      ["extract", url, "-o", self.folder / "%d.png"], ["broadcast", url, "--to", self.folder / "b.mp4"]):
            with self.subTest(command=words[0]):
                with processes.Program(words[0], [processes.tool(), *words, "--wait"], self.folder) as program:
                    program.wait_until(lambda: f"waiting for {url}" in program.words, "its message")
                    self.assertEqual(program.stop(signal.SIGINT), 130)
                self.assertEqual([path.name for path in self.folder.iterdir() if path.suffix != ".log"], [])


if __name__ == "__main__":
    unittest.main()
