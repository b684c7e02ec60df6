# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A small file system for one program, in a mount namespace of its own."""

import os
import subprocess
import unittest

# The file system is lost with the namespace.
SCRIPT = """\
disk=$1 size=$2 results=$3
shift 3
mount -t tmpfs -o "size=$size" tmpfs "$disk" || exit
"$@"
code=$?
stat --file-system --format '%a %S' "$disk" >"$results/free"
cp -R "$disk/." "$results/files"
exit $code
"""


# Delays the completion of a file, as a slow disk does.
SLOW = """\
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int fsync(int file) {
    nanosleep(&(struct timespec){.tv_nsec = 600000000}, 0);
    return syscall(SYS_fsync, file);
}
"""


class SmallDisk:
    """An empty file system at `path`. After the program, its files are in `files`, and its free bytes in `free`."""

    def __init__(self, folder, is_slow=False):
        """Skips the test if that is not possible."""
        if os.getuid() != 0:
            raise unittest.SkipTest("only root can mount a small file system")
        self.folder, self.path, self.files = folder, folder / "disk", folder / "files"
        self.path.mkdir()
        self.files.mkdir()
        self.before = []
        if is_slow:
            source, library = folder / "slow.c", folder / "slow.so"
            source.write_text(SLOW)
            subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
            self.before = ["env", f"LD_PRELOAD={library}"]
        run = subprocess.run(self.command(1 << 20, "true"), capture_output=True, text=True)
        if run.returncode:
            raise unittest.SkipTest(f"no file system can be mounted here: {run.stderr.strip()}")

    def command(self, size, *command):
        """The command that runs another one with an empty file system of this size in bytes."""
        mount = ["unshare", "--mount", "sh", "-c", SCRIPT, "sh", self.path, f"{size}", self.folder]
        return list(map(str, [*mount, *self.before, *command]))

    @property
    def free(self):
        count, size = map(int, (self.folder / "free").read_text().split())
        return count * size
