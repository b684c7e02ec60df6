# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that recordings of network cameras have the times of the cameras, not those at which packets arrive."""

import os
import pathlib
import signal
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
# The delay at which a stream is timed again, in seconds. A shorter one of the first packets stays in the times.
RETIMED = 0.5
# The largest difference between sound and pictures, in seconds.
SOUND_ERROR = 0.010


class NetworkCameraTest(unittest.TestCase):
    """Each has the right number of frames, each once and in even steps, and the sound in its place."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-camera-")))

    def recorder(self, url, seconds=SECONDS, options=()):
        return self.enterContext(network_camera.Recorder(url, self.folder, seconds, *options))

    def expect(self, sender, url, seconds=SECONDS, options=()):
        self.check(sender, self.recorder(url, seconds, options))

    def check(self, sender, recorder, gap=0, counted_error=SOUND_ERROR):
        """Its recording, with at most `gap` seconds without a connection.

        `counted_error` is the largest error of the sound for a player that does not look at the times of the packets.
        """
        recorder.end()
        seconds, recording = recorder.seconds, network_camera.Recording.of(recorder.movie)
        schedule = sender.schedule
        self.assertNotIn(None, recording.numbers)
        self.assertEqual(sorted(set(recording.numbers)), recording.numbers)
        # On a busy machine both drop frames, and count them: some within the recording, some at its end.
        dropped = sender.unsent() + recorder.dropped
        self.assertLessEqual(recording.missing, dropped + gap * RATE)
        self.assertLess(recording.unevenness, network_camera.EVEN)
        # The sender's clock may be followed meanwhile.
        fewest = seconds * RATE - 2 - max(0, dropped - recording.missing)
        self.assertLess(recording.length, seconds + 4 / RATE)
        self.assertGreater(recording.length, fewest / RATE)
        # A busy machine can make the packets late at first and then no more: the stream is timed again, and frames are
        # lost meanwhile.
        if gap or not recorder.lost:
            # A new connection is timed by its first packets.
            self.assertLess(recording.error_of_gaps, RETIMED)
        self.assertGreaterEqual(
            len(recording.beeps), seconds - 1 - gap,
            f"beeps at {recording.beeps}; {recording.missing} frames missing; {sender.statistics}")
        for beeps, error in (recording.beeps, SOUND_ERROR), (recording.counted_beeps, counted_error):
            delays = recording.sound_delay(beeps, schedule)
            self.assertLess(max(map(abs, delays)), error,
                            f"{delays}; {recorder.statistics.get('audio')}; {recorder.statistics['devices']}")

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

    def test_mpeg_ts_that_is_late_at_first(self):
        # Longer than the clock may be wrong: the stream is timed again.
        port = processes.free_port("udp")
        relay = self.enterContext(jitter.UDPRelay(port, JITTER, lateness=RETIMED + 0.2))
        sender = self.camera(f"udp://127.0.0.1:{relay.port}")
        recorder = self.recorder(f"udp://127.0.0.1:{port}")
        recorder.wait_for_frames(RATE // 2)
        relay.hurry()
        self.check(sender, recorder)
        self.assertGreater(recorder.lost, 0)

    def test_rtmp_across_a_reconnection(self):
        self.expect_reconnection(SOUND_ERROR)

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
