# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests of network cameras whose connection is bad or breaks, and of those that are not there yet."""

import pathlib
import signal
import tempfile
import unittest

import jitter
import network_camera
import processes
import servers
import whole_movie
from camera_receivers import CameraReceivers
from network_camera import JITTER
from obscura_sender import ObscuraSender

SECONDS, RATE = 5, 30
# The longest time without a connection: until it is opened again, the streams are found and a key frame has come.
GAP = 5


class NetworkCameraTest(unittest.TestCase):
    """Each has the right number of frames, each once and in even steps, and the sound in its place."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-camera-")))

    def recorder(self, url, seconds=SECONDS, options=()):
        return self.enterContext(network_camera.Recorder(url, self.folder, seconds, *options))

    def camera(self, url, **how):
        sender = self.enterContext(ObscuraSender(url, **how))
        sender.wait_for_event("connected")
        return sender

    def test_mpeg_ts_that_is_late_at_first(self):
        # Longer than the clock may be wrong: the stream is timed again.
        port = processes.free_port("udp")
        relay = self.enterContext(jitter.UDPRelay(port, JITTER, lateness=network_camera.RETIMED + 0.2))
        sender = self.camera(f"udp://127.0.0.1:{relay.port}")
        recorder = self.recorder(f"udp://127.0.0.1:{port}")
        recorder.wait_for_frames(RATE // 2)
        relay.hurry()
        recorder.end()
        self.assertGreater(recorder.lost, 0)
        # On a busy machine both drop frames, and count them: some within the recording, some at its end.
        dropped = sender.unsent() + recorder.dropped
        network_camera.Recording.of(recorder.movie).expect(self, sender.schedule, SECONDS, dropped, is_timed_once=False)

    def test_rtmp_across_a_reconnection(self):
        self.expect_reconnection()

    def test_rtmp_copied_across_a_reconnection(self):
        self.expect_reconnection("--copy")

    def expect_reconnection(self, *options):
        server = self.enterContext(servers.RTMPServer())
        sender = self.camera(server.url)
        relay = self.enterContext(jitter.TCPRelay(server.port, JITTER))
        url = server.url.replace(f":{server.port}/", f":{relay.port}/")
        receivers = self.enterContext(CameraReceivers(url, url, self.folder, SECONDS + GAP, *options))
        receivers.wait_for_frames(RATE)
        relay.cut()
        receivers.end()
        sender.stop()
        receivers.check(self, sender, 0, gap=GAP)

    def test_frames_that_a_restarted_camera_loses_are_counted(self):
        url = f"udp://127.0.0.1:{processes.free_port('udp')}"
        recorder = self.recorder(url, processes.PATIENCE)
        with ObscuraSender(url) as sender:
            recorder.wait_for_frames(RATE)
        restarted = self.camera(url)
        recorder.wait_for_frames(RATE)
        self.assertEqual(recorder.stop(signal.SIGINT, processes.PATIENCE), 130)
        numbers = whole_movie.numbers(recorder.movie, (640, 360))
        steps = list(zip(numbers, numbers[1:]))
        first = next(after for before, after in steps if after < before)
        # The clock of the new stream is tried for a quarter of a second; a busy camera sends fewer frames in it.
        self.assertGreater(first, 0)
        missing = first + sum(after - before - 1 for before, after in steps if after > before)
        # On a busy machine all three drop frames, and count them.
        self.assertLessEqual(missing, recorder.dropped + sender.unsent() + restarted.unsent() + 1)

    def test_a_camera_that_is_not_there_yet(self):
        url = f"rtsp://127.0.0.1:{processes.free_port()}/live?mode=listener"
        refused = self.recorder(url.partition("?")[0], 1)
        self.assertEqual(refused.wait(), 1)
        self.assertFalse(refused.movie.exists())
        recorder = self.recorder(url.partition("?")[0], 1, ["--wait"])
        sender = self.camera(url)
        recorder.end()
        numbers = whole_movie.numbers(recorder.movie, (640, 360))
        missing = numbers[-1] - numbers[0] + 1 - len(numbers)
        # On a busy machine both drop frames, and count them: some within the recording, some at its end.
        dropped = sender.unsent() + recorder.dropped
        self.assertLessEqual(missing, dropped)
        self.assertIn(len(numbers) + missing, range(RATE - 1 - (dropped - missing), RATE + 3))

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
