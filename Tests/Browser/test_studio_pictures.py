# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that the Studio's page shows what the camera sees: at once, in many tiles, of many cameras, and again after
whatever came between."""

import time
import unittest

import browser
import page
import studio

# A busy machine is slow; what would be good is for Benchmarks/studio to say. This only tells live from late.
LATE = 1000


class OnePictureTest(page.StudioTest):

    def setUp(self):
        self.page.resize(*page.DESKTOP)
        self.page.open()
        self.page.troubles()

    def test_the_printed_address_opens_the_page_and_leaves_nothing_that_a_script_could_read(self):
        self.driver.get(self.server.address)
        self.assertEqual(self.driver.current_url, f"{self.server.origin}/")
        cookies = self.driver.get_cookies()
        self.assertEqual([(one["name"], one["httpOnly"], one["sameSite"], one["path"]) for one in cookies],
                         [(self.server.cookie_name, True, "Strict", "/")])
        self.assertEqual(self.page.script("return document.cookie"), "")
        self.assertEqual(self.page.script("return location.href + document.referrer"), f"{self.server.origin}/")
        self.page.wait_for_motion()

    def test_a_page_without_the_token_says_where_to_find_the_address(self):
        self.driver.delete_all_cookies()
        self.driver.get(f"{self.server.origin}/")
        self.assertIn("terminal", self.page.find("body").text)
        self.assertEqual(self.page.all("canvas"), [])

    def test_the_picture_moves_and_its_stamps_fit_its_numbers(self):
        self.page.wait_for_motion()
        self.assertEqual(self.page.size(), (1280, 720))
        seen = self.page.watch([page.VIEWFINDER], 2)
        numbers = [number for _, number, _, _ in seen]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertGreater(len(numbers), 10)
        # Each stamp is when its own picture was due: the camera's beginning is the same by all of them.
        begins = [int(stamp) - number * 1_000_000_000 // 30 for _, number, stamp, _ in seen]
        self.assertLess(max(begins) - min(begins), 5_000_000)
        self.assertEqual(self.page.troubles(), [])

    def test_the_picture_is_live(self):
        self.page.wait_for_motion(frames=10)
        clock = self.page.clock()
        delays = page.delays(self.page.watch([page.VIEWFINDER], 10 if studio.IS_LONG else 3), clock)[0]
        median, p95 = page.percentiles(delays)
        print(f"delay-one-tile: median {median:.1f} ms, p95 {p95:.1f} ms, {len(delays)} pictures of 1280x720")
        self.assertGreater(min(delays), 0)
        self.assertLess(median, LATE)

    def test_the_small_tile_in_the_ribbon_shows_the_same_camera(self):
        frames = self.page.frames("#live-canvas")
        self.page.wait(lambda: self.page.frames("#live-canvas") > frames + 5, "motion")
        width, height = self.page.size("#live-canvas")
        self.assertLess(max(width, height), 400)
        # The colour of the bar in the middle, which both show.
        self.page.wait(
            lambda: all(
                abs(one - other) < 24
                for one, other in zip(*self.page.colours([[0.5, 0.75]]),
                                      *self.page.colours([[0.5, 0.75]], "#live-canvas"))), "the same colour")

    def test_a_page_on_a_phone_shows_a_picture_of_its_own_size(self):
        self.page.resize(*page.PHONE)
        self.page.open()
        self.page.wait_for_motion()
        width, _ = self.page.size()
        self.assertLessEqual(width, page.PHONE[0] + 16)
        wide = self.page.script("return document.documentElement.scrollWidth")
        self.assertLessEqual(wide, page.PHONE[0], "the page is wider than the phone")
        self.page.screenshot("phone")

    def test_light_and_dark_pages_differ(self):
        found = []
        for scheme in ("light", "dark"):
            self.page.theme(scheme)
            self.page.wait_for_motion()
            found.append(self.page.script("return getComputedStyle(document.documentElement).backgroundColor"))
            self.page.screenshot(f"viewfinder-{scheme}")
        self.page.theme("light")
        self.assertNotEqual(*found)

    def test_a_hidden_page_stops_its_stream_and_comes_back_with_a_fresh_picture(self):
        self.page.wait_for_motion()
        self.page.wait(lambda: self.server.camera()["viewers"] > 0, "a viewer")
        shown = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        try:
            self.page.wait(lambda: self.server.camera()["viewers"] == 0, "the end of the stream")
            time.sleep(0.3)
            self.assertEqual(self.server.camera()["viewers"], 0)
        finally:
            self.driver.close()
            self.driver.switch_to.window(shown)
        before = time.monotonic_ns()
        stamp = self.page.wait(
            lambda: (lambda text: int(text) if text and int(text) > before - 100_000_000 else None)
            (self.page.script("return document.querySelector(arguments[0]).dataset.hostTime", page.VIEWFINDER)),
            "a fresh picture")
        self.assertLess(time.monotonic_ns() - stamp, 2_000_000_000)
        self.page.wait_for_motion()


class TilesTest(page.StudioTest):

    def setUp(self):
        self.page.resize(*page.DESKTOP)

    def test_four_tiles_are_live(self):
        self.page.open("/?tiles=4")
        self.page.wait(lambda: len(self.page.all("#wall canvas")) == 4, "four tiles")
        self.page.wait(lambda: all(self.moving("#wall canvas", 4)), "pictures in all of them")
        clock = self.page.clock()
        delays = page.delays(self.page.watch(["#wall canvas"], 10 if studio.IS_LONG else 3), clock)
        self.assertEqual(sorted(delays), [0, 1, 2, 3])
        median, p95 = page.percentiles([delay for tile in delays.values() for delay in tile])
        print(f"delay-four-tiles: median {median:.1f} ms, p95 {p95:.1f} ms, {self.page.size('#wall canvas')}")
        self.assertGreater(min(min(tile) for tile in delays.values()), 0)
        self.assertLess(median, LATE)
        self.page.screenshot("four-tiles")

    def test_sixteen_tiles_of_one_camera_all_move(self):
        self.page.open("/?tiles=16")
        self.page.wait(lambda: len(self.page.all("#wall canvas")) == 16, "sixteen tiles")
        self.page.wait(lambda: all(self.moving("#wall canvas", 16)), "motion in all of them")
        self.assertEqual(self.page.troubles(), [])
        # One encoding serves all: they are of one size.
        viewers = self.server.camera()["viewers"]
        self.assertGreaterEqual(viewers, 16)
        self.page.screenshot("sixteen-tiles")

    def moving(self, selector, count):
        numbers = {}
        for source, number, _, _ in self.page.watch([selector], 0.5):
            numbers.setdefault(source, set()).add(number)
        return [len(numbers.get(source, ())) > 1 for source in range(count)]


class FourCamerasTest(page.StudioTest):
    sources = (studio.CAMERA, "pattern:640x360@30", "pattern:640x480@30", "pattern:320x240@30")

    def test_four_cameras_move_at_once_and_one_press_makes_each_large(self):
        self.page.open()
        self.page.wait_for_motion()
        self.page.press("#grid")
        self.page.wait(lambda: len(self.page.all("#wall canvas")) == 4, "four tiles")
        self.page.wait(lambda: all(self.moving()), "motion in all of them")
        # The browser's six connections are not used up: a small request is answered at once.
        self.assertEqual(self.page.awaited("return (await (await fetch('/health')).json()).status"), "ok")
        self.page.screenshot("four-cameras")
        sizes = {1: (1280, 720), 2: (640, 360), 3: (640, 480), 4: (320, 240)}
        for number, size in sizes.items():
            self.page.press(f'[data-camera="{number}"]')
            self.page.wait(lambda size=size: self.page.size() == size, f"camera {number} large")
            self.page.wait_for_motion()
            self.page.press("#grid")
        self.assertEqual(self.page.troubles(), [])

    def moving(self):
        numbers = {}
        for source, number, _, _ in self.page.watch(["#wall canvas"], 0.5):
            numbers.setdefault(source, set()).add(number)
        return [len(numbers.get(source, ())) > 1 for source in range(4)]


class AgainTest(unittest.TestCase):

    def test_the_page_comes_back_by_itself_when_the_server_was_killed_and_started_again(self):
        with studio.running(token="a-token-that-stays-the-same") as server, browser.chromium() as driver:
            tab = page.Page(driver, server)
            tab.open()
            tab.wait_for_motion()
            server.kill()
            card = tab.find("#card")
            tab.wait(card.is_displayed, "the card that says so")
            self.assertIn("Reconnecting", card.text)
            tab.screenshot("error")
            server.start()
            tab.wait(lambda: not card.is_displayed(), "the link")
            # The counter of the camera began anew with the process, and the page shows it.
            tab.wait_for_motion()
            self.assertEqual(tab.find("#connection").get_attribute("data-status"), "open")

    def test_a_page_whose_token_is_not_the_servers_any_more_says_so(self):
        with studio.running() as server, browser.chromium() as driver:
            tab = page.Page(driver, server)
            tab.open()
            tab.wait_for_motion()
            server.kill()
            server.token = None
            server.start()
            tab.wait(lambda: tab.find("#card").get_attribute("data-state") == "refused", "the card that says so")


if __name__ == "__main__":
    unittest.main()
