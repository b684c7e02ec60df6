# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The command-line tool that the Python tests drive."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def tool():
    """The path of `obscura`: the value of OBSCURA_TOOL, else the release build."""
    path = pathlib.Path(os.environ.get("OBSCURA_TOOL", ROOT / ".build/release/obscura")).resolve()
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(f"{path} not found: ./run --version")
    return str(path)
