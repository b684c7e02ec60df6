# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that a test's tab has nothing of the tab of an earlier test, although both are of one browser."""

import pathlib
import tempfile
import unittest

import browser
import waiting

SIZE = "return [innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches, typeof window.added]"


class IsolationTest(unittest.TestCase):

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "page.html").write_text("<!doctype html><title>A page</title>", encoding="utf-8")
        self.address = self.enterContext(browser.served(self.folder))

    def test_a_tab_has_no_cookie_no_storage_no_log_and_no_emulation_of_an_earlier_one(self):
        with browser.isolated() as driver:
            first = driver
            driver.get(f"{self.address}/page.html")
            before = driver.execute_script(SIZE)
            driver.execute_script("document.cookie = 'a=b; max-age=1000'; localStorage.setItem('a', 'b')")
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                   {"width": 401, "height": 402, "deviceScaleFactor": 1, "mobile": False})
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                   {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
            driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "window.added = 1"})
            driver.refresh()
            self.assertEqual(driver.execute_script(SIZE), [401, 402, True, "number"])
            self.assertEqual(driver.execute_script("return document.cookie"), "a=b")
            # The log has errors of scripts and of requests, and gets more until the tab closes.
            driver.execute_script("console.error('an error'); fetch('/none');"
                                  "setInterval(() => { console.error('one more'); fetch('/none') }, 0)")
        with browser.isolated() as driver:
            self.assertIs(driver, first)
            self.assertEqual(driver.get_log("browser"), [])
            driver.get(f"{self.address}/page.html")
            self.assertEqual(driver.execute_script("return [document.cookie, localStorage.length]"), ["", 0])
            self.assertEqual(driver.execute_script(SIZE), before)
            self.assertEqual([one for one in driver.get_log("browser") if "favicon.ico" not in one["message"]], [])
            driver.execute_script("console.error('of this tab')")
            entries = waiting.wait_until(lambda: driver.get_log("browser"), "the error")
            self.assertIn("of this tab", entries[0]["message"])
            self.assertEqual(len(driver.window_handles), 2)

    def test_a_tab_that_is_left_by_an_error_is_closed(self):
        with self.assertRaises(ZeroDivisionError), browser.isolated() as driver:
            driver.get(f"{self.address}/page.html")
            driver.execute_script("window.addEventListener('beforeunload', (event) => event.preventDefault());"
                                  "setTimeout(() => alert('open'), 0)")
            raise ZeroDivisionError
        with browser.isolated() as driver:
            driver.get(f"{self.address}/page.html")
            self.assertEqual(driver.title, "A page")
            self.assertEqual(len(driver.window_handles), 2)

    def test_a_browser_that_has_ended_is_replaced(self):
        with browser.isolated() as driver:
            driver.quit()
        with browser.isolated() as driver:
            driver.get(f"{self.address}/page.html")
            self.assertEqual(driver.title, "A page")


if __name__ == "__main__":
    unittest.main()
