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

    def check(self, sender, recorder, gap=0, counted_error=network_camera.SOUND_ERROR):
        """Its recording, with at most `gap` seconds without a connection.

        `counted_error` is the largest error of the sound for a player that does not look at the times of the packets.
        """
        recorder.end()
        # On a busy machine both drop frames, and count them: some within the recording, some at its end.
        dropped = sender.unsent() + recorder.dropped
        try:
            network_camera.Recording.of(recorder.movie).expect(
                self, sender.schedule, recorder.seconds, dropped, gap, not recorder.lost, counted_error)
        except AssertionError as error:
            error.add_note(f"--- {sender.statistics}\n--- {recorder.statistics}")
            raise

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
        self.check(sender, recorder)
        self.assertGreater(recorder.lost, 0)

    def test_rtmp_across_a_reconnection(self):
        self.expect_reconnection(network_camera.SOUND_ERROR)

    def test_rtmp_copied_across_a_reconnection(self):
        # The estimate of the stream's clock improves by a part of the jitter, and copied sound cannot be stretched.
        self.expect_reconnection(JITTER, "--copy")

    def expect_reconnection(self, counted_error, *options):
        server = self.enterContext(servers.RTMPServer())
        sender = self.camera(server.url)
        relay = self.enterContext(jitter.TCPRelay(server.port, JITTER))
        recorder = self.recorder(server.url.replace(f":{server.port}/", f":{relay.port}/"), SECONDS + GAP, options)
        # About two seconds of the stream.
        recorder.wait_until(lambda: relay.carried > 40_000, "the stream")
        relay.cut()
        self.check(sender, recorder, GAP, counted_error)

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
