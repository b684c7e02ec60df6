#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Runs the Swift tests of a bundle in several processes side by side, each with some of the suites, one test at a time.

    swift_tests.py BUNDLE [--workers N] [--filter REGEX] [--skip REGEX] [--results FILE] [--earlier FILE] [--logs FOLDER]

It does not use Swift Testing's parallel tests: some tests fill Swift's executor on purpose, others count the
threads and descriptors of their process. The run fails unless every listed test has ended.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parent))
import results  # noqa: E402

# Lines of Swift Testing's output about an issue, and their continuation lines.
ISSUES = re.compile("✘|^↳")
# The intended duration of a process, in seconds: its start costs a fifth of a second.
SHARE = 6
# The assumed duration of a test without an earlier run, in seconds.
USUAL = 0.1
# The durations of suites without an earlier run, in seconds: only for the order, so that the longest begin first.
SLOW_SUITES = {
    "ObscuraVisionTests.FaceDetectorTests": 34,
    "ObscuraTests.ExactExtractionTests": 30,
    "ObscuraMoviesTests.AssetWriterPictureTests": 19,
    "ObscuraMoviesTests.MovieFileOutputTests": 19,
    "ObscuraCLITests.BroadcastTests": 12,
    "ObscuraCLITests.FilmTests": 12,
    "ObscuraMoviesTests.CrashTests": 11,
    "ObscuraCLITests.ToolTests": 10,
    "ObscuraCLITests.RecordTests": 10,
    "ObscuraVisionTests.FaceOutputTests": 9,
    "ObscuraMoviesTests.MovieSamplesTests": 8,
    "ObscuraMoviesTests.AssetWriterTests": 8,
    "ObscuraMoviesTests.MovieSoundTests": 8,
    "ObscuraMoviesTests.MetadataTests": 7,
    "ObscuraImagingTests.StillMetadataTests": 6,
    "ObscuraMoviesTests.LiveDecoderTests": 5,
    "ObscuraImagingTests.ExhaustiveColorTests": 5,
    "ObscuraCLITests.EditToolTests": 5,
    "ObscuraCLITests.ServeTests": 4,
    "ObscuraStudioTests.ServerLimitTests": 4,
    "ObscuraMoviesTests.SplitTests": 4,
    "ObscuraMoviesTests.MovieDamageTests": 4,
}


def listed(bundle):
    """The identifiers of all tests of the bundle."""
    run = subprocess.run([bundle, "--testing-library", "swift-testing", "--list-tests"], stdout=subprocess.PIPE,
                         stdin=subprocess.DEVNULL, text=True, check=True)
    return sorted({results.name_of(line) for line in run.stdout.splitlines()} - {""})


def suite(test):
    """`Module.Suite` of `Module.Suite/test()`; the test itself if it is in no suite."""
    return test.split("/")[0]


def shares(tests, earlier):
    """Lists of suites, each for one process; the longest first."""
    seconds = {one.name: one.seconds for one in earlier}
    measured = {suite(name) for name in seconds}
    estimate = collections.defaultdict(float)
    for test in tests:
        estimate[suite(test)] += seconds.get(test, USUAL)
    for name in estimate:
        if name in SLOW_SUITES and name not in measured:
            estimate[name] = SLOW_SUITES[name]
    made, total = [], []
    # The longest first, each into the first share with enough time left.
    for name in sorted(estimate, key=lambda one: (-estimate[one], one)):
        for index, used in enumerate(total):
            if used + estimate[name] <= SHARE:
                made[index].append(name)
                total[index] += estimate[name]
                break
        else:
            made.append([name])
            total.append(estimate[name])
    return [made[index] for index in sorted(range(len(made)), key=lambda one: -total[one])]


