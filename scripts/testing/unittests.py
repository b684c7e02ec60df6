#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Runs Python tests as `python3 -m unittest discover --verbose` does, and records the duration of each.

    unittests.py FOLDER [--pattern 'test*.py'] [--results FILE]
"""

import argparse
import pathlib
import sys
import time
import unittest

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import results  # noqa: E402


class TimedResult(unittest.TextTestResult):
    """The usual output, and a result for each test."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.timed = []
        self._begin = 0

    def startTest(self, test):
        super().startTest(test)
        self._begin, self._duration, self._outcome = time.monotonic(), None, "passed"

    def addDuration(self, test, elapsed):
        """Records the duration of a test that ran in parallel, whose calls arrive after its end."""
        self._duration = elapsed

    def stopTest(self, test):
        super().stopTest(test)
        took = time.monotonic() - self._begin if self._duration is None else self._duration
        self.timed.append(results.Result(test.id(), took, self._outcome))

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self._fail(test)

    def addError(self, test, error):
        super().addError(test, error)
        self._fail(test)

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error is not None:
            self._outcome = "failed"

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._outcome = "failed"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._outcome = "skipped"

    def _fail(self, test):
        if isinstance(test, unittest.TestCase):
            self._outcome = "failed"
        else:
            # A class or module that could not be set up.
            self.timed.append(results.Result(test.id(), 0, "failed"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--pattern", action="append", default=[])
    parser.add_argument("--results", type=pathlib.Path)
    options = parser.parse_args()
    suite = unittest.TestSuite(
        unittest.defaultTestLoader.discover(options.folder, pattern)
        # A new loader for each pattern would not find modules that an earlier one has imported.
        for pattern in options.pattern or ["test*.py"])
    outcome = unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=TimedResult).run(suite)
    if options.results:
        results.append(options.results, outcome.timed)
    if outcome.testsRun == 0:
        print("unittests: no test ran", file=sys.stderr)
        return 1
    return 0 if outcome.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
