# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The receiving end of a broadcast: the received frames and their times."""

import contextlib
import dataclasses
import fcntl
import fractions
import json
import subprocess
import tempfile
import threading
import typing
import urllib.parse

import pattern
import processes
from processes import number_row, waiting

SIZE = (640, 360)
# The size of a pipe that holds a whole frame, so that its writer never waits.
PIPE = 1 << 20
# The time limit for the start of a watch.
ATTACHING = 3
# The delay after a source has refused a connection, or ended.
AGAIN = 0.1


@dataclasses.dataclass(frozen=True)
class Video:
    """A video stream in the terms of ffprobe; None for unknown values."""

    codec: str
    profile: str
    size: tuple
    rate: fractions.Fraction
    pixel_format: str
    matrix: str | None
    range: str | None
    primaries: str | None
    transfer: str | None


@dataclasses.dataclass(frozen=True)
class Audio:
    """An audio stream."""

    codec: str
    profile: str | None
    rate: int
    channels: int


@dataclasses.dataclass(frozen=True)
class Streams:
    """The streams that ffprobe found; None if there is no such stream."""

    format: str
    video: Video | None
    audio: Audio | None


def probe(url, namespace=None, timeout=processes.PATIENCE, analyzed=1.5):
    """The output of ffprobe about the streams, after analyzing this number of seconds."""
    command = [
        *(["ip", "netns", "exec", namespace] if namespace else []), "setpriv", "--pdeathsig", "KILL", "--", "ffprobe",
        "-v", "error", "-analyzeduration", str(int(analyzed * 1e6)), "-show_streams", "-show_format", "-of", "json", url
    ]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired as error:
        raise AssertionError(f"ffprobe found nothing at {url} within {timeout} s: {error.stderr}") from None
    if run.returncode:
        raise AssertionError(f"ffprobe {url}: {run.stderr[-processes.LAST_WORDS:]}")
    found = json.loads(run.stdout)
    first = {}
    for stream in found["streams"]:
        first.setdefault(stream["codec_type"], stream)
    return Streams(found["format"]["format_name"], _video(first.get("video")), _audio(first.get("audio")))


def count(path):
    """The number of frames of a movie."""
    run = subprocess.run(["ffprobe", "-v", "error", "-count_packets", "-select_streams", "v:0", "-show_entries",
                          "stream=nb_read_packets", "-of", "csv=p=0", path], capture_output=True, text=True, check=True)
    return int(run.stdout.strip().strip(","))


def _video(stream):
    return stream and Video(stream["codec_name"], stream.get("profile"), (stream["width"], stream["height"]),
                            fractions.Fraction(stream["avg_frame_rate"].replace("/0", "/1")), stream.get("pix_fmt"),
                            stream.get("color_space"), stream.get("color_range"), stream.get("color_primaries"),
                            stream.get("color_transfer"))


def _audio(stream):
    return stream and Audio(stream["codec_name"], stream.get("profile"), int(stream["sample_rate"]),
                            stream["channels"])


class Seen(typing.NamedTuple):
    """A frame at the far end."""

    # None if it cannot be read.
    number: int | None
    # Nanoseconds of CLOCK_MONOTONIC.
    moment: int
    is_flashing: bool


