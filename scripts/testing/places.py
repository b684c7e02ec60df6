# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Paths."""

import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LOGS = ROOT / ".build/logs"
MEDIA = pathlib.Path(os.environ.get("OBSCURA_MEDIA", ROOT / ".build/media"))
# The system's Python: the packages of Selenium and of GStreamer's bindings are for it only.
SYSTEM_PYTHON = "/usr/bin/python3"
# A file system in memory.
MEMORY = pathlib.Path("/dev/shm")
