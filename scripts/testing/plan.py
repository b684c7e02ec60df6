# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The steps of a run."""

import copy
import dataclasses
import os
import shutil
import sys

import compiler
import python_files
import results
from places import HERE, LOGS, MEDIA, MEMORY, ROOT, SYSTEM_PYTHON
from step import Step

MINUTES = 60
# The space in memory that temporary files of the tests may take, in bytes.
ROOM = 4 << 30
# One build serves the tests and the tool that they drive: release, for the tool's own speed, with `-enable-testing` for
# `@testable`.
RELEASE_FLAGS = ["-debug-info-format", "none", "-Xswiftc", "-enable-testing"]


class Build:
    """A folder of binaries and the flags that they are built with."""

    def __init__(self, options):
        self.configuration, self.flags = "debug", []
        # For all steps, since some of them read the build's plan, or build with its modules.
        self.environment = {}
        if options.sanitize:
            # Separate from the build without a sanitizer.
            self.scratch = ROOT / f".build/sanitize-{options.sanitize}"
            self.flags = ["--sanitize", options.sanitize]
        elif options.changed:
            # After a change in a function body a debug build compiles only that file, not the dependents of its module.
            self.scratch = ROOT / ".build"
        else:
            self.scratch, self.configuration, self.flags = ROOT / ".build/tests", "release", RELEASE_FLAGS
            # The long form tests what users run: everything optimized.
            if not options.long:
                self.environment = compiler.ENVIRONMENT

    @property
    def binaries(self):
        return self.scratch / self.configuration

    @property
    def tests(self):
        return self.binaries / "obscuraPackageTests.xctest"

    @property
    def options(self):
        return ["--scratch-path", self.scratch, "-c", self.configuration, *self.flags]

    def inside(self, scratch):
        """The same build in another folder."""
        other = copy.copy(self)
        other.scratch = scratch
        return other

    def command(self, *arguments, package=ROOT):
        return [ROOT / "scripts/swift-build", "--package-path", package, *self.options, *arguments]


def has_room(folder):
    """Whether temporary files may be kept there: a container's /dev/shm is often too small."""
    try:
        status = os.statvfs(folder)
    except OSError:
        return False
    return status.f_bavail * status.f_frsize >= ROOM


def sanitizer_environment(kind):
    """The environment in which a report of the sanitizer ends the run."""
    if kind is None:
        return {}
    return {
        "TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1",
        "ASAN_OPTIONS": "halt_on_error=1:detect_leaks=1",
        "LSAN_OPTIONS": f"suppressions={ROOT}/Tests/leaks.txt:print_suppressions=0",
        "OBSCURA_TEST_SANITIZER": kind,
    }