class Runner:
    """The processes of one run."""

    def __init__(self, options, tests, every):
        self.options, self.tests = options, tests
        # The suites of which only some tests were chosen.
        self.parts = {suite(test) for test in set(every) - set(tests)}
        self.running = set()
        self.lock = threading.Lock()
        self.stopping = threading.Event()

    def run(self, index, suites):
        """The results of the suites, the problem of the process that ran them (or None), and its log."""
        wanted = [test for test in self.tests if suite(test) in suites]
        # A partially chosen suite is passed test by test.
        whole = {name for name in suites if name not in self.parts}
        names = [re.escape(name) + "(?:/|$)" for name in whole]
        names += [re.escape(test) + "(?:/|$)" for test in wanted if suite(test) not in whole]
        log = self.options.logs / f"swift-{index:02}.log"
        with tempfile.TemporaryDirectory(prefix="obscura-tests-") as folder:
            events = pathlib.Path(folder) / "events.jsonl"
            # With `stdbuf` the last line of the log shows which test hangs.
            command = ["stdbuf", "--output=L", self.options.bundle, "--testing-library", "swift-testing",
                       "--no-parallel", "--filter", f"^(?:{'|'.join(names)})", "--event-stream-version", "0",
                       "--event-stream-output-path", events]
            with log.open("wb") as output:
                status = self._wait(command, output)
            found, is_whole = results.of_swift_testing(events)
        if status is None:
            return found, "was ended because another process failed", log
        if status != 0 or not is_whole:
            return found, f"ended with status {status}", log
        missing = set(wanted) - {one.name for one in found}
        if missing:
            return found, f"did not run {', '.join(sorted(missing))}", log
        return found, None, log

    def _wait(self, command, output):
        with self.lock:
            if self.stopping.is_set():
                return None
            process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.STDOUT)
            self.running.add(process)
        status = process.wait()
        with self.lock:
            self.running.discard(process)
        return None if self.stopping.is_set() and status < 0 else status

    def stop(self):
        with self.lock:
            self.stopping.set()
            for process in self.running:
                process.kill()


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", type=pathlib.Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--filter", metavar="REGEX", default="")
    parser.add_argument("--skip", metavar="REGEX")
    parser.add_argument("--wholly", metavar="TARGET", action="append",
                        help="leave out the slow suites of all other targets")
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--keep-going", action="store_true", help="do not stop at the first failure")
    parser.add_argument("--earlier", type=pathlib.Path, metavar="FILE", help="the results of an earlier run, for the "
                        "order")
    parser.add_argument("--shortest-first", action="store_true", help="for the first failure as soon as can be; else "
                        "the longest are first, for the end as soon as can be")
    parser.add_argument("--logs", type=pathlib.Path, metavar="FOLDER", default=pathlib.Path("."))
    return parser.parse_args()


def main():
    options = parse()
    every = listed(options.bundle)
    tests = [test for test in every
             if re.search(options.filter, test) and not (options.skip and re.search(options.skip, test))]
    if options.wholly:
        left_out = {suite(test) for test in tests} & set(SLOW_SUITES)
        left_out = {name for name in left_out if name.split(".")[0] not in options.wholly}
        tests = [test for test in tests if suite(test) not in left_out]
        if left_out:
            print(f"slow-suites: left out, since their own target has not changed: {', '.join(sorted(left_out))}")
    if not tests:
        print(f"swift-tests: no test matches {options.filter}", file=sys.stderr)
        return 1
    options.logs.mkdir(parents=True, exist_ok=True)
    made = shares(tests, results.read(options.earlier) if options.earlier else [])
    if options.shortest_first:
        made.reverse()
    runner = Runner(options, tests, every)
    counts, problems = collections.Counter(), []
    with concurrent.futures.ThreadPoolExecutor(max(1, options.workers)) as pool:
        futures = [pool.submit(runner.run, index, part) for index, part in enumerate(made, 1)]
        for future in concurrent.futures.as_completed(futures):
            found, problem, log = future.result()
            counts.update(one.outcome for one in found)
            if options.results:
                results.append(options.results, found)
            if problem and not (problems and runner.stopping.is_set()):
                problems.append(problem)
                text = log.read_text(errors="replace").splitlines()
                print(f"--- the process of {log} {problem}; the issues in its log, and the end of the log:")
                print(*[line for line in text if ISSUES.search(line)], "", *text[-30:], sep="\n", flush=True)
                if not options.keep_going:
                    runner.stop()
    print(f"swift-tests: {sum(counts.values())} tests in {len({suite(test) for test in tests})} suites and "
          f"{len(made)} processes: {counts['passed']} passed, {counts['failed']} failed, {counts['unfinished']} unfinished, "
          f"{counts['skipped']} skipped")
    return 1 if problems or any(counts[outcome] for outcome in results.FAILURES) else 0


if __name__ == "__main__":
    sys.exit(main())
