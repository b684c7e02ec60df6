# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that photos and recordings are what was on the screen: each picture of the built-in camera shows its
number."""

import json
import pathlib
import subprocess
import time
import unittest

import page
import studio

RECORDED = 5 if studio.IS_LONG else 2
# How many pictures may pass between the one on the canvas at the press and the one that is taken: those that were on
# their way to the page, and what a busy machine adds.
LAG = 6


class TakingTest(page.StudioTest):

    def setUp(self):
        for item in self.server.api("GET", "/api/visit")["items"]:
            self.server.api("DELETE", f"/api/visit/{item['name']}")
        self.page.open()
        self.page.wait_for_motion()

    def tearDown(self):
        self.assertEqual(self.page.troubles(), [])

    def ribbon(self, kind=None):
        return [item for item in self.server.api("GET", "/api/visit")["items"] if kind in (None, item["kind"])]

    def wait_for_ribbon(self, count):
        """So many in the ribbon, on the page as on the server."""
        self.page.wait(lambda: len(self.ribbon()) == count, f"{count} in the ribbon")
        self.page.wait(lambda: len(self.page.all("#ribbon .taken")) == count, f"{count} in the ribbon of the page")
        return self.ribbon()

    # MARK: Photos

    def test_the_photo_is_the_picture_that_was_on_the_screen(self):
        lags = []
        for count in range(1, 6):
            shown = self.page.script(
                "const shown = reading.number(document.querySelector(arguments[0]));"
                "document.querySelector('#shutter').click(); return shown", page.VIEWFINDER)
            item = self.wait_for_ribbon(count)[-1]
            self.assertEqual((item["kind"], item["width"], item["height"]), ("photo", 1280, 720))
            photo = self.page.photo(item["name"])
            self.assertEqual(photo["size"], [1280, 720])
            lags.append(photo["number"] - shown)
            # A photo later, the next picture is on the screen.
            self.page.later_number(photo["number"])
        print(f"shutter-lag: {lags} pictures after the one on the canvas")
        self.assertGreaterEqual(min(lags), -1)
        self.assertLessEqual(sorted(lags)[len(lags) // 2], LAG)

    def test_a_burst_takes_five_pictures_one_after_the_other(self):
        self.page.press("#burst")
        names = [item["name"] for item in self.wait_for_ribbon(5)]
        numbers = [self.page.photo(name)["number"] for name in names]
        self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 5)))
        self.assertEqual(len(set(names)), 5)

    def test_a_photo_is_mirrored_and_turned_as_the_picture_is(self):
        self.server.change(isMirrored=True, orientation="right")
        pose = self.page.wait(lambda: self.page.pose() if self.page.pose() not in (None, "0") else None, "the turn")
        self.page.wait(lambda: self.page.pose() == pose, "the same turn")
        self.page.press("#shutter")
        item = self.wait_for_ribbon(1)[0]
        self.server.change(isMirrored=False, orientation="up")
        photo = self.page.photo(item["name"])
        self.assertEqual(photo["size"], [720, 1280])
        self.assertIn("mirrored", photo["pose"])
        self.assertEqual((item["width"], item["height"]), (720, 1280))

    def test_the_self_timer_counts_and_can_be_stopped(self):
        self.page.press("#timer")
        self.assertEqual(self.page.find("#timer").get_attribute("data-seconds"), "3")
        begin = time.monotonic()
        self.page.press("#shutter")
        self.page.wait(self.page.find("#countdown").is_displayed, "the count-down")
        self.assertEqual(self.ribbon(), [])
        self.wait_for_ribbon(1)
        self.assertGreater(time.monotonic() - begin, 2.5)
        self.page.press("#shutter")
        self.page.wait(self.page.find("#countdown").is_displayed, "the count-down")
        self.page.press("#countdown-cancel")
        self.assertFalse(self.page.find("#countdown").is_displayed())
        self.page.press("#timer")
        self.page.press("#timer")
        self.assertEqual(self.page.find("#timer").get_attribute("data-seconds"), "0")
        self.assertEqual(len(self.ribbon()), 1)

    # MARK: Recordings

    def seconds(self):
        recording = self.server.camera().get("recording")
        return recording["duration"] if recording else 0

    def record(self):
        self.page.press("#record")
        self.page.wait(lambda: self.seconds() > 0, "a recording")

    def stop(self):
        self.page.press("#record")
        return self.page.wait(lambda: self.ribbon("movie"), "the movie")[-1]

    def probe(self, item):
        """What ffprobe says of the file: pictures, and how long it is."""
        run = subprocess.run([
            "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries",
            "stream=nb_read_frames,width,height:format=duration", "-of", "json",
            str(self.server.library / item["name"])
        ],
                             capture_output=True,
                             text=True,
                             timeout=60,
                             check=True)
        found = json.loads(run.stdout)
        stream = found["streams"][0]
        return int(stream["nb_read_frames"]), (stream["width"], stream["height"]), float(found["format"]["duration"])

    def test_a_recording_is_shown_while_it_goes_on_and_plays_afterwards(self):
        self.record()
        self.page.wait(self.page.find("#recording-status").is_displayed, "the time")
        self.page.wait(lambda: self.seconds() >= RECORDED, "the length")
        self.page.wait(lambda: self.page.find("#recording-time").text not in ("", "0:00"), "a time that goes on")
        for part in ("#recording-size", "#recording-free"):
            self.assertRegex(self.page.find(part).text, r"\d")
        self.page.screenshot("recording")
        item = self.stop()
        frames, size, length = self.probe(item)
        self.assertEqual(size, (1280, 720))
        self.assertGreaterEqual(length, RECORDED - 0.1)
        self.assertAlmostEqual(frames, length * 30, delta=2)
        self.assertAlmostEqual(item["duration"], length, delta=0.1)
        self.plays(item, length)

    def plays(self, item, length):
        """In the library's page, to the end, with parts of the file asked for."""
        part = self.server.ask("GET", f"/media/{item['name']}", headers={"Range": "bytes=100-199"})
        whole = (self.server.library / item["name"]).read_bytes()
        self.assertEqual((part.status, part.headers["Content-Range"]), (206, f"bytes 100-199/{len(whole)}"))
        self.assertEqual(part.body, whole[100:200])
        self.page.open("/library")
        self.page.press(f'[data-name="{item["name"]}"] .thumb')
        self.page.wait(lambda: self.page.all("#viewer video"), "the film")
        seen = self.page.awaited(
            "const video = document.querySelector('#viewer video');"
            "await new Promise((resolve, reject) => { video.onended = resolve;"
            "  video.onerror = () => reject(video.error.message); video.muted = true; video.play().catch(reject); });"
            "const {totalVideoFrames} = video.getVideoPlaybackQuality();"
            "return [video.currentTime, video.videoWidth, video.videoHeight, totalVideoFrames]"
        )
        self.assertAlmostEqual(seen[0], length, delta=0.2)
        self.assertEqual(seen[1:3], [1280, 720])
        self.assertGreater(seen[3], 10)
        self.page.screenshot("movie")

    def test_a_pause_is_not_in_the_movie(self):
        self.record()
        self.page.wait(lambda: self.seconds() >= 0.5, "half a second")
        self.page.press("#pause")
        self.page.wait(lambda: self.server.camera()["recording"]["isPaused"], "the pause")
        time.sleep(0.3)
        held = self.seconds()
        time.sleep(1)
        self.assertAlmostEqual(self.seconds(), held, delta=0.05)
        self.page.press("#pause")
        self.page.wait(lambda: self.seconds() > held + 0.3, "the rest")
        last = self.seconds()
        item = self.stop()
        _, _, length = self.probe(item)
        self.assertLess(length, last + 0.8)
        self.assertGreater(length, held)

    def test_a_recording_ends_by_itself_at_its_limit_and_says_why(self):
        self.page.script("document.querySelector('#limit-duration').value = 1")
        self.record()
        item = self.page.wait(lambda: self.ribbon("movie"), "the end")[-1]
        self.assertIsNone(self.server.camera().get("recording"))
        self.page.wait_for_toast("length", "the reason")
        frames, _, length = self.probe(item)
        self.assertAlmostEqual(length, 1, delta=0.05)
        self.assertAlmostEqual(frames, 30, delta=1)
        self.page.script("document.querySelector('#limit-duration').value = ''")

    def test_a_recording_that_goes_on_when_the_studio_ends_becomes_whole(self):
        with studio.running() as server:
            server.api("POST", "/api/cameras/1/recording", {})
            studio.wait_until(lambda: (server.camera().get("recording") or {}).get("duration", 0) > 1, "a second")
            server.stop()
            (movie,) = [path for path in pathlib.Path(server.library).iterdir() if path.suffix == ".mp4"]
            self.assertNotIn(".recording.", movie.name)
            run = subprocess.run(
                ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
                 str(movie)],
                capture_output=True,
                text=True,
                check=True)
            self.assertGreater(float(run.stdout), 0.9)
            server.start()


if __name__ == "__main__":
    unittest.main()
