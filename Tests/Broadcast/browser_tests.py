# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""What the tests in a browser have that these need too: the tool's path, Chromium, and how a page is read."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Browser"))

import browser  # noqa: E402
import page  # noqa: E402

__all__ = ["browser", "page"]
