# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests how ./test runs its steps, reads the outcomes of tests, and finds the tests that a change can affect."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "scripts/testing"), str(ROOT / "Tests/support")]

import python_files  # noqa: E402
import report  # noqa: E402
import results  # noqa: E402
import swift_tests  # noqa: E402
import waiting  # noqa: E402
from package import Package  # noqa: E402
from results import Result  # noqa: E402
from scheduler import Scheduler  # noqa: E402
from step import SKIPPED, Step  # noqa: E402


# Long enough for another step to begin.
BUSY = "for i in {1..20000}; do :; done"


class FolderTest(unittest.TestCase):

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))


class SchedulerTest(FolderTest):

    def step(self, name, script, **how):
        return Step(name, ["bash", "-c", script], **how)

    def run_steps(self, *steps, **how):
        self.said = []
        self.scheduler = Scheduler(steps, self.folder, say=lambda one: self.said.append(one.step.name), **how)
        return self.scheduler.run()

    def meeting(self, name, other, **how):
        """A step that passes only if the other one runs at the same time."""
        mine, theirs = self.folder / name, self.folder / other
        return self.step(name, f"touch {mine}; for i in {{1..100}}; do [ -e {theirs} ] && exit 0; read -t 0.1 <> <(:); done; "
                         "exit 1", **how)

    def test_steps_run_side_by_side(self):
        self.assertTrue(self.run_steps(self.meeting("a", "b"), self.meeting("b", "a"), slots=2))

    def test_a_step_begins_after_those_that_it_needs(self):
        file = self.folder / "made"
        self.assertTrue(self.run_steps(self.step("reads", f"cat {file}", needs=("makes",)),
                                       self.step("makes", f"echo x >{file}")))
        self.assertEqual(self.said, ["makes", "reads"])

    def test_no_more_slots_are_taken_than_there_are(self):
        count = f"n=$(ls {self.folder}/slot-* 2>/dev/null | wc -l); [ $n -lt 2 ] || exit 1; "
        steps = [self.step(f"s{i}", f"{count} touch {self.folder}/slot-{i}; {BUSY}; rm {self.folder}/slot-{i}")
                 for i in range(6)]
        self.assertTrue(self.run_steps(*steps, slots=2))

    def test_steps_of_one_lane_and_a_step_that_must_be_alone_have_no_company(self):
        lock = self.folder / "lock"
        alone = f"mkdir {lock} || exit 1; {BUSY}; rmdir {lock}"
        self.assertTrue(self.run_steps(self.step("a", alone, lane="one"), self.step("b", alone, lane="one"), slots=4))
        looks = f"[ ! -e {lock} ] && {BUSY} && [ ! -e {lock} ]"
        self.assertTrue(self.run_steps(self.step("x", looks), self.step("b", alone, alone=True),
                                       *(self.step(f"y{i}", looks) for i in range(3)), slots=4))

    def test_the_first_failure_ends_the_others_and_all_that_they_started(self):
        pid = self.folder / "pid"
        self.assertFalse(self.run_steps(
            self.step("long", f"sleep 1000 & echo $! >{pid}.new; mv {pid}.new {pid}; wait"),
            self.step("bad", f"until [ -e {pid} ]; do :; done; exit 7"), self.step("later", "exit 0", needs=("bad",)),
            slots=2))
        self.assertEqual([one.step.name for one in self.scheduler.failures], ["bad"])
        self.assertEqual(self.said, ["bad"])
        state = pathlib.Path(f"/proc/{pid.read_text().strip()}/stat")
        waiting.wait_until(lambda: not state.exists() or ") Z " in state.read_text(), "the end of what a step started")

    def test_all_others_run_in_spite_of_a_failure_where_that_was_asked_for(self):
        self.assertFalse(self.run_steps(self.step("bad", "exit 1"), self.step("good", "exit 0"), slots=1, goes_on=True))
        self.assertEqual(self.said, ["bad", "good"])

    def test_a_step_that_takes_too_long_has_failed(self):
        self.assertFalse(self.run_steps(self.step("slow", "sleep 1000", limit=0.1)))
        self.assertTrue(self.scheduler.failures[0].is_late)

    def test_what_needs_a_step_that_this_system_cannot_run_is_skipped_and_what_is_only_after_it_runs(self):
        self.assertTrue(self.run_steps(self.step("lab", f"exit {SKIPPED}", skips="the lab"),
                                       self.step("in lab", "exit 1", needs=("lab",)),
                                       self.step("after lab", "exit 0", after=("lab",))))
        self.assertEqual((self.said, self.scheduler.skipped), (["lab", "after lab"], {"lab", "in lab"}))

    def test_the_same_status_is_a_failure_of_a_step_that_cannot_be_skipped(self):
        self.assertFalse(self.run_steps(self.step("a", f"exit {SKIPPED}")))

    def test_cpu_time_is_that_of_all_processes_of_the_step(self):
        self.assertTrue(self.run_steps(self.step("a", "(i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done); true")))
        self.assertGreater(self.scheduler.ended[0].usage, 0.05)


