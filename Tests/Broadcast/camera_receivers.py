# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Two programs that receive a network camera at the same time: one records it, the other one broadcasts it again."""

import contextlib

import drifting_clock
import network_camera
import rebroadcast

# The longest time until a broadcast begins, in seconds: the streams are found, and a key frame has come.
STARTING = 4
# The drift of the camera's clock during the recording from which on it is checked that it is followed, and the largest part
# that is not, in seconds: with jitter on a busy machine, the delay of the network is known to about 20 ms.
DRIFTED, UNFOLLOWED = 0.05, 0.03


class CameraReceivers:
    """`recorded` and `broadcast` are the addresses at which the two receive the camera."""

    def __init__(self, recorded, broadcast, folder, seconds, *options, namespace=None):
        self._seconds, self._is_copied = seconds, "--copy" in options
        self._recorder = network_camera.Recorder(recorded, folder, seconds, *options, namespace=namespace)
        self._sender = rebroadcast.Rebroadcast(broadcast, folder, seconds, *options, namespace=namespace)

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(self._recorder)
            stack.enter_context(self._sender)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *why):
        self._stack.__exit__(*why)

    def end(self):
        """Waits until both have received the camera for their time."""
        self._recorder.end()
        self._sender.end()

    def wait_for_frames(self, count):
        """Waits until `count` frames were broadcast. The recorder began before."""
        sender = self._sender
        sender.program.wait_until(lambda: sender.statistics and sender.statistics["encodedFrames"] >= count,
                                  f"{count} frames")

    def check(self, test, camera, *destinations, gap=0, **what):
        """Checks the recording and the broadcast of a camera, sent by these of its destinations; that has ended.

        `gap` is the longest time without a connection, in seconds.
        """
        recorder, sender = self._recorder, self._sender
        # A listener drops frames before it has a receiver, and those are not missing.
        unsent = max((camera.unsent(index) for index in destinations), default=camera.not_encoded)
        with test.subTest(use="recorded", **what):
            dropped = unsent + recorder.dropped
            self._check(test, camera, recorder.movie, self._seconds, dropped, gap, recorder.lost,
                        recorder.statistics, has_silence=not self._is_copied)
        with test.subTest(use="broadcast", **what):
            # It lasts from the connection on, which takes a part of its time.
            seconds = sender.statistics["duration"]
            test.assertGreater(seconds, self._seconds - STARTING)
            test.assertLess(seconds, self._seconds + 1)
            dropped = unsent + sender.unsent()
            recording = self._check(test, camera, sender.stream, seconds, dropped, gap, sender.lost, sender.statistics,
                                    waiting=sender.waiting)
            test.assertEqual(len(recording.numbers), sender.destination()["sentFrames"])

    def _check(self, test, camera, file, seconds, dropped, gap, lost, statistics, waiting=0, has_silence=False):
        recording = network_camera.Recording.of(file, camera.size, camera.rate)
        try:
            recording.expect(test, camera.schedule, seconds, dropped, gap, is_timed_once=not lost,
                             counted_error=self._counted_error(gap, has_silence), waiting=waiting)
            if seconds * drifting_clock.DRIFT / 1e6 > DRIFTED and not lost:
                test.assertLess(recording.drift(1 + drifting_clock.DRIFT / 1e6), UNFOLLOWED)
        except AssertionError as error:
            error.add_note(f"--- {statistics}")
            raise
        return recording

    def _counted_error(self, gap, has_silence):
        """The largest error of the sound for a player that does not look at the times of its packets; None for any."""
        # Only a recording has silence where there was no connection.
        if gap and not has_silence:
            return None
        # Copied sound cannot be stretched.
        return (network_camera.JITTER + self._seconds * drifting_clock.DRIFT / 1e6 if self._is_copied
                else network_camera.SOUND_ERROR)
