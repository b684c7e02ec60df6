# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A movie beside a broadcast, which must have every picture."""

import subprocess

import pattern


def numbers(path, size=(640, 360)):
    """The numbers that the pictures of a movie show."""
    run = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-vf", "extractplanes=y",
                          "-fps_mode", "passthrough", "-f", "rawvideo", "-"], capture_output=True, check=True)
    length = size[0] * size[1]
    return [pattern.shown_number(run.stdout[offset:offset + length], *size)
            for offset in range(0, len(run.stdout), length)]


def expect(test, path, sender):
    """The movie has each picture that the camera drew, once; on a busy machine the camera itself leaves some out."""
    shown, last = numbers(path), sender.statistics
    test.assertEqual(len(shown), last["encodedFrames"])
    test.assertEqual((last["lateFrames"], last["camera"]["droppedFrames"]), (0, 0))
    between = range(shown[0], shown[-1] + 1)
    test.assertEqual(sorted(set(shown)), shown)
    test.assertLessEqual(len(between) - len(shown), last["camera"]["lostFrames"])
