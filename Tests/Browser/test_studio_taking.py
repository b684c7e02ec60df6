# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that photos and recordings have the pictures that were on the screen: each picture of the built-in camera shows
its number."""

import pathlib
import unittest

import movie
import page
import studio
import studio_test

# Seconds of a recording.
RECORDED = 5 if studio.IS_LONG else 1


class TakingTest(studio_test.PageTest):

    def setUp(self):
        super().setUp()
        self.page.open()
        self.page.wait_for_motion()
        # Frames may arrive before the page has the state of the camera.
        self.page.wait(self.page.find("#shutter").is_enabled, "the shutter")

    def ribbon(self, kind=None):
        return [item for item in self.server.api("GET", "/api/visit")["items"] if kind in (None, item["kind"])]

    def wait_for_ribbon(self, count):
        """Waits until this many are in the ribbon, of the server and of the page."""
        self.page.wait(lambda: len(self.ribbon()) == count, f"{count} in the ribbon")
        self.page.wait(lambda: len(self.page.all("#ribbon .taken")) == count, f"{count} in the ribbon of the page")
        return self.ribbon()

    def lost(self):
        """The number of frames that the camera skipped, or that were dropped before a photo could be made of them."""
        statistics = self.server.api("GET", "/api/cameras/1/statistics")
        return statistics["gaps"] + statistics["droppedForPhotos"]


class PhotosTest(TakingTest):

    def test_the_photo_is_a_picture_between_the_one_on_the_screen_at_the_press_and_the_answer(self):
        lags = []
        for count in range(1, 4):
            shown = self.page.script(
                "const shown = reading.number(document.querySelector(arguments[0]));"
                "document.querySelector('#shutter').click(); return shown", page.VIEWFINDER)
            item = self.wait_for_ribbon(count)[-1]
            # A frame that the camera made after the response.
            after = self.page.awaited("const canvas = await reading.fetched('/cameras/1/picture.jpg');"
                                      "return reading.number(canvas)")
            self.assertEqual((item["kind"], item["width"], item["height"]), ("photo", *studio.SIZE))
            photo = self.page.photo(item["name"])
            self.assertEqual(photo["size"], list(studio.SIZE))
            self.assertGreaterEqual(photo["number"], shown)
            self.assertLessEqual(photo["number"], after)
            lags.append(photo["number"] - shown)
        print(f"shutter-lag: {lags} pictures after the one on the canvas")

    def test_a_photo_has_the_format_and_the_title_of_the_panel(self):
        # The built-in camera has no light.
        self.assertFalse(self.page.find("#flash-field").is_displayed())
        self.page.choose("#photo-format", "png")
        self.page.find("#photo-title").send_keys(" Sea ")
        self.page.press("#shutter")
        name = self.wait_for_ribbon(1)[0]["name"]
        self.assertEqual(pathlib.Path(name).suffix, ".png")
        facts = self.server.api("GET", f"/api/library/{name}")["metadata"]
        self.assertIn({"label": "Title", "value": "Sea"}, facts)
        self.page.choose("#photo-format", "jpeg")
        # A key that is typed into the title is no shortcut.
        self.page.find("#photo-title").clear()
        self.page.find("#photo-title").send_keys("b r")
        self.page.press("#shutter")
        self.assertEqual(pathlib.Path(self.wait_for_ribbon(2)[1]["name"]).suffix, ".jpg")

    def test_a_burst_takes_five_pictures_one_after_the_other(self):
        before = self.lost()
        self.page.press("#burst")
        names = [item["name"] for item in self.wait_for_ribbon(5)]
        lost = self.lost() - before
        numbers = [self.page.photo(name)["number"] for name in names]
        self.assertEqual(numbers, sorted(set(numbers)))
        # No frame is missing except those that the camera skipped or that a busy machine dropped.
        self.assertLessEqual(numbers[4] - numbers[0] - 4, lost)
        self.assertEqual(len(set(names)), 5)

    def test_a_photo_is_mirrored_and_turned_as_the_picture_is(self):
        self.server.change(isMirrored=True, orientation="right")
        pose = self.page.wait(lambda: (lambda pose: pose if pose and "mirrored" in pose else None)(self.page.pose()),
                              "the turn")
        self.page.press("#shutter")
        item = self.wait_for_ribbon(1)[0]
        photo = self.page.photo(item["name"])
        self.assertEqual(photo["size"], [studio.SIZE[1], studio.SIZE[0]])
        self.assertEqual(photo["pose"], pose)
        self.assertEqual((item["width"], item["height"]), (studio.SIZE[1], studio.SIZE[0]))

    def test_the_self_timer_counts_and_takes_one_photo_at_its_end(self):
        self.page.press("#timer")
        self.assertEqual(self.page.find("#timer").get_attribute("data-seconds"), "3")
        # The events in the page, in order: the numbers of the countdown, and the photos.
        self.page.script(
            "globalThis.events = [];"
            "const note = (selector, text) => new MutationObserver(() => {"
            "  const now = text(); if (now && now !== events.at(-1)) events.push(now) })"
            "  .observe(document.querySelector(selector), {subtree: true, childList: true, characterData: true,"
            "    attributes: true});"
            "note('#countdown', () => document.querySelector('#countdown').checkVisibility()"
            "  && document.querySelector('#countdown-number').textContent);"
            "note('#ribbon', () => document.querySelector('#ribbon .taken') && 'photo');")
        self.page.press("#shutter")
        self.wait_for_ribbon(1)
        self.assertEqual(self.page.script("return events"), ["3", "2", "1", "photo"])
        self.assertFalse(self.page.find("#countdown").is_displayed())

    def test_the_self_timer_can_be_stopped(self):
        # Ten seconds: on a busy machine the click may take more than three.
        self.page.press("#timer")
        self.page.press("#timer")
        self.page.press("#shutter")
        self.page.wait(self.page.find("#countdown").is_displayed, "the count-down")
        self.page.press("#countdown-cancel")
        self.assertFalse(self.page.find("#countdown").is_displayed())
        self.page.press("#timer")
        self.assertEqual(self.page.find("#timer").get_attribute("data-seconds"), "0")
        self.assertEqual(self.ribbon(), [])
        # The next click takes a photo at once, and the countdown takes none.
        self.page.press("#shutter")
        self.wait_for_ribbon(1)
        self.assertFalse(self.page.find("#countdown").is_displayed())


class RecordingsTest(TakingTest):

    def seconds(self):
        recording = self.server.camera().get("recording")
        return recording["duration"] if recording else 0

    def record(self):
        self.page.toggle("#record", True)
        self.page.wait(lambda: self.seconds() > 0, "a recording")

    def stop(self):
        self.page.press("#record")
        return self.page.wait(lambda: self.ribbon("movie"), "the movie")[-1]

    def read(self, item):
        found = movie.read(self.server.library / item["name"])
        self.assertEqual(found.size, studio.SIZE)
        self.assertAlmostEqual(item["duration"], found.length, delta=0.1)
        # A busy machine may lose frames, but none is broken, out of order or duplicated.
        self.assertNotIn(None, found.numbers)
        self.assertEqual(found.numbers, sorted(set(found.numbers)))
        print(f"movie: {len(found.numbers)} of {found.numbers[-1] - found.numbers[0] + 1} pictures")
        return found

    def expect_times_to_fit_numbers(self, found):
        """Each frame of a movie without a pause has its own time, and the movie ends at or after the last one."""
        begins = found.begins(studio.RATE)
        self.assertLess(max(begins) - min(begins), 0.002)
        last = found.pictures[-1][0]
        self.assertGreater(found.length, last - 0.002)
        self.assertLess(found.length, last + 1 / studio.RATE + 0.002)

    def test_a_recording_is_shown_while_it_goes_on_and_plays_afterwards(self):
        self.record()
        self.page.wait(self.page.find("#recording-status").is_displayed, "the time")
        self.page.wait(lambda: self.seconds() >= RECORDED, "the length")
        self.page.wait(lambda: self.page.find("#recording-time").text not in ("", "0:00"), "a time that goes on")
        for part in ("#recording-size", "#recording-free"):
            self.assertRegex(self.page.find(part).text, r"\d")
        self.page.screenshot("recording")
        item = self.stop()
        found = self.read(item)
        self.expect_times_to_fit_numbers(found)
        self.assertGreater(found.length, RECORDED - 0.1)
        self.assertGreater(len(found.numbers), 10)
        self.expect_plays(item, found.length)

    def expect_plays(self, item, length):
        """The library's page plays it to its end, and parts of the file can be requested."""
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
            "return [video.currentTime, video.videoWidth, video.videoHeight, totalVideoFrames]")
        self.assertAlmostEqual(seen[0], length, delta=0.1)
        self.assertEqual(seen[1:3], list(studio.SIZE))
        self.assertGreater(seen[3], 10)
        self.page.screenshot("movie")

    def test_a_pause_is_not_in_the_movie(self):
        self.record()
        self.page.wait(lambda: self.seconds() >= 0.3, "the first part")
        self.page.toggle("#pause", True)
        self.assertTrue(self.server.camera()["recording"]["isPaused"])
        # Frames that were being encoded are in the movie when the page shows later ones.
        self.page.wait_for_motion(frames=5)
        held = self.seconds()
        first = self.page.wait_for_picture()
        last = self.page.later_number(first + studio.RATE)
        self.assertEqual(self.seconds(), held)
        self.page.toggle("#pause", False)
        self.page.wait(lambda: self.seconds() > held + 0.3, "the rest")
        found = self.read(self.stop())
        self.assertEqual([number for number in found.numbers if first <= number <= last], [])
        begins = found.begins(studio.RATE)
        parts = [[begin for begin, number in zip(begins, found.numbers) if side(number)]
                 for side in (lambda number: number < first, lambda number: number > last)]
        for part in parts:
            self.assertGreater(len(part), 2)
            self.assertLess(max(part) - min(part), 0.002)
        # The times continue where the first part ended: the second part is earlier by the length of the pause.
        self.assertGreater(parts[0][0] - parts[1][0], (last - first) / studio.RATE)
        ends = [max(time for time, number in found.pictures if number < first),
                min(time for time, number in found.pictures if number > last)]
        print(f"pause: {(ends[1] - ends[0]) * 1000:.0f} ms between the parts")

    def test_a_recording_ends_by_itself_at_its_limit_and_says_why(self):
        self.page.script("document.querySelector('#limit-duration').value = 1")
        self.record()
        item = self.page.wait(lambda: self.ribbon("movie"), "the end")[-1]
        self.assertIsNone(self.server.camera().get("recording"))
        self.page.wait_for_toast("duration", "the reason")
        found = self.read(item)
        self.expect_times_to_fit_numbers(found)
        self.assertAlmostEqual(found.length, 1, delta=0.05)


class EndTest(studio_test.ServerTest):

    def test_a_recording_that_goes_on_when_the_studio_ends_becomes_whole(self):
        self.server.api("POST", "/api/cameras/1/recording", {})
        studio.wait_until(lambda: (self.server.camera().get("recording") or {}).get("duration", 0) > 0.5, "a part")
        self.server.stop()
        (path,) = [path for path in pathlib.Path(self.server.library).iterdir() if path.suffix == ".mp4"]
        self.assertNotIn(".recording.", path.name)
        found = movie.read(path)
        self.assertGreater(found.length, 0.4)
        self.assertNotIn(None, found.numbers)
        self.server.start()


if __name__ == "__main__":
    unittest.main()
