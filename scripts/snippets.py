# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The programs and commands in the README and in the articles of the documentation.

An HTML comment before a ```swift block controls how `scripts/check-snippets` uses it, and is not shown to readers:

    <!-- ten-line program -->        the README's program: at most ten lines, and complete
    <!-- snippet: compile only -->   needs hardware or a server, so it is not run
    <!-- snippet: declarations -->   compiled at file level; the later blocks of the same file can use it
    <!-- snippet: manifest -->       a Package.swift, or the part of one inside `Package(…)`; SwiftPM must accept it
    <!-- snippet                     code that is put before the block
    let session = CaptureSession()
    -->
"""

import dataclasses
import pathlib
import re
import shlex

PROGRAM = "<!-- ten-line program -->"
MOST_LINES = 10
# The sources that need hardware, and the built-in ones that are used instead.
HARDWARE = re.compile(r'"(camera|microphone)(?::[^"\\]*)?"')
BUILT_IN = {"camera": '"pattern"', "microphone": '"tone"'}
COMMENT = re.compile(r"<!-- ?snippet(?:: *(?P<mark>[^\n]*?))?(?: -->|\n(?P<code>.*?)^-->)$", re.MULTILINE | re.DOTALL)
MARKS = {"compile only", "declarations", "manifest"}
IMPORT = re.compile(r"^import \w+$", re.MULTILINE)


class BadSnippet(Exception):
    """A block that cannot be checked; the text says where and why."""


@dataclasses.dataclass
class Snippet:
    """A ```swift block."""

    path: pathlib.Path
    line: int
    code: str
    marks: set
    setup: str

    @property
    def manifest(self):
        """The text of a Package.swift."""
        if "let package" in self.code:
            return self.code
        return ("// swift-tools-version: 6.2\nimport PackageDescription\n\n"
                f'let package = Package(\n    name: "app",\n{self.code})\n')

    @property
    def imports(self):
        return {"import Obscura", *IMPORT.findall(self.code), *IMPORT.findall(self.setup)}

    def source(self, root):
        """The code without imports, with built-in devices instead of hardware, at its place in the document."""
        def cut(text):
            return HARDWARE.sub(lambda found: BUILT_IN[found[1]], IMPORT.sub("", text))
        place = f'#sourceLocation(file: "{self.path.relative_to(root)}", line: {self.line})'
        return f"{cut(self.setup)}\n{place}\n{cut(self.code)}#sourceLocation()\n"


def documents(root):
    """The files whose snippets are checked."""
    return [root / "README.md", *sorted(root.glob("Sources/*/*.docc/*.md")), *sorted(root.glob("docs/*.md"))]


def blocks(path, language):
    """The blocks of a language: the number of the first line, the text, and what stands before the block."""
    text = path.read_text(encoding="utf-8")
    end = 0
    for found in re.finditer(rf"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        if found[1] == language:
            yield text.count("\n", 0, found.start(2)) + 1, found[2], text[end:found.start()]
        end = found.end()


def swift(path):
    """The snippets of a document, without the README's program."""
    for line, code, before in blocks(path, "swift"):
        before = before.rstrip()
        if before.endswith(PROGRAM):
            continue
        marks, setups = set(), []
        # Only comments right before the block.
        while found := next((one for one in COMMENT.finditer(before) if one.end() == len(before)), None):
            if found["mark"]:
                marks.add(found["mark"])
            setups.insert(0, found["code"] or "")
            before = before[:found.start()].rstrip()
        if unknown := marks - MARKS:
            raise BadSnippet(f"{path}:{line}: no such mark: {', '.join(sorted(unknown))}")
        yield Snippet(path, line, code, marks, "".join(setups))


def program(readme):
    """The text of the ten-line program."""
    if not readme.is_file():
        raise BadSnippet("there is no README.md")
    found = [code for _, code, before in blocks(readme, "swift") if before.rstrip().endswith(PROGRAM)]
    if len(found) != 1:
        raise BadSnippet(f"README.md has {len(found)} ```swift blocks right after a line `{PROGRAM}`, not one")
    lines = [line for line in found[0].splitlines() if line.strip()]
    if not 1 <= len(lines) <= MOST_LINES:
        raise BadSnippet(f"the ten-line program has {len(lines)} lines; at most {MOST_LINES}, and at least one")
    return found[0]


def commands(path):
    """The commands of the tool in ```sh blocks: the number of the line, and the arguments."""
    for begin, text, _ in blocks(path, "sh"):
        number = begin
        for line in re.sub(r"\\\n", lambda _: "\0", text).splitlines():
            words = shlex.split(line.replace("\0", " "), comments=True, posix=True)
            for index, word in enumerate(words):
                if word in ("obscura", "./run") and (index == 0 or not is_argument(words[index - 1])):
                    yield number, arguments(words[index + 1:])
            number += 1 + line.count("\0")


def is_argument(previous):
    """Whether a word after this one is an argument of a command, not a command."""
    return previous not in ("|", "||", "&&", ";", "&", "sudo", "exec", "!") and "=" not in previous


def arguments(words):
    """The words up to the end of a command."""
    end = next((index for index, word in enumerate(words) if word in ("|", "||", "&&", ";", "&", ">", ">>", "2>")),
               len(words))
    return words[:end]
