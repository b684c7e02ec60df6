# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that check-readme rejects a README without the program, before anything is built."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "check-readme"
MARK = "<!-- ten-line program -->"


class CheckReadmeTest(unittest.TestCase):
    def assert_refused(self, readme, words):
        with tempfile.TemporaryDirectory() as folder:
            if readme is not None:
                (pathlib.Path(folder) / "README.md").write_text(readme)
            run = subprocess.run([sys.executable, "-B", str(SCRIPT), "--root", folder],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn(words, run.stderr)

    def test_a_missing_readme_is_refused(self):
        self.assert_refused(None, "no README.md")

    def test_a_readme_without_a_marked_block_is_refused(self):
        self.assert_refused("```swift\nimport Obscura\n```\n", "no ```swift block")
        self.assert_refused(f"{MARK}\nText.\n```swift\nimport Obscura\n```\n", "no ```swift block")
        self.assert_refused(f"{MARK}\n```bash\n./run\n```\n", "no ```swift block")

    def test_a_program_without_a_line_or_with_too_many_is_refused(self):
        self.assert_refused(f"{MARK}\n```swift\n\n```\n", "has 0 lines")
        self.assert_refused(f"{MARK}\n```swift\n" + "print(1)\n" * 11 + "```\n", "has 11 lines")


if __name__ == "__main__":
    unittest.main()
