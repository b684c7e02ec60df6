# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The wait functions of the Python tests: they poll a condition and fail at a patience limit.

Use them instead of a sleep of a fixed time. The limit never decides the result of a passing test: choose one that only
a failing test reaches.
"""

import asyncio
import time

# How long a condition may take, in seconds. Only a failing test waits this long.
PATIENCE = 45


def _failure(what, timeout, last):
    description = what() if callable(what) else what
    return AssertionError(f"not within {timeout:g} s: {description} (last value: {last!r:.300})")


def wait_until(condition, what, timeout=PATIENCE, interval=0.02):
    """Returns the first true value of `condition()`; raises AssertionError after `timeout` seconds.

    `what` describes the condition in the failure message; it is a text, or a function that returns one. An exception
    in the condition is raised at once.
    """
    deadline = time.monotonic() + timeout
    while True:
        # The time is read first, so that a condition is always tested once after the deadline.
        expired = time.monotonic() > deadline
        value = condition()
        if value:
            return value
        if expired:
            raise _failure(what, timeout, value)
        time.sleep(interval)


async def wait_until_async(condition, what, timeout=PATIENCE, interval=0.02):
    """Same as `wait_until` for asyncio: lets other tasks run between two polls. `condition` is a plain function."""
    deadline = time.monotonic() + timeout
    while True:
        expired = time.monotonic() > deadline
        value = condition()
        if value:
            return value
        if expired:
            raise _failure(what, timeout, value)
        await asyncio.sleep(interval)
