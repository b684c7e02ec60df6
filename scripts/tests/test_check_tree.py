# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that check-tree finds each kind of file that does not belong in the repository."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "check-tree"


class CheckTreeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.git("init", "--quiet")
        self.track("Sources/A.swift", b"// See /proc/self/maps, https://example.org/home/me and ~/work/x, src/root/a.\n")

    def git(self, *arguments):
        subprocess.run(["git", "-C", str(self.root), *arguments], check=True, capture_output=True)

    def track(self, name, content):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        self.git("add", "--force", name)

    def run_script(self):
        return subprocess.run([sys.executable, "-B", str(SCRIPT), "--root", str(self.root)],
                              capture_output=True, text=True, check=False)

    def assert_found(self, place, words):
        run = self.run_script()
        self.assertEqual((run.returncode, run.stderr), (1, ""), run.stdout)
        self.assertEqual(len(run.stdout.splitlines()), 1, run.stdout)
        self.assertTrue(run.stdout.startswith(place + ": "), run.stdout)
        self.assertIn(words, run.stdout)

    def test_a_clean_tree_passes(self):
        (self.root / "untracked.mp4").write_bytes(b"\0")
        self.assertEqual(self.run_script().returncode, 0)

    def test_a_tree_without_git_is_said_to_be_unchecked(self):
        with tempfile.TemporaryDirectory() as folder:
            self.root = pathlib.Path(folder)
            run = self.run_script()
            self.assertEqual(run.returncode, 0)
            self.assertIn("not checked", run.stdout)

    def test_what_a_build_makes_is_found(self):
        for name in [".build/debug.yaml", "Examples/.build/a.txt", "Package.resolved", "Examples/Package.resolved",
                     "scripts/__pycache__/a.txt"]:
            with self.subTest(name):
                self.track(name, b"a\n")
                self.assert_found(f"{name}:1", "this is a build product")
                self.git("rm", "--quiet", "--force", name)

    def test_media_are_found(self):
        self.track("Tests/film.MP4", b"a\n")
        self.assert_found("Tests/film.MP4:1", "media")

    def test_small_pictures_of_the_documents_pass_and_large_ones_do_not(self):
        self.track("docs/small.png", b"\0" * 450_000)
        self.assertEqual(self.run_script().returncode, 0)
        self.track("docs/large.png", b"\0" * 450_001)
        self.assert_found("docs/large.png:1", "smaller")

    def test_binaries_are_found(self):
        self.track("Tests/tool", b"\x7fELF\0\0")
        self.assert_found("Tests/tool:1", "binary")

    def test_big_files_are_found(self):
        self.track("Tests/limit.txt", b"a" * (1 << 20))
        self.assertEqual(self.run_script().returncode, 0)
        self.track("Tests/big.txt", b"a" * ((1 << 20) + 1))
        self.assert_found("Tests/big.txt:1", "too many")

    def test_the_paths_of_a_machine_are_found(self):
        for folder in ["home/ada", "Users/ada", "root", "work"]:
            with self.subTest(folder):
                self.track("notes.md", f"fine\ncd /{folder}/obscura\n".encode())
                self.assert_found("notes.md:2", "path of one machine")

    def test_a_text_with_another_version_is_found(self):
        self.track("Sources/ObscuraMedia/Metadata/ObscuraBuild.swift", b'    public static let version = "1.2.3"\n')
        self.track("CHANGELOG.md", b"## [Unreleased]\n## [1.2.3] - 2026-01-01\n## [1.2.2] - 2025-12-31\n")
        self.assertEqual(self.run_script().returncode, 0)
        self.track("CHANGELOG.md", b"## [Unreleased]\n## [1.2.4] - 2026-01-01\n")
        self.assert_found("CHANGELOG.md:2", "states 1.2.3")
        self.track("CHANGELOG.md", b"## [Unreleased]\n")
        self.assertEqual(self.run_script().returncode, 0)


if __name__ == "__main__":
    unittest.main()
