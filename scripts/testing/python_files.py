# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Groups of Python test files that share a process."""

import collections

import results


def groups(folder, count, earlier, skipped=()):
    """All `test_*.py` of the folder in at most `count` groups of about the same duration, the longest first.

    A file's duration is that of the earlier run; without one it is estimated from the file's length.
    """
    seconds = collections.Counter()
    for one in results.read(earlier):
        seconds[one.name.split(".")[0]] += one.seconds
    files = [path for path in sorted(folder.glob("test_*.py")) if path.name not in skipped]
    # About a second for ten lines.
    cost = {path: seconds.get(path.stem) or len(path.read_bytes().splitlines()) / 10 for path in files}
    made = [[] for _ in range(min(count, len(files)))]
    total = [0.0] * len(made)
    for path in sorted(files, key=lambda one: (-cost[one], one.name)):
        least = total.index(min(total))
        made[least].append(path.name)
        total[least] += cost[path]
    return [made[index] for index in sorted(range(len(made)), key=lambda one: -total[one])]
