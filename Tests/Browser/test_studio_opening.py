# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that the printed address opens the Studio from wherever one comes to it."""

import pathlib
import tempfile
import unittest

import browser
import studio


class OpeningTest(unittest.TestCase):
    def opened(self, driver):
        studio.wait_until(
            lambda: driver.execute_script(
                "return Number(document.querySelector('#viewfinder-canvas')?.dataset.frames ?? 0)") > 3, "pictures")

    def test_a_file_that_leads_to_the_address_opens_the_page_and_so_does_loading_it_anew(self):
        # As `obscura studio` itself opens it; to the browser that is another site.
        with studio.running("pattern:640x360@30") as server, browser.chromium() as driver, \
                tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "studio.html"
            page.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={server.address}">',
                            encoding="utf-8")
            driver.get(page.as_uri())
            self.opened(driver)
            self.assertEqual(driver.current_url, f"{server.origin}/")
            self.assertNotIn(server.token, driver.execute_script("return document.documentElement.outerHTML"))
            driver.refresh()
            self.opened(driver)
            # What a page can read of its cookies.
            self.assertEqual(driver.execute_script("return document.cookie"), "")

    def test_two_studios_on_one_machine_leave_each_other_their_cookies(self):
        # To a browser both are of one site, and cookies know no ports.
        with studio.running("pattern:320x180@10") as one, studio.running("pattern:320x180@10") as other, \
                browser.chromium() as driver:
            for server in (one, other):
                driver.get(server.address)
                self.opened(driver)
            for server in (one, other):
                driver.get(server.origin)
                self.opened(driver)
                self.assertEqual(driver.current_url, f"{server.origin}/")


if __name__ == "__main__":
    unittest.main()
