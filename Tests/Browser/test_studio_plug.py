# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests the page with a camera that is unplugged, plugged in again or denied, and that has zoom, focus and a torch.

The Studio is TestStudio, a program of the tests with simulated cameras."""

import os
import pathlib
import tempfile
import unittest

import browser
import studio
import studio_test

PROGRAM = pathlib.Path(os.environ.get("OBSCURA_TEST_STUDIO", browser.ROOT / ".build/debug/TestStudio"))


class TestStudio(studio.Studio):

    @property
    def command(self):
        return [str(PROGRAM), str(self.library)]

    def end(self):
        self.process.stdin.close()

    def say(self, word):
        """Changes the state of its cameras, and waits until it is changed."""
        self.process.stdin.write(f"{word}\n".encode())
        self.process.stdin.flush()
        if self.line() != word:
            raise AssertionError(f"no answer to {word}")


@unittest.skipUnless(os.access(PROGRAM, os.X_OK), f"{PROGRAM} is not there: swift build --build-tests")
class PlugTest(studio_test.PageTest):

    def started(self):
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-studio-"))
        return self.enterContext(studio.lived(TestStudio(folder)))

    def setUp(self):
        super().setUp()
        self.page.open()
        self.page.wait_for_motion()
        self.card = self.page.find("#card")

    def test_an_unplugged_camera_is_said_to_be_away_and_its_picture_goes_on_by_itself_when_it_is_back(self):
        before = self.page.wait_for_picture()
        self.server.say("unplug")
        self.page.wait(self.card.is_displayed, "the card that says so")
        self.page.wait(lambda: self.card.get_attribute("data-state") == "disconnected", "the state")
        self.assertIn("Plug it in again", self.page.find("#card-advice").text)
        self.assertFalse(self.page.find("#shutter").is_enabled())
        live = self.page.find("#live .live-badge")
        self.page.wait(lambda: not live.is_displayed(), "the end of what is live")
        self.page.screenshot("unplugged")
        self.server.say("plug")
        self.page.wait(lambda: not self.card.is_displayed(), "the camera")
        self.page.later_number(before)
        self.page.wait_for_motion()
        self.page.wait(live.is_displayed, "the live picture's name")
        self.assertEqual(self.server.camera()["state"], "running")

    def test_a_recording_whose_camera_is_unplugged_goes_on_when_it_is_back(self):
        self.page.toggle("#record", True)
        self.page.wait(lambda: self.server.camera()["recording"]["duration"] > 0.2, "a recording")
        self.server.say("unplug")
        self.page.wait(self.card.is_displayed, "the card that says so")
        self.server.say("plug")
        self.page.wait(lambda: not self.card.is_displayed(), "the camera")
        before = self.server.camera()["recording"]["duration"]
        self.page.wait(lambda: self.server.camera()["recording"]["duration"] > before + 0.2, "the rest")
        self.page.press("#record")
        self.page.wait(lambda: self.movies, "the movie")
        self.assertGreater(self.movies[-1]["duration"], before)

    @property
    def movies(self):
        return [item for item in self.server.api("GET", "/api/visit")["items"] if item["kind"] == "movie"]

    def test_a_camera_that_may_not_be_used_says_what_to_do_and_starts_when_it_may(self):
        self.server.say("deny")
        # Switching to another camera is rejected, and the first one stays.
        self.page.choose("#camera-select", "plug:back")
        self.page.wait_for_toast("Ask whoever runs the test", "the advice")
        self.page.wait(lambda: self.page.find("#camera-select").get_attribute("value") == "plug:front", "the first")
        self.page.wait_for_motion()
        # An added camera exists, and the page shows why it has no live view.
        self.page.press("#add-camera")
        self.page.wait(lambda: self.card.get_attribute("data-state") == "denied", "the card that says so")
        self.assertIn("Ask whoever runs the test", self.page.find("#card-advice").text)
        self.page.screenshot("denied")
        self.server.say("allow")
        self.page.press("#card-retry")
        self.page.wait(lambda: not self.card.is_displayed(), "the camera")
        self.page.wait_for_motion()
        self.page.press("#remove-camera")
        self.page.wait(lambda: len(self.server.api("GET", "/api/cameras")["cameras"]) == 1, "one camera")
        # The browser reports the rejected requests.
        troubles = self.page.troubles()
        self.assertTrue(troubles)
        self.assertEqual([one for one in troubles if "403" not in one["message"]], [])

    def test_one_press_changes_from_the_front_camera_to_the_back_one(self):
        for wanted, other in (("back", "Front camera"), ("front", "Back camera")):
            self.page.press("#switch")
            self.page.wait(lambda other=other: self.page.find("#switch span").get_attribute("textContent") == other,
                           f"the {wanted} camera")
            self.page.wait(lambda wanted=wanted: self.server.camera()["position"] == wanted, f"the {wanted} camera")
            self.page.wait_for_motion()

    def test_zoom_torch_and_focus_reach_the_camera(self):
        self.page.wait(self.page.find("#zoom").is_displayed, "the lens")
        self.page.script("const slider = document.querySelector('#zoom'); slider.value = 2;"
                         "slider.dispatchEvent(new Event('input', {bubbles: true}))")
        self.page.wait(lambda: abs(self.server.camera()["zoom"]["value"] - 2) < 0.1, "the zoom")
        for is_on in (True, False):
            self.page.toggle("#torch", is_on)
            self.page.wait(lambda is_on=is_on: self.server.camera()["torch"] is is_on, f"the LED, on: {is_on}")
        for mode in ("locked", "continuousAutoFocus"):
            self.page.choose("#focus-select", mode)
            self.page.wait(lambda mode=mode: self.server.camera()["focus"]["mode"] == mode, mode)
        self.page.press("#controls-group summary")
        self.page.script("const control = document.querySelector('[data-control=\"brightness\"]'); control.value = 20;"
                         "control.dispatchEvent(new Event('input', {bubbles: true}))")
        self.page.wait(
            lambda:
            {one["name"]: one.get("value")
             for one in self.server.api("GET", "/api/cameras/1/controls")["controls"]}["brightness"] == 20, "the control")


if __name__ == "__main__":
    unittest.main()
