# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The compilers of the release build of ./test: the scripts `swiftc` and `clang` beside this file."""

import shutil
import sys

from places import HERE, ROOT

sys.path.append(str(ROOT / "packaging"))

import roots  # noqa: E402

FOLDER = ROOT / ".build/toolchain"
PROGRAM = FOLDER / "bin/swiftc"
ENVIRONMENT = {"SWIFT_EXEC": str(PROGRAM), "CC": str(HERE / "clang")}


def prepare():
    """Puts `swiftc` where SwiftPM, which looks for libraries of the toolchain beside its compiler, finds them."""
    PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(HERE / "swiftc", PROGRAM)
    link = FOLDER / "lib"
    link.unlink(missing_ok=True)
    link.symlink_to(roots.toolchain() / "lib")
