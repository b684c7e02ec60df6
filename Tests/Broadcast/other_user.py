# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A user without other processes: the kernel counts threads by user, and does not limit root."""

import os
import random
import subprocess
import unittest

import processes


def few_threads(limit, folder):
    """The command that runs another one with this limit of threads, as a user who can write to this folder.

    Skips the test if that is not possible.
    """
    if os.getuid() != 0:
        raise unittest.SkipTest("only root can become a user who has no other threads")
    user = str(random.randrange(100_000, 1_000_000))
    become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    if subprocess.run([*become, "test", "-x", processes.tool(), "-a", "-x", folder.parent], check=False).returncode:
        raise unittest.SkipTest("this folder is for its owner alone")
    folder.chmod(0o777)
    return [*become, "prlimit", f"--nproc={limit}:{limit}"]
