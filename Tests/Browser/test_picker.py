# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests the page of a media picker with `obscura pick`: what a user does, and the files that the program gets."""

import pathlib
import subprocess
import tempfile
import unittest

from selenium.webdriver.common.keys import Keys

import browser
import page
import picker
import studio


class PickerTest(unittest.TestCase):
    """A test with a folder for the picker's files, and one tab."""

    # A script that runs before those of the page.
    patch = ""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-picker-")))
        self.library = self.folder / "library"

    def open(self, *options):
        """Starts a picker with these options, and opens its page."""
        self.picker = self.enterContext(picker.running(self.folder, *options))
        # The tab closes before the picker ends, which would wait for it.
        driver = self.enterContext(browser.isolated())
        self.page = page.Page(driver, self.picker, page.DESKTOP)
        self.page.add_script(self.patch)
        self.page.open()
        self.page.wait(lambda: self.page.script("return document.documentElement.classList.contains('ready')"), "the page")

    @property
    def shown(self):
        """The names in the selection of the page, in order."""
        return self.page.script(
            "return [...document.querySelectorAll('#ribbon .taken')].map((item) => item.dataset.name)")

    def wait_for(self, names):
        self.page.wait(lambda: self.shown == names, lambda: f"{names} in the selection instead of {self.shown}")

    def add_from_library(self, name):
        count = len(self.shown)
        self.page.press("#from-library")
        self.page.press(f'#library-items [data-path="{name}"]')
        self.page.wait(lambda: len(self.shown) == count + 1, f"{name} in the selection")

    def add_from_web(self, address):
        count = len(self.shown)
        self.page.press("#from-network")
        field = self.page.find("#address")
        field.send_keys(address)
        field.send_keys(Keys.ENTER)
        self.page.wait(lambda: len(self.shown) == count + 1, f"{address} in the selection")

    def take_photo(self):
        self.page.wait_for_picture()
        count = len(self.shown)
        self.page.press("#shutter")
        self.page.wait(lambda: len(self.shown) == count + 1, "the photo in the selection")
        return self.shown[-1]

    def edit(self, name, *buttons):
        """Opens the photo in the editor, presses the buttons, and saves."""
        self.page.press(f'#ribbon [data-name="{name}"] .thumb')
        self.page.wait_for_images("#editor-image", "the photo in the editor")
        for button in buttons:
            self.page.press(button)
        self.page.press("#editor-save")
        self.page.wait_for_toast("Saved", "the saved photo")
        self.page.press("#editor-close")
        self.page.wait(lambda: self.page.script(
            "return document.activeElement.closest('[data-name]')?.dataset.name") == name, "the focus back on the photo")

    def finish(self):
        # The server ends with the selection; a picture that still loads would be an error in the console.
        self.page.wait_for_images("#ribbon img", "all thumbnails")
        self.page.press("#done")
        self.page.wait(lambda: self.page.find("#ended").is_displayed(), "the end")
        self.assertEqual(self.page.troubles(), [], "errors in the console")
        return self.picker.result()


# The first request for a new order waits until the test releases it.
HELD = """
    const fetched = window.fetch;
    window.sent = [];
    window.isReleased = new Promise((done) => { window.release = done; });
    window.fetch = async (path, options) => {
      if (!path.startsWith('/api/visit')) return fetched(path, options);
      window.sent.push(options.method);
      await window.isReleased;
      // Without the page's limit of time.
      return fetched(path, { ...options, signal: undefined });
    };
"""


