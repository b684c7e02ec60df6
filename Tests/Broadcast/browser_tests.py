# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The modules of Tests/Browser that these tests share: Chromium and page reading."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Browser"))

import browser  # noqa: E402
import page  # noqa: E402

__all__ = ["browser", "page"]
