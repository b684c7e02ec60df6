# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests the accessibility of the Studio's pages (keyboard, screen reader, contrast) in each state of a page."""

import pathlib
import unittest
import urllib.parse

from selenium.webdriver.common.keys import Keys

import page
import studio_test

ACCESS = (pathlib.Path(__file__).parent / "access.js").read_text(encoding="utf-8")
# The roles of controls in the accessibility tree.
ROLES = {
    "button", "link", "checkbox", "combobox", "textbox", "searchbox", "slider", "spinbutton", "radio", "switch", "tab",
    "menuitem", "DisclosureTriangle", "listbox"
}

# From the smallest phone to a wall display.
SIZES = [(320, 640), page.PHONE, (844, 390), page.DESKTOP, (1920, 1080), (3840, 2160)]


class AccessTest(studio_test.PageTest):

    def setUp(self):
        super().setUp()
        self.page.add_script(ACCESS)
        self.driver.execute_cdp_cmd("Accessibility.enable", {})
        self.server.api("POST", "/api/cameras/1/photos", {"count": 2})
        self.page.theme("light")

    # MARK: States of the pages

    def viewfinder(self):
        self.page.open()
        self.page.wait_for_motion(frames=1)
        self.page.wait(lambda: len(self.page.all("#ribbon .taken")) >= 2, "the ribbon")
        self.page.script("for (const group of document.querySelectorAll('details')) group.open = true")

    def library(self):
        self.page.open("/library")
        self.page.wait(lambda: len(self.page.all("#items .item")) >= 2, "the items")

    def editor(self):
        self.viewfinder()
        self.page.press("#ribbon .taken .thumb")
        self.page.wait(lambda: self.page.all("dialog#editor[open]"), "the editor")
        self.page.wait_for_images("#editor-image", "the photo")

    def viewer(self):
        self.library()
        self.page.press("#items .thumb")
        self.page.wait(lambda: self.page.all("dialog#viewer[open]"), "the viewer")
        self.page.wait(lambda: self.page.all("#viewer-facts dd"), "its metadata")

    def trash(self):
        self.server.api("POST", "/api/cameras/1/photos", {"count": 20})
        for item in self.server.api("GET", "/api/library?limit=1000")["items"][:-1]:
            self.server.api("DELETE", f"/api/library/{item['name']}")
        self.page.open("/library")
        self.page.press("#trash-button")
        self.page.wait(lambda: self.page.all("dialog#trash[open] .item"), "the deleted photos")

    def help(self):
        self.viewfinder()
        self.page.press("#help-button")
        self.page.wait(lambda: self.page.all("dialog[open]"), "the help")

    def wall(self):
        self.page.open("/?tiles=4")
        self.page.wait(lambda: len(self.page.all("#wall canvas")) == 4, "four tiles")

    def error(self):
        self.viewfinder()
        self.page.awaited(
            "await (await import('/assets/toasts.js')).toast({level: 'error', message: 'It failed.', advice: 'Try.'})")
        self.page.wait(lambda: self.page.all(".toast"), "the toast")

    # MARK: Requirements

    def tree(self):
        return [
            node for node in self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
            if not node.get("ignored")
        ]

    def expect_names(self):
        """Each control has a name."""
        # The controls of a video element are the browser's own.
        controls = [node for node in self.tree() if node["role"]["value"] in ROLES]
        self.assertGreater(len(controls), 1)
        nameless = [(node["role"]["value"], node.get("backendDOMNodeId")) for node in controls
                    if not node.get("name", {}).get("value", "").strip()]
        self.assertEqual(nameless, [])

    def expect_structure(self):
        """The page has a language, a title, headings, landmarks, and texts for its images."""
        self.assertEqual(self.page.script("return document.documentElement.lang"), "en")
        self.assertTrue(self.driver.title.strip())
        roles = [node["role"]["value"] for node in self.tree()]
        self.assertEqual(self.page.script("return document.querySelectorAll('h1').length"), 1)
        for role in ("main", "banner", "navigation", "heading"):
            self.assertIn(role, roles)
        self.assertEqual(
            self.page.script("return [...document.images].filter((image) => !image.hasAttribute('alt')).length"), 0)

    def expect_contrast(self):
        """Each text has enough contrast, on a light and on a dark page."""
        for scheme in ("light", "dark"):
            self.page.theme(scheme)
            self.page.wait(lambda: not self.page.script("return document.getAnimations().some("
                                                        "(one) => one instanceof CSSTransition)"), "the colors")
            self.assertEqual(self.page.script("return access.pale()"), [], scheme)
        self.page.theme("light")

    def expect_only_our_server(self):
        """All resources were loaded from the Studio."""
        asked = self.page.script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        self.assertTrue(asked)
        foreign = [
            one for one in asked if urllib.parse.urlsplit(one).netloc != f"127.0.0.1:{self.server.port}"
            and not one.startswith(("blob:", "data:"))
        ]
        self.assertEqual(foreign, [])

    def expect_keys(self):
        """Tab reaches each control, and the focus is visible."""
        count = self.page.script("return access.prepare()")
        self.assertGreater(count, 1)
        unseen, seen = [], 0
        for _ in range(2 * count + 20):
            for kind in ("rawKeyDown", "keyUp"):
                self.driver.execute_cdp_cmd("Input.dispatchKeyEvent",
                                            {"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9})
            at = self.page.script("return access.focused()")
            if at is None:
                if seen >= count:
                    break
                continue
            seen += 1
            if not (at["isSeen"] and at["isShown"]):
                unseen.append(at["who"])
        self.assertEqual(sorted(set(unseen)), [], "the focus is not seen")
        self.assertEqual(self.page.script("return access.missed()"), [], "not reached")

    def expect_fits_phone(self, show):
        """Nothing is cut off on a phone."""
        self.page.resize(*page.PHONE)
        show()
        self.assertLessEqual(self.page.script("return document.documentElement.scrollWidth"), page.PHONE[0])
        self.page.screenshot(f"phone-{show.__name__}")

    def expect_all(self, show, *more):
        show()
        for expect in (self.expect_names, self.expect_contrast, self.expect_only_our_server, *more):
            with self.subTest(expect.__doc__):
                expect()

    def test_the_viewfinder_is_accessible(self):
        self.expect_all(self.viewfinder, self.expect_structure, self.expect_keys)
        self.expect_fits_phone(self.viewfinder)

    def test_the_library_is_accessible(self):
        self.expect_all(self.library, self.expect_structure, self.expect_keys)
        self.expect_fits_phone(self.library)

    def test_the_editor_is_accessible(self):
        self.expect_all(self.editor, self.expect_keys)
        self.expect_fits_phone(self.editor)

    def test_the_viewer_of_the_library_is_accessible(self):
        self.expect_all(self.viewer, self.expect_keys)
        self.expect_fits_phone(self.viewer)

    def test_the_help_is_accessible(self):
        self.expect_all(self.help, self.expect_keys)

    def test_a_wall_of_tiles_is_accessible(self):
        self.expect_all(self.wall, self.expect_keys)

    def test_an_error_is_accessible(self):
        self.expect_all(self.error)

    def test_the_trash_is_accessible(self):
        self.expect_all(self.trash, self.expect_keys)
        self.expect_fits_phone(self.trash)

    def test_a_notice_covers_no_control(self):
        for show in (self.viewfinder, self.library, self.editor, self.viewer, self.trash):
            show()
            for size in SIZES:
                with self.subTest(page=show.__name__, size=size):
                    self.page.resize(*size)
                    self.page.script("window.scrollTo(0, 0)")
                    self.page.awaited(
                        "for (const old of document.querySelectorAll('.toast')) old.remove();"
                        "const { toast } = await import('/assets/toasts.js');"
                        "toast({level: 'error', message: given[0], advice: 'Try it again in a moment, or look at it.',"
                        "  action: {label: 'Undo', run() {}}});"
                        "await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
                        f"It failed in {show.__name__} at {size}.")
                    self.assertTrue(self.page.script("return access.isInView('.toast')"), "the notice is in sight")
                    # A part of the viewfinder is none: the rest of it can be tapped.
                    self.assertLessEqual(set(self.page.script("return access.covered('.toast')")), {"#surface"})
                    self.page.screenshot(f"notice-{show.__name__}-{size[0]}x{size[1]}")

    def test_the_focus_comes_back_to_where_a_dialog_was_opened(self):
        self.viewfinder()
        thumb = self.page.find("#ribbon .taken .thumb")
        self.page.script("arguments[0].focus()", thumb)
        self.page.keys(Keys.ENTER)
        self.page.wait(lambda: self.page.all("dialog#editor[open]"), "the editor")
        self.page.escape()
        self.page.wait(lambda: not self.page.all("dialog#editor[open]"), "its end")
        self.assertTrue(self.page.script("return document.activeElement === arguments[0]", thumb))

    def test_the_requirements_find_what_is_wrong(self):
        self.viewfinder()
        self.page.script("""
            const add = (tag, text, style) => {
                const made = document.createElement(tag);
                made.textContent = text;
                Object.assign(made.style, style);
                document.querySelector('header').append(made);
            };
            add('p', 'too pale', {color: '#999', background: '#fff'});
            add('p', 'dark enough', {color: '#666', background: '#fff'});
            add('button', '', {width: '30px', height: '30px', outline: 'none', boxShadow: 'none'});
            add('button', 'left out', {});
            document.querySelector('header').lastChild.tabIndex = 0;
            document.querySelector('header').lastChild.addEventListener('focus', (event) => event.target.blur());""")
        (pale,) = self.page.script("return access.pale()")
        self.assertIn("too pale", pale)
        buttons = [node for node in self.tree() if node["role"]["value"] == "button"]
        self.assertIn("", [node.get("name", {}).get("value", "") for node in buttons])
        self.page.script("access.prepare()")
        nameless = self.page.all("header.top button")[-2]
        self.page.script("arguments[0].focus()", nameless)
        self.assertFalse(self.page.script("return access.focused()")["isSeen"])
        self.assertTrue(any("left out" in one for one in self.page.script("return access.missed()")))


if __name__ == "__main__":
    unittest.main()
