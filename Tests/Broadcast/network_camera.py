# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A recording of a network camera: when its movie shows which frame, and when its beeps are heard.

The camera is the test pattern, whose frame numbers tell when each frame was due, with a beep at the start of each second
of CLOCK_MONOTONIC. Both are therefore known to a fraction of a millisecond, whatever the network did.
"""

import bisect
import dataclasses
import itertools
import json
import math
import re
import statistics
import subprocess
import urllib.request

import pattern
import processes
import whole_movie

SECOND = pattern.SECOND
AUDIO_RATE = 48000
# The samples that are searched for a beep at once.
PIECE = 4800
# A beep begins where the sound exceeds this part of full scale; the beeps of the test tone have -6 dBFS.
LOUD = 0.1
# The time between two beeps in which no other begins, in seconds.
PAUSE = 0.5
# The longest delay of a packet by jitter, in seconds.
JITTER = 0.08
# The delay at which a stream is timed again, in seconds. A shorter one of the first packets stays in the times.
RETIMED = 0.5
# The largest difference between sound and pictures, in seconds.
SOUND_ERROR = 0.010
# The time beside missing frames in which a beep is damaged, in seconds: twice its length.
BESIDE = 0.2
# The largest difference of a step between frames that is even, in seconds: times in whole milliseconds (RTMP) differ by up to
# 0.67 ms, and each frame moves the clock by up to 0.13 ms.
EVEN = 0.001


class Recorder(processes.Program):
    """`obscura record` of the source for this time, into a movie in the folder."""

    def __init__(self, url, folder, seconds, *options, namespace=None):
        self.movie, self.seconds, self._report = folder / "camera.mp4", seconds, folder / "recorder.json"
        self._port = processes.free_port()
        super().__init__("recorder", [processes.tool(), "record", url, "-o", self.movie, "--duration", f"{seconds}s",
                                      "--quiet", "--stats", "json", "--metrics", str(self._port), *options], folder,
                         namespace)

    def start(self):
        with self._report.open("wb") as self.options["stdout"]:
            super().start()

    def end(self):
        """Waits until it has recorded for its time."""
        if code := self.wait(self.seconds + processes.PATIENCE):
            raise self.failure(f"ended with {code}")

    def wait_for_frames(self, count):
        """Waits until it has received so many more frames."""
        before = self._received()
        self.wait_until(lambda: self._received() >= before + count, f"{count} frames")

    def _received(self):
        """The number of frames that it has received, by its metrics; 0 before it serves them."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/metrics") as answer:
                found = re.search(rb"^obscura_frames_received_total{.*} ([0-9.]+)$", answer.read(), re.MULTILINE)
        except OSError:
            return 0
        return float(found[1]) if found else 0

    @property
    def statistics(self):
        """Those of the recording that has ended."""
        return json.loads(self._report.read_text())

    @property
    def dropped(self):
        """The number of frames that it received and that are not in the movie, by its statistics."""
        found = self.statistics
        dropped = found["video"]["reader"]["dropped"]
        # Those that came after the end are no gap.
        return dropped["total"] - dropped["stopped"] + self.lost

    @property
    def lost(self):
        """The number of frames that it lost before they could be read, by its statistics."""
        return sum(device["lost"] for device in self.statistics["devices"])


def _entries(movie, stream, entry):
    run = subprocess.run(["ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", entry, "-of", "json",
                          movie], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def frame_times(movie):
    """The presentation times of the frames, in seconds."""
    found = _entries(movie, "v:0", "packet=pts_time")["packets"]
    return sorted(float(packet["pts_time"]) for packet in found)


def beep_times(movie):
    """The times at which a beep begins, in seconds: by the times of the packets, and by the number of samples before.

    They differ in a copied recording, whose sound cannot be stretched while the clock of the camera is followed. Players
    keep to the times of the packets.
    """
    frames = _entries(movie, "a:0", "frame=pts_time,nb_samples")["frames"]
    starts = list(itertools.accumulate((frame["nb_samples"] for frame in frames), initial=0))
    times = [float(frame["pts_time"]) for frame in frames]
    run = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", movie, "-map", "0:a:0", "-ac", "1", "-ar",
                          str(AUDIO_RATE), "-f", "s16le", "-"], capture_output=True, check=True)
    samples = memoryview(run.stdout).cast("h")
    assert len(samples) == starts[-1], f"{len(samples)} samples, and {starts[-1]} by the frames"
    places, last = [], None
    for place in _loud_places(samples, LOUD * 32768):
        if last is None or place - last > PAUSE * AUDIO_RATE:
            places.append(place)
        last = place
    frame = [bisect.bisect_right(starts, place) - 1 for place in places]
    by_packets = [times[index] + (place - starts[index]) / AUDIO_RATE for index, place in zip(frame, places)]
    return by_packets, [times[0] + place / AUDIO_RATE for place in places]