class FlowTest(PickerTest):

    def test_photos_of_all_sources_in_the_users_order(self):
        picker.make_picture(self.library / "red.png", "red", "red")
        picker.make_picture(self.library / "sub/halves.png", "lime", "blue")
        picker.make_picture(self.folder / "web/yellow.png", "yellow", "yellow", size=(200, 100))
        picker.make_picture(self.folder / "disk.png", "white", "black")
        self.open("--count", "5", "--allow-private-network")
        photo = self.take_photo()
        self.add_from_library("red.png")
        self.add_from_library("sub/halves.png")
        with picker.serving(self.folder / "web") as address:
            self.add_from_web(f"{address}/yellow.png")
        self.page.find("#disk-file").send_keys(str(self.folder / "disk.png"))
        self.wait_for([photo, "red.png", "halves.png", "yellow.png", "disk.png"])
        self.assertFalse(self.page.find("#shutter").is_enabled(), "the selection is full")

        # The left half becomes the upper one; then the square at its center.
        self.edit("halves.png", "#rotate-right", "#shape-square")
        self.edit("yellow.png", "#shape-square")

        # To the front, and removed; the removal is undone.
        self.page.script("document.querySelector('[data-name=\"halves.png\"] .thumb').focus()")
        self.page.keys(Keys.ALT, Keys.LEFT, Keys.LEFT, Keys.NULL)
        self.wait_for(["halves.png", photo, "red.png", "yellow.png", "disk.png"])
        self.page.press('[data-name="red.png"] .remove')
        self.wait_for(["halves.png", photo, "yellow.png", "disk.png"])
        self.page.press("#undo")
        self.wait_for(["halves.png", photo, "red.png", "yellow.png", "disk.png"])
        self.page.press('[data-name="disk.png"] .remove')
        self.wait_for(["halves.png", photo, "red.png", "yellow.png"])

        code, picked = self.finish()
        self.assertEqual(code, 0)
        paths = [pathlib.Path(item["path"]) for item in picked]
        self.assertEqual([path.name for path in paths], ["halves.png", photo, "red.png", "yellow.png"])
        self.assertEqual([item["source"] for item in picked], ["library", "camera", "library", "network"])
        self.assertEqual([picker.size(path) for path in paths], [(240, 240), studio.SIZE, (320, 240), (100, 100)])
        self.assertEqual([item["size"] for item in picked],
                         [{"width": width, "height": height} for width, height in map(picker.size, paths)])
        self.assertEqual((picker.color(paths[0], 0.5, 0), picker.color(paths[0], 0.5, 1)), ("lime", "blue"))
        self.assertEqual((picker.color(paths[2], 0.5, 0.5), picker.color(paths[3], 0.5, 0.5)), ("red", "yellow"))
        # An unedited photo is a copy of its file.
        self.assertEqual(paths[2].read_bytes(), (self.library / "red.png").read_bytes())
        self.assertEqual({path.name for path in self.picker.output.iterdir()}, {path.name for path in paths})

    def open_with_held_requests(self):
        """Opens a picker with red.png, green.png and blue.png, and focuses the last; see `HELD`."""
        for name in ("red", "green", "blue"):
            picker.make_picture(self.library / f"{name}.png", name, name)
        self.patch = HELD
        self.open("--count", "5", "--kind", "photo")
        for name in ("red", "green", "blue"):
            self.add_from_library(f"{name}.png")
        self.page.script("document.querySelector('[data-name=\"blue.png\"] .thumb').focus()")

    def test_changes_reach_the_server_one_after_the_other(self):
        self.open_with_held_requests()
        self.page.keys(Keys.ALT, Keys.LEFT, Keys.LEFT, Keys.NULL)
        self.wait_for(["blue.png", "red.png", "green.png"])
        self.page.press('[data-name="red.png"] .remove')
        photo = self.picker.api("POST", "/api/cameras/1/photos", {})["items"][0]["name"]
        self.wait_for(["blue.png", "red.png", "green.png", photo])
        self.assertEqual(self.page.script("return window.sent"), ["PUT"])
        self.page.script("window.release()")
        self.wait_for(["blue.png", "green.png", photo])
        self.assertEqual(self.page.script("return window.sent"), ["PUT", "PUT", "DELETE"])
        self.page.press("#undo")
        self.wait_for(["blue.png", "red.png", "green.png", photo])
        self.assertEqual([item["name"] for item in self.picker.api("GET", "/api/visit")["items"]], self.shown)
        self.assertEqual(self.page.troubles(), [], "errors in the console")

    def test_done_waits_for_the_changes_before_it(self):
        self.open_with_held_requests()
        self.page.keys(Keys.ALT, Keys.LEFT, Keys.NULL)
        self.wait_for(["red.png", "blue.png", "green.png"])
        self.page.press('[data-name="red.png"] .remove')
        self.page.press("#done")
        self.page.script("window.release()")
        code, picked = self.picker.result()
        self.assertEqual((code, [pathlib.Path(item["path"]).name for item in picked]), (0, ["blue.png", "green.png"]))

    def test_undo_goes_back_step_by_step(self):
        picker.make_picture(self.library / "red.png", "red", "blue")
        self.open("--count", "3", "--kind", "photo")
        self.add_from_library("red.png")
        self.edit("red.png", "#rotate-right")
        self.edit("red.png", "#shape-square")
        photo = self.take_photo()
        self.wait_for(["red.png", photo])
        edits = lambda: [  # noqa: E731
            edit["kind"] for edit in (self.picker.api("GET", "/api/visit")["items"][0].get("recipe") or {"edits": []})["edits"]
        ]
        self.assertEqual(edits(), ["rotate", "crop"])
        self.page.press("#undo")
        self.wait_for(["red.png"])
        self.page.press("#undo")
        self.page.wait(lambda: edits() == ["rotate"], "the photo before the crop")
        self.page.find("body").send_keys(Keys.CONTROL, "z")
        self.page.wait(lambda: edits() == [], "the photo before the rotation")
        self.page.press("#undo")
        self.wait_for([])
        self.assertFalse(self.page.find("#done").is_enabled())
        self.assertFalse(self.page.find("#undo").is_enabled())

    def test_a_focus_that_is_elsewhere_stays_there_when_the_editor_has_closed(self):
        picker.make_picture(self.library / "red.png", "red", "blue")
        self.open("--count", "3", "--kind", "photo")
        self.add_from_library("red.png")
        self.page.press('#ribbon [data-name="red.png"] .thumb')
        focused = self.page.awaited("""
            const dialog = document.querySelector('#editor');
            const isReported = new Promise((done) => dialog.addEventListener('close', done));
            document.querySelector('#editor-close').click();
            while (dialog.open) await null;
            document.querySelector('#done').focus();
            await isReported;
            return document.activeElement.id""")
        self.assertEqual(focused, "done")

    def test_a_cancellation_returns_nothing(self):
        self.open()
        self.take_photo()
        self.page.press("#cancel")
        self.page.press("#ask-confirm")
        self.page.wait(lambda: self.page.find("#ended").is_displayed(), "the end")
        self.assertEqual(self.picker.result(), (1, []))
        self.assertFalse(self.picker.output.exists())

    def test_a_movie_is_recorded_trimmed_and_returned(self):
        self.open("--kind", "movie", "--count", "2")
        self.page.wait_for_picture()
        self.assertFalse(self.page.find("#shutter").is_displayed())
        self.page.toggle("#record", True)
        self.page.wait(lambda: "0:02" in self.page.find("#recording-time").text, "two seconds of movie")
        self.page.press("#record")
        self.page.wait(lambda: len(self.shown) == 1, "the movie in the selection")
        movie = self.shown[0]
        self.page.press(f'[data-name="{movie}"] .thumb')
        self.page.wait(lambda: self.page.find("#trim-from").is_displayed(), "the controls for trimming")
        for slider, value in (("#trim-from", 0.5), ("#trim-to", 1.5)):
            self.page.script("const slider = document.querySelector(arguments[0]); slider.value = arguments[1];"
                             "slider.dispatchEvent(new Event('input', {bubbles: true}))", slider, value)
        self.page.press("#trim")
        trimmed = movie.replace(".mp4", "-trimmed.mp4")
        self.wait_for([trimmed])
        self.page.press("#viewer-close")
        code, picked = self.finish()
        self.assertEqual((code, len(picked), picked[0]["kind"]), (0, 1, "movie"))
        self.assertAlmostEqual(picked[0]["duration"], 1, delta=0.1)
        self.assertEqual(pathlib.Path(picked[0]["path"]).name, trimmed)


