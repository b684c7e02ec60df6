# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that the printed address opens the Studio, from a terminal, a file or another site, and only with its token."""

import unittest

import page
import studio
import studio_test


class OpeningTest(studio_test.PageTest):

    def wait_for_pictures(self):
        self.page.wait(lambda: self.page.all(page.VIEWFINDER) and self.page.frames() > 3, "pictures")

    def test_the_printed_address_opens_the_page_and_leaves_nothing_that_a_script_could_read(self):
        self.driver.get(self.server.address)
        self.page.wait(lambda: self.driver.current_url == f"{self.server.origin}/", "the page")
        cookies = self.driver.get_cookies()
        self.assertEqual([(one["name"], one["httpOnly"], one["sameSite"], one["path"]) for one in cookies],
                         [(self.server.cookie_name, True, "Strict", "/")])
        self.assertEqual(self.page.script("return document.cookie"), "")
        self.assertEqual(self.page.script("return location.href + document.referrer"), f"{self.server.origin}/")
        self.page.wait_for_motion()

    def test_a_page_without_the_token_says_where_to_find_the_address(self):
        self.driver.get(f"{self.server.origin}/")
        self.assertIn("terminal", self.page.find("body").text)
        self.assertEqual(self.page.all("canvas"), [])
        # The browser reports the refused request.
        (trouble,) = self.page.troubles()
        self.assertIn("401", trouble["message"])

    def test_a_file_that_leads_to_the_address_opens_the_page_and_so_does_a_reload(self):
        # `obscura studio` itself opens the page in this way. The browser treats the file as another site.
        file = self.server.library.parent / "studio.html"
        file.write_text(f'<!doctype html><meta http-equiv="refresh" content="0; url={self.server.address}">',
                        encoding="utf-8")
        self.driver.get(file.as_uri())
        self.wait_for_pictures()
        self.assertEqual(self.driver.current_url, f"{self.server.origin}/")
        self.assertNotIn(self.server.token, self.page.script("return document.documentElement.outerHTML"))
        self.driver.refresh()
        self.wait_for_pictures()
        self.assertEqual(self.page.script("return document.cookie"), "")

    def test_two_studios_on_one_machine_do_not_overwrite_each_others_cookies(self):
        # A browser treats both as one site, and sends a cookie to all ports.
        servers = (self.server, self.started())
        for server in servers:
            self.driver.get(server.address)
            self.wait_for_pictures()
        for server in servers:
            self.driver.get(server.origin)
            self.wait_for_pictures()
            self.assertEqual(self.driver.current_url, f"{server.origin}/")


class AgainTest(studio_test.PageTest):

    def started(self):
        return self.enterContext(studio.running(*self.sources, token="a-token-that-stays-the-same"))

    def setUp(self):
        super().setUp()
        self.page.open()
        self.page.wait_for_motion()

    def tearDown(self):
        # The browser reports the connections that failed meanwhile; no script may have failed.
        self.assertEqual([one for one in self.page.troubles() if one["source"] != "network"], [])

    def test_the_page_reconnects_by_itself_to_a_server_that_was_killed_and_started_again(self):
        self.server.kill()
        card = self.page.find("#card")
        self.page.wait(card.is_displayed, "the card")
        self.assertIn("Reconnecting", card.text)
        self.page.screenshot("error")
        self.server.start()
        self.page.wait(lambda: not card.is_displayed(), "the connection")
        # The numbers of the camera begin again with the process.
        self.page.wait_for_motion()
        self.assertEqual(self.page.find("#connection").get_attribute("data-status"), "open")

    def test_a_page_whose_token_has_become_wrong_says_so(self):
        self.server.kill()
        self.server.token = None
        self.server.start()
        self.page.wait(lambda: self.page.find("#card").get_attribute("data-state") == "refused", "the card")


if __name__ == "__main__":
    unittest.main()
