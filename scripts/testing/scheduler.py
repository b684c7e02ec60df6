# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Runs steps side by side: each as soon as its dependencies have passed and a slot is free."""

import os
import time

from step import Running

# The interval of checks for completed steps, in seconds.
INTERVAL = 0.1


def default_slots():
    """Two for each processor: most tests wait for frames, sockets and processes."""
    return 2 * (os.cpu_count() or 1)


class Scheduler:
    """Runs the steps in their order of preference. The first failure ends all of them, unless `goes_on` is true."""

    def __init__(self, steps, logs, slots=None, goes_on=False, say=print):
        names = [step.name for step in steps]
        assert len(set(names)) == len(names), "two steps have the same name"
        for step in steps:
            unknown = {*step.after, *step.needs} - set(names)
            assert not unknown, f"{step.name} waits for {unknown}, which are not steps"
        self.steps, self.logs, self.goes_on, self.say = list(steps), logs, goes_on, say
        self.slots = slots or default_slots()
        self.waiting = list(steps)
        self.running = []
        self.ended = []
        self.passed, self.skipped = set(), set()
        self.launched = 0

    def run(self):
        """Runs all steps, and returns whether they passed."""
        try:
            while self.waiting or self.running:
                self._begin_what_can_begin()
                if not self.running:
                    break
                time.sleep(INTERVAL)
                for one in [one for one in self.running if one.poll()]:
                    self.running.remove(one)
                    self._conclude(one)
                    if one.failed and not self.goes_on:
                        return False
        finally:
            self._end_all()
        return not self.failures and not self.waiting

    def _end_all(self):
        for one in self.running:
            one.ask_to_end()
        while not all([one.poll() for one in self.running]):
            time.sleep(INTERVAL)

    @property
    def failures(self):
        return [one for one in self.ended if one.failed]

    def _conclude(self, one):
        self.ended.append(one)
        if one.is_skipped:
            self.skipped.add(one.step.name)
        elif not one.failed:
            self.passed.add(one.step.name)
        self.say(one)

    def _begin_what_can_begin(self):
        for step in list(self.waiting):
            if set(step.needs) & self.skipped:
                self.waiting.remove(step)
                self.skipped.add(step.name)
            elif self._can_begin(step):
                self.waiting.remove(step)
                self.launched += 1
                self.running.append(Running(step, self.logs / f"{self.launched:02}-{step.log_name}.log"))

    def _can_begin(self, step):
        if not self._is_ready(step):
            return False
        if step.lane and any(one.step.lane == step.lane for one in self.running):
            return False
        if step.slots == 0:
            return True
        busy = [one.step for one in self.running if one.step.slots]
        if step.alone or any(one.alone for one in busy):
            return not busy
        # A step that must run alone gets its turn: the steps after it wait.
        if any(one.alone and self._is_ready(one) for one in self.waiting[:self.waiting.index(step)]):
            return False
        return sum(one.slots for one in busy) + step.slots <= max(self.slots, step.slots)

    def _is_ready(self, step):
        return set(step.needs) <= self.passed and set(step.after) <= self.passed | self.skipped
