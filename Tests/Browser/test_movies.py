# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that a browser plays the files of `obscura record`: whole movies, and those of a recording that was killed."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import browser
import page
import waiting

SIZE = (320, 180)
SECONDS = 1
# A page with only a movie.
PAGE = """<!doctype html>
<meta charset="utf-8">
<title>A movie</title>
<video id="movie" playsinline></video>
<script src="reading.js"></script>
<script>
const movie = document.getElementById("movie")

// Plays it to its end, and reports the result.
function play(path, done) {
    const numbers = []
    const tell = (how) => {
        const quality = movie.getVideoPlaybackQuality()
        done({
            how, error: movie.error && `${movie.error.code} ${movie.error.message}`, time: movie.currentTime,
            duration: movie.duration, width: movie.videoWidth, height: movie.videoHeight, numbers,
            total: quality.totalVideoFrames, corrupted: quality.corruptedVideoFrames,
            soundBytes: movie.webkitAudioDecodedByteCount,
        })
    }
    const look = () => {
        numbers.push(reading.number(movie))
        movie.requestVideoFrameCallback(look)
    }
    movie.requestVideoFrameCallback(look)
    movie.onended = () => tell("ended")
    movie.onerror = () => tell("failed")
    movie.src = path
    movie.play().catch((error) => tell(`did not begin: ${error}`))
}
</script>
"""


class MoviesTest(unittest.TestCase):

    def setUp(self):
        self.tool = browser.tool()
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "page.html").write_text(PAGE, encoding="utf-8")
        (self.folder / "reading.js").write_text(page.READING, encoding="utf-8")
        self.address = self.enterContext(browser.served(self.folder))
        self.driver = self.enterContext(browser.isolated())
        print(f"browser-version: Chromium {self.driver.capabilities['browserVersion']}")

    def run_tool(self, *arguments):
        return subprocess.run([self.tool, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=60, check=False)

    def obscura(self, *arguments):
        run = self.run_tool(*arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def length(self, name):
        """The length that the tool reports, in seconds; 0 while the file cannot be read."""
        run = self.run_tool("info", name, "--json")
        return json.loads(run.stdout).get("duration", 0) if run.returncode == 0 else 0

    def record(self, name, *options):
        self.obscura("record", f"pattern:{SIZE[0]}x{SIZE[1]}@30", "--microphone", "tone", "--duration",
                     f"{SECONDS}s", "-o", name, "--quiet", *options)

    def record_until_killed(self, name, *command):
        """Kills a recording as soon as SECONDS of it can be read, and returns the name of the file that is left."""
        command = command or (self.tool, "record", f"pattern:{SIZE[0]}x{SIZE[1]}@30", "--microphone", "tone", "-o", name)
        partial = self.folder / name.replace(".", ".recording.", 1)
        with subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                waiting.wait_until(
                    lambda: process.poll() is not None or self.length(partial.name) >= SECONDS,
                    f"{SECONDS} s of the recording", interval=0.1)
                self.assertIsNone(process.poll(), "the recording has ended")
            finally:
                process.kill()
        return partial.name

    def expect_ends(self, name, delta=0.1):
        """Plays a movie with sound to its end, whose length differs by no more than so many seconds; returns what was
        seen."""
        length = self.length(name)
        self.driver.get(f"{self.address}/page.html")
        seen = self.driver.execute_async_script("play(arguments[0], arguments[1])", name)
        words = f"{name}: {seen}"
        self.assertEqual((seen["how"], seen["error"]), ("ended", None), words)
        self.assertAlmostEqual(seen["duration"], length, delta=delta, msg=words)
        self.assertAlmostEqual(seen["time"], seen["duration"], delta=0.1, msg=words)
        self.assertGreater(seen["total"], 0, words)
        self.assertEqual(seen["corrupted"], 0, words)
        self.assertGreater(seen["soundBytes"], 0, words)
        return seen

    def expect_plays(self, name):
        seen = self.expect_ends(name)
        words = f"{name}: {seen}"
        self.assertEqual((seen["width"], seen["height"]), SIZE, words)
        # A busy machine skips frames, or reads one twice, but none is broken or out of order.
        self.assertGreater(len(set(seen["numbers"])), 1, words)
        self.assertNotIn(None, seen["numbers"], words)
        self.assertEqual(seen["numbers"], sorted(seen["numbers"]), words)
        return seen

    def test_a_recording_plays_to_its_end(self):
        self.record("movie.mp4")
        seen = self.expect_plays("movie.mp4")
        self.assertAlmostEqual(seen["duration"], SECONDS, delta=0.1)

    def test_the_file_of_a_killed_recording_plays_and_so_does_the_recovered_one(self):
        partial = self.record_until_killed("killed.mp4")
        self.expect_plays(partial)
        self.obscura("recover", partial)
        seen = self.expect_plays("killed.mp4")
        self.assertGreater(seen["duration"], SECONDS - 0.1)

    def test_a_movie_of_several_tracks_plays_and_so_does_the_one_of_a_killed_recording(self):
        recorder = pathlib.Path(self.tool).parent / "TestRecorder"
        partial = self.record_until_killed("tracks.mp4", recorder, "tracks.mp4", "30", "tracks")
        # The last subtitle, of half a second, may be in the file before the frames beside it; a player ends with the frames.
        self.expect_ends(partial, delta=0.6)
        self.obscura("recover", partial)
        self.expect_ends("tracks.mp4", delta=0.6)

    def test_a_file_that_is_no_movie_fails_in_the_same_page(self):
        (self.folder / "broken.mp4").write_bytes(bytes(range(256)) * 64)
        self.driver.get(f"{self.address}/page.html")
        seen = self.driver.execute_async_script("play(arguments[0], arguments[1])", "broken.mp4")
        self.assertNotEqual(seen["how"], "ended", seen)
        self.assertIsNotNone(seen["error"], seen)


if __name__ == "__main__":
    unittest.main()