def _loud_places(samples, limit):
    for begin in range(0, len(samples), PIECE):
        piece = samples[begin:begin + PIECE]
        # Most pieces are silent.
        if max(piece) >= limit or min(piece) <= -limit:
            yield from (begin + place for place, sample in enumerate(piece) if abs(sample) >= limit)


@dataclasses.dataclass
class Recording:
    """The numbers and times of the frames, and the times of the beeps, in seconds of the movie.

    `counted_beeps` are the times of the beeps for a player that does not look at the times of the packets.
    """

    numbers: list
    times: list
    beeps: list
    counted_beeps: list
    rate: float

    @classmethod
    def of(cls, movie, size=(640, 360), rate=30):
        return cls(whole_movie.numbers(movie, size), frame_times(movie), *beep_times(movie), rate)

    def expect(self, test, schedule, seconds, dropped, gap=0, is_timed_once=True, counted_error=SOUND_ERROR,
               waiting=0):
        """Checks a recording of `seconds` of a camera with this schedule.

        At most `dropped` frames are missing, and those of `gap` seconds without a connection. `counted_error` is the
        largest error of the sound for a player that does not look at the times of the packets; None if it may be any.
        The pictures may end `waiting` frames before the sound.
        """
        test.assertEqual(len(self.numbers), len(self.times))
        test.assertNotIn(None, self.numbers)
        test.assertEqual(sorted(set(self.numbers)), self.numbers)
        test.assertLessEqual(self.missing, dropped + gap * self.rate)
        test.assertLess(self.unevenness, EVEN)
        # The clock of the camera may be followed meanwhile.
        fewest = seconds * self.rate - 2 - waiting - max(0, dropped - self.missing)
        test.assertLess(self.length, seconds + 4 / self.rate)
        test.assertGreater(self.length, fewest / self.rate)
        # A new connection is timed by its first packets. A busy machine can make them late at first and then no more: the
        # stream is timed again, and frames are lost meanwhile.
        if is_timed_once:
            test.assertLess(self.error_of_gaps, RETIMED)
        # The sound beside missing frames may be missing as well: up to a beep for each begun second of each gap.
        silent = sum(math.ceil((count - 1) / self.rate + BESIDE) for _, count in self._steps if count > 1)
        test.assertGreaterEqual(len(self.beeps), int(seconds) - 1 - max(gap, silent),
                                f"beeps at {self.beeps}; {self.missing} frames missing")
        checks = [(self.beeps, SOUND_ERROR)]
        if counted_error is not None:
            checks.append((self.counted_beeps, counted_error))
        for beeps, error in checks:
            delays = self.sound_delay(beeps, schedule)
            # On a machine so busy that frames are missing beside each beep, there is none.
            test.assertLess(max(map(abs, delays), default=0), error, f"{delays}")

    @property
    def unevenness(self):
        """The largest difference between a step in the movie and the camera's step, in seconds."""
        return max(difference for difference, count in self._steps if count == 1)

    @property
    def error_of_gaps(self):
        """The same for steps over missing frames, as after a reconnection; 0 without any."""
        return max((difference for difference, count in self._steps if count > 1), default=0)

    @property
    def _steps(self):
        steps = zip(self.numbers, self.numbers[1:], self.times, self.times[1:])
        return [(abs(later - earlier - (second - first) / self.rate), second - first)
                for first, second, earlier, later in steps]

    @property
    def length(self):
        """The time from the first frame to the end of the last one, in seconds."""
        return self.times[-1] - self.times[0] + 1 / self.rate

    @property
    def missing(self):
        return self.numbers[-1] - self.numbers[0] + 1 - len(self.numbers)

    def drift(self, speed):
        """By how much the movie's clock and the right one come apart, in seconds; `speed` is that of the camera's clock.

        From the third tenth of the recording to the last one: with jitter, the delay of the network is not known at once.
        """
        errors = [time - number / self.rate / speed for number, time in zip(self.numbers, self.times)]
        tenth = len(errors) // 10
        return abs(statistics.median(errors[-tenth:]) - statistics.median(errors[2 * tenth:3 * tenth]))

    def sound_delay(self, beeps, schedule):
        """The time by which each beep is heard later than the frame of its time is shown, in seconds.

        The first beep is left out: the recording may begin within it. So are those beside a step over missing frames where
        the stream was timed again: they belong to the times before it or to those after it.
        """
        steps, delays = self._steps, []
        for beep in beeps[1:]:
            place = max(0, bisect.bisect_right(self.times, beep) - 1)
            if any(difference > EVEN for difference, _ in steps[max(0, place - 1):place + 2]):
                continue
            heard = schedule.due(self.numbers[place]) / SECOND + beep - self.times[place]
            delays.append(heard - round(heard))
        return delays
