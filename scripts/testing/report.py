# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The output of a run: progress, summary and the table of times."""

import collections
import re
import time

import results

# The summary lines of tests and checks.
WORDS = re.compile(r"^.{0,4}(Test run with|Ran [0-9]+ tests|[a-z]+(-[a-z]+)+: )")
# The lines of a log that report a failure.
FAILURES = re.compile(r"error:|✘|^FAIL|^ERROR")
SLOWEST = 20


def span(seconds):
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def say(one):
    """Prints the outcome and duration of a step, and the end of the log of a failed one."""
    how = "not run" if one.is_skipped else "FAILED" if one.failed else "ok"
    print(f"==> {how:6} {span(one.took)} {one.step.name}", flush=True)
    text = one.log.read_text(errors="replace").splitlines()
    if one.failed:
        print(*[f"    {line}" for line in text if FAILURES.search(line)][:40], sep="\n")
        print(f"--- the end of {one.log}", *text[-60:], sep="\n")
        why = f"took longer than {span(one.step.limit)}" if one.is_late else f"ended with status {one.status}"
        print(f"==> {one.step.name} {why}", flush=True)
    else:
        for line in text:
            if WORDS.match(line):
                print(f"    {line}", flush=True)


class Report:
    """The summary of a run, on the terminal and in a file."""

    def __init__(self, scheduler, plan, begin):
        self.steps, self.plan = scheduler.ended, plan
        self.took = time.monotonic() - begin
        self.results = plan.found()

    def steps_table(self):
        yield f"steps, {span(self.took)} in all, {span(sum(one.usage for one in self.steps))} of CPU time"
        yield "    wall   CPU   step"
        for one in sorted(self.steps, key=lambda one: one.begin):
            mark = " FAILED" if one.failed else " (not run)" if one.is_skipped else ""
            yield f"    {span(one.took):>5} {span(one.usage):>5}   {one.step.name}{mark}"

    def slowest_tests(self):
        yield f"the {SLOWEST} slowest tests"
        for one in sorted(self.results, key=lambda one: -one.seconds)[:SLOWEST]:
            yield f"    {one.seconds:6.2f} s   {one.name}"

    def counts(self):
        """The number of tests by outcome; a test that the host skips and the lab runs is skipped and passed."""
        found = collections.Counter(one.outcome for one in self.results)
        return ", ".join(f"{found[outcome]} {outcome}" for outcome in ("passed", "failed", "unfinished", "skipped")
                         if found[outcome] or outcome == "passed")

    def failures(self):
        for one in self.results:
            if one.outcome in results.FAILURES:
                yield f"    {one.outcome}: {one.name}"

    def write(self, path):
        path.write_text("\n".join([*self.steps_table(), *self.slowest_tests()]) + "\n", encoding="utf-8")

    def print(self, passed, not_run):
        print()
        print(*self.steps_table(), sep="\n")
        for words in dict.fromkeys(not_run):
            print(f"    not run: {words}")
        print(*self.failures(), self.counts(), sep="\n")
        print("==> passed" if passed else "==> FAILED", flush=True)


def unsteady(rounds):
    """The tests that failed at least once in several rounds: {name: (failed, runs)}."""
    failed, runs = collections.Counter(), collections.Counter()
    for one_round in rounds:
        for one in one_round:
            if one.outcome != "skipped":
                runs[one.name] += 1
                failed[one.name] += one.outcome in results.FAILURES
    return {name: (failed[name], runs[name]) for name in sorted(runs) if failed[name]}
