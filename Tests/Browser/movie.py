# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Reads movies of the built-in camera with FFmpeg: the size, the length, and the time and number of each picture."""

import dataclasses
import json
import subprocess

import browser  # noqa: F401 (it adds the folder of the next module to the path)
import number_row


@dataclasses.dataclass
class Movie:
    size: tuple[int, int]
    # In seconds.
    length: float
    # (time in seconds, number of the picture or None if it cannot be read)
    pictures: list[tuple[float, int | None]]

    @property
    def numbers(self):
        return [number for _, number in self.pictures]

    def begins(self, rate):
        """The media time of frame number 0, computed from each frame, in seconds: constant if nothing is cut out."""
        return [time - number / rate for time, number in self.pictures]


def read(path):
    found = json.loads(
        _output("ffprobe", "-select_streams", "v:0", "-show_entries",
                "stream=width,height:format=duration:frame=best_effort_timestamp_time", "-of", "json", path))
    (stream,) = found["streams"]
    width, height = stream["width"], stream["height"]
    times = [float(frame["best_effort_timestamp_time"]) for frame in found["frames"]]
    row = number_row.place(height)
    rows = _output("ffmpeg", "-nostdin", "-i", path, "-map", "0:v:0", "-vf", f"format=gray,crop={width}:1:0:{row}",
                   "-fps_mode", "passthrough", "-f", "rawvideo", "-")
    numbers = [number_row.number(rows[at:at + width]) for at in range(0, len(rows), width)]
    if len(numbers) != len(times):
        raise AssertionError(f"{path}: {len(times)} times of {len(numbers)} pictures")
    return Movie((width, height), float(found["format"]["duration"]), list(zip(times, numbers)))


def _output(program, *arguments):
    return subprocess.run([program, "-v", "error", *map(str, arguments)], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=120, check=True).stdout