class LimitTest(PickerTest):

    def test_a_page_gets_no_more_than_the_program_offers(self):
        self.open("--source", "camera", "--source", "disk", "--count", "1", "--kind", "photo")
        for method, path, body in (("POST", "/api/cameras", {"device": "pattern"}), ("DELETE", "/api/cameras/1", None),
                                   ("PATCH", "/api/cameras/1", {"microphone": "tone"}),
                                   ("POST", "/api/picker/addresses", {"address": "http://127.0.0.1/"}),
                                   ("POST", "/api/cameras/1/recording", {})):
            self.assertEqual(self.picker.ask(method, path, body).status, 403, path)
        for method, path in (("GET", "/api/library"), ("DELETE", "/api/library/photo.jpg"), ("POST", "/api/uploads?name=a.jpg"),
                             ("POST", "/api/library/photo.jpg/export"), ("GET", "/openapi.json"), ("GET", "/library")):
            self.assertIn(self.picker.ask(method, path, {} if method == "POST" else None).status, (404, 405), path)
        photo = self.take_photo()
        self.assertEqual(self.picker.ask("POST", "/api/cameras/1/photos", {}).status, 409)
        self.assertEqual(self.picker.ask("POST", "/api/picker/library", {"path": "../x.jpg"}).status, 404)
        self.assertEqual(self.finish()[1][0]["path"], str(self.picker.output / photo))

    def test_a_file_that_is_no_photo_is_an_error_and_the_next_one_is_added(self):
        (self.folder / "text.jpg").write_text("no photo")
        picker.make_picture(self.folder / "red.png", "red", "red")
        self.open("--source", "disk", "--count", "2")
        self.page.script("document.querySelector('#disk-file').hidden = false")
        self.page.find("#disk-file").send_keys(f"{self.folder / 'text.jpg'}\n{self.folder / 'red.png'}")
        self.wait_for(["red.png"])
        self.page.wait_for_toast("text.jpg", "the error")
        # The console reports the rejected request.
        self.page.troubles()

    def test_a_download_shows_its_progress_and_can_be_stopped(self):
        picker.make_picture(self.folder / "web/red.png", "red", "blue")
        self.open("--source", "network", "--allow-private-network")
        self.page.press("#from-network")
        with picker.serving(self.folder / "web", picker.StallingHandler) as address:
            self.page.find("#address").send_keys(f"{address}/red.png", Keys.ENTER)
            length = (self.folder / "web/red.png").stat().st_size
            self.page.wait(
                lambda: self.page.script("return document.querySelector('#address-progress').value") == length // 2 / length,
                "the half of it")
            self.assertFalse(self.page.find("#done").is_enabled(), "something is being added")
            self.page.press("#address-stop")
            self.page.wait(lambda: self.page.find("#address-add").is_displayed(), "the end of the download")
        self.assertEqual(self.picker.api("GET", "/api/picker/addresses"), {"downloads": []})
        self.assertEqual((self.shown, self.page.all(".toast")), ([], []))
        # The console reports the stopped request.
        self.page.troubles()
        with picker.serving(self.folder / "web") as address:
            field = self.page.find("#address")
            field.send_keys(Keys.CONTROL, "a", Keys.NULL, f"{address}/red.png", Keys.ENTER)
            self.wait_for(["red.png"])

    def test_cancel_asks_during_a_recording(self):
        self.open("--kind", "movie")
        self.page.wait_for_picture()
        self.page.press("#record")
        self.page.wait(lambda: self.picker.api("GET", "/api/cameras/1").get("recording"), "the recording")
        self.page.wait(lambda: self.page.find("#record").get_attribute("aria-pressed") == "true", "the recording in the page")
        self.page.press("#cancel")
        self.assertIn("recording", self.page.wait(lambda: self.page.all("#ask-text"), "the question")[0].text)
        self.page.press("#ask-cancel")
        self.page.wait(lambda: not self.page.all("#ask"), "no question")
        self.page.press("#cancel")
        self.page.press("#ask-confirm")
        self.page.wait(lambda: self.page.find("#ended").is_displayed(), "the end")
        self.assertEqual(self.picker.result(), (1, []))