class Plan:
    """The steps of a run with these options, and the tests that they leave out."""

    def __init__(self, options):
        self.options, self.build = options, Build(options)
        self.results = LOGS / "results.jsonl"
        self.not_run = []
        self.steps = []
        self._add_steps()

    def found(self):
        """The results of all tests until now."""
        kept = results.read(self.results)
        # The guests of the lab write the events of their tests to the folder of the logs.
        for path in sorted(LOGS.glob("lab-*-events.jsonl")):
            kept += results.of_swift_testing(path)[0]
        return kept + results.read(LOGS / "debian13/portal.jsonl")

    def tests_alone(self):
        """The test steps, without dependencies on other steps, which have already run."""
        tests = [step for step in self.steps if step.is_test]
        names = {step.name for step in tests}
        return [dataclasses.replace(step, after=tuple(names & set(step.after)), needs=tuple(names & set(step.needs)))
                for step in tests]

    def environment(self, in_memory=True):
        """The environment variables of every test step, with the media that could be fetched."""
        found = sanitizer_environment(self.options.sanitize)
        if self.options.long:
            found["OBSCURA_TEST_LONG"] = "1"
        film, faces = MEDIA / "film.mp4", MEDIA / "faces"
        if film.exists() and "OBSCURA_TEST_MOVIE" not in os.environ:
            found["OBSCURA_TEST_MOVIE"] = str(film)
        if faces.exists() and "OBSCURA_TEST_FACES" not in os.environ:
            found["OBSCURA_TEST_FACES"] = str(faces)
        # Tests make thousands of small files: in memory each takes a tenth of the time.
        if in_memory and "TMPDIR" not in os.environ and has_room(MEMORY):
            found["TMPDIR"] = str(MEMORY)
        found["OBSCURA_TOOL"] = str(self.build.binaries / "obscura")
        # A Studio whose cameras can be unplugged.
        found["OBSCURA_TEST_STUDIO"] = str(self.build.binaries / "TestStudio")
        # A program that asks for permission to use cameras.
        found["OBSCURA_TEST_PERMISSION"] = str(self.build.binaries / "TestPermission")
        return found

    def _limit(self, minutes):
        """The time limit: that of the short form, or 360 minutes for a long run or one with a sanitizer."""
        return (minutes if not (self.options.long or self.options.sanitize) else 360) * MINUTES

    def _add(self, name, command, **how):
        self.steps.append(Step(name, command, **how))

    def _add_test(self, name, command, minutes=10, **how):
        how.setdefault("environment", self.environment)
        self._add(name, command, is_test=True, limit=self._limit(minutes), **how)

    def _add_lab_test(self, name, command, minutes=25, **how):
        """Adds a test whose guest does not see the host's /dev, so its temporary files are on disk."""
        self._add_test(name, command, minutes, environment=lambda: self.environment(in_memory=False), **how)

    def _add_steps(self):
        options = self.options
        # The first build begins at once; steps that need no build use the processor that it leaves idle at first.
        if options.checks:
            self._add("Build of the programs", self.build.command(), slots=0, lane="build", limit=self._limit(45))
        self._add("Build of the tests", self.build.command(
            "--build-tests", "--explicit-target-dependency-import-check", "error"), slots=0, lane="build",
            limit=self._limit(45), needs=("Build of the programs",) if options.checks else ())
        self._add("Film", [ROOT / "scripts/fetch-media"],
                  skips="the tests with a real movie (it could not be fetched)")
        self._add("Faces", [ROOT / "scripts/fetch-faces"],
                  skips="the tests with real faces (they could not be fetched)")
        if options.in_lab:
            self._add("Kernel of the lab", [ROOT / "Tests/Lab/lab", "prepare"], limit=20 * MINUTES,
                      skips=None if options.lab == "only" else
                      "the lab (its kernel is Debian's, for x86_64, which this system does not have)")
        if options.checks:
            self._add_checks()
        if options.in_lab:
            self._add_lab()
        if options.camera:
            self._add_test(f"Tests on {options.camera}", self._lab_command("--camera", options.camera), minutes=60,
                           needs=("Build of the tests",))
        if options.swift:
            self._add_swift()
        if options.checks:
            self._add_programs()
        if options.in_lab:
            # Last, so that nothing waits for them.
            self._add_lab_alone()
        self._note_what_is_left_out()

    # MARK: Steps without a binary

    def _add_checks(self):
        self._add_tests_of_scripts()
        self._add_style()
        self._add("Tracked files", [ROOT / "scripts/check-tree"])
        self._add("Links and spelling", [ROOT / "scripts/check-texts"])

    def _add_tests_of_scripts(self):
        self._add_test("Tests of the scripts", self._python_command(ROOT / "scripts/tests", python=sys.executable))

    def _add_style(self):
        self._add("Walls", [ROOT / "scripts/lint-walls"])
        self._add("Folders", [ROOT / "scripts/lint-folders"])
        self._add("Format", [ROOT / "scripts/check-format"])
        self._add("Architecture", [ROOT / "scripts/draw-targets"])
        self._add("Tested behavior", [ROOT / "scripts/list-behavior"])

    # MARK: Tests in Swift

    def _swift_command(self, *arguments):
        command = [sys.executable, "-B", HERE / "swift_tests.py", self.build.tests, "--results", self.results,
                   "--earlier", LOGS / "earlier.jsonl", "--workers", self._workers]
        if self.options.repeat:
            command.append("--keep-going")
        return [*command, *arguments]

    def _add_swift(self):
        options = self.options
        command = self._swift_command(*(["--filter", options.filter] if options.filter else []))
        if options.fuzz:
            # Debian's GLib and GStreamer have no frame pointers: without a full unwind the sanitizer's stacks end in
            # them. That takes several times as long.
            self._add_test("RTSP server", [*command, "--filter", "RTSPServerTests", "--logs", LOGS / "rtsp"],
                           needs=("Build of the tests",), slots=self._workers,
                           environment=self._unwinding_environment)
            command += ["--skip", "RTSPServerTests"]
        self._add_test("Tests in Swift", [*command, "--logs", LOGS / "swift"], minutes=25,
                       needs=("Build of the tests",), after=("Film", "Faces"), slots=self._workers)
        if options.fuzz:
            if options.lacks_browser:
                self.not_run.append(f"the fuzz of the Studio's routes ({options.lacks_browser})")
            else:
                self._add_test("Fuzz of the Studio's routes", self._python_command(
                    ROOT / "Tests/Browser", "test_studio_fuzz.py"), needs=("Build of the tests",))

    @property
    def _workers(self):
        return max(2, os.cpu_count() or 1)

    def _unwinding_environment(self):
        found = self.environment()
        found["ASAN_OPTIONS"] += ":fast_unwind_on_malloc=0"
        return found

    # MARK: The lab

    def _lab_command(self, *arguments, tests=None):
        command = [ROOT / "Tests/Lab/run-tests", "--timeout", 10800 if self.options.long else 1200, "--logs", LOGS]
        if self.options.filter:
            command += ["--filter", self.options.filter]
        return [*command, *arguments, tests or self.build.tests]

    def _add_lab(self):
        if self.options.filter:
            return
        prepared = ("Kernel of the lab",)
        self._add_lab_test("The lab itself", [ROOT / "Tests/Lab/check"], needs=prepared)
        for part in ("counted", "user"):
            self._add_lab_test(f"Tests in the lab, {part}", self._lab_command("--part", part),
                               needs=(*prepared, "Build of the tests"))

    def _add_lab_alone(self):
        """Adds the lab's tests that need the whole machine.

        While a guest waits for a busy host, its cameras and sound cards continue: a test would count the lost sound.
        """
        builds = tuple(step.name for step in self.steps if step.lane == "build")
        # Both have one processor.
        steps = [["root", "uvc"], *([["smp"]] if self.options.long else [])]
        if self.options.filter:
            # One step, since a filter may leave some parts without a test.
            steps = [["counted", "user", *(part for step in steps for part in step)]]
        for parts in steps:
            arguments = [word for part in parts for word in ("--part", part)]
            self._add_lab_test(f"Tests in the lab, {', '.join(parts)}", self._lab_command(*arguments),
                               needs=("Kernel of the lab", "Build of the tests"), after=builds, alone=True)
        if self.options.long:
            self._add_debian13(builds)

    def _add_debian13(self, builds):
        """Adds the tests in a guest with Debian 13, whose libraries need a build of their own."""
        if os.geteuid() != 0:
            self.not_run.append("the lab on Debian 13 (its root needs root)")
            return
        lab, root = ROOT / "Tests/Lab/lab", "Root of Debian 13"
        build = self.build.inside(ROOT / ".build/lab/debian13/tests")
        self._add(root, [lab, "prepare", "--debian13"], limit=30 * MINUTES, needs=("Kernel of the lab",))
        # The root has no configuration of git and SwiftPM.
        self._add("Dependencies for Debian 13", ["swift", "package", "--package-path", ROOT, "--scratch-path",
                                                 build.scratch, "resolve"], after=builds)
        variables = [f"{name}={value}" for name, value in build.environment.items()]
        self._add("Build on Debian 13", [lab, "root", "--", "env", *variables, *build.command("--build-tests")],
                  slots=0, lane="build", limit=self._limit(60), needs=(root, "Dependencies for Debian 13"))
        self._add_lab_test("Tests in the lab, debian13", self._lab_command("--part", "debian13", tests=build.tests),
                           needs=("Build on Debian 13",), alone=True)
        self._add_lab_test("Portal on Debian 13", [
            lab, "run", "--debian13", "--vivid", "", "--out", LOGS / "debian13", "--env",
            f"OBSCURA_TEST_PERMISSION={build.binaries / 'TestPermission'}", "--", *self._python_command(
                ROOT / "Tests/PipeWire", "test_portal.py", into="/run/lab/out/portal.jsonl")],
            needs=("Build on Debian 13",), alone=True)

    # MARK: Steps that drive the tool

    def _python_command(self, folder, *patterns, python=SYSTEM_PYTHON, into=None):
        command = [python, "-B", HERE / "unittests.py", folder, "--results", into or self.results]
        for pattern in patterns:
            command += ["--pattern", pattern]
        return command

    def _add_programs(self):
        built = ("Build of the programs",)
        binaries = self.build.binaries
        self._add("Libraries of the tool", [ROOT / "scripts/check-libraries", binaries / "obscura"], needs=built)
        for name in ("ObscuraOpenCV", "ObscuraRTSPServer"):
            self._add(f"Libraries of {name}", [ROOT / "scripts/check-libraries", binaries / f"lib{name}.so"],
                      needs=built)
        self._add("Generics in the frame path", [ROOT / "scripts/check-specialised", binaries], needs=built)
        self._add_python_tests("PipeWire", 2, built)
        if self.options.lacks_browser:
            self.not_run.append(f"the tests in a browser ({self.options.lacks_browser})")
        else:
            self._add_python_tests("Browser", 3, built)
            if self.options.lacks_servers:
                self.not_run.append(f"the tests of live broadcast ({self.options.lacks_servers})")
            else:
                in_lab = {"test_lossy.py", "test_far_cameras.py"}
                self._add_python_tests("Broadcast", 4, built, in_lab | (
                    set() if self.options.long else {"test_bench.py"}))
                if self.options.lab != "no":
                    self._add_broadcast_in_lab((*built, "Kernel of the lab"))
        self._add("Public API", [ROOT / "scripts/check-api", binaries], needs=("Build of the tests",))
        self._add("Documentation", [ROOT / "scripts/build-docs", binaries], needs=("Build of the tests",))
        self._add("Code without traits", [ROOT / "scripts/check-traits", self.build.scratch, self.build.configuration,
                                          *(["--each"] if self.options.long else [])], needs=("Build of the tests",))
        self._add("Code of the fuzzers", [ROOT / "scripts/check-fuzzers", self.build.scratch, self.build.configuration],
                  needs=("Build of the tests",))
        # They use the modules of the main build in its folder, so they run last.
        self._add("Build of the examples", self.build.command(package=ROOT / "Examples"), slots=0, lane="build",
                  needs=("Build of the tests", "Code without traits", "Code of the fuzzers"))
        self._add("Build of the camera app", self.build.command(package=ROOT / "Examples/AppleNames"), slots=0,
                  lane="build", needs=("Build of the examples",))
        self._add("Camera app", [ROOT / "scripts/check-capture-app", binaries / "CaptureApp"],
                  needs=("Build of the camera app",))
        self._add("Programs of the documentation", [ROOT / "scripts/check-snippets", "--", *self.build.options],
                  slots=0, lane="build", needs=("Build of the camera app",))
        if self.options.long:
            self._add("Manual", [ROOT / "scripts/build-manual", "--check", binaries], needs=built, lane="build")
            self._add("Build without traits", [ROOT / "scripts/build-without-traits"], lane="build",
                      needs=("Programs of the documentation",), limit=60 * MINUTES)
            self._add_packages()

    def _add_broadcast_in_lab(self, needs):
        folder = ROOT / "Tests/Broadcast"
        self._add_lab_test("Broadcast in the lab", self._python_command(folder, "test_lossy.py"), needs=needs)
        if self.options.long:
            # Packets are lost where the guest waits for a processor.
            self._add_lab_test("Network cameras in the lab", self._python_command(folder, "test_far_cameras.py"),
                               needs=needs, alone=True)

    def _add_packages(self):
        """Adds the Debian packages and the image, which need roots of Debian suites, and so root."""
        if os.geteuid() != 0 or not shutil.which("apt-get"):
            self.not_run.append("the Debian packages (packaging/, which needs root and apt)")
            return
        after = ("Build without traits",)
        for name in ("build-packages", "check-packages", "check-services", "build-image"):
            title = f"Packages: {name}"
            self._add(title, [ROOT / "packaging" / name], lane="build", needs=after, limit=90 * MINUTES)
            after = (title,)

    def _add_python_tests(self, title, processes, needs, skipped=()):
        folder = ROOT / "Tests" / title
        for files in python_files.groups(folder, processes, LOGS / "earlier.jsonl", skipped):
            names = ", ".join(name.removeprefix("test_").removesuffix(".py") for name in files)
            self._add_test(f"{title}: {names}", self._python_command(folder, *files), minutes=15, needs=needs)

    def _note_what_is_left_out(self):
        options = self.options
        if not options.checks:
            self.not_run.append("the checks beside the tests (./test)")
        if not options.swift:
            self.not_run.append("the tests outside the lab (./test)")
        if not options.in_lab and not options.camera:
            self.not_run.append("the tests in the lab (./test --lab)")
        if options.filter:
            self.not_run.append(f"tests that do not match {options.filter}")
        if not options.long:
            self.not_run.append("full numbers (./test --long)")
        if options.sanitize == "thread":
            self.not_run.append("tests of the RTSP server (ThreadSanitizer does not recognize GLib's locks)")
        for kind in ("thread", "address"):
            if options.sanitize != kind:
                self.not_run.append(f"{kind} sanitizer (./test --sanitize {kind})")

