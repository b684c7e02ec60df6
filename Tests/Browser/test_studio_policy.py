# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that the Studio's pages run no script but their own, load nothing from elsewhere, and are not framed."""

import json
import unittest

import browser
import studio_test


class PolicyTest(studio_test.PageTest):

    def test_an_injected_script_does_not_run(self):
        self.page.open()
        self.page.wait_for_motion()
        self.page.script(
            "window.smuggled = [];"
            "const script = document.createElement('script'); script.textContent = 'smuggled.push(1)';"
            "document.body.append(script);"
            "document.body.insertAdjacentHTML('beforeend', '<img src=\"data:,\" onerror=\"smuggled.push(2)\">');"
            "const link = document.createElement('a'); link.href = 'javascript:smuggled.push(3)';"
            "document.body.append(link); link.click();"
            "const style = document.createElement('div'); style.setAttribute('style', 'color: red');"
            "style.id = 'smuggled'; document.body.append(style);")
        self.page.wait_for_motion()
        self.assertEqual(self.page.script("return window.smuggled"), [])
        self.assertNotEqual(self.page.script("return getComputedStyle(document.querySelector('#smuggled')).color"),
                            "rgb(255, 0, 0)")
        # The page cannot connect to another server, which would respond.
        with browser.served(self.server.library.parent) as address:
            self.assertEqual(
                self.page.awaited(
                    "try { await fetch(given[0], {mode: 'no-cors'}); return 'sent'; } catch { return 'refused'; }",
                    f"{address}/"), "refused")
        # Each of the five is reported, and nothing else.
        messages = [one["message"] for one in self.page.troubles()]
        self.assertEqual([one for one in messages if "Content Security Policy" not in one], [])
        self.assertGreaterEqual(len(messages), 5)

    def test_the_policy_is_strict(self):
        headers = self.server.ask("GET", "/").headers
        policy = headers["Content-Security-Policy"]
        self.assertNotIn("unsafe", policy)
        for part in ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"):
            self.assertIn(part, policy)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "no-referrer")

    def test_names_of_files_are_shown_as_text(self):
        name = "<img src=x onerror=document.title='owned'>.jpg"
        photo = self.server.api("POST", "/api/cameras/1/photos", {"count": 1})["items"][0]["name"]
        (self.server.library / name).write_bytes(self.server.media(photo))
        self.page.open("/library")
        self.page.wait(lambda: name in self.page.find("#items").text, "the name")
        self.page.press(f".item[data-name={json.dumps(name)}] .thumb")
        self.page.wait(lambda: self.page.all("dialog#viewer[open]"), "the viewer")
        self.page.wait(lambda: name in self.page.find("#viewer").text, "the name")
        self.assertEqual(self.page.all("img[src=x]"), [])
        self.assertNotIn("owned", self.driver.title)

    def test_the_page_cannot_be_framed_by_another(self):
        # The browser has the cookie, so only the policy blocks the page in the frame.
        self.page.open()
        self.page.wait_for_motion()
        with browser.served(self.server.library.parent) as address:
            frame = self.server.library.parent / "frame.html"
            frame.write_text(f'<iframe src="{self.server.origin}/"></iframe>', encoding="utf-8")
            self.driver.get(f"{address}/frame.html")
            self.driver.switch_to.frame(0)
            self.assertEqual(self.driver.execute_script("return document.querySelectorAll('canvas').length"), 0)
            self.driver.switch_to.default_content()
        messages = [one["message"] for one in self.page.troubles()]
        self.assertTrue(any("frame-ancestors" in one for one in messages), messages)


if __name__ == "__main__":
    unittest.main()
