# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A program whose clock is off: see drifting_clock.c."""

import pathlib
import subprocess

SOURCE = pathlib.Path(__file__).with_suffix(".c")
# By how much its clock is faster than the right one, in millionths.
DRIFT = 100


def command(folder):
    """The command that runs a program with such a clock. The library for it is made in the folder."""
    library = folder / "drifting_clock.so"
    subprocess.run(["gcc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    return ["env", f"LD_PRELOAD={library}", f"CLOCK_DRIFT={DRIFT}"]
