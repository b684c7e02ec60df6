# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Splits a source file into its code and its comments.

A rule that searches a file must see neither comments nor the contents of string literals. The
two texts have the lines and columns of the original, with everything
else blanked, so that a position in them is the position in the file.
"""

import re

# A `/` after one of these (or at the start) begins a regex literal; after anything else it divides.
_BEFORE_REGEX = set("(,=:[{!&|?;~")
_KEYWORDS_BEFORE_REGEX = {"return", "in", "case", "try", "await", "where"}


class Source:
    """The code and the comments of one file."""

    def __init__(self, text, is_swift=True):
        self.text = text
        self._is_swift = is_swift
        self._code = list(_blank(text))
        self._comments = list(self._code)
        self._scan_code(0, closes_at_parenthesis=False)
        self.code = "".join(self._code)
        self.comments = "".join(self._comments)

    def line_of(self, offset):
        """The number of the line of `offset`, from 1."""
        return self.text.count("\n", 0, offset) + 1

    @property
    def strings(self):
        """The contents of string literals, without their interpolated code."""
        return "".join(char if char.isspace() or (code.isspace() and comment.isspace()) else " "
                       for char, code, comment in zip(self.text, self.code, self.comments))

    def comment_lines(self):
        """The comments, one string for each line of the file."""
        return self.comments.split("\n")

    # Each scan begins at an offset and returns the offset after the text that it has read.

    def _scan_code(self, at, closes_at_parenthesis):
        text = self.text
        depth = 0
        while at < len(text):
            char = text[at]
            if text.startswith("//", at):
                end = text.find("\n", at)
                at = self._keep_comment(at, len(text) if end < 0 else end)
            elif text.startswith("/*", at):
                at = self._keep_comment(at, self._end_of_block_comment(at))
            elif char == '"' or (char == "#" and re.match(r'#+"', text[at:at + 8])):
                at = self._scan_string(at)
            elif char == "`" and self._is_swift:
                at = self._scan_raw_identifier(at)
            elif char == "'" and not self._is_swift:
                at = self._scan_character(at)
            elif char in "#/" and self._is_swift and (end := self._end_of_regex(at)):
                at = end
            else:
                depth += {"(": 1, ")": -1}.get(char, 0)
                self._code[at] = char
                at += 1
                if closes_at_parenthesis and depth == 0:
                    return at
        return at

    def _keep_comment(self, start, end):
        self._comments[start:end] = self.text[start:end]
        return end

    def _end_of_block_comment(self, at):
        if not self._is_swift:
            end = self.text.find("*/", at + 2)
            return len(self.text) if end < 0 else end + 2
        depth = 0
        for mark in re.compile(r"/\*|\*/").finditer(self.text, at):
            depth += 1 if mark.group() == "/*" else -1
            if depth == 0:
                return mark.end()
        return len(self.text)

    def _scan_character(self, at):
        literal = re.compile(r"'(?:\\.|[^'\\\n])*'").match(self.text, at)
        return literal.end() if literal else at + 1

    def _scan_raw_identifier(self, at):
        """A name in backticks may be a whole sentence; only what could be an identifier is code."""
        name = re.compile(r"`([^`\n]*)`").match(self.text, at)
        if not name:
            return at + 1
        if re.fullmatch(r"\w+", name.group(1)):
            self._code[at:name.end()] = name.group()
        else:
            self._code[at] = self._code[name.end() - 1] = "`"
        return name.end()

    def _scan_string(self, at):
        text = self.text
        opening = re.compile(r'(#*)("""|")').match(text, at)
        hashes, quotes = opening.groups()
        if not self._is_swift:
            hashes, quotes = "", '"'
        is_multiline = quotes == '"""'
        # The quotes stay, so that a `!` after a literal is still recognized as postfix.
        self._code[opening.end() - 1] = '"'
        at += len(hashes) + len(quotes)
        while at < len(text):
            if text.startswith(quotes + hashes, at):
                at += len(quotes + hashes)
                self._code[at - 1] = '"'
                return at
            if text[at] == "\n" and not is_multiline:
                return at  # Not a valid literal; continue on the next line.
            if text.startswith("\\" + hashes, at):
                at += 1 + len(hashes)
                if self._is_swift and text.startswith("(", at):
                    at = self._scan_code(at, closes_at_parenthesis=True)
                else:
                    at += 1
            else:
                at += 1
        return at

    def _end_of_regex(self, at):
        """The end of the regex literal that begins at `at`, or None."""
        text = self.text
        if text[at] == "#":
            hashes = re.compile(r"(#+)/").match(text, at)
            if not hashes:
                return None
            end = text.find("/" + hashes.group(1), hashes.end())
            return None if end < 0 else end + 1 + len(hashes.group(1))
        before = "".join(self._code[max(0, at - 20):at]).rstrip(" ")
        words = re.findall(r"\w+$", before)
        if before and before[-1] not in _BEFORE_REGEX and before[-1] != "\n" and not (
            words and words[0] in _KEYWORDS_BEFORE_REGEX
        ):
            return None
        literal = re.compile(r"/(?![\s)/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])*/").match(text, at)
        return literal.end() if literal else None


def _blank(text):
    return re.sub(r"[^\n]", " ", text)
