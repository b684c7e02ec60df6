# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The targets of a package and the dependencies between them, as SwiftPM describes them."""

import json
import pathlib
import subprocess


# The libraries that a target loads instead of being linked with them.
LOADED = {"ObscuraVision": {"COpenCVLibrary"}, "ObscuraBroadcast": {"CRTSPServerLibrary"}}


def is_article(path):
    """Whether the file is in a catalog of the documentation."""
    return any(part.endswith(".docc") for part in pathlib.PurePath(path).parts)


class Package:
    """The targets of a package: their folders and dependencies."""

    def __init__(self, described):
        targets = described["targets"]
        self.folders = {one["name"]: pathlib.PurePath(one["path"]) for one in targets}
        self.needs = {one["name"]: set(one.get("target_dependencies", [])) for one in targets}
        for name, libraries in LOADED.items():
            if name in self.needs:
                self.needs[name] |= libraries & set(self.folders)
        self.tests = {one["name"] for one in targets if one["type"] == "test"}
        # Support of tests.
        self.support = {name for name, folder in self.folders.items() if folder.parts[0] == "Tests"} - self.tests

    @classmethod
    def read(cls, root):
        run = subprocess.run(["swift", "package", "--package-path", str(root), "describe", "--type", "json"],
                             stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True)
        return cls(json.loads(run.stdout))

    def target(self, path):
        """The target whose folder contains the file; None if there is none, and for articles, which affect no test."""
        if is_article(path):
            return None
        inside = [name for name, folder in self.folders.items() if pathlib.PurePath(path).is_relative_to(folder)]
        return max(inside, key=lambda name: len(self.folders[name].parts), default=None)

    def needed(self, target):
        """The target and all its dependencies."""
        found = {target}
        while more := set().union(*(self.needs[name] for name in found)) - found:
            found |= more
        return found

    def affected(self, changed):
        """The targets in `changed` and all that depend on one of them.

        A test is not affected by dependencies of only its test support: they have tests of their own.
        """
        found = set(changed)
        while more := {name for name, needs in self.needs.items() if needs & found} - self.support - found:
            found |= more
        return found
