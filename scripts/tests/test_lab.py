# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests the lab's arguments to QEMU and its handling of a guest's files, with a script in place of QEMU.

Tests/Lab/check tests a real guest.
"""

import contextlib
import gzip
import hashlib
import io
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "Tests/Lab"
sys.path.append(str(FOLDER))
import machine  # noqa: E402

# It reads the folder of the job from its arguments, as the guest does from its share.
QEMU = r"""#!/bin/bash
printf '%s\n' "$@" >"$STATE/arguments"
for argument in "$@"; do
    case $argument in *,mount_tag=job,*) job=${argument#*path=}; job=${job%%,mount_tag=*} ;; esac
    case $argument in file:*) console=${argument#file:} ;; esac
done
echo $$ >"$STATE/pid"
leave() { echo "$1" >"$job/status.new"; mv "$job/status.new" "$job/status"; }
cp "$job/command" "$job/before" "$job/modules" "$job/settings" "$job/closed-folders" "$STATE/"
. "$STATE/behaviour"
"""


class LabCase(unittest.TestCase):
    """A lab whose guest is the script that a test gives as its `behaviour`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = pathlib.Path(folder.name)
        fake = self.state / "bin/qemu-system-x86_64"
        fake.parent.mkdir()
        fake.write_text(QEMU)
        fake.chmod(0o755)
        entry = self.state / "cache/kernel-1"
        (entry / "modules").mkdir(parents=True)
        (entry / "kernel").touch()
        (entry / "initramfs.gz").write_bytes(gzip.compress(b"archive"))
        scripts = hashlib.sha256((FOLDER / "kernel.py").read_bytes()).hexdigest()
        about = {"release": "6.1.0-1-amd64", "version": "6.1.1-1", "scripts": scripts}
        (entry / "about.json").write_text(json.dumps(about))
        (self.state / "cache/current").symlink_to("kernel-1")
        self.environment = os.environ | {
            "PATH": f"{self.state / 'bin'}:{os.environ['PATH']}", "STATE": str(self.state),
            "OBSCURA_LAB_CACHE": str(self.state / "cache"), "TMPDIR": str(self.state),
        }

    def call(self, program, *arguments, behaviour="leave 0; exec sleep 60", **options):
        (self.state / "behaviour").write_text(behaviour)
        return subprocess.run(
            [FOLDER / program, *arguments], env=self.environment, capture_output=True, text=True, timeout=60,
            check=False, **options)

    def lab(self, *arguments, **options):
        return self.call("lab", *arguments, **options)

    def asked(self, name):
        return (self.state / name).read_text()


class LabTest(LabCase):
    def assert_no_guest_is_left(self):
        with contextlib.suppress(FileNotFoundError):
            with self.assertRaises(ProcessLookupError):
                os.kill(int(self.asked("pid")), 0)
        self.assertEqual(list(self.state.glob("obscura-lab-*")), [])

    def test_the_status_of_the_command_comes_back(self):
        for status in (0, 1, 42, 137):
            done = self.lab("run", "--", "true", behaviour=f"leave {status}; exec sleep 60")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (status, "", ""))
            self.assert_no_guest_is_left()

    def test_the_output_comes_whole_and_in_order_whatever_the_bytes(self):
        text = "".join(f"{number} äöü\n" for number in range(20_000))
        (self.state / "text").write_text(text)
        done = self.lab("run", "--", "true", behaviour="cat $STATE/text >$job/output; leave 3")
        self.assertEqual((done.returncode, done.stdout), (3, text))

    def test_a_status_on_the_console_or_in_the_output_is_none(self):
        done = self.lab("run", "--", "true", behaviour="echo 0 | tee $console >$job/output; echo status 0 >>$console")
        self.assertEqual(done.returncode, 125)
        self.assertEqual(done.stdout, "0\n")

    def test_a_lost_guest_is_said_with_its_last_words(self):
        done = self.lab("run", "--", "true", behaviour="echo 'Kernel panic: no cake' >$console; echo hm >&2; exit 9")
        self.assertEqual(done.returncode, 125)
        for words in ("without a status", "(QEMU's is 9)", "Kernel panic: no cake", "    hm\n"):
            self.assertIn(words, done.stderr)

    def test_a_guest_that_hangs_is_ended(self):
        done = self.lab("run", "--timeout", "0.3", "--", "true", behaviour="exec sleep 60")
        self.assertEqual((done.returncode, done.stdout), (125, ""))
        self.assertIn("past its time limit of 0.3 s", done.stderr)
        self.assert_no_guest_is_left()

    def test_what_a_guest_wrote_is_passed_on_before_its_time_limit_ends_it(self):
        (self.state / "job").mkdir()
        (self.state / "job/output").write_text("on\n")
        guest = subprocess.Popen(["sleep", "60"])
        self.addCleanup(guest.wait)
        self.addCleanup(guest.kill)
        output = io.TextIOWrapper(io.BytesIO())
        with contextlib.redirect_stdout(output), self.assertRaisesRegex(machine.Lost, "past its time limit"):
            machine.wait(machine.Job(["true"], timeout=0), guest, self.state)
        self.assertEqual(output.buffer.getvalue(), b"on\n")

    def test_a_status_that_is_no_number_is_a_lost_guest(self):
        done = self.lab("run", "--", "true", behaviour="leave what; exec sleep 60")
        self.assertEqual(done.returncode, 125)
        self.assertIn("`what`", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_the_guest_ends_with_the_lab(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            (self.state / "behaviour").write_text("echo begun >$job/output; exec sleep 60")
            lab = subprocess.Popen(
                [FOLDER / "lab", "run", "--", "true"], env=self.environment, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL)
            self.assertEqual(lab.stdout.readline(), b"begun\n")
            lab.send_signal(number)
            lab.stdout.close()
            status = lab.wait(timeout=30)
            self.assertEqual(status, -9 if number == signal.SIGKILL else 128 + number)
            guest = pathlib.Path("/proc", self.asked("pid").strip(), "stat")
            # The kill signal may take a moment to have an effect.
            for _ in range(10_000):
                try:
                    if guest.read_text().split(")")[1].split()[0] == "Z":
                        break
                except (FileNotFoundError, ProcessLookupError):
                    break
                os.sched_yield()
            else:
                self.fail("the guest still runs")

    def test_files_and_console_come_back(self):
        out = self.state / "out/here"
        console = self.state / "console.txt"
        done = self.lab(
            "run", "--out", out, "--console", console, "--", "true",
            behaviour="mkdir $job/files/d; echo x >$job/files/d/x; echo hello >$console; leave 0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((out / "d/x").read_text(), "x\n")
        self.assertEqual(console.read_text(), "hello\n")

    def test_files_come_back_from_a_lost_guest_too(self):
        done = self.lab("run", "--out", self.state / "out", "--", "true", behaviour="echo x >$job/files/x")
        self.assertEqual(done.returncode, 125)
        self.assertEqual((self.state / "out/x").read_text(), "x\n")

    def test_the_host_is_shared_read_only(self):
        self.lab("run", "--memory", "700", "--", "true")
        arguments = self.asked("arguments").splitlines()
        host = next(line for line in arguments if "mount_tag=host" in line)
        self.assertIn("readonly=on", host)
        self.assertIn("700", arguments)

    def test_its_networks_are_connected_in_their_order(self):
        self.lab("run", "--network", "near", "--network", "far", "--", "true")
        arguments = self.asked("arguments").splitlines()
        connected = [line.split(",")[:3] for line in arguments if line.startswith("tap,")]
        self.assertEqual(connected, [["tap", "id=near", "ifname=near"], ["tap", "id=far", "ifname=far"]])
        devices = [line.split(",")[1] for line in arguments if line.startswith("virtio-net-pci,")]
        self.assertEqual(devices, ["netdev=near", "netdev=far"])

    def test_the_words_of_the_command_are_kept(self):
        words = ["printf", "%s", "a b", "$HOME", "'", "", "line\nline", "--out"]
        self.lab("run", "--env", "WORDS=x y", "--", *words, cwd=self.state)
        line = shlex.split(self.asked("command"))
        self.assertEqual(line[:3], ["cd", str(self.state), "&&"])
        self.assertEqual(line[-len(words):], words)
        self.assertIn("WORDS=x y", line)
        self.assertIn("OBSCURA_LAB=1", line)

    def test_the_environment_is_the_callers_only_where_it_must_be(self):
        self.environment |= {"SECRET": "s", "ASKED": "a", "LD_LIBRARY_PATH": "/some/where"}
        self.lab("run", "--env", "ASKED", "--", "true")
        line = shlex.split(self.asked("command"))
        self.assertNotIn("SECRET=s", line)
        self.assertIn("ASKED=a", line)
        self.assertIn("LD_LIBRARY_PATH=/some/where", line)
        self.assertNotIn("setpriv", line)

    def test_an_unprivileged_user_has_no_group_and_finds_the_way_in(self):
        hidden = self.state / "hidden/further"
        hidden.mkdir(parents=True)
        hidden.parent.chmod(0o700)
        self.lab("run", "--user", "--", "true", cwd=hidden)
        line = shlex.split(self.asked("command"))
        self.assertIn("--clear-groups", line)
        self.assertIn("--regid=59999", line)
        self.assertIn(str(hidden.parent), self.asked("closed-folders").splitlines())
        self.assertNotIn(str(hidden), self.asked("closed-folders").splitlines())

    def test_the_modules_are_those_that_were_asked_for(self):
        for arguments, modules in (
            ([], ["vivid n_devs=2 node_types=0x1,0x1"]),
            (["--vivid", "", "--loopback"], ["v4l2loopback video_nr=9 exclusive_caps=0"]),
            (["--vivid", "n_devs=1"], ["vivid n_devs=1"]),
            (["--vivid", "", "--sound"], ["snd-aloop pcm_substreams=1"]),
            (["--vivid", "", "--uvc"], ["vhci-hcd", "uvcvideo"]),
            (["--vivid", "", "--network", "near"], ["virtio_net"]),
            (["--vivid", ""], []),
        ):
            self.lab("run", *arguments, "--", "true")
            self.assertEqual(self.asked("modules").splitlines(), modules)

    def test_the_usb_cameras_are_started_before_the_command(self):
        for arguments, count in ((["--uvc"], "2"), (["--uvc", "5"], "5")):
            self.lab("run", "--user", *arguments, "--", "true")
            program = str(FOLDER / "uvc")
            self.assertEqual(
                shlex.split(self.asked("before")), ["python3", "-B", program, "start", "--count", count])
        self.lab("run", "--", "true")
        self.assertEqual(self.asked("before"), "")

    def test_wrong_arguments_are_said_and_start_nothing(self):
        for arguments, words in (
            ([], "subcommand"),
            (["boot"], "invalid choice"),
            (["run"], "there is no command"),
            (["run", "--"], "there is no command"),
            (["run", "--unknown", "--", "true"], "--unknown"),
            (["run", "--timeout", "0", "--", "true"], "not more than 0"),
            (["run", "--timeout", "nan", "--", "true"], "not more than 0"),
            (["run", "--timeout", "soon", "--", "true"], "soon"),
            (["run", "--memory", "1", "--", "true"], "too few"),
            (["run", "--uvc", "9", "--", "true"], "1 to 8"),
            (["run", "--env", "=x", "--", "true"], "has no name"),
            (["run", "--env", "NOT_SET_AT_ALL", "--", "true"], "is not set"),
        ):
            done = self.lab(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
            self.assertFalse((self.state / "arguments").exists())

    def test_the_version_of_the_kernel_is_that_of_the_cache(self):
        self.assertEqual(self.lab("version").stdout, "Linux 6.1.0-1-amd64 (6.1.1-1)\n")

    def test_a_cache_that_other_scripts_made_is_not_used(self):
        (self.state / "cache/kernel-1/about.json").write_text('{"scripts": "other"}')
        done = self.lab("version")
        self.assertEqual(done.returncode, 125)
        self.assertIn("lab prepare", done.stderr)

    def test_a_system_without_such_packages_is_said(self):
        for name, body in {"apt-cache": "exit 0", "apt-get": "exit 0", "sudo": "exit 0"}.items():
            (self.state / "bin" / name).write_text(f"#!/bin/bash\n{body}\n")
            (self.state / "bin" / name).chmod(0o755)
        (self.state / "cache/current").unlink()
        for arguments in (["prepare"], ["run", "--", "true"]):
            done = self.lab(*arguments)
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("linux-image-amd64", done.stderr)


def event(kind, **payload):
    return json.dumps({"kind": "event", "payload": {"kind": kind, "messages": [], **payload}})


FUNCTION = json.dumps({"kind": "test", "payload": {"kind": "function", "id": "T.S/f()"}})
ENDED = event("testEnded", testID="T.S/f()")
SKIPPED = event("testSkipped", testID="T.S/f()", messages=[{"text": "Test f skipped: no camera"}])
RUN_ENDED = event("runEnded")


class RunTestsTest(LabCase):
    """How run-tests interprets the events that Swift Testing wrote in the guest."""

    def run_tests(self, lines, *arguments, status=0, user_status=None):
        """Runs the tests; without `user_status` the guest of the unprivileged user passes."""
        good = "\n".join([FUNCTION, ENDED, RUN_ENDED])
        is_user = "grep -q clear-groups $job/command"
        events = f"if {is_user}; then printf '%s\\n' {shlex.quote(good)}; else printf '%s\\n' " \
            f"{shlex.quote(chr(10).join(lines))}; fi >$job/files/events.jsonl"
        ending = f"if {is_user}; then leave {user_status or 0}; else leave {status}; fi"
        return self.call(
            "run-tests", *arguments, "/bundle", behaviour=f"{events}; {ending}")

    def assert_failed(self, done, words):
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(words, done.stderr)

    def test_tests_that_ran_and_passed_are_counted(self):
        done = self.run_tests([FUNCTION, ENDED, RUN_ENDED])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("lab-tests: 4 tests ran\n", done.stdout)

    def test_a_skipped_test_is_a_failure(self):
        self.assert_failed(self.run_tests([FUNCTION, SKIPPED, RUN_ENDED]), "T.S/f()")

    def test_a_failed_test_is_a_failure(self):
        self.assert_failed(self.run_tests([FUNCTION, ENDED, RUN_ENDED], status=1), "status 1")
        self.assert_failed(self.run_tests([FUNCTION, ENDED, RUN_ENDED], status=1), "counted instructions: failed")
        self.assert_failed(self.run_tests([FUNCTION, ENDED, RUN_ENDED], user_status=1), "no group: failed")

    def test_a_run_without_its_end_is_a_failure(self):
        self.assert_failed(self.run_tests([FUNCTION, ENDED]), "before their end")
        self.assert_failed(self.run_tests([FUNCTION, ENDED[:-9]]), "before their end")
        self.assert_failed(self.run_tests([]), "before their end")

    def test_a_part_without_a_test_is_a_failure(self):
        self.assert_failed(self.run_tests([RUN_ENDED]), "as root: no test ran")
        self.assert_failed(self.run_tests([RUN_ENDED], status=69), "as root: no test ran")
        self.assert_failed(self.run_tests([RUN_ENDED], status=69), "counted instructions: no test ran")
        self.assert_failed(self.run_tests([FUNCTION, ENDED, RUN_ENDED], user_status=69), "no group: no test ran")

    def test_a_filter_may_leave_one_part_empty_and_not_both(self):
        done = self.run_tests([FUNCTION, ENDED, RUN_ENDED], "--filter", "f", user_status=69)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_failed(self.run_tests([], "--filter", "f", status=69, user_status=69), "no test ran")

    def test_a_camera_that_is_not_there_is_said(self):
        self.assert_failed(self.run_tests([], "--camera", "/dev/video-not-there"), "there is no /dev/video-not-there")


if __name__ == "__main__":
    unittest.main()
