# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests of the sleep of the machine and the lock of the session, with a mock of logind on a private system bus."""

import unittest

from gi.repository import GLib

import session
import waiting
from permission import Permission
from session import Session

LOGIND, MANAGER = "org.freedesktop.login1", "/org/freedesktop/login1"
SESSION = f"{MANAGER}/session/auto"


@unittest.skipIf(reason := session.lacking("dbus-daemon"), str(reason))
class PowerTest(unittest.TestCase):
    """The signals of logind as interruptions."""

    def setUp(self):
        self.place = self._entered(Session())

    def _entered(self, context):
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def start_logind(self):
        """Starts logind with one session."""
        self.bus = self.place.start_system_bus()
        self.logind = self.place.start(
            "logind", ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"])
        self.place.wait_for_name(self.logind, LOGIND, self.bus)
        self.bus.call(LOGIND, MANAGER, "org.freedesktop.DBus.Mock.AddSession", "(ssusb)", "auto", "seat0", 1000, "me",
                      True)

    def start(self):
        """Starts logind with one session, and a program that observes it."""
        self.start_logind()
        program = self._entered(Permission(self.place))
        self.assertTrue(program.get("power")["observes"])
        return program

    def find_sessions(self, finds):
        """Whether GetSession finds the session from now on."""
        code = f"ret = '{SESSION}'" if finds else (
            "raise dbus.exceptions.DBusException('none', name='org.freedesktop.login1.NoSuchSession')")
        self.mock(MANAGER, "AddMethod", "(sssss)", "org.freedesktop.login1.Manager", "GetSession", "s", "o", code)

    def tell_session(self, member):
        """Emits SessionNew or SessionRemoved."""
        self.mock(MANAGER, "EmitSignal", "(sssav)", "org.freedesktop.login1.Manager", member, "so",
                  [GLib.Variant("s", "auto"), GLib.Variant("o", SESSION)])

    def mock(self, path, method, signature, *arguments):
        self.bus.call(LOGIND, path, f"org.freedesktop.DBus.Mock.{method}", signature, *arguments)

    def prepare_for_sleep(self, begins):
        self.mock(MANAGER, "EmitSignal", "(sssav)", "org.freedesktop.login1.Manager", "PrepareForSleep", "b",
                  [GLib.Variant("b", begins)])

    def lock(self, is_locked):
        self.mock(SESSION, "UpdateProperties", "(sa{sv})", "org.freedesktop.login1.Session",
                  {"LockedHint": GLib.Variant("b", is_locked)})

    def reaches(self, program, change, expected):
        """Makes the change until the program has noticed it: its observation begins at an unknown time."""
        def made():
            change()
            last = program.lines[-1]
            return last.get("interruption") == expected
        waiting.wait_until(made, f"{expected}: {program.lines}")

    def test_sleep(self):
        program = self.start()
        for _ in range(3):
            self.reaches(program, lambda: self.prepare_for_sleep(True), "systemSleep")
            self.reaches(program, lambda: self.prepare_for_sleep(False), "none")

    def test_lock(self):
        program = self.start()
        for _ in range(3):
            self.reaches(program, lambda: self.lock(True), "sessionLocked")
            self.reaches(program, lambda: self.lock(False), "none")

    def test_a_session_that_is_locked_at_the_start(self):
        program = self.start()
        self.reaches(program, lambda: self.lock(True), "sessionLocked")
        other = self._entered(Permission(self.place))
        other.send("power")
        waiting.wait_until(lambda: any(line.get("interruption") == "sessionLocked" for line in list(other.lines)),
                           "the lock is noticed")

    def test_a_session_that_begins_after_the_program(self):
        self.start_logind()
        self.find_sessions(False)
        program = self._entered(Permission(self.place))
        self.assertTrue(program.get("power")["observes"])
        # Its calls are answered in their order, so it knows of no session.
        self.reaches(program, lambda: self.prepare_for_sleep(True), "systemSleep")
        self.reaches(program, lambda: self.prepare_for_sleep(False), "none")
        self.lock(True)
        self.find_sessions(True)
        self.reaches(program, lambda: self.tell_session("SessionNew"), "sessionLocked")
        self.reaches(program, lambda: self.lock(False), "none")

    def test_a_session_that_ends_while_it_is_locked(self):
        program = self.start()
        self.reaches(program, lambda: self.lock(True), "sessionLocked")
        self.find_sessions(False)
        self.reaches(program, lambda: self.tell_session("SessionRemoved"), "none")
        # The next session.
        self.find_sessions(True)
        self.reaches(program, lambda: self.tell_session("SessionNew"), "sessionLocked")

    def test_sleep_has_priority_over_the_lock(self):
        program = self.start()
        self.reaches(program, lambda: self.lock(True), "sessionLocked")
        self.reaches(program, lambda: self.prepare_for_sleep(True), "systemSleep")
        self.reaches(program, lambda: self.prepare_for_sleep(False), "sessionLocked")
        self.reaches(program, lambda: self.lock(False), "none")

    def test_the_end_of_the_bus_ends_an_interruption(self):
        program = self.start()
        self.reaches(program, lambda: self.prepare_for_sleep(True), "systemSleep")
        self.place.stop(next(entry for entry in self.place.programs if entry.name == "dbus-system"))
        waiting.wait_until(lambda: program.lines[-1].get("interruption") == "none", "the interruption has ended")

    def test_without_a_system_bus_nothing_happens(self):
        program = self._entered(Permission(self.place))
        self.assertTrue(program.get("power")["observes"])
        self.assertIn("status", program.get("portal"))
        self.assertEqual(len(program.lines), 2)
        self.assertEqual((self.place.folder / "permission.log").read_text(), "")

    def test_without_logind_nothing_happens(self):
        self.place.start_system_bus()
        program = self._entered(Permission(self.place))
        self.assertTrue(program.get("power")["observes"])
        self.assertIn("status", program.get("portal"))
        self.assertEqual(len(program.lines), 2)


if __name__ == "__main__":
    unittest.main()