class RatioTest(PickerTest):

    def test_each_photo_has_the_ratio_whatever_the_user_does(self):
        picker.make_picture(self.library / "wide.png", "red", "blue", size=(400, 100))
        self.open("--count", "3", "--crop", "4:3", "--kind", "photo")
        photo = self.take_photo()
        self.add_from_library("wide.png")
        self.assertFalse(self.page.all("#shape-free"), "there is one shape")
        self.edit("wide.png", "#rotate-right")
        self.edit(photo, "#editor-mirror")
        # The server rejects another shape, whatever a page sends.
        answer = self.picker.ask("PUT", "/api/library/wide.png/recipe", {"edits": [{"kind": "rotate", "turn": "right"}]})
        self.assertEqual(answer.status, 422)
        code, picked = self.finish()
        self.assertEqual(code, 0)
        for item in picked:
            width, height = picker.size(item["path"])
            self.assertAlmostEqual(width / height, 4 / 3, delta=0.03, msg=item["path"])


class LibraryTest(PickerTest):

    def test_names_of_all_kinds_are_shown_found_and_added(self):
        names = ["Summer 2026/beach house.png", "100% & more+less#1?.png", "Möwe \U0001f6b2.png"]
        for name in names:
            picker.make_picture(self.library / name, "red", "blue")
        self.open("--count", "5")
        self.page.press("#from-library")
        self.page.wait(lambda: len(self.page.all("#library-items img")) == 3, "three photos")
        self.page.wait_for_images("#library-items img", "thumbnails")
        self.page.find("#library-search").send_keys("beach hou")
        self.page.wait(lambda: len(self.page.all("#library-items .thumb")) == 1, "the photo that was searched for")
        self.page.press("#library-close")
        for name in names:
            self.page.press("#from-library")
            # As in a browser, no event without a change: each replaces the list, a quarter of a second later.
            self.page.script("const search = document.querySelector('#library-search'); if (search.value) {"
                             "search.value = ''; search.dispatchEvent(new Event('input')); }")
            self.page.wait(lambda: len(self.page.all("#library-items .thumb")) == 3, "the whole library")
            self.page.script("[...document.querySelectorAll('#library-items .thumb')]"
                             ".find((one) => one.dataset.path === arguments[0]).click()", name)
            self.page.wait(lambda count=names.index(name) + 1: len(self.shown) == count, name)
        code, picked = self.finish()
        self.assertEqual(([item["original"] for item in picked], code), (names, 0))

    def test_a_search_ends_with_the_dialog(self):
        picker.make_picture(self.library / "red.png", "red", "red")
        self.open("--count", "1")
        self.page.press("#from-library")
        self.page.wait(lambda: len(self.page.all("#library-items .thumb")) == 1, "the library")
        asked = self.page.awaited("""
            const searches = () => performance.getEntriesByType('resource')
                .filter((entry) => entry.name.includes('/api/picker/library?')).length;
            const before = searches();
            const search = document.querySelector('#library-search');
            search.value = 'beach';
            search.dispatchEvent(new Event('input'));
            // Begins after the page's own wait for the next key press, and is longer: the page's would end first.
            const later = new Promise((done) => setTimeout(done, 1000));
            document.querySelector('#library-close').click();
            await later;
            return searches() - before;""")
        self.assertEqual(asked, 0)
        self.page.press("#cancel")

    def test_without_a_library_other_sources_remain_and_alone_it_is_an_error(self):
        self.open("--count", "1")
        self.assertFalse(self.page.find("#from-library").is_displayed())
        self.assertTrue(self.page.find("#from-disk").is_displayed())
        run = subprocess.run([browser.tool(), "pick", "--no-open", "--source", "library", "--library", "/nonexistent/library"],
                             capture_output=True, text=True, timeout=studio.END, stdin=subprocess.DEVNULL)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("/nonexistent/library", run.stderr)


