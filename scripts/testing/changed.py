# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The tests that a change can affect, by the dependencies between the targets of the package."""

import pathlib
import subprocess
import sys

from package import Package, is_article
from places import LOGS, ROOT
from plan import MINUTES, Plan

# They run only in the lab.
LAB_TESTS = "ObscuraLabTests"
# Files that affect every target.
MANIFESTS = {"Package.swift"}
# Folders outside of targets, and how to run their tests.
OTHERS = {
    "Tests/Browser": "the tests in a browser (./test)",
    "Tests/Broadcast": "the tests of live broadcast (./test)",
    "Tests/Lab": "the tests in the lab (./test --lab)",
    "Examples": "the examples (./test)",
    "Benchmarks": "the benchmarks (Benchmarks/README.md)",
}


def changed_files(commit):
    """The files that differ from the commit, and untracked files."""

    def git(*arguments):
        run = subprocess.run(["git", "-C", ROOT, *arguments], stdout=subprocess.PIPE, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"test: there is no commit {commit}")
        return set(run.stdout.splitlines())

    found = git("diff", "--name-only", commit, "--") | git("ls-files", "--others", "--exclude-standard")
    if not found and commit == "HEAD":
        print("==> nothing has changed since the last commit; its own changes are tested")
        return git("diff", "--name-only", "HEAD~1", "--")
    return found


class ChangedPlan(Plan):
    """The tests that a change can affect and that need only this machine."""

    def _add_steps(self):
        options = self.options
        files = changed_files(options.changed)
        package = Package.read(ROOT)
        targets = {package.target(path) for path in files} - {None}
        if files & MANIFESTS:
            targets = set(package.folders)
        affected = package.affected(targets)
        tests = affected & package.tests
        self._say(files, targets, package, affected)
        if any(path.startswith("scripts/") or path in ("test", "run") for path in files):
            self._add_tests_of_scripts()
        if files & MANIFESTS or targets:
            self._add_style()
        if tests:
            self._add("Build of the tests", self.build.command("--build-tests"), slots=0, limit=45 * MINUTES)
        if on_this_machine := sorted(tests - {LAB_TESTS}):
            asked = f"^(?=(?:{'|'.join(on_this_machine)})\\.)(?=.*?(?:{options.filter or ''}))"
            command = self._swift_command("--logs", LOGS / "swift", "--filter", asked)
            for name in sorted(targets | {f"{one}Tests" for one in targets}):
                command += ["--wholly", name]
            self._add_test("Tests in Swift", command, needs=("Build of the tests",), slots=self._workers)

    def _say(self, files, targets, package, affected):
        print(f"==> {len(files)} files have changed, of the targets: {', '.join(sorted(targets)) or 'none'}")
        others = sorted((affected - targets) & package.tests)
        if others:
            print(f"    they can affect: {', '.join(others)}")
        unaffected = sorted(package.tests - affected)
        if unaffected:
            self.not_run.append(f"tests that the change cannot affect: {', '.join(unaffected)}")
        if LAB_TESTS in affected:
            self.not_run.append("the tests in the lab (./test --lab)")
        if "ObscuraCLI" in affected:
            self.not_run.append("the tests in a browser and of live broadcast (./test)")
        for folder, words in OTHERS.items():
            if any(pathlib.PurePath(path).is_relative_to(folder) for path in files):
                self.not_run.append(words)
        if any(path == "README.md" or is_article(path) for path in files):
            self.not_run.append("the documentation and its programs (./test)")
        self.not_run.append("sanitizers, full numbers, examples, traits (./test --help)")
