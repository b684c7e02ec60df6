# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The compiler of the release build of ./test: the script `swiftc` beside this file, at a place like that of Swift's own."""

import json
import pathlib
import shutil
import subprocess

from places import HERE, ROOT

FOLDER = ROOT / ".build/toolchain"
PROGRAM = FOLDER / "bin/swiftc"


def prepare():
    """Puts the script where SwiftPM, which looks for libraries of the toolchain beside its compiler, finds them."""
    said = subprocess.run(["swift", "-print-target-info"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    libraries = pathlib.Path(json.loads(said.stdout)["paths"]["runtimeResourcePath"]).parent
    PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(HERE / "swiftc", PROGRAM)
    link = FOLDER / "lib"
    link.unlink(missing_ok=True)
    link.symlink_to(libraries)
