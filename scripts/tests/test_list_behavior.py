# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that list-behavior lists the tests of Apple's modules, and fails when the page is out of date."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "list-behavior"
SUITE = """\
@Suite("CMTime", .serialized) struct TimeTests {
    @Test("One | two") func one() {}
    @Test(
        "A \\"quoted\\" word",
        arguments: [1])
    func word(_ number: Int) {}
}
"""
MORE = """\
extension TimeTests {
    @Test("More") func more() {}
}
"""


class ListBehaviorTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.tests = self.root / "Tests/AppleNamesTests/CoreMedia"
        self.tests.mkdir(parents=True)
        (self.root / "docs").mkdir()
        (self.tests / "TimeTests.swift").write_text(SUITE)
        (self.tests / "TimeTests+More.swift").write_text(MORE)

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", SCRIPT, "--root", self.root, *arguments],
                              capture_output=True, text=True, check=False)

    def test_all_tests_of_a_suite_are_rows_of_its_module(self):
        self.assertEqual(self.run_script("--write").returncode, 0)
        page = (self.root / "docs/apple-names-behavior.md").read_text()
        self.assertIn("## CoreMedia\n", page)
        self.assertIn("| CMTime | More |\n| | One \\| two |\n| | A \"quoted\" word |\n", page)
        self.assertEqual(self.run_script().returncode, 0)

    def test_a_page_of_other_tests_is_out_of_date(self):
        self.assertIn("--write", self.run_script().stderr)
        self.run_script("--write")
        (self.tests / "TimeTests+More.swift").write_text(MORE.replace("More\"", "Other\""))
        self.assertEqual(self.run_script().returncode, 1)

    def test_a_suite_or_a_test_without_a_title_is_named(self):
        (self.tests / "OtherTests.swift").write_text("@Suite struct OtherTests {}\n")
        self.assertIn("OtherTests has no title", self.run_script().stderr)
        (self.tests / "OtherTests.swift").write_text('@Suite("Other") struct OtherTests {\n    @Test func odd() {}\n}\n')
        self.assertIn("OtherTests.swift:2", self.run_script().stderr)


if __name__ == "__main__":
    unittest.main()
