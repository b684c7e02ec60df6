# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The wait functions of the Python tests: they poll a condition and fail after a time limit.

Use them instead of a sleep of a fixed time. The limit never decides the result of a passing test: choose one that only
a failing test reaches.
"""

import asyncio
import time

# The time limit of a condition, in seconds. Only a failing test waits this long.
PATIENCE = 45


class _Polling:
    """The polls of one condition until a deadline."""

    def __init__(self, condition, what, timeout):
        self.condition, self.what, self.timeout = condition, what, timeout
        self.deadline = time.monotonic() + timeout

    def poll(self):
        """The condition's value if it is true, else None; raises AssertionError when the deadline has passed."""
        # The time is read first, so that a condition is always tested once after the deadline.
        expired = time.monotonic() > self.deadline
        value = self.condition()
        if not value and expired:
            what = self.what() if callable(self.what) else self.what
            raise AssertionError(f"not within {self.timeout:g} s: {what} (last value: {value!r:.300})")
        return value or None


def wait_until(condition, what, timeout=PATIENCE, interval=0.02):
    """Returns the first true value of `condition()`; raises AssertionError after `timeout` seconds.

    `what` describes the condition in the failure message; it is a text, or a function that returns one. An exception
    in the condition is raised at once.
    """
    polling = _Polling(condition, what, timeout)
    while (value := polling.poll()) is None:
        time.sleep(interval)
    return value


async def wait_until_async(condition, what, timeout=PATIENCE, interval=0.02):
    """Same as `wait_until` for asyncio: lets other tasks run between two polls. `condition` is a plain function."""
    polling = _Polling(condition, what, timeout)
    while (value := polling.poll()) is None:
        await asyncio.sleep(interval)
    return value
