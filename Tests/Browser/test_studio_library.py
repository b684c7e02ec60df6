# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests the use of photos and movies: the ribbon, the editor and the library's page."""

import datetime
import os
import pathlib
import shutil
import unittest

from selenium.webdriver.common.keys import Keys

import picker
import studio
import studio_test

WIDTH, HEIGHT = studio.SIZE


class KeptTest(studio_test.PageTest):
    """Each test begins with three photos in the ribbon."""

    def setUp(self):
        super().setUp()
        self.names = [item["name"] for item in self.server.api("POST", "/api/cameras/1/photos", {"count": 3})["items"]]
        self.page.open()
        self.page.wait(lambda: self.shown == self.names, "the ribbon")
        self.page.wait_for_images("#ribbon img")

    @property
    def shown(self):
        """The names in the ribbon of the page, in order."""
        return self.page.script(
            "return [...document.querySelectorAll('#ribbon .taken')].map((item) => item.dataset.name)")

    @property
    def kept(self):
        return [item["name"] for item in self.server.api("GET", "/api/visit")["items"]]

    @property
    def files(self):
        return {item["name"] for item in self.server.api("GET", "/api/library?limit=1000")["items"]}

    def item(self, name):
        return self.server.api("GET", f"/api/library/{name}")


class RibbonTest(KeptTest):

    def test_keys_move_a_photo_in_the_ribbon(self):
        one, two, three = self.names
        self.page.script("document.querySelector(`[data-name=\"${arguments[0]}\"] .thumb`).focus()", three)
        self.page.keys(Keys.ALT, Keys.LEFT, Keys.NULL)
        self.page.wait(lambda: self.kept == [one, three, two], "the new order")
        self.page.keys(Keys.ALT, Keys.LEFT, Keys.NULL)
        self.page.wait(lambda: self.kept == [three, one, two], "the newer order")
        self.page.wait(lambda: self.shown == [three, one, two], "the newer order in the page")
        self.page.open()
        self.page.wait(lambda: self.shown == [three, one, two], "the same order")

    def test_a_pointer_moves_a_photo_in_the_ribbon(self):
        one, two, three = self.names
        places = [
            self.page.script(
                "const box = document.querySelector(`#ribbon [data-name=\"${arguments[0]}\"]`).getBoundingClientRect();"
                "return [box.left + box.width / 2, box.top + box.height / 2]", name) for name in self.names
        ]

        def mouse(kind, x, y, buttons):
            self.driver.execute_cdp_cmd(
                "Input.dispatchMouseEvent",
                {"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1})

        mouse("mousePressed", *places[0], 1)
        for step in range(1, 11):
            mouse("mouseMoved", places[0][0] + (places[2][0] + 20 - places[0][0]) * step / 10, places[0][1], 1)
        mouse("mouseReleased", places[2][0] + 20, places[0][1], 0)
        self.page.wait(lambda: self.kept == [two, three, one], "the new order")
        self.assertFalse(self.page.all("dialog[open]"), "a drag is no press")

    def test_what_leaves_the_ribbon_stays_in_the_library(self):
        one, two, three = self.names
        self.page.press(f'#ribbon [data-name="{two}"] .remove')
        self.page.wait(lambda: self.kept == [one, three], "two in the ribbon")
        self.page.wait(lambda: self.shown == [one, three], "two in the page")
        self.page.script("document.querySelector(`[data-name=\"${arguments[0]}\"] .thumb`).focus()", one)
        self.page.keys(Keys.DELETE)
        self.page.wait(lambda: self.kept == [three], "one in the ribbon")
        self.assertEqual(self.files, {one, two, three})

    def test_a_photo_more_scrolls_the_ribbon_and_not_the_page(self):
        self.page.resize(844, 390)
        self.page.script("window.scrollTo(0, 0)")
        self.server.api("POST", "/api/cameras/1/photos", {"count": 3})
        self.page.wait(lambda: len(self.shown) == 6, "six photos")
        self.page.wait(
            lambda: self.page.script(
                "const ribbon = document.querySelector('#ribbon').getBoundingClientRect();"
                "const last = document.querySelector('#ribbon .taken:last-of-type').getBoundingClientRect();"
                "return last.left >= ribbon.left - 1 && last.right <= ribbon.right + 1"), "the newest of them")
        self.assertEqual(self.page.script("return window.scrollY"), 0)


class EditorTest(KeptTest):

    def edit(self, name):
        self.page.press(f'#ribbon [data-name="{name}"] .thumb')
        self.page.wait(lambda: self.page.all("dialog#editor[open]"), "the editor")
        self.page.wait_for_images("#editor-image", "the photo")

    def save(self, name):
        """Saves, and returns the server's description of the photo."""
        self.page.press("#editor-save")
        self.page.wait(lambda: "recipe" in self.item(name), "the recipe")
        return self.item(name)

    def export(self, kind):
        before = self.files
        self.page.choose("#editor-export-format", kind)
        self.page.press("#editor-export")
        (name,) = self.page.wait(lambda: self.files - before, "the export")
        return name

    # Of 4:3, and as high as the photo.
    cropped = (HEIGHT * 4 // 3, HEIGHT)

    def test_a_crop_of_4_to_3_is_exported_at_full_size_and_the_original_is_kept(self):
        name = self.names[0]
        original = self.server.media(name)
        number = self.page.photo(name)["number"]
        self.edit(name)
        self.page.press("#shape-4x3")
        self.page.screenshot("editor")
        item = self.save(name)
        self.assertEqual((item["width"], item["height"]), self.cropped)
        (crop,) = item["recipe"]["edits"]
        self.assertEqual(crop["kind"], "crop")
        self.assertEqual(self.page.photo(name, "/picture.jpg")["size"], list(self.cropped))
        for kind, magic in (("jpeg", b"\xff\xd8\xff"), ("png", b"\x89PNG")):
            made = self.export(kind)
            self.assertEqual(self.page.photo(made)["size"], list(self.cropped))
            self.assertTrue(self.server.media(made).startswith(magic))
            # The export is the center of the original at full size: no pixel is scaled.
            self.assertLess(
                self.page.awaited(
                    "const [whole, part] = [await reading.fetched(given[0]), await reading.fetched(given[1])];"
                    "const one = reading.part(whole, given[2], 0, ...given[3]);"
                    "const other = reading.part(part, 0, 0, ...given[3]);"
                    "return one.reduce((sum, value, index) => sum + Math.abs(value - other[index]), 0) / one.length",
                    f"/media/{name}", f"/media/{made}", (WIDTH - self.cropped[0]) // 2, self.cropped), 3)
        self.assertEqual(self.server.media(name), original)
        self.assertEqual(self.page.photo(name, "/picture.jpg?original=1"),
                         {"size": [WIDTH, HEIGHT], "number": number, "pose": "0"})

    def test_a_photo_is_turned_mirrored_and_put_back(self):
        name = self.names[0]
        number = self.page.photo(name)["number"]
        self.edit(name)
        self.page.press("#rotate-right")
        item = self.save(name)
        self.assertEqual((item["width"], item["height"]), (HEIGHT, WIDTH))
        picture = self.page.photo(name, "/picture.jpg?v=1")
        self.assertEqual((picture["size"], picture["pose"]), ([HEIGHT, WIDTH], "1"))
        self.page.press("#rotate-left")
        self.page.press("#editor-mirror")
        self.page.press("#editor-save")
        self.page.wait(lambda: self.item(name)["recipe"]["edits"] == [{"kind": "mirror"}], "the mirror")
        self.assertEqual(self.page.photo(name, "/picture.jpg?v=2")["pose"], "0 mirrored")
        self.page.press("#editor-reset")
        self.page.press("#editor-save")
        self.page.wait(lambda: "recipe" not in self.item(name), "no recipe")
        self.assertEqual(self.page.photo(name, "/picture.jpg?v=3")["number"], number)

    def test_a_straightened_photo_has_no_empty_corner(self):
        name = self.names[0]
        self.edit(name)
        self.page.script("const slider = document.querySelector('#straighten'); slider.value = 10;"
                         "slider.dispatchEvent(new Event('input', {bubbles: true}))")
        item = self.save(name)
        self.assertEqual(item["recipe"]["edits"], [{"kind": "straighten", "degrees": 10}])
        self.assertLess(item["width"], WIDTH)
        self.assertAlmostEqual(item["width"] / item["height"], 16 / 9, delta=0.02)
        corners = self.page.awaited(
            "return reading.colours(await reading.fetched(given[0]), [[0.002, 0.002], [0.995, 0.002], [0.002, 0.5]])",
            f"/media/{name}/picture.jpg?v=1")
        # There are color bars; only the flash, at the right, may be black.
        for corner in (corners[0], corners[2]):
            self.assertGreater(max(corner), 40)

    def test_light_is_bettered_and_red_eyes_are_taken_into_the_recipe(self):
        name = self.names[0]
        self.edit(name)
        self.page.press("#editor-enhance")
        self.page.press("#editor-red-eye")
        box = self.page.script("const box = document.querySelector('#editor-box').getBoundingClientRect();"
                               "return [box.left + box.width / 2, box.top + box.height / 2]")
        for kind in ("mousePressed", "mouseReleased"):
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent",
                                        {"type": kind, "x": box[0], "y": box[1], "button": "left", "clickCount": 1})
        item = self.save(name)
        self.assertEqual({edit["kind"] for edit in item["recipe"]["edits"]}, {"enhance", "redEye"})
        self.assertEqual(self.page.photo(name, "/picture.jpg?v=1")["size"], [WIDTH, HEIGHT])

    def test_whoever_saves_by_key_goes_on_by_key_and_by_a_press_on_the_result(self):
        self.edit(self.names[0])
        self.assertFalse(self.page.find("#enhance-hint").is_displayed())
        self.page.press("#editor-enhance")
        self.page.wait(self.page.find("#enhance-hint").is_displayed, "when it will be seen")
        self.page.script("document.querySelector('#editor-save').focus()")
        self.page.keys(Keys.ENTER)
        self.page.wait(lambda: self.item(self.names[0]).get("recipe"), "the recipe")
        self.page.wait(lambda: self.page.script("return document.activeElement.id") == "editor-reset", "the focus")
        self.page.wait(self.page.find("#editor-result").is_displayed, "the result")
        self.assertFalse(self.page.find("#editor-box").is_displayed())
        self.page.press("#editor-result")
        self.page.wait(self.page.find("#editor-box").is_displayed, "the frame")

    def test_a_photo_that_is_closed_while_it_is_saved_is_saved_without_a_question(self):
        name = self.names[0]
        self.edit(name)
        self.page.press("#editor-mirror")
        # In one script, since the server's answer cannot arrive between the two.
        self.page.script("for (const id of ['editor-save', 'editor-close']) document.getElementById(id).click()")
        self.page.wait(lambda: not self.page.all("dialog#editor[open]"), "the end")
        self.assertEqual(self.item(name)["recipe"]["edits"], [{"kind": "mirror"}])
        self.assertFalse(self.page.all("dialog[open]"))

    def test_edits_that_are_not_saved_are_asked_about(self):
        self.edit(self.names[0])
        self.page.press("#editor-mirror")
        self.page.press("#editor-close")
        self.page.wait(lambda: self.page.all("#ask-cancel"), "the question")
        self.page.press("#ask-cancel")
        self.assertTrue(self.page.all("dialog#editor[open]"))
        self.page.press("#editor-close")
        self.page.press("#ask-confirm")
        self.page.wait(lambda: not self.page.all("dialog#editor[open]"), "the end")
        self.assertNotIn("recipe", self.item(self.names[0]))


class LibraryTest(KeptTest):

    def view(self, name):
        """Shows an item in the viewer, with all pictures, so that it can be deleted."""
        self.page.open("/library")
        self.page.wait(lambda: len(self.page.all("#items .item img")) == 3, "three items")
        self.page.wait_for_images("#items img")
        self.page.press(f'#items [data-name="{name}"] .thumb')
        self.page.wait(lambda: self.page.all("#viewer-stage img"), "the item")
        self.page.wait_for_images("#viewer-stage img")

    def test_the_library_shows_everything_newest_first_and_what_a_file_says_of_itself(self):
        order = [item["name"] for item in self.server.api("GET", "/api/library")["items"]]
        self.page.open("/library")
        self.page.wait(lambda: len(self.page.all("#items .item")) == 3, "three items")
        self.assertEqual(
            self.page.script("return [...document.querySelectorAll('#items .item')].map((item) => item.dataset.name)"),
            order)
        self.page.wait_for_images("#items img")
        self.page.screenshot("library")
        self.page.press("#items .thumb")
        self.page.wait(lambda: str(WIDTH) in self.page.find("#viewer-facts").text, "what is known of it")
        metadata = self.item(order[0])["metadata"]
        self.assertTrue(metadata)
        self.page.wait(lambda: all(fact["value"] in self.page.find("#viewer-facts").text for fact in metadata),
                       "all facts")
        self.page.screenshot("viewer")

    def test_what_is_deleted_is_gone_from_the_disk_and_from_the_ribbon(self):
        name = self.names[1]
        self.view(name)
        self.page.press("#viewer-delete")
        self.page.wait(lambda: name not in self.files, "the end of the file")
        self.page.wait(lambda: len(self.page.all("#items .item")) == 2, "two items")
        self.assertNotIn(name, {path.name for path in pathlib.Path(self.server.library).iterdir()})
        self.assertNotIn(name, self.kept)
        self.page.press(".toast-action")
        self.page.wait(lambda: len(self.page.all("#items .item")) == 3, "three items again")
        self.assertEqual(self.files, set(self.names))
        self.assertEqual(self.kept, self.names, "the old place in the ribbon")

    def test_the_trash(self):
        one, two, three = self.names
        self.server.api("PUT", f"/api/library/{one}/recipe", {"edits": [{"kind": "mirror"}]})
        # A photo that is deleted while its thumbnail loads would be an error in the console.
        self.page.wait(lambda: self.page.all(f'#ribbon [data-name="{one}"] img[src*="&v="]'), "the edited thumbnail")
        self.page.wait_for_images("#ribbon img", "all thumbnails")
        for name in (one, two, three):
            self.server.api("DELETE", f"/api/library/{name}")
        self.page.open("/library")
        self.page.press("#trash-button")
        self.page.wait(lambda: self.trashed == [three, two, one], "the deleted photos, latest first")
        self.page.wait_for_images("#trash-items img", "their pictures")
        self.page.press(f'#trash-items [data-name="{one}"] [aria-label^="Restore"]')
        self.page.wait(lambda: self.trashed == [three, two], "two photos")
        self.page.wait(lambda: len(self.page.all("#items .item")) == 1, "the restored photo")
        self.assertEqual(self.item(one)["recipe"], {"edits": [{"kind": "mirror"}]})
        self.page.press(f'#trash-items [data-name="{two}"] [aria-label$="for good"]')
        self.page.press("#ask-confirm")
        self.page.wait(lambda: self.trashed == [three], "one photo")
        self.page.screenshot("trash")
        self.page.press("#trash-clear")
        self.page.press("#ask-confirm")
        self.page.wait(lambda: self.page.find("#trash-empty").is_displayed(), "the empty trash")
        self.assertEqual(self.files, {one})
        self.assertEqual(self.server.api("GET", "/api/trash"), {"items": []})

    def test_without_a_trash_the_page_offers_to_delete_for_good(self):
        name = self.names[0]
        # No folder, and so no trash.
        hidden = self.server.library / ".obscura"
        shutil.rmtree(hidden, ignore_errors=True)
        hidden.write_text("")
        self.view(name)
        self.page.press("#viewer-delete")
        self.page.press("#ask-cancel")
        self.assertIn(name, self.files)
        self.page.press("#viewer-delete")
        self.page.press("#ask-confirm")
        self.page.wait(lambda: name not in self.files, "the end of the file")
        self.page.wait(lambda: len(self.page.all("#items .item")) == 2, "two items")
        # The console reports the rejected requests.
        self.page.troubles()

    @property
    def trashed(self):
        """The names in the dialog of the trash, in order."""
        return self.page.script(
            "return [...document.querySelectorAll('#trash[open] .item')].map((item) => item.dataset.name)")


class SearchTest(studio_test.PageTest):
    """A library with photos of three months."""

    def setUp(self):
        super().setUp()
        for name, day in (("beach.png", "2024-05-31"), ("boat.png", "2026-10-01"), ("bird 100%.png", "2026-11-27")):
            path = self.server.library / name
            picker.make_picture(path, "red", "blue", size=(64, 48))
            seconds = datetime.datetime.fromisoformat(f"{day}T12:00:00").timestamp()
            os.utime(path, (seconds, seconds))
        self.page.open("/library")
        self.wait_for(["bird 100%.png", "boat.png", "beach.png"])

    @property
    def shown(self):
        return self.page.script("return [...document.querySelectorAll('#items .item')].map((item) => item.dataset.name)")

    def wait_for(self, names):
        self.page.wait(lambda: self.shown == names, f"{names} in the library")

    def type(self, text):
        """Replaces the text of the search."""
        self.page.find("#search").send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.BACKSPACE, text)

    def test_words_kinds_and_months_narrow_the_list(self):
        self.page.wait(lambda: [one.text for one in self.page.all("#months button")] == [
            "All months", "November 2026 (1)", "October 2026 (1)", "May 2024 (1)"], "the months")
        self.page.press('#months [data-month="2026-10"]')
        self.wait_for(["boat.png", "beach.png"])
        self.type("b")
        self.wait_for(["bird 100%.png", "boat.png", "beach.png"])
        for offset, names in ((0, ["bird 100%.png"]), (1, ["boat.png"]), (3, []), (2**63 - 1, [])):
            page = self.server.api("GET", f"/api/search?text=b&offset={offset}&limit=1")
            self.assertEqual(([item["name"] for item in page["items"]], page["total"]), (names, 3))
        self.type("bea")
        self.wait_for(["beach.png"])
        self.page.wait(lambda: not self.page.find("#months").is_displayed(), "no rail for one month")
        self.type("100%")
        self.wait_for(["bird 100%.png"])
        self.page.choose("#kind", "movie")
        self.page.wait(lambda: self.page.find("#empty").text == "Nothing was found.", "the end of the search")
        self.page.choose("#kind", "")
        self.type("")
        self.wait_for(["bird 100%.png", "boat.png", "beach.png"])
        self.assertEqual(self.page.find("#count").text, "3 items")

    def test_the_map_narrows_the_list(self):
        self.assertFalse(self.page.find("#map-button").is_displayed(), "no photo has a place")
        paris, sydney = ({"latitude": 48.86, "longitude": 2.35}, {"latitude": -33.87, "longitude": 151.2})
        for place in (paris, paris, sydney):
            self.server.api("POST", "/api/cameras/1/photos", {"location": place})
        self.page.open("/library")
        self.page.press("#map-button")
        self.page.wait(lambda: [one.text for one in self.page.all(".place")] == ["2", "1"], "the places")
        self.page.wait_for_images("#map img", "the outline")
        # Sydney is at the right, below the middle.
        left, top = self.page.script(
            "const [map, place] = ['#map', '[aria-label^=\"1 item\"]'].map((one) => document.querySelector(one).getBoundingClientRect());"
            "return [(place.left + place.width / 2 - map.left) / map.width, (place.top + place.height / 2 - map.top) / map.height]")
        self.assertAlmostEqual(left, (151.2 + 180) / 360, delta=0.01)
        self.assertAlmostEqual(top, (90 + 33.87) / 180, delta=0.02)
        self.page.press('[aria-label^="2 items near 48.9° N"]')
        self.page.wait(lambda: len(self.shown) == 2, "the photos of Paris")
        self.page.press("#area-reset")
        self.page.wait(lambda: len(self.shown) == 6, "all photos")

    def test_a_new_photo_is_found_and_a_deleted_one_is_not(self):
        name = self.server.api("POST", "/api/cameras/1/photos", {"title": "Sunrise"})["items"][0]["name"]
        found = lambda: [item["name"] for item in self.server.api("GET", "/api/search?text=sunrise")["items"]]  # noqa: E731
        studio.wait_until(lambda: found() == [name], "the new photo")
        self.server.api("DELETE", f"/api/library/{name}")
        studio.wait_until(lambda: found() == [], "no deleted photo")
        for query in ("month=2026", "month=2026-13", "kind=sound", "limit=0", "month=99999-01"):
            self.assertEqual(self.server.ask("GET", f"/api/search?{query}").status, 422, query)


if __name__ == "__main__":
    unittest.main()