class LookTest(PickerTest):

    def test_texts_colors_and_the_overlay(self):
        picker.make_picture(self.folder / "frame.png", "red", "blue")
        self.open("--title", "Photos of your bike", "--prompt", "From the side.", "--accent-color", "#ffee00", "--overlay",
                  str(self.folder / "frame.png"), "--source", "camera")
        self.assertEqual(self.page.find("h1").text, "Photos of your bike")
        self.assertEqual(self.page.find("#prompt").text, "From the side.")
        self.page.wait(lambda: self.page.script("return document.querySelector('#overlay').naturalWidth") == 320, "the overlay")
        self.assertFalse(self.page.find("#from-disk").is_displayed())
        self.take_photo()
        self.assertEqual(self.page.find("#done").value_of_css_property("background-color"), "rgba(255, 238, 0, 1)")
        self.assertEqual(self.page.find("#done").value_of_css_property("color"), "rgba(0, 0, 0, 1)")
        # The overlay is not in the photo.
        code, picked = self.finish()
        self.assertEqual((code, picker.size(picked[0]["path"])), (0, studio.SIZE))

    def test_without_controls_there_are_the_viewfinder_and_the_selection(self):
        # The command has no such option: it could not trigger the camera.
        self.patch = """
            const fetched = window.fetch;
            window.fetch = async (path, options) => {
              const answer = await fetched(path, options);
              if (path !== '/api/picker') return answer;
              return Response.json({ ...await answer.json(), showsControls: false });
            };
        """
        self.open("--count", "2")
        self.page.wait_for_picture()
        for control in ("#shutter", "#record", "#from-disk", "#done", "#cancel", "#undo"):
            self.assertFalse(self.page.find(control).is_displayed(), control)
        photo = self.picker.api("POST", "/api/cameras/1/photos", {})["items"][0]["name"]
        self.wait_for([photo])
        self.picker.api("POST", "/api/picker/finish")
        self.page.wait(lambda: self.page.find("#ended").is_displayed(), "the end")
        self.assertEqual(self.picker.result()[0], 0)

    def test_all_controls_fit_on_a_small_screen(self):
        picker.make_picture(self.library / "red.png", "red", "red")
        self.open("--count", "5")
        self.take_photo()
        self.page.resize(320, 640)
        self.page.wait(lambda: self.page.script(
            "return document.documentElement.scrollWidth <= 320"
            " && ['shutter', 'record', 'from-library', 'from-disk', 'from-network', 'undo', 'cancel', 'done']"
            ".every((id) => { const box = document.getElementById(id).getBoundingClientRect();"
            " return box.left >= 0 && box.right <= 320 && box.width > 20; })"), "all controls")


if __name__ == "__main__":
    unittest.main()
