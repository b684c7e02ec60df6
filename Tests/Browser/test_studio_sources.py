# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests files and addresses that become cameras."""

import pathlib
import subprocess
import tempfile
import unittest

import browser
import studio_test

# The size of the movie; the camera has another one.
SIZE = (320, 240)


class SourcesTest(studio_test.PageTest):
    options = ("--allow-sources",)

    @classmethod
    def setUpClass(cls):
        # All tests read the same movie, and none changes it.
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        subprocess.run([
            "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", f"testsrc2=s={SIZE[0]}x{SIZE[1]}:r=10", "-t",
            "60", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-movflags", "+faststart", f"{cls.folder}/film.mp4"
        ],
                       check=True,
                       timeout=120)

    def setUp(self):
        super().setUp()
        self.page.open()
        self.page.wait_for_motion()

    def cameras(self):
        return self.server.api("GET", "/api/cameras")["cameras"]

    def wait_for_second(self):
        self.page.wait(lambda: len(self.cameras()) == 2 and self.cameras()[1]["state"] == "running", "a second camera")
        camera = self.cameras()[1]
        self.page.wait(lambda: self.page.size() == SIZE, "its picture")
        frames = self.page.frames()
        self.page.wait(lambda: self.page.frames() > frames + 5, "its motion")
        return camera

    def test_a_file_of_this_computer_becomes_a_camera(self):
        self.page.find("#source-file").send_keys(f"{self.folder}/film.mp4")
        camera = self.wait_for_second()
        self.assertNotIn(self.folder, str(camera))
        self.assertIn("film.mp4", {path.name for path in pathlib.Path(self.server.library).iterdir()})

    def test_an_address_becomes_a_camera(self):
        with browser.served(self.folder) as address:
            self.page.find("#source-address").send_keys(f"{address}/film.mp4")
            self.page.press("#source-open")
            camera = self.wait_for_second()
            self.assertNotIn("device", camera)


class RefusedSourcesTest(studio_test.ServerTest):
    options = ("--allow-sources",)

    def test_paths_and_other_texts_that_are_no_address_are_refused(self):
        for source in ("/etc/passwd", "file:///etc/passwd", "pattern", "concat:/etc/passwd", "/dev/video0",
                       "data:text/plain,x", "subfile,,start,0,end,9,,:/etc/passwd", "rtsp:///etc/passwd\nfile:///x"):
            with self.subTest(source=source):
                answer = self.server.ask("POST", "/api/cameras", {"source": source})
                self.assertEqual(answer.status, 422)
        for name in ("../film.mp4", "/etc/passwd", "..", ".hidden.mp4", "none.mp4", "a/b.mp4"):
            with self.subTest(file=name):
                status = self.server.ask("POST", "/api/cameras", {"file": name}).status
                self.assertEqual(status, 404 if name == "none.mp4" else 400)
        self.assertEqual(len(self.server.api("GET", "/api/cameras")["cameras"]), 1)


class NoSourcesTest(studio_test.ServerTest):

    def test_a_studio_without_allow_sources_takes_neither_addresses_nor_files(self):
        for body in ({"source": "rtsp://127.0.0.1/x"}, {"file": "film.mp4"}):
            self.assertEqual(self.server.ask("POST", "/api/cameras", body).status, 403)
        self.assertEqual(self.server.ask("POST", "/api/uploads?name=a.mp4", b"x").status, 403)
        self.assertFalse(self.server.api("GET", "/api/state")["allowsSources"])


if __name__ == "__main__":
    unittest.main()