class ResultsTest(FolderTest):

    def events(self, *events):
        path = self.folder / "events.jsonl"
        records = [{"kind": "test", "payload": {"kind": "function", "id": f"M.S/{name}()/F.swift:1:2"}}
                   for name in "abcd"]
        records += [{"kind": "event", "payload": {
            "kind": kind, "testID": f"M.S/{name}()/F.swift:1:2", "instant": {"absolute": moment}}}
            for kind, name, moment in events]
        # Swift Testing puts the arguments of tests into its messages, with any characters.
        path.write_text("\n".join(json.dumps(one | {"text": "\u2028"}, ensure_ascii=False) for one in records),
                        encoding="utf-8")
        return path

    def test_swift_testing_tells_what_became_of_each_test(self):
        found, is_whole = results.of_swift_testing(self.events(
            ("testStarted", "a", 1), ("testEnded", "a", 1.5), ("testStarted", "b", 2), ("issueRecorded", "b", 2),
            ("testEnded", "b", 3), ("testSkipped", "c", 3), ("testStarted", "d", 4), ("runEnded", "", 5)))
        self.assertEqual(found, [Result("M.S/a()", 0.5, "passed"), Result("M.S/b()", 1, "failed"),
                                 Result("M.S/c()", 0, "skipped"), Result("M.S/d()", 0, "unfinished")])
        self.assertTrue(is_whole)

    def test_a_run_without_an_end_is_not_whole(self):
        found, is_whole = results.of_swift_testing(self.events(
            ("testStarted", "a", 1), ("testStarted", "b", 1), ("issueRecorded", "b", 2)))
        self.assertEqual(found, [Result("M.S/a()", 0, "unfinished"), Result("M.S/b()", 0, "failed")])
        self.assertFalse(is_whole)
        self.assertEqual(results.of_swift_testing(self.folder / "none"), ([], False))

    def test_results_come_back_from_their_file(self):
        path, kept = self.folder / "results", [Result("a", 0.5, "passed"), Result("b", 1, "failed")]
        for one in kept:
            results.append(path, [one])
        with path.open("a") as file:
            file.write('{"name": "cut o')
        self.assertEqual(results.read(path), kept)

    def test_tests_that_failed_in_some_rounds_are_listed(self):
        rounds = [[Result("a", 1, "passed"), Result("b", 1, outcome), Result("c", 0, "skipped")]
                  for outcome in ("passed", "failed", "unfinished")]
        self.assertEqual(report.unsteady(rounds), {"b": (2, 3)})


