# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""One step of a test run, and the process that runs it."""

import dataclasses
import os
import signal
import subprocess
import time
import typing

# The time that a step has to end after SIGINT, in seconds.
GRACE = 10
# The exit status of a step that this system cannot run.
SKIPPED = 3


@dataclasses.dataclass
class Step:
    """A command, its dependencies, and how it shares the machine."""

    name: str
    command: list
    # Steps that must have ended without failure before this one. `needs` are steps that must have passed: if one was
    # skipped, this one is skipped too.
    after: tuple = ()
    needs: tuple = ()
    # The number of the scheduler's slots that it takes. Builds take none: they run at idle priority beside the tests.
    slots: int = 1
    # Steps with the same lane run one after the other.
    lane: str | None = None
    # Runs with no other step that takes a slot.
    alone: bool = False
    # In seconds; a step that takes longer is ended and has failed.
    limit: float = 600
    # Returns the environment variables of its process; called when it begins.
    environment: typing.Callable = dict
    # Whether it runs tests, which `--repeat` repeats.
    is_test: bool = False
    # The description of the tests that are skipped if it exits with `SKIPPED`; without one that status is a failure.
    skips: str | None = None

    @property
    def log_name(self):
        return "".join(letter if letter.isalnum() else "-" for letter in self.name)


class Running:
    """A step's process, in its own process group so that all its children can be ended."""

    def __init__(self, step, log):
        self.step, self.log = step, log
        self.begin = time.monotonic()
        self.status = None
        self.usage = None
        self.is_late = False
        # The time at which the process is killed if it has not ended after SIGINT.
        self.kill_time = None
        with log.open("wb") as output:
            self.process = subprocess.Popen([str(word) for word in step.command], stdin=subprocess.DEVNULL,
                                            stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                                            preexec_fn=None if step.slots else _run_when_idle,
                                            env={**os.environ, **step.environment()})

    @property
    def seconds(self):
        return time.monotonic() - self.begin

    def poll(self):
        """Whether it has ended; then its status and CPU time are set."""
        if self.status is None:
            if not self.is_late and self.seconds > self.step.limit:
                self.is_late = True
                self.ask_to_end()
            if self.kill_time is not None and time.monotonic() > self.kill_time:
                self.signal(signal.SIGKILL)
            found, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if found:
                self._finish(status, usage)
        return self.status is not None

    def ask_to_end(self):
        """Sends SIGINT to the whole group; `poll` kills it if it has not ended after `GRACE`."""
        if self.status is None and self.kill_time is None:
            self.kill_time = time.monotonic() + GRACE
            self.signal(signal.SIGINT)

    def signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def _finish(self, status, usage):
        self.took = self.seconds
        self.usage = usage.ru_utime + usage.ru_stime
        self.status = os.waitstatus_to_exitcode(status)
        self.process.returncode = self.status
        # Remaining child processes.
        self.signal(signal.SIGKILL)

    @property
    def failed(self):
        return self.is_late or (self.status != 0 and not self.is_skipped)

    @property
    def is_skipped(self):
        return self.status == SKIPPED and self.step.skips is not None


def _run_when_idle():
    """Sets idle priority, so that tests run first, if the system allows it."""
    try:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except OSError:
        os.nice(19)
