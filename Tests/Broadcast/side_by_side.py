# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Runs the tests of a file side by side, each in a thread, since they mostly wait. In a file of tests:

    load_tests = side_by_side.load_tests
"""

import queue
import threading
import time
import unittest

# The number of parallel tests.
COUNT = 4


class _Calls:
    """The result of one test, kept until the test has ended: a result of `unittest` takes one test at a time."""

    failfast = False

    def __init__(self):
        self._calls = []

    def __getattr__(self, name):
        return lambda *values: self._calls.append((name, values))

    def end(self, test, seconds):
        """Adds the duration of the test before its end, as Python 3.12 and later do."""
        if not any(name == "addDuration" for name, _ in self._calls):
            self._calls.insert(len(self._calls) - 1, ("addDuration", (test, seconds)))

    def forward(self, result):
        for name, values in self._calls:
            # Before Python 3.12, only some results take durations.
            if name != "addDuration" or hasattr(result, name):
                getattr(result, name)(*values)


class Suite(unittest.TestSuite):
    """Tests without fixtures of their class or module."""

    def run(self, result, debug=False):
        left, ended = queue.SimpleQueue(), queue.SimpleQueue()
        tests = list(_tests(self))
        for test in tests:
            left.put(test)
        # They do not keep an interrupted process alive; the programs of a test end with its thread.
        for _ in range(min(COUNT, len(tests))):
            threading.Thread(target=_work, args=(left, ended), daemon=True).start()
        for _ in tests:
            ended.get().forward(result)
        return result


def _tests(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from _tests(one)
        else:
            yield one


def _work(left, ended):
    while True:
        try:
            test = left.get_nowait()
        except queue.Empty:
            return
        calls, begin = _Calls(), time.monotonic()
        try:
            test.run(calls)
        except BaseException as error:
            calls.addError(test, (type(error), error, error.__traceback__))
        calls.end(test, time.monotonic() - begin)
        ended.put(calls)


def load_tests(_loader, tests, _pattern):
    """The hook of `unittest` that chooses the suite of a module."""
    return Suite(tests)
