# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Release builds of the programs that the benchmarks measure."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = [str(ROOT / "scripts/build-tool")]
BENCHMARKS = [str(ROOT / "scripts/swift-build"), "-c", "release", "--package-path", str(ROOT / "Benchmarks"),
              "--scratch-path", str(ROOT / ".build/benchmarks")]


def obscura():
    """Builds the command line tool and the libraries that it loads, as ./run does, and returns the path of the tool."""
    for library in ("ObscuraOpenCV", "ObscuraRTSPServer"):
        _built(library, *TOOL)
    return _built("obscura", *TOOL)


def program(product):
    """Builds a program of the package Benchmarks, and returns its path."""
    return _built(product, *BENCHMARKS)


def c_program(product, *libraries):
    """Builds a program in C of Benchmarks/Sources with libraries that pkg-config knows, and returns its path."""
    program = ROOT / ".build/benchmarks" / product
    program.parent.mkdir(parents=True, exist_ok=True)
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", *libraries], capture_output=True, text=True, check=False)
    if flags.returncode != 0:
        sys.exit(f"benchmark: {product} does not build:\n{flags.stderr}")
    source = ROOT / f"Benchmarks/Sources/{product}/{product}.c"
    subprocess.run(["cc", "-O2", "-o", program, source, *flags.stdout.split()], check=True)
    return str(program)


def _built(product, *build):
    """Shows the output of the compiler only if the build fails."""
    command = [*build, "--product", product]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"benchmark: {product} does not build:\n{run.stdout[-4000:]}")
    folder = subprocess.run([*command, "--show-bin-path"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                            check=True).stdout.strip()
    return f"{folder}/{product}"
