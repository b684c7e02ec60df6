# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that check-texts finds links that lead nowhere, and spelling mistakes."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "check-texts"


class CheckTextsTest(unittest.TestCase):

    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        subprocess.run(["git", "init", "--quiet", self.root], check=True)

    def track(self, name, text):
        (self.root / name).parent.mkdir(exist_ok=True)
        (self.root / name).write_text(text)
        subprocess.run(["git", "-C", self.root, "add", name], check=True)

    def found(self):
        run = subprocess.run([sys.executable, "-B", SCRIPT, "--root", self.root], capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, 1 if "see the lines" in run.stderr else 0)
        return [line for line in run.stdout.splitlines() if not line.startswith("check-texts:")]

    def test_good_links_pass(self):
        self.track("docs/b.md", "# The second, of two: `x`\n```sh\n# comment\n```\n")
        self.track("a.md", "# First\n[b](docs/b.md), [heading](docs/b.md#the-second-of-two-x), [here](#first),\n"
                           "[web](https://example.com/x), [folder](docs), `[code](none.md)`\n```\n[c](none.md)\n```\n")
        self.assertEqual(self.found(), [])

    def test_links_that_lead_nowhere_are_found(self):
        self.track("docs/b.md", "# Second\n```sh\n# comment\n```\n")
        self.track("a.md", "[b](docs/c.md) [h](docs/b.md#comment) [i](#none) [r]\n\n[r]: gone.md\n")
        self.assertEqual(self.found(), ["a.md: no docs/c.md", "a.md: docs/b.md has no heading #comment",
                                        "a.md: a.md has no heading #none", "a.md: no gone.md"])

    @unittest.skipUnless(shutil.which("codespell"), "codespell is not installed")
    def test_spelling_mistakes_are_found(self):
        mistake = "rec" + "ieve"
        self.track("a.swift", f"// Frames that we {mistake}.\n")
        found, = self.found()
        self.assertTrue(found.startswith(f"a.swift:1: {mistake} ==> receive"), found)


if __name__ == "__main__":
    unittest.main()
