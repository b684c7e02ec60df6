# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The built-in camera, sent by ffmpeg: the reference for Obscura's own broadcasts."""

import pathlib
import signal
import subprocess
import tempfile

import pattern
import processes

SIZE = (640, 360)
RATE = 30
# The encoder settings; two seconds between key frames, as streaming platforms require.
VIDEO = ["-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-bf", "0", "-pix_fmt", "yuv420p"]
# The camera's frames are BT.601, which y4m does not carry.
COLOURS = ["-colorspace", "smpte170m", "-color_primaries", "smpte170m", "-color_trc", "smpte170m", "-color_range", "tv"]
AUDIO = ["-c:a", "aac", "-b:a", "128k"]


class FFmpegSender:
    """`output` is the options before the address on ffmpeg's command line, such as ["-f", "flv"]."""

    def __init__(self, url, output, rate=RATE, has_audio=True, key_frames=60, namespace=None):
        self.url, self.output, self.rate, self.namespace = url, output, rate, namespace
        self.has_audio, self.key_frames = has_audio, key_frames

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="obscura-sender-")
        folder = pathlib.Path(self._folder.name)
        self.stamps = folder / "stamps.tsv"
        self.camera = processes.Program("camera", [
            processes.tool(), "extract", f"pattern:{SIZE[0]}x{SIZE[1]}@{self.rate}", "-o", "-", "--format", "y4m",
            "--timestamps", self.stamps, "--quiet"
        ], folder, stdout=subprocess.PIPE)
        sound = ["-f", "lavfi", "-i", "sine=frequency=1000:sample_rate=48000,aformat=channel_layouts=stereo"]
        command = [
            "ffmpeg", "-hide_banner", "-nostdin", "-nostats", "-loglevel", "verbose", "-probesize", "32",
            "-i", "pipe:0", *(sound if self.has_audio else []), *VIDEO, *COLOURS, "-g", str(self.key_frames),
            *(AUDIO if self.has_audio else []), *self.output, self.url
        ]
        self.camera.start()
        self.program = processes.Program("sender", command, folder, self.namespace,
                                         stdin=self.camera.process.stdout)
        self.program.start()
        # Only the encoder reads the frames: when it ends, the camera must end.
        self.camera.process.stdout.close()
        return self

    def stop(self):
        """Ends both as Ctrl-C does; ffmpeg completes its output. Returns its exit code, which is 255 then."""
        self.camera.stop(signal.SIGINT)
        return self.program.stop(signal.SIGINT)

    def _stamps(self):
        """The due times of the frames that ffmpeg received; available after the camera has stopped."""
        lines = self.stamps.read_text(encoding="utf-8").splitlines()
        return [int(line.split("\t")[1].split("/")[0]) for line in lines]

    @property
    def schedule(self):
        """The first frame of a camera has the number 0."""
        return pattern.Schedule.of_stamp(self._stamps()[0], 0, self.rate)

    @property
    def sent(self):
        """The numbers of the frames that ffmpeg received: frames lost before were not lost on the network."""
        schedule = self.schedule
        return {schedule.number(stamp) for stamp in self._stamps()}

    def __exit__(self, kind, error, trace):
        self.camera.stop(signal.SIGINT)
        self.program.stop(timeout=2)
        if error is not None:
            self.program.described(error)
            self.camera.described(error)
        self._folder.cleanup()