class UnittestsTest(FolderTest):

    def test_outcomes_and_durations_of_python_tests_are_written_down(self):
        (self.folder / "test_one.py").write_text("""
import unittest
class One(unittest.TestCase):
    def test_good(self): pass
    def test_bad(self): self.fail()
    def test_error(self): raise OSError
    def test_part(self):
        with self.subTest(part=1): self.fail()
    @unittest.skip("no")
    def test_left_out(self): pass
class Two(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise OSError
    def test_never(self): pass
""")
        path = self.folder / "results.jsonl"
        program = pathlib.Path(results.__file__).with_name("unittests.py")
        run = subprocess.run([sys.executable, "-B", program, self.folder, "--results", path], stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(run.returncode, 1, run.stdout)
        found = {one.name: one.outcome for one in results.read(path)}
        self.assertEqual(found, {
            "test_one.One.test_good": "passed", "test_one.One.test_bad": "failed", "test_one.One.test_error": "failed",
            "test_one.One.test_part": "failed", "test_one.One.test_left_out": "skipped",
            "setUpClass (test_one.Two)": "failed"})

    def test_a_folder_without_tests_is_a_failure(self):
        program = pathlib.Path(results.__file__).with_name("unittests.py")
        run = subprocess.run([sys.executable, "-B", program, self.folder], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, check=False)
        self.assertEqual(run.returncode, 1)


class SharingTest(FolderTest):

    def test_every_test_is_in_one_share_and_the_longest_share_is_first(self):
        tests = [f"M.{name}/t{number}()" for name in "abcdefgh" for number in range(20)]
        shares = swift_tests.shares(tests, [Result("M.h/t3()", 60, "passed")])
        self.assertEqual(sorted(sum(shares, [])), [f"M.{name}" for name in "abcdefgh"])
        self.assertEqual(shares[0], ["M.h"])
        self.assertLess(len(shares), 8)

    def test_every_python_file_is_in_one_group(self):
        for name, lines in (("a", 100), ("b", 10), ("c", 50), ("d", 40), ("skipped", 5)):
            (self.folder / f"test_{name}.py").write_text("x\n" * lines)
        groups = python_files.groups(self.folder, 2, self.folder / "none", {"test_skipped.py"})
        self.assertEqual(groups, [["test_a.py"], ["test_c.py", "test_d.py", "test_b.py"]])


class CompilerTest(FolderTest):

    def compile(self, name, *arguments, script='printf "%s\\n" "$@"'):
        """What the compiler of this name prints if it is called by ours."""
        for program, text in (("swift", ""), (name, script)):
            path = self.folder / program
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        run = subprocess.run([ROOT / "scripts/testing" / name, *arguments], stdout=subprocess.PIPE, text=True, check=True,
                             env={"PATH": f"{self.folder}:/usr/bin:/bin"})
        return run.stdout.splitlines()

    def compile_boring_ssl(self, script):
        output = self.folder / "CNIOBoringSSL.build/ssl/a.cc.o"
        output.parent.mkdir(parents=True, exist_ok=True)
        return self.compile("clang", "-O2", "-MD", "-MF", "a.d", "-c", "/x/CNIOBoringSSL/ssl/a.cc", "-o", str(output),
                            script=f'echo "$@"; {script}')

    def test_most_tests_are_not_optimized(self):
        self.assertEqual(self.compile("swiftc", "-module-name", "ObscuraCaptureTests", "-O", "a b.swift"),
                         ["-module-name", "ObscuraCaptureTests", "-Onone", "a b.swift", "-no-emit-module-separately-wmo"])

    def test_products_and_tests_that_calculate_are_optimized(self):
        for module in ("ObscuraCapture", "ObscuraImagingTests", "ObscuraSoundTests"):
            arguments = ["-O", "-module-name", module, "-c"]
            self.assertEqual(self.compile("swiftc", *arguments), arguments)

    def test_a_call_without_a_module_passes(self):
        self.assertEqual(self.compile("swiftc", "-print-target-info"), ["-print-target-info"])

    def test_c_is_compiled_as_given(self):
        for arguments in (["--version"], ["-O2", "-c", "a b.cpp", "-o", "a.o"], ["-c", "/x/CNIOBoringSSL/ssl/a.S"]):
            self.assertEqual(self.compile("clang", *arguments), arguments)

    def test_headers_of_boring_ssl_are_compiled_once(self):
        made = 'for last; do :; done; case "$*" in *c++-header*) touch "$last" ;; esac'
        first, second = self.compile_boring_ssl(made), self.compile_boring_ssl(made)
        headers = self.folder / "CNIOBoringSSL.build/headers.pch"
        self.assertEqual(first[0], f"-O2 -O0 -x c++-header - -o {headers}.new")
        self.assertEqual(first[1:], second)
        self.assertEqual(len(second), 1)
        self.assertTrue(second[0].startswith("-O2 -MD -MF a.d -c /x/CNIOBoringSSL/ssl/a.cc -o "), second)
        self.assertTrue(second[0].endswith(f"a.cc.o -O0 -include-pch {headers}"), second)

    def test_boring_ssl_is_compiled_without_headers_that_do_not_fit(self):
        (self.folder / "CNIOBoringSSL.build").mkdir()
        (self.folder / "CNIOBoringSSL.build/headers.pch").touch()
        found = self.compile_boring_ssl('case "$*" in *-include-pch*) exit 1 ;; esac')
        self.assertTrue(found[-1].endswith("a.cc.o -O0"), found)


class PackageTest(unittest.TestCase):
    package = Package({"targets": [
        {"name": "Base", "path": "Sources/Base", "type": "library"},
        {"name": "Top", "path": "Sources/Top", "type": "library", "target_dependencies": ["Base"]},
        {"name": "Side", "path": "Sources/Side", "type": "library"},
        {"name": "Support", "path": "Tests/Support", "type": "library", "target_dependencies": ["Side"]},
        {"name": "BaseTests", "path": "Tests/BaseTests", "type": "test", "target_dependencies": ["Base", "Support"]},
        {"name": "TopTests", "path": "Tests/TopTests", "type": "test", "target_dependencies": ["Top"]},
        {"name": "SideTests", "path": "Tests/SideTests", "type": "test", "target_dependencies": ["Side"]},
    ]})

    def test_a_file_belongs_to_the_target_around_it(self):
        self.assertEqual(self.package.target("Sources/Base/A/B.swift"), "Base")
        self.assertIsNone(self.package.target("Sources/BaseMore/B.swift"))
        self.assertIsNone(self.package.target("README.md"))
        self.assertIsNone(self.package.target("Sources/Base/Base.docc/Article.md"))

    def test_a_target_needs_all_that_is_below_it(self):
        self.assertEqual(self.package.needed("TopTests"), {"TopTests", "Top", "Base"})
        self.assertEqual(self.package.needed("BaseTests"), {"BaseTests", "Base", "Support", "Side"})
        self.assertEqual(self.package.needed("Base"), {"Base"})

    def test_a_change_affects_all_that_need_its_target(self):
        def tests(*targets):
            return self.package.affected(targets) & self.package.tests

        self.assertEqual(tests("Base"), {"BaseTests", "TopTests"})
        self.assertEqual(tests("Top"), {"TopTests"})
        self.assertEqual(tests("Support"), {"BaseTests"})
        self.assertEqual(tests("SideTests"), {"SideTests"})
        # Not the tests of Base, whose support depends on it.
        self.assertEqual(tests("Side"), {"SideTests"})
        self.assertEqual(tests(), set())


if __name__ == "__main__":
    unittest.main()
