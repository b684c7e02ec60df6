# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that draw-targets draws the targets of a package, and fails when the page is out of date."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "draw-targets"
MANIFEST = """\
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "small",
    targets: [
        .target(name: "Base"), .target(name: "Middle", dependencies: ["Base"]),
        .target(name: "Top", dependencies: [DEPENDENCIES]),
    ]
)
"""
PAGE = """\
# Targets

<!-- targets, by scripts/draw-targets -->
<!-- end of targets -->

A file: `Sources/Top/Top.swift`.
"""


class DrawTargetsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name in ("Base", "Middle", "Top"):
            self.write(f"Sources/{name}/{name}.swift", "")
        self.depend('"Base", "Middle"')
        self.write("docs/architecture.md", PAGE)

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def depend(self, dependencies):
        self.write("Package.swift", MANIFEST.replace("DEPENDENCIES", dependencies))

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(SCRIPT), "--root", str(self.root), *arguments],
                              capture_output=True, text=True, check=False)

    def test_the_page_shows_the_targets_and_only_direct_dependencies(self):
        self.assertEqual(self.run_script().returncode, 1)
        self.assertEqual(self.run_script("--write").returncode, 0)
        page = (self.root / "docs/architecture.md").read_text(encoding="utf-8")
        self.assertIn("    Middle --> Base\n    Top --> Middle\n", page)
        self.assertTrue(page.endswith("A file: `Sources/Top/Top.swift`.\n"))
        self.assertEqual(self.run_script().returncode, 0)

    def test_a_new_dependency_and_a_file_that_has_gone_are_found(self):
        self.run_script("--write")
        self.depend('"Base"')
        (self.root / "Sources/Top/Top.swift").rename(self.root / "Sources/Top/Other.swift")
        run = self.run_script()
        self.assertEqual(run.returncode, 1)
        self.assertIn("docs/architecture.md:11: Sources/Top/Top.swift does not exist", run.stdout)
        self.assertIn("the targets have changed", run.stdout)

    def test_a_page_without_a_place_for_the_drawing_is_an_error(self):
        self.write("docs/architecture.md", "# Targets\n")
        run = self.run_script()
        self.assertEqual(run.returncode, 1)
        self.assertIn("is missing", run.stderr)


if __name__ == "__main__":
    unittest.main()
