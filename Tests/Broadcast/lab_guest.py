# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A command in a guest of the lab (Tests/Lab), whose kernel can impair networks."""

import pathlib
import subprocess
import unittest

LAB = pathlib.Path(__file__).resolve().parent.parent / "Lab/lab"
# The exit status on a system without such a kernel.
UNAVAILABLE = 3
# The time for boot, start and end, in seconds, and the factor by which a busy machine may slow the guest down.
START, SLOWNESS = 120, 3


def command(words, seconds, *options):
    """The command that runs another one in a guest. `seconds` is the duration of that one."""
    return [LAB, "run", "--vivid", "", "--timeout", str(START + SLOWNESS * seconds), *options, "--", *words]


def run(words, seconds, *options):
    """Runs a command in a guest. `seconds` is its duration."""
    ended = subprocess.run(command(words, seconds, *options), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if ended.returncode == UNAVAILABLE:
        raise unittest.SkipTest(ended.stderr)
    if ended.returncode:
        raise AssertionError(f"the lab ended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
