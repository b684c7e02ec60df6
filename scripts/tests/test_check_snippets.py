# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that check-snippets finds the programs and commands of a document, and rejects bad ones before a build."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(SCRIPTS))

import snippets  # noqa: E402 (the path is set above)

PROGRAM = f"{snippets.PROGRAM}\n```swift\nimport Obscura\n```\n"


class DocumentTest(unittest.TestCase):

    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.readme = self.root / "README.md"


class RejectionTest(DocumentTest):

    def assert_rejected(self, readme, words):
        if readme is not None:
            self.readme.write_text(readme)
        run = subprocess.run([sys.executable, "-B", SCRIPTS / "check-snippets", "--root", self.root],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn(words, run.stderr)

    def test_a_missing_readme_is_rejected(self):
        self.assert_rejected(None, "no README.md")

    def test_a_readme_without_a_marked_block_is_rejected(self):
        self.assert_rejected("```swift\nimport Obscura\n```\n", "has 0 ```swift blocks")
        self.assert_rejected(f"{snippets.PROGRAM}\nText.\n```swift\nimport Obscura\n```\n", "has 0 ```swift blocks")
        self.assert_rejected(f"{snippets.PROGRAM}\n```bash\n./run\n```\n", "has 0 ```swift blocks")
        self.assert_rejected(PROGRAM * 2, "has 2 ```swift blocks")

    def test_a_program_without_a_line_or_with_too_many_is_rejected(self):
        self.assert_rejected(f"{snippets.PROGRAM}\n```swift\n\n```\n", "has 0 lines")
        self.assert_rejected(f"{snippets.PROGRAM}\n```swift\n" + "print(1)\n" * 11 + "```\n", "has 11 lines")

    def test_an_unknown_mark_is_rejected(self):
        self.assert_rejected(PROGRAM + "<!-- snippet: skip -->\n```swift\nprint(1)\n```\n", "no such mark: skip")


class SnippetsTest(DocumentTest):

    def found(self, text):
        self.readme.write_text(text)
        return list(snippets.swift(self.readme))

    def test_the_program_is_no_snippet(self):
        self.assertEqual(self.found(PROGRAM), [])

    def test_marks_and_setup_are_those_right_before_the_block(self):
        first, second = self.found(
            "<!-- snippet: compile only -->\n<!-- snippet\nlet a = 1\n-->\n```swift\nprint(a)\n```\n"
            "<!-- snippet: declarations -->\nText.\n\n```swift\nprint(2)\n```\n")
        self.assertEqual((first.line, first.marks, first.setup), (6, {"compile only"}, "let a = 1\n"))
        self.assertEqual((second.line, second.marks, second.setup), (12, set(), ""))

    def test_imports_are_taken_out_and_hardware_is_replaced(self):
        snippet, = self.found('```swift\nimport ObscuraHLS\n\nopen("camera:front", "microphone", "cameraman")\n```\n')
        self.assertEqual(snippet.imports, {"import Obscura", "import ObscuraHLS"})
        source = snippet.source(self.root)
        self.assertIn('open("pattern", "tone", "cameraman")', source)
        self.assertIn('#sourceLocation(file: "README.md", line: 2)', source)
        self.assertNotIn("import", source)


class CommandsTest(DocumentTest):

    def found(self, text):
        self.readme.write_text(f"```sh\n{text}```\n")
        return list(snippets.commands(self.readme))

    def test_commands_of_the_tool_are_found_with_their_arguments(self):
        self.assertEqual(self.found(
            "./run devices   # lists them\nOBSCURA_STUDIO_TOKEN=x obscura studio --no-open &\n"
            "obscura extract film.mp4 -o - --format y4m | ffplay -\n"),
            [(2, ["devices"]), (3, ["studio", "--no-open"]),
             (4, ["extract", "film.mp4", "-o", "-", "--format", "y4m"])])

    def test_a_command_over_two_lines_is_one(self):
        self.assertEqual(self.found("obscura photo \\\n  -o a.jpg\nobscura doctor\n"),
                         [(2, ["photo", "-o", "a.jpg"]), (4, ["doctor"])])

    def test_other_commands_are_not_checked(self):
        self.assertEqual(self.found("docker run obscura photo\ngit clone obscura\n"), [])


if __name__ == "__main__":
    unittest.main()
