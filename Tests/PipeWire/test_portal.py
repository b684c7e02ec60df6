# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests of the camera permission against the real desktop portal, on a private bus, with each answer of its dialog.

The portal is that of the system: 1.16 stores a dialog that fails as a denial, later versions store nothing.
"""

import signal
import socket
import subprocess
import unittest

import hold
import session
import waiting
from permission import Permission
from session import Session

APPLICATION = "org.obscura.Test"
ALWAYS = ("--portal", "always")
REGISTRY = "org.freedesktop.host.portal.Registry"
DESKTOP_FILE = "[Desktop Entry]\nType=Application\nName=Test\nExec=true\n"

GRANTED = {"status": "authorized"}
NOT_ASKED = {"status": "notDetermined", "reason": "notAsked"}
DENIED = {"status": "denied", "reason": "deniedByUser"}
LOCKDOWN = {"status": "restricted", "reason": "lockdown"}
ABSENT = {"status": "restricted", "reason": "noPortal"}
FAILED = {"status": "notDetermined", "reason": "portalFailed"}
REFUSED = {"status": "restricted", "reason": "connectionRefused"}


def reason_against_sandboxes():
    """The reason for which bubblewrap cannot make a sandbox here; None if it can."""
    if reason := session.lacking("bwrap"):
        return reason
    with Session() as place:
        run = subprocess.run([str(word) for word in place.in_sandbox(APPLICATION, ["true"])], check=False,
                             capture_output=True, text=True)
    return None if run.returncode == 0 else f"bubblewrap: {run.stderr.strip()}"


@unittest.skipIf(reason := session.lacking("dbus-daemon", "xdg-desktop-portal", "xdg-permission-store", "pipewire"),
                 str(reason))
class PortalTest(unittest.TestCase):
    """A program outside a sandbox that uses the portal."""

    sandbox = None

    def setUp(self):
        self.place = self.enterContext(Session()) if hasattr(self, "enterContext") else self._entered(Session())

    def _entered(self, context):
        # Before Python 3.11.
        value = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return value

    def start(self, answer="allow", **options):
        self.place.start_pipewire(manager=False)
        self.place.start_portal(answer, **options)

    def program(self, *options):
        return self._entered(Permission(self.place, *ALWAYS, *options, sandbox=self.sandbox))

    @property
    def stored(self):
        return self.place.stored.get(APPLICATION if self.sandbox else "")

    def store(self, decision):
        self.place.store(decision, APPLICATION if self.sandbox else "")

    def assert_access(self, line, expected):
        self.assertEqual({key: line[key] for key in ("status", "reason") if key in line}, expected, line)
        needs_remedy = expected not in (GRANTED, NOT_ASKED)
        self.assertEqual("remedy" in line, needs_remedy, line)

    def assert_portal(self, program, expected):
        """Checks the permission without a question."""
        self.assert_access(self.known(program, "portal"), expected)

    def known(self, program, command):
        """The permission, once it is known. A program waits one second for the first inquiry, which may take longer on a
        busy machine; until then, the portal has failed.
        """
        def line():
            answer = program.get(command)
            return answer if answer.get("reason") != FAILED["reason"] else None
        return waiting.wait_until(line, "the permission is known")

    def asked(self, expected, later, dialogs=1):
        """Asks once; `later` is the permission after that, without asking."""
        program = self.program()
        self.assert_portal(program, NOT_ASKED)
        self.assert_access(program.get("ask", "first"), expected)
        self.assert_portal(program, later)
        self.assertEqual(self.place.dialogs, (dialogs, 0, 0))
        return program

    # MARK: Answers

    def test_allow(self):
        self.start("allow")
        program = self.asked(GRANTED, GRANTED)
        self.assertEqual(self.stored, "yes")
        self.assertEqual(program.get("remote"), {"command": "remote", "socket": True})
        # A new process knows it without a question, and a question shows no second dialog.
        other = self.program()
        self.assert_portal(other, GRANTED)
        self.assert_access(other.get("ask", "again"), GRANTED)
        self.assertEqual(self.place.dialogs, (1, 0, 0))

    def test_deny(self):
        self.start("deny")
        program = self.asked(DENIED, DENIED)
        self.assertEqual(self.stored, "no")
        remote = program.get("remote")
        self.assertEqual(remote["code"], "notAuthorized", remote)
        self.assertIn("flatpak permission-remove devices camera", remote["message"])

    def test_cancel(self):
        """The portal stores a dialog that the user closes as a denial."""
        self.start("cancel")
        self.asked(DENIED, DENIED)
        self.assertEqual(self.stored, "no")

    def test_a_dialog_that_fails(self):
        self.start("error")
        program = self.program()
        answer = program.get("ask", "first")
        # Version 1.16 stores a denial.
        expected = DENIED if self.stored == "no" or self.sandbox else FAILED
        self.assert_access(answer, expected)

    def test_late(self):
        """While the user thinks, the permission is not determined, and neither the program nor a thread waits."""
        self.start("wait")
        program = self.program()
        program.send("ask", "first")
        waiting.wait_until(lambda: self.place.dialogs[1] == 1, "the dialog is open")
        # These run on the thread that asks: it is free while the dialog is open, for as long as the user takes.
        for _ in range(20):
            self.assert_portal(program, NOT_ASKED)
        self.assertFalse(program.has_answered("first"))
        self.place.answer_open("allow")
        self.assert_access(program.next("first"), GRANTED)
        self.assert_portal(program, GRANTED)

    def test_several_questions_show_one_dialog(self):
        self.start("wait")
        program = self.program()
        names = [f"question-{number}" for number in range(10)]
        for name in names:
            program.send("ask", name)
        waiting.wait_until(lambda: self.place.dialogs[1] == 1, "the dialog is open")
        program.send("request", "public")
        self.assert_portal(program, NOT_ASKED)
        self.place.answer_open("deny")
        for name in names:
            self.assert_access(program.next(name), DENIED)
        self.assertFalse(program.next("public")["granted"])
        self.assertEqual(self.place.dialogs, (1, 0, 0))

    def test_a_cancelled_question_stays_open_and_its_answer_counts(self):
        self.start("wait")
        program = self.program()
        program.send("ask", "first")
        waiting.wait_until(lambda: self.place.dialogs[1] == 1, "the dialog is open")
        program.send("cancel", "first")
        self.assert_access(program.next("first"), NOT_ASKED)
        # The dialog was not closed, so nothing is stored; another question joins it.
        self.assertEqual(self.place.dialogs, (1, 1, 0))
        self.assertIsNone(self.stored)
        program.send("ask", "second")
        self.assert_portal(program, NOT_ASKED)
        self.place.answer_open("allow")
        self.assert_access(program.next("second"), GRANTED)
        self.assertEqual(self.stored, "yes")
        self.assertEqual(self.place.dialogs, (1, 0, 0))

    def test_an_answer_after_the_cancellation(self):
        self.start("wait")
        program = self.program()
        program.send("ask", "first")
        waiting.wait_until(lambda: self.place.dialogs[1] == 1, "the dialog is open")
        program.send("cancel", "first")
        program.next("first")
        self.place.answer_open("allow")
        waiting.wait_until(lambda: self.stored == "yes", "the answer is stored")
        waiting.wait_until(lambda: program.get("portal")["status"] == "authorized", "the answer is known")

    # MARK: Stored decisions

    def test_stored_yes(self):
        self.start("deny")
        self.store("yes")
        program = self.program()
        self.assert_portal(program, GRANTED)
        self.assert_access(program.get("ask", "first"), GRANTED)
        self.assertEqual(self.place.dialogs, (0, 0, 0))

    def test_stored_no(self):
        """In a sandbox the decision cannot be read, so it is known only after a question, which shows no dialog."""
        self.start("allow")
        self.store("no")
        program = self.program()
        self.assert_portal(program, NOT_ASKED if self.sandbox else DENIED)
        self.assert_access(program.get("ask", "first"), DENIED)
        self.assert_portal(program, DENIED)
        self.assertEqual(self.place.dialogs, (0, 0, 0))

    def test_stored_ask(self):
        """The portal shows its dialog each time, and connects to PipeWire never."""
        self.start("allow")
        self.store("ask")
        program = self.program()
        self.assert_portal(program, NOT_ASKED)
        self.assert_access(program.get("ask", "first"), REFUSED)
        self.assertEqual(self.stored, "ask")
        remote = program.get("remote")
        self.assertEqual(remote["code"], "connectionRefused", remote)

    def test_a_decision_that_changes_while_the_program_runs(self):
        self.start("deny")
        program = self.program()
        self.assert_access(program.get("ask", "first"), DENIED)
        self.store("yes")
        waiting.wait_until(lambda: program.get("portal")["status"] == "authorized", "the change is noticed")

    # MARK: Failures

    def test_lockdown(self):
        self.start("allow", lockdown=True)
        self.store("yes")
        program = self.program()
        self.assert_portal(program, LOCKDOWN)
        self.assert_access(program.get("ask", "first"), LOCKDOWN)
        self.assertEqual(program.get("remote")["code"], "notAuthorized")
        self.assertEqual(self.place.dialogs, (0, 0, 0))

    def test_no_portal(self):
        program = self.program()
        self.assert_portal(program, ABSENT)
        self.assert_access(program.get("ask", "first"), ABSENT)
        self.assertEqual(program.get("remote")["code"], "portalFailed")

    def test_no_bus(self):
        self.place.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={self.place.runtime}/nothing"
        program = self.program()
        self.assert_portal(program, ABSENT)
        # Each question tries to connect; the failure must not be taken for the end of a connection, whatever comes first.
        for number in range(50):
            self.assert_access(program.get("ask", f"question-{number}"), ABSENT)

    def test_a_bus_that_never_answers(self):
        """The permission is unknown after a second; the calls after that do not wait again."""
        silent = socket.socket(socket.AF_UNIX)
        self.addCleanup(silent.close)
        silent.bind(str(self.place.runtime / "silent"))
        silent.listen(5)
        self.place.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={self.place.runtime}/silent"
        program = self.program()
        for _ in range(20):
            self.assert_access(program.get("portal"), FAILED)
        self.assert_access(program.get("ask", "first"), FAILED)

    def test_a_portal_that_ends_while_its_dialog_is_open(self):
        self.start("wait")
        program = self.program()
        program.send("ask", "first")
        waiting.wait_until(lambda: self.place.dialogs[1] == 1, "the dialog is open")
        self.place.stop(self.place.portal, signal.SIGKILL)
        self.assert_access(program.next("first"), FAILED)

    def test_a_bus_that_ends_and_a_new_one(self):
        self.start("wait")
        program = self.program()
        program.send("ask", "first")
        waiting.wait_until(lambda: self.place.dialogs[1] == 1, "the dialog is open")
        self.place.stop(self.place.programs[0], signal.SIGKILL)
        self.assert_access(program.next("first"), FAILED)

    def test_pipewire_does_not_run(self):
        """The answer of the user is known all the same; the connection is another error."""
        self.place.start_portal("allow")
        program = self.program()
        self.assert_access(program.get("ask", "first"), GRANTED)
        self.assertEqual(program.get("remote")["code"], "portalFailed")

    # MARK: The public API

    def test_the_public_functions(self):
        self.start("allow")
        program = self.program()
        device = self.known(program, "device")
        self.assertEqual((device["status"], device.get("reason"), device["portal"]),
                         ("notDetermined", "notAsked", True))
        self.assertTrue(program.get("request", "public")["granted"])
        self.assertEqual(program.get("device")["status"], "authorized")

    def test_one_device_stands_for_the_cameras_that_are_not_visible(self):
        self.start("deny")
        program = self.program()
        program.get("events")
        self.assertEqual(program.get("list")["cameras"], [["portal", "notDetermined"]])
        self.assertFalse(program.get("request", "first")["granted"])
        self.assertEqual(program.get("list")["cameras"], [["portal", "denied"]])
        event = program.next("event")
        self.assertEqual((event["event"], event["id"], event["status"]), ("connected", "portal", "denied"))
        self.store("yes")
        # Found when the permission is read.
        waiting.wait_until(lambda: not program.get("list")["cameras"], "the permission is noticed")
        waiting.wait_until(lambda: any(line.get("event") == "disconnected" for line in list(program.lines)),
                           "the stand-in is reported as disconnected")

    def test_a_frame_extractor_without_a_camera(self):
        """The permission is granted, but there is no camera."""
        self.start("allow")
        program = self.program()
        program.send("frame", "first")
        answer = program.next("first")
        self.assertEqual(answer["code"], "noSuchDevice", answer)
        self.assertEqual(self.place.dialogs, (1, 0, 0))

    def test_a_frame_extractor_asks_before_it_opens_anything(self):
        self.start("wait")
        program = self.program()
        program.send("frame", "first")
        waiting.wait_until(lambda: self.place.dialogs[1] == 1, "the dialog is open")
        self.assert_portal(program, NOT_ASKED)
        self.place.answer_open("deny")
        self.assertEqual(program.next("first")["code"], "notAuthorized")

    @unittest.skipIf(reason := session.lacking("gcc", "pkg-config", "wireplumber"), str(reason))
    def test_from_the_question_to_the_frames_of_a_camera(self):
        self.place.start_pipewire()
        self.place.start_portal("wait")
        camera = self.place.start("camera", [hold.built_camera(), "obscura.camera"], stdin=subprocess.PIPE)
        camera.wait_for(lambda: "ready" in camera.words, "the camera is there")
        program = self.program()
        self.assertEqual([device[0] for device in program.get("list")["cameras"]], ["portal"])
        program.send("frame", "first")
        waiting.wait_until(lambda: self.place.dialogs[1] == 1, "the dialog is open")
        self.place.answer_open("allow")
        answer = program.next("first")
        self.assertIn("frame", answer)
        # From now on, the camera itself is listed.
        cameras = program.get("list")["cameras"]
        self.assertEqual([device[1] for device in cameras], ["authorized"], cameras)
        self.assertNotEqual(cameras[0][0], "portal")
        self.assertIn("frame", program.get("frame", "second"))
        self.assertEqual(self.place.dialogs, (1, 0, 0))

    def test_a_cancelled_loop_of_a_frame_extractor_ends_at_once(self):
        self.start("wait")
        program = self.program()
        program.send("frame", "first")
        waiting.wait_until(lambda: self.place.dialogs[1] == 1, "the dialog is open")
        program.send("cancel", "first")
        self.assertTrue(program.next("first")["ended"])
        self.assertEqual(self.place.dialogs, (1, 1, 0))


class HostTest(PortalTest):
    """What only programs outside a sandbox do."""

    def test_an_unknown_application_is_not_registered_and_goes_on(self):
        self.start("allow")
        program = self.program("--id", "org.obscura.Unknown")
        self.assert_portal(program, NOT_ASKED)
        self.assert_access(program.get("ask", "first"), GRANTED)

    def registered(self, answer):
        """A program that the portal knows by its desktop file; skips the test if the portal knows no such programs."""
        self.place.write(self.place.data / "applications" / f"{APPLICATION}.desktop", DESKTOP_FILE)
        self.start(answer)
        if not self.place.portal_has(REGISTRY):
            self.skipTest("this portal does not register programs (before 1.20)")
        calls = self.place.watch_calls(REGISTRY)
        program = self.program("--id", APPLICATION)
        self.assert_portal(program, NOT_ASKED)
        self.assertEqual(calls(), [("Register", "method return")])
        return program

    def test_a_registered_program_that_is_allowed(self):
        program = self.registered("allow")
        self.assert_access(program.get("ask", "first"), GRANTED)
        # The decision is that of all programs outside a sandbox.
        self.assertEqual(self.place.stored, {"": "yes"})
        self.assertEqual(program.get("remote"), {"command": "remote", "socket": True})
        self.assert_portal(self.program(), GRANTED)
        self.assertEqual(self.place.dialogs, (1, 0, 0))

    def test_a_registered_program_that_is_denied(self):
        program = self.registered("deny")
        self.assert_access(program.get("ask", "first"), DENIED)
        self.assertEqual(self.place.stored, {"": "no"})
        self.assertEqual(program.get("remote")["code"], "notAuthorized")
        # A decision about the registered name does not count.
        self.place.store("yes", APPLICATION)
        self.assert_portal(self.program("--id", APPLICATION), DENIED)

    def test_by_default_there_is_no_portal_outside_a_sandbox(self):
        self.start("allow")
        program = self._entered(Permission(self.place))
        device = self.known(program, "device")
        self.assertEqual((device["sandboxed"], device["portal"]), (False, False))
        self.assertEqual(self.place.dialogs, (0, 0, 0))


@unittest.skipIf(against := reason_against_sandboxes(), str(against))
class SandboxTest(PortalTest):
    """A Flatpak application."""

    sandbox = APPLICATION

    def program(self, *options):
        return self._entered(Permission(self.place, *options, sandbox=self.sandbox))

    def test_the_portal_is_used_in_a_sandbox(self):
        self.start("allow")
        device = self.program().get("device")
        self.assertEqual((device["sandboxed"], device["portal"]), (True, True))


def load_tests(loader, _tests, _pattern):
    """The tests of programs outside a sandbox run once, as HostTest."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (HostTest, SandboxTest))


if __name__ == "__main__":
    unittest.main()