class Watch:
    """Decodes a stream while its context lasts, and records each frame.

    The decoder is ffmpeg with all its own delays off. When it ends (the server was killed, or there is no sender) it is
    started again, so that a watch outlives a broadcast's connections; `attached` counts the starts.
    """

    def __init__(self, url, size=SIZE, namespace=None, transport="tcp"):
        """`transport` is that of RTP, for RTSP URLs."""
        self.url, self.size, self.namespace, self.transport = url, size, namespace, transport
        self.seen = []
        self.attached = 0
        # Datagrams that the kernel dropped because the decoder did not read them in time.
        self.lost_datagrams = 0
        self._stopping = threading.Event()
        self._program = None
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def _command(self):
        # Sound may arrive long before the first frame (RTMP, from one key frame to the next): ffmpeg then waits for the
        # frame, and continues when it has both.
        analyzed, options, url = 3, [], self.url
        if url.startswith("udp:"):
            # MPEG-TS has a table of its streams. Each PES packet contains one frame: a parser would wait for the next
            # one to detect its end.
            analyzed = 0.1
            options += ["-fflags", "+noparse+nofillin", "-f", "mpegts"]
            url += "?overrun_nonfatal=1&fifo_size=50000"
        if url.startswith("rtsp:"):
            # A reordering queue would delay each packet.
            options += ["-rtsp_transport", self.transport, "-reorder_queue_size", "0"]
        if url.startswith("rtmp:"):
            # Each step of the handshake would wait for an acknowledgement, and the first frames would be missed.
            options += ["-tcp_nodelay", "1"]
        # Without `nobuffer`, which would discard the first frames. They are decoded at once, so that no delay remains.
        # Each decoder thread would delay a frame.
        return [
            "ffmpeg", "-hide_banner", "-nostdin", "-nostats", "-loglevel", "info", "-threads", "1", "-flags",
            "low_delay", "-analyzeduration", str(int(analyzed * 1e6)), "-fpsprobesize", "0", *options, "-i", url,
            "-map", "0:v:0", "-vf", "extractplanes=y", "-fps_mode", "passthrough", "-threads", "1", "-f", "rawvideo",
            "-flush_packets", "1", "pipe:1"
        ]

    def _run(self):
        while not self._stopping.is_set():
            self._program = processes.Program("watch", self._command(), self._folder.name, self.namespace,
                                              stdout=subprocess.PIPE, bufsize=0)
            self._program.start()
            if self._stopping.is_set():
                self._program.kill()
            self.attached += 1
            with self._program.process.stdout as pipe:
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)
                self._read(pipe)
            self._program.stop()
            self._stopping.wait(AGAIN)

    def _read(self, pipe):
        width, height = self.size
        luma = memoryview(bytearray(width * height))
        while True:
            filled = 0
            while filled < len(luma):
                count = pipe.readinto(luma[filled:])
                if not count:
                    return
                filled += count
            moment = processes.now()
            self.seen.append(Seen(number_row.shown(luma, width, height), moment,
                                  pattern.is_flashing(luma, width, height)))

    # MARK: Received frames

    @property
    def last(self):
        """The newest number; -1 before the first."""
        return next((one.number for one in reversed(self.seen) if one.number is not None), -1)

    def wait_for_pictures(self, count=1, timeout=processes.PATIENCE):
        """Waits for this number of further frames."""
        before = len(self.seen)
        self.wait_until(lambda: len(self.seen) >= before + count, f"{count} more pictures", timeout)

    def wait_for_number(self, number, timeout=processes.PATIENCE):
        """Waits for a frame with this number or a higher one."""
        self.wait_until(lambda: self.last >= number, f"number {number}", timeout)

    def wait_until(self, condition, what, timeout=processes.PATIENCE):
        try:
            return waiting.wait_until(condition, f"{self.url}: {what}", timeout)
        except AssertionError as error:
            raise self._described(error)

    def missing(self, sent=None):
        """See `pattern.missing`."""
        return pattern.missing(self.seen, sent)

    def expect_all(self, test, unsent):
        """All frames arrived in order and can be read, except those that the sender counts as `unsent`.

        The kernel drops datagrams if the decoder is too slow on a busy machine: no frame can then be expected to be
        complete.
        """
        test.assertGreater(len(self.seen), 0)
        test.assertEqual(pattern.misplaced(self.seen), [])
        if self.lost_datagrams == 0:
            test.assertNotIn(None, [one.number for one in self.seen])
            test.assertLessEqual(len(self.missing()), unsent)

    def delays(self, schedule, settling=1.0):
        """The delay of each decoded frame, in milliseconds; without the first seconds, in which a decoder begins with
        buffered frames."""
        if not self.seen:
            return []
        begin = self.seen[0].moment + settling * pattern.SECOND
        return pattern.delays([one for one in self.seen if one.moment >= begin], schedule)

    # MARK: Start and end

    def _described(self, error):
        return self._program.described(error) if self._program else error

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="obscura-watch-")
        self._thread.start()
        # The decoder must be ready for the first frame. A server that is not running yet is not a failure.
        with contextlib.suppress(AssertionError):
            waiting.wait_until(self._is_there, "the watch", ATTACHING)
        return self

    def _is_there(self):
        """Whether the decoder has its socket; a playlist is fetched repeatedly."""
        address = urllib.parse.urlsplit(self.url)
        program = self._program
        if address.scheme not in ("udp", "rtmp"):
            return True
        if program is None or not program.is_running:
            return False
        if address.scheme == "udp":
            return program.has_bound(address.port, "udp")
        return program.is_connected(address.port)

    def stop(self):
        """Stops the recording of frames."""
        self._stopping.set()
        if self._program and self._program.is_running:
            self.lost_datagrams += self._program.lost_datagrams
        while self._thread.is_alive():
            if self._program and self._program.process:
                self._program.kill()
            self._thread.join(AGAIN)

    def __exit__(self, kind, error, trace):
        self.stop()
        if error is not None:
            self._described(error)
        self._folder.cleanup()
