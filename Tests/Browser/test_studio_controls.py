# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that each control of the viewfinder does what it says, seen in the picture."""

import statistics
import time
import unittest

import page
import studio

# Colours that no moving part of the scene is likely to cover in all of several pictures.
PLACES = [[0.2, 0.8], [0.36, 0.8], [0.5, 0.8], [0.64, 0.8], [0.78, 0.8]]
WIDTH, HEIGHT = 1280, 720
# Of the scene without its blocks, and of the square that moves through it.
FIELD, SIDE = HEIGHT - HEIGHT // 8, HEIGHT // 6


def bounced(step, length):
    phase = step % (2 * length)
    return phase if phase < length else 2 * length - phase


def square(number):
    """Where the square of a picture of the built-in camera is."""
    step = number * (WIDTH // 160)
    return bounced(step, WIDTH - SIDE), bounced(step * 2 // 3, FIELD - SIDE)


class ControlsTest(page.StudioTest):

    def setUp(self):
        self.server.change(isMirrored=False, orientation="up", effects=[], faces="none", microphone=None)
        self.page.open()
        self.page.wait_for_motion()

    def tearDown(self):
        self.assertEqual(self.page.troubles(), [])

    def median_colours(self):
        """What the places show most of the time."""
        shots = []
        for _ in range(5):
            shots.append(self.page.colours(PLACES))
            self.page.later_number(self.page.wait_for_picture(**self.how), **self.how)
        return [[statistics.median(shot[place][channel] for shot in shots) for channel in range(3)]
                for place in range(len(PLACES))]

    how = {}

    def test_mirror_turns_left_to_right_in_the_picture_and_back(self):
        self.assertEqual(self.page.pose(), "0")
        self.page.press("#mirror")
        self.page.wait(lambda: self.page.pose() == "0 mirrored", "the mirror")
        self.assertEqual(self.page.find("#mirror").get_attribute("aria-pressed"), "true")
        self.assertTrue(self.server.camera()["isMirrored"])
        self.page.press("#mirror")
        self.page.wait(lambda: self.page.pose() == "0", "the picture as it was")

    def test_each_turn_is_seen_in_the_picture(self):
        for orientation, turn, size in [("right", "1", (720, 1280)), ("down", "2", (1280, 720)),
                                        ("left", "3", (720, 1280)), ("up", "0", (1280, 720))]:
            self.page.choose("#orientation-select", orientation)
            self.page.wait(lambda turn=turn: self.page.pose() == turn, f"the turn {orientation}")
            width, height = self.page.size()
            self.assertAlmostEqual(width / height, size[0] / size[1], delta=0.02)

    def test_gravity_shapes_the_picture(self):
        # Whole, cut off by the server to the shape of the box, or stretched to it by the page.
        box = self.page.find(page.VIEWFINDER).rect
        shape = box["width"] / box["height"]
        self.assertNotAlmostEqual(shape, 16 / 9, delta=0.05)
        self.page.choose("#gravity-select", "resizeAspectFill")
        self.page.wait(lambda: abs(self.page.size()[0] / self.page.size()[1] - shape) < 0.03,
                       "a picture of the box's shape")
        self.page.choose("#gravity-select", "resize")
        self.page.wait(lambda: self.page.size() == (1280, 720) and self.fit == "fill", "a picture out of shape")
        self.page.choose("#gravity-select", "resizeAspect")
        self.page.wait(lambda: self.page.size() == (1280, 720) and self.fit == "contain", "the whole picture")

    @property
    def fit(self):
        return self.page.script("return getComputedStyle(document.querySelector(arguments[0])).objectFit",
                                page.VIEWFINDER)

    def test_mono_takes_the_colours_away(self):
        before = self.median_colours()
        self.assertGreater(max(max(one) - min(one) for one in before), 80)
        self.page.press("#effect-mono")
        self.page.wait(lambda: max(max(one) - min(one) for one in self.page.colours(PLACES)) < 12, "grey")
        self.assertEqual(self.server.camera()["effects"], ["mono"])
        self.page.screenshot("effect")
        self.page.press("#effect-mono")
        self.page.wait(lambda: max(max(one) - min(one) for one in self.page.colours(PLACES)) > 80, "colours")

    def test_invert_makes_each_colour_its_opposite(self):
        before = self.median_colours()
        self.page.press("#effect-invert")
        self.page.wait(lambda: self.page.number(isInverted=True) is not None, "the opposite")
        self.how = {"isInverted": True}
        after = self.median_colours()
        for old, new in zip(before, after):
            for one, other in zip(old, new):
                self.assertAlmostEqual(one + other, 255, delta=25)

    def test_effects_are_put_on_in_the_order_in_which_they_were_chosen(self):
        self.page.press("#effect-invert")
        self.page.wait(lambda: self.server.camera()["effects"] == ["invert"], "the first")
        self.page.press("#effect-sepia")
        self.page.wait(lambda: self.server.camera()["effects"] == ["invert", "sepia"], "the second")

    def test_a_tap_makes_a_wave_where_it_was(self):
        self.page.press("#effect-ripple")
        self.page.wait(lambda: self.server.camera()["effects"] == ["ripple"], "the effect")
        # The edge between two bars, at a place that the square does not cross in the next two seconds.
        number = self.page.wait_for_motion()
        path = [square(number + frame) for frame in range(90)]
        side = 96

        def is_free(x, y):
            return all(
                abs(left + SIDE / 2 - x) > SIDE / 2 + side or abs(top + SIDE / 2 - y) > SIDE / 2 + side
                for left, top in path)

        x, y = next(
            (bar * WIDTH // 7, y) for bar in (4, 3, 5, 2) for y in (380, 480, 280) if is_free(bar * WIDTH // 7, y))
        corner = [x - side // 2, y - side // 2, side, side]

        def difference(reference):
            """How many pixels of the part are others; the line that sweeps by counts for little."""
            now = self.page.script("return reading.part(document.querySelector(arguments[0]), ...arguments[1])",
                                   page.VIEWFINDER, corner)
            return sum(abs(one - other) > 16 for one, other in zip(now, reference))

        still = self.page.script("return reading.part(document.querySelector(arguments[0]), ...arguments[1])",
                                 page.VIEWFINDER, corner)
        self.page.later_number(self.page.wait_for_picture())
        calm = difference(still)
        self.tap(x / WIDTH, y / HEIGHT)
        most = 0
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            most = max(most, difference(still))
        self.assertLess(calm, 300)
        self.assertGreater(most, calm + 300)

    def tap(self, x, y):
        """A press on this place of the picture, in fractions of its sides."""
        box = self.page.script("const surface = document.querySelector('#viewfinder-canvas').getBoundingClientRect();"
                               "return [surface.left, surface.top, surface.width, surface.height]")
        width, height = self.page.size()
        scale = min(box[2] / width, box[3] / height)
        at = (box[0] + (box[2] - width * scale) / 2 + x * width * scale,
              box[1] + (box[3] - height * scale) / 2 + y * height * scale)
        for kind in ("mousePressed", "mouseReleased"):
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent",
                                        {"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1})

    def test_another_quality_is_another_size(self):
        preset = next(one for one in self.server.camera()["presets"] if one != "high")
        self.page.choose("#preset-select", preset)
        self.page.wait(lambda: self.server.camera()["preset"] == preset, "the preset")
        self.page.wait_for_motion()
        self.server.change(preset="high")

    def test_the_microphone_shows_how_loud_it_is(self):
        self.page.choose("#microphone-select", "tone")
        self.page.wait(self.page.find("#meters").is_displayed, "the meters")
        self.page.wait(lambda: self.page.all("#meters *"), "a bar")
        self.page.choose("#microphone-select", "")
        self.page.wait(lambda: not self.page.find("#meters").is_displayed(), "no meters")

    def test_another_camera_is_one_more_tile_and_can_be_closed(self):
        self.page.wait(lambda: self.page.find("#add-camera").is_enabled(), "another camera")
        self.page.press("#add-camera")
        self.page.wait(lambda: len(self.server.api("GET", "/api/cameras")["cameras"]) == 2, "the second camera")
        self.page.wait(lambda: len(self.page.all("#cameras canvas")) == 2, "its tile")
        self.page.wait_for_motion()
        self.page.press("#remove-camera")
        if self.page.all("#ask-confirm"):
            self.page.press("#ask-confirm")
        self.page.wait(lambda: len(self.server.api("GET", "/api/cameras")["cameras"]) == 1, "one camera")

    def test_the_statistics_name_what_they_count(self):
        self.page.press("#statistics-group summary")
        text = self.page.wait(
            lambda: self.page.find("#statistics").text
            if "capture → drawn" in self.page.find("#statistics").text else None, "numbers of this page")
        self.assertRegex(text, r"\d")

    def test_keys_do_what_buttons_do(self):
        self.page.script("document.activeElement.blur()")
        self.page.keys("m")
        self.page.wait(lambda: self.page.pose() == "0 mirrored", "the mirror")
        self.page.keys("m")
        self.page.wait(lambda: self.page.pose() == "0", "the picture as it was")


if __name__ == "__main__":
    unittest.main()
