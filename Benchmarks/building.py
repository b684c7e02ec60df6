# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""What the benchmarks measure, built for release."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BENCHMARKS = ("--package-path", str(ROOT / "Benchmarks"), "--scratch-path", str(ROOT / ".build/benchmarks"))


def obscura():
    """The path of the tool."""
    return _built("obscura", "--package-path", str(ROOT))


def program(product):
    """The path of a program of the package Benchmarks."""
    return _built(product, *BENCHMARKS)


def _built(product, *place):
    """What the compiler said is shown only when it fails."""
    command = [str(ROOT / "scripts/swift-build"), "-c", "release", *place, "--product", product]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"benchmark: {product} does not build:\n{run.stdout[-4000:]}")
    folder = subprocess.run([*command, "--show-bin-path"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                            check=True).stdout.strip()
    return f"{folder}/{product}"
