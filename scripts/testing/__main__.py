# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Builds and tests everything; stops at the first failure with a non-zero exit status. Called by ./test."""

import os
import pathlib
import shutil
import signal
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import changed  # noqa: E402
import compiler  # noqa: E402
import options as given_options  # noqa: E402
import report  # noqa: E402
from places import LOGS  # noqa: E402
from plan import Plan  # noqa: E402
from scheduler import Scheduler  # noqa: E402


def main():
    # Exits by an exception, so that the steps are ended too.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    options = given_options.parse()
    begin = time.monotonic()
    given_options.install_packages(options)
    if not options.dry_run:
        clear_logs()
    plan = changed.ChangedPlan(options) if options.changed else Plan(options)
    if options.dry_run:
        for step in plan.steps:
            print(f"{step.name}: {' '.join(str(word) for word in step.command)}")
        return 0
    if plan.build.environment:
        compiler.prepare()
        os.environ |= plan.build.environment
    return repeat(plan, begin) if options.repeat else run(plan, begin)


def clear_logs():
    LOGS.mkdir(parents=True, exist_ok=True)
    # The durations of the last run determine the order of the tests.
    if (LOGS / "results.jsonl").exists():
        (LOGS / "results.jsonl").replace(LOGS / "earlier.jsonl")
    for path in LOGS.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "earlier.jsonl":
            path.unlink()


def run(plan, begin):
    scheduler = Scheduler(plan.steps, LOGS, say=report.say)
    passed = False
    try:
        passed = scheduler.run()
    finally:
        summary = report.Report(scheduler, plan, begin)
        summary.write(LOGS / "times.txt")
        skipped = [step.skips for step in plan.steps if step.name in scheduler.skipped and step.skips]
        summary.print(passed, [*skipped, *plan.not_run])
    return 0 if passed else 1


def repeat(plan, begin):
    """Builds once, runs the test steps repeatedly, and lists the tests that failed only sometimes."""
    builds = Scheduler([step for step in plan.steps if not step.is_test], LOGS, say=report.say)
    if not builds.run():
        return 1
    rounds, whole = [], True
    for number in range(1, plan.options.repeat + 1):
        print(f"==> round {number} of {plan.options.repeat}", flush=True)
        logs = LOGS / f"round-{number}"
        logs.mkdir()
        for old in (plan.results, *LOGS.glob("lab-*-events.jsonl")):
            old.unlink(missing_ok=True)
        scheduler = Scheduler(plan.tests_alone(), logs, goes_on=True, say=report.say)
        whole = scheduler.run() and whole
        rounds.append(plan.found())
        report.Report(scheduler, plan, begin).write(logs / "times.txt")
    found = report.unsteady(rounds)
    for name, (failed, runs) in found.items():
        print(f"    failed in {failed} of {runs} runs: {name}")
    print(f"==> {plan.options.repeat} rounds, {report.span(time.monotonic() - begin)}: "
          f"{len(found)} tests failed in at least one")
    return 0 if whole else 1


if __name__ == "__main__":
    sys.exit(main())
