# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that the Studio's pages can be used without a mouse and without good eyes, and that they ask nobody but us."""

import json
import pathlib
import unittest
import urllib.parse

from selenium.webdriver.common.keys import Keys

import browser
import page

ACCESS = (pathlib.Path(__file__).parent / "access.js").read_text(encoding="utf-8")
# What a person can do something with, as the accessibility tree calls it.
ROLES = {
    "button", "link", "checkbox", "combobox", "textbox", "searchbox", "slider", "spinbutton", "radio", "switch", "tab",
    "menuitem", "DisclosureTriangle", "listbox"
}


class AccessTest(page.StudioTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": ACCESS})
        cls.driver.execute_cdp_cmd("Accessibility.enable", {})
        cls.server.api("POST", "/api/cameras/1/photos", {"count": 2})

    def setUp(self):
        self.page.resize(*page.DESKTOP)
        self.page.theme("light")

    def viewfinder(self):
        self.page.open()
        self.page.wait_for_motion()
        self.page.wait(lambda: len(self.page.all("#ribbon .taken")) >= 2, "the ribbon")
        for group in self.page.all("details"):
            self.page.script("arguments[0].open = true", group)

    def library(self):
        self.page.open("/library")
        self.page.wait(lambda: len(self.page.all("#items .item")) >= 2, "the items")

    def editor(self):
        self.viewfinder()
        self.page.press("#ribbon .taken .thumb")
        self.page.wait(lambda: self.page.all("dialog#editor[open]"), "the editor")
        self.page.wait(lambda: self.page.script("return document.querySelector('#editor-image').naturalWidth > 0"),
                       "the photo")

    def viewer(self):
        self.library()
        self.page.press("#items .thumb")
        self.page.wait(lambda: self.page.all("dialog#viewer[open]"), "the viewer")
        self.page.wait(lambda: self.page.all("#viewer-facts dd"), "what is known of it")

    def help(self):
        self.viewfinder()
        self.page.press("#help-button")
        self.page.wait(lambda: self.page.all("dialog[open]"), "the help")

    def wall(self):
        self.page.open("/?tiles=4")
        self.page.wait(lambda: len(self.page.all("#wall canvas")) == 4, "four tiles")

    def error(self):
        """A card over the picture, and a toast."""
        self.viewfinder()
        self.page.awaited(
            "await (await import('/assets/toasts.js')).toast({level: 'error', message: 'It failed.', advice: 'Try.'})")
        self.page.wait(lambda: self.page.all(".toast"), "the toast")

    @property
    def states(self):
        return [self.viewfinder, self.library, self.editor, self.viewer, self.help, self.wall, self.error]

    # MARK: Keys

    def tab(self):
        for kind in ("rawKeyDown", "keyUp"):
            self.driver.execute_cdp_cmd("Input.dispatchKeyEvent",
                                        {"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9})

    def test_every_control_is_reached_by_tab_with_a_focus_that_is_seen(self):
        for show in (self.viewfinder, self.library, self.editor, self.viewer, self.help, self.wall):
            with self.subTest(state=show.__name__):
                show()
                count = self.page.script("return access.prepare()")
                self.assertGreater(count, 1)
                unseen, seen = [], 0
                for _ in range(2 * count + 20):
                    self.tab()
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

    def test_the_focus_comes_back_to_where_a_dialog_was_opened(self):
        self.viewfinder()
        thumb = self.page.find("#ribbon .taken .thumb")
        self.page.script("arguments[0].focus()", thumb)
        self.page.keys(Keys.ENTER)
        self.page.wait(lambda: self.page.all("dialog#editor[open]"), "the editor")
        self.page.escape()
        self.page.wait(lambda: not self.page.all("dialog#editor[open]"), "its end")
        self.assertTrue(self.page.script("return document.activeElement === arguments[0]", thumb))

    # MARK: Names

    def tree(self):
        return [
            node for node in self.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
            if not node.get("ignored")
        ]

    def test_every_control_has_a_name_of_its_own_kind(self):
        for show in self.states:
            with self.subTest(state=show.__name__):
                show()
                nodes = self.tree()
                # A film's own controls are the browser's.
                controls = [node for node in nodes if node["role"]["value"] in ROLES]
                self.assertGreater(len(controls), 1)
                nameless = [(node["role"]["value"], node.get("backendDOMNodeId")) for node in controls
                            if not node.get("name", {}).get("value", "").strip()]
                self.assertEqual(nameless, [])

    def test_pages_have_a_language_a_title_headings_and_landmarks(self):
        for show in (self.viewfinder, self.library):
            with self.subTest(state=show.__name__):
                show()
                self.assertEqual(self.page.script("return document.documentElement.lang"), "en")
                self.assertTrue(self.driver.title.strip())
                roles = [node["role"]["value"] for node in self.tree()]
                self.assertEqual(self.page.script("return document.querySelectorAll('h1').length"), 1)
                for role in ("main", "banner", "navigation", "heading"):
                    self.assertIn(role, roles)
                self.assertEqual(
                    self.page.script(
                        "return [...document.images].filter((image) => !image.hasAttribute('alt')).length"), 0)

    # MARK: Eyes

    def test_every_text_stands_out_in_light_and_dark(self):
        for scheme in ("light", "dark"):
            for show in self.states:
                with self.subTest(scheme=scheme, state=show.__name__):
                    self.page.theme(scheme)
                    show()
                    self.assertEqual(self.page.script("return access.pale()"), [])

    def test_nothing_is_cut_off_on_a_phone(self):
        self.page.resize(*page.PHONE)
        for show in (self.viewfinder, self.library, self.editor, self.viewer):
            with self.subTest(state=show.__name__):
                show()
                self.assertLessEqual(self.page.script("return document.documentElement.scrollWidth"), page.PHONE[0])
                self.page.screenshot(f"phone-{show.__name__}")

    def test_what_is_wrong_would_be_found(self):
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

    # MARK: What the page asks for

    def test_the_pages_ask_nobody_but_us_and_nothing_fails(self):
        for show in self.states:
            with self.subTest(state=show.__name__):
                show()
                asked = self.page.script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
                foreign = [
                    one for one in asked if urllib.parse.urlsplit(one).netloc != f"127.0.0.1:{self.server.port}"
                    and not one.startswith(("blob:", "data:"))
                ]
                self.assertEqual(foreign, [])
                self.assertEqual(self.page.troubles(), [])

    def test_a_script_that_was_smuggled_in_does_not_run(self):
        self.viewfinder()
        self.page.script(
            "window.smuggled = [];"
            "const script = document.createElement('script'); script.textContent = 'smuggled.push(1)';"
            "document.body.append(script);"
            "document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"smuggled.push(2)\">');"
            "const link = document.createElement('a'); link.href = 'javascript:smuggled.push(3)';"
            "document.body.append(link); link.click();"
            "const style = document.createElement('div'); style.setAttribute('style', 'color: red');"
            "style.id = 'smuggled'; document.body.append(style);"
        )
        self.page.wait_for_motion()
        self.assertEqual(self.page.script("return window.smuggled"), [])
        self.assertNotEqual(self.page.script("return getComputedStyle(document.querySelector('#smuggled')).color"),
                            "rgb(255, 0, 0)")
        # Nor does it reach anybody else, nor is it put into another's page.
        self.assertEqual(
            self.page.awaited(
                "try { await fetch('http://127.0.0.1:9/', {mode: 'no-cors'}); return 'sent'; }"
                "catch { return 'refused'; }"
            ), "refused")
        entries = json.dumps(self.page.troubles())
        self.assertIn("Content Security Policy", entries)
        headers = self.server.ask("GET", "/").headers
        policy = headers["Content-Security-Policy"]
        self.assertNotIn("unsafe", policy)
        for part in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
            self.assertIn(part, policy)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")

    def test_names_of_files_are_shown_as_text(self):
        name = "<img src=x onerror=document.title='owned'>.jpg"
        photo = self.server.media(self.server.api("GET", "/api/library")["items"][0]["name"])
        (self.server.library / name).write_bytes(photo)
        try:
            self.library()
            self.page.wait(lambda: name in self.page.find("#items").text, "the name")
            self.page.press(".item .thumb")
            self.page.wait(lambda: self.page.all("dialog#viewer[open]"), "the viewer")
            self.assertNotIn("owned", self.driver.title)
        finally:
            (self.server.library / name).unlink()

    def test_the_page_cannot_be_framed_by_another(self):
        with browser.served(self.server.library.parent) as address:
            frame = self.server.library.parent / "frame.html"
            frame.write_text(f'<iframe src="{self.server.origin}/"></iframe>', encoding="utf-8")
            self.driver.get(f"{address}/frame.html")
            self.driver.switch_to.frame(0)
            self.assertEqual(self.driver.execute_script("return document.querySelectorAll('canvas').length"), 0)
            self.driver.switch_to.default_content()
            self.page.troubles()


if __name__ == "__main__":
    unittest.main()
