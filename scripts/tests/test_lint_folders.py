# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that lint-folders finds cycles between folders and between files, and no others."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "lint-folders"


class LintFoldersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, body):
        file = self.root / "Sources/Target" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body, encoding="utf-8")

    def lint(self):
        run = subprocess.run([sys.executable, SCRIPT, "--root", self.root, "--most-pairs", "0"], capture_output=True,
                             text=True, check=False)
        self.assertEqual(run.stderr, "")
        return run.stdout

    def test_layers_are_no_cycle(self):
        self.write("Low/A.swift", "struct A {}\n")
        self.write("High/B.swift", "struct B { var a: A }\n")
        self.write("C.swift", "struct C { var a: A; var b: B }\n")
        self.assertNotIn("cycle:", self.lint())

    def test_a_cycle_of_folders_is_found_with_its_files(self):
        self.write("Low/A.swift", "struct A { var c: C? }\n")
        self.write("Middle/B.swift", "public final class B { var a: A }\n")
        self.write("High/C.swift", "package protocol C: B {}\n")
        found = self.lint()
        self.assertIn("Target: 3 folders form a cycle: High, Low, Middle", found)
        self.assertIn("    Low -> High: A.swift -> C.swift", found)

    def test_files_in_no_folder_are_one(self):
        self.write("A.swift", "struct A { var b: B? }\n")
        self.write("Folder/B.swift", "struct B { var a: A? }\n")
        self.assertIn("2 folders form a cycle: ., Folder", self.lint())

    def test_three_files_are_a_cycle_and_two_are_a_pair(self):
        self.write("A.swift", "struct A { var b: B? }\n")
        self.write("B.swift", "struct B { var a: A? }\n")
        found = self.lint()
        self.assertIn("1 pairs of files", found)
        self.assertNotIn("files form a cycle", found)
        self.write("B.swift", "struct B { var c: C? }\n")
        self.write("C.swift", "struct C { var a: A? }\n")
        self.assertIn("Target: 3 files form a cycle: A.swift, B.swift, C.swift", self.lint())

    def test_code_within_a_string_counts_and_comments_and_texts_do_not(self):
        self.write("Low/A.swift", 'struct A {} // B\nlet a = "B"\n')
        self.write("High/B.swift", "struct B { var a: A }\n")
        self.assertNotIn("cycle:", self.lint())
        self.write("Low/A.swift", 'struct A {}\nlet a = "\\(B.name)"\n')
        self.assertIn("2 folders form a cycle", self.lint())

    def test_a_name_that_two_files_declare_says_nothing(self):
        self.write("Low/A.swift", "struct A { var key: Key }\nprivate struct Key {}\n")
        self.write("High/B.swift", "struct B { var a: A }\nprivate struct Key {}\n")
        self.assertNotIn("cycle:", self.lint())


if __name__ == "__main__":
    unittest.main()
