# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""TestPermission, driven by a test: a program that asks for permission to use cameras."""

import json
import os
import pathlib
import subprocess
import threading

import session
import waiting

PROGRAM = pathlib.Path(os.environ.get("OBSCURA_TEST_PERMISSION", session.ROOT / ".build/debug/TestPermission"))


class Permission:
    """A running TestPermission; its options and commands are in its source."""

    def __init__(self, place, *options, sandbox=None, environment=None):
        if not os.access(PROGRAM, os.X_OK):
            raise FileNotFoundError(f"{PROGRAM} not found: swift build --product TestPermission")
        command = [PROGRAM, *options]
        if sandbox:
            command = place.in_sandbox(sandbox, command)
        self._log = open(place.folder / "permission.log", "ab")
        self.process = subprocess.Popen(
            [str(word) for word in command], env={**place.environment, **(environment or {})}, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, start_new_session=True)
        self.lines = []
        self._change = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            # The end of the commands ends the program.
            self.process.wait(waiting.PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()
        self.process.stdout.close()
        self._log.close()

    def _read(self):
        for line in self.process.stdout:
            with self._change:
                self.lines.append(json.loads(line))
                self._change.notify_all()

    def send(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")

    def next(self, name, number=1, timeout=waiting.PATIENCE):
        """The line with this number about a command."""
        def found():
            return [line for line in self.lines if line["command"] == name]
        with self._change:
            if not self._change.wait_for(lambda: len(found()) >= number, timeout):
                raise AssertionError(f"no line {number} about {name}: {self.lines}")
            return found()[number - 1]

    def has_answered(self, name):
        with self._change:
            return any(line["command"] == name for line in self.lines)

    def get(self, *words, name=None):
        """Sends a command, and returns its result."""
        name = name or words[-1]
        with self._change:
            number = sum(line["command"] == name for line in self.lines) + 1
        self.send(*words)
        return self.next(name, number)
