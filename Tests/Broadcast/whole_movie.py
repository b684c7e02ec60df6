# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A movie that is recorded beside a broadcast, which must have every frame."""

import struct
import subprocess

import pattern
from processes import number_row


def has_pictures(path):
    """Whether a movie has a frame; a stream that ended before its first frame leaves a file with only a header."""
    run = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-frames:v", "1", "-f", "null",
                          "-"], capture_output=True)
    return run.returncode == 0


def numbers(path, size=(640, 360)):
    """The numbers of the frames of a movie, in order; None for one that cannot be read."""
    width, height = size
    row = f"extractplanes=y,crop={width}:1:0:{number_row.place(height)}"
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-vf", row, "-fps_mode", "passthrough",
               "-f", "rawvideo", "-"]
    shown = []
    with subprocess.Popen(command, stdout=subprocess.PIPE) as run:
        while luma := run.stdout.read(width):
            shown.append(number_row.number(luma))
    if run.returncode:
        raise subprocess.CalledProcessError(run.returncode, command)
    return shown


def is_fragmented(path):
    """Whether an MP4 file has a movie fragment (ISO/IEC 14496-12)."""
    data, place = path.read_bytes(), 0
    while place < len(data):
        size, kind = struct.unpack_from(">I4s", data, place)
        if kind == b"moof":
            return True
        if size == 1:
            size, = struct.unpack_from(">Q", data, place + 8)
        # A box without a size reaches to the end.
        place += size or len(data)
    return False


def expect(test, path, sender):
    """The movie has each encoded frame, once and in order; the statistics count all missing ones."""
    shown = numbers(path)
    test.assertEqual(len(shown), sender.statistics["encodedFrames"])
    test.assertNotIn(None, shown)
    test.assertEqual(sorted(set(shown)), shown)
    test.assertLessEqual(shown[-1] - shown[0] + 1 - len(shown), sender.not_encoded)
