# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The newest releases of Python packages that benchmarks compare with, in a virtual environment of their own."""

import subprocess
import sys

from building import ROOT

FOLDER = ROOT / ".build/peers"
# By module. Debian's OpenCV is compared as well; it is older.
PACKAGES = {"cv2": "opencv-python-headless", "av": "av", "decord": "decord"}


def interpreter(module):
    """The Python that has the newest release of the module; None if it cannot be installed."""
    python = FOLDER / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(FOLDER)], check=True)
    # Each run installs the newest one.
    run = subprocess.run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade",
                          PACKAGES[module]], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return str(python) if run.returncode == 0 or version(str(python), module) else None


def version(python, module):
    """The version of a module; None without it."""
    run = subprocess.run([python, "-c", f"import {module}; print({module}.__version__)"], capture_output=True, text=True,
                         check=False)
    return run.stdout.strip() if run.returncode == 0 else None


def program_version(*command):
    """The version that a program prints in its first line; None without it."""
    try:
        run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    words = run.stdout.partition("\n")[0].split()
    return next((word for word in words if word[0].isdigit()), None)
