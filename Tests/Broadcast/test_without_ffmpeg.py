# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that FFmpeg is loaded only by what needs it, and what is said if it is missing."""

import ctypes.util
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import processes

LIBRARIES = ("libavutil", "libavcodec", "libavformat", "libswresample", "libswscale")
# What is said if one is missing.
REMEDY = r"FFmpeg's libraries cannot be loaded \(.*libavformat.*: sudo apt-get install libavformat\d+ libswscale\d+"
SANDBOX = ["bwrap", "--dev-bind", "/", "/"]
HAS_SANDBOX = bool(shutil.which("bwrap")) and subprocess.run([*SANDBOX, "true"], capture_output=True,
                                                             check=False).returncode == 0


class WithoutFFmpegTest(unittest.TestCase):

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-missing-")))

    def run_tool(self, *words, before=(), environment=None):
        command = [*before, processes.tool(), *words]
        return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=processes.PATIENCE, env={**os.environ, **(environment or {})}, check=False)

    def run_without(self, *words):
        """Runs the tool where one of FFmpeg's libraries is an empty file."""
        if not HAS_SANDBOX:
            self.skipTest("bubblewrap cannot make a sandbox")
        empty = self.folder / "empty"
        empty.touch()
        library = pathlib.Path("/usr/lib", os.uname().machine + "-linux-gnu", ctypes.util.find_library("avformat"))
        return self.run_tool(*words, before=[*SANDBOX, "--bind", empty, library.resolve()])

    def assert_names_it(self, run):
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertRegex(run.stderr, REMEDY)

    def test_what_needs_none_does_not_load_it(self):
        for words in (["--version"], ["devices"], ["photo", "pattern", "-o", self.folder / "a.jpg"],
                      ["extract", "pattern", "--count", "3", "-o", self.folder / "%d.png"]):
            with self.subTest(command=words[0]):
                run = self.run_tool(*words, environment={"LD_DEBUG": "libs"})
                self.assertEqual(run.returncode, 0, run.stderr[-1000:])
                self.assertIn("libturbojpeg", run.stderr)
                for library in LIBRARIES:
                    self.assertNotIn(library, run.stderr)

    def test_what_needs_none_works_without_it(self):
        run = self.run_without("extract", "pattern", "--count", "3", "-o", self.folder / "%d.png")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(list(self.folder.glob("*.png"))), 3)

    def test_a_movie_is_not_read(self):
        movie = self.folder / "film.mp4"
        self.assertEqual(self.run_tool("record", "pattern", "-o", movie, "--duration", "1s").returncode, 0)
        partial = shutil.copy(movie, self.folder / "film.recording.mp4")
        camera = f"rtsp://127.0.0.1:{processes.free_port()}/live"
        for words in (["info", movie], ["extract", movie, "--count", "1", "-o", self.folder / "%d.png"],
                      ["info", "https://127.0.0.1:1/film.mp4"], ["library", "list", "--library", self.folder],
                      ["recover", partial], ["extract", camera, "--wait", "-o", self.folder / "%d.png"]):
            with self.subTest(command=words):
                self.assert_names_it(self.run_without(*words))

    def test_a_recording_does_not_begin_and_leaves_nothing(self):
        for source in ("pattern", "tone"):
            with self.subTest(source=source):
                self.assert_names_it(self.run_without(
                    "record", source, "-o", self.folder / "new/a.mp4", "--duration", "1s"))
                self.assertEqual([path.name for path in self.folder.iterdir()], ["empty"])

    def test_the_doctor_names_the_packages(self):
        run = self.run_without("doctor")
        self.assertRegex(run.stdout.replace("\n", " "), REMEDY)
        self.assertNotIn("has no decoder", run.stdout)

    def test_a_broadcast_does_not_begin(self):
        url = f"udp://127.0.0.1:{processes.free_port('udp')}"
        self.assert_names_it(self.run_without("broadcast", "pattern", "--to", url, "--duration", "1s"))


if __name__ == "__main__":
    unittest.main()
