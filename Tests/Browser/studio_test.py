# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The base classes of the tests: each test has its own folder, its own Studio on its own port, and its own tab."""

import unittest

import browser
import page
import studio


class ServerTest(unittest.TestCase):
    """A test of a Studio. If it fails, the end of the Studio's log is printed."""

    sources = (studio.CAMERA,)
    options = ()
    _result = None

    def run(self, result=None):
        self._result = result
        return super().run(result)

    def setUp(self):
        self.server = self.started()

    def started(self):
        """A new Studio, until the end of the test."""
        server = self.enterContext(studio.running(*self.sources, options=self.options))
        self.addCleanup(self._print_log, server, self._failures)
        return server

    @property
    def _failures(self):
        return len(self._result.failures) + len(self._result.errors) if self._result else 0

    def _print_log(self, server, failures_before):
        if self._failures > failures_before:
            print(f"The log of the Studio of {self.id()}:\n{server.log.read_text(errors='replace')[-4000:]}")


class PageTest(ServerTest):
    """A test with one tab. The console of the tab must have no errors at the end except those that the test read."""

    # The size of the page.
    size = page.DESKTOP

    def setUp(self):
        super().setUp()
        # The tab closes before the Studio ends, which would wait for it.
        self.driver = self.enterContext(browser.isolated())
        self.page = page.Page(self.driver, self.server, self.size)

    def tearDown(self):
        self.assertEqual(self.page.troubles(), [], "errors in the console")
