# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests the requests of install-packages to apt, with fake commands in place of apt's."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "install-packages"

LIST = """\
# All of them.
[build]
git       # Fetches.
old-name|new-name

libyuv-dev
[test]
git
ffmpeg
"""

# Each reads the installed and known packages from files beside it, and records its arguments.
COMMANDS = {
    "dpkg-query": 'grep -qx "${@: -1}" "$STATE/installed" && printf installed',
    "apt-cache": 'if grep -qx "$2" "$STATE/known"; then echo "  Candidate: 1.0"; else echo "  Candidate: (none)"; fi',
    "apt-get": """
        echo "apt-get $* [$DEBIAN_FRONTEND]" >>"$STATE/asked"
        case $* in
            *update*) cat "$STATE/new" >>"$STATE/known" ;;
            *) [ ! -e "$STATE/broken" ] || { echo "E: no such file on the mirror"; exit 100; } ;;
        esac""",
    "id": 'cat "$STATE/user"',
    "sudo": 'echo sudo >>"$STATE/asked"; "$@"',
}


class InstallPackagesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state = pathlib.Path(folder.name)
        for name, body in COMMANDS.items():
            command = self.state / "bin" / name
            command.parent.mkdir(exist_ok=True)
            command.write_text(f"#!/bin/bash\n{body}\n")
            command.chmod(0o755)
        self.set("list", LIST)
        self.set("installed", "git\n")
        self.set("known", "new-name\nlibyuv-dev\nffmpeg\n")
        self.set("new", "")
        self.set("user", "0\n")

    def set(self, name, text):
        (self.state / name).write_text(text)

    def install(self, *arguments):
        path = f"{self.state / 'bin'}:{os.environ['PATH']}"
        environment = dict(os.environ, PATH=path, STATE=str(self.state), OBSCURA_PACKAGES=str(self.state / "list"))
        return subprocess.run([str(SCRIPT), *arguments], env=environment, capture_output=True, text=True, check=False)

    def asked(self):
        asked = self.state / "asked"
        return asked.read_text().splitlines() if asked.exists() else []

    def test_nothing_is_asked_when_all_is_there(self):
        self.set("installed", "git\nold-name\nlibyuv-dev\n")
        run = self.install("build")
        self.assertEqual((run.returncode, run.stdout, run.stderr, self.asked()), (0, "", "", []))

    def test_only_what_is_missing_is_installed_without_an_update(self):
        run = self.install("build")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.asked(), [
            "apt-get --quiet install --yes --no-install-recommends new-name libyuv-dev [noninteractive]"])
        self.assertIn("new-name libyuv-dev", run.stderr)
        self.assertEqual(run.stdout, "")

    def test_several_sections_are_installed_at_once(self):
        self.install("build", "test")
        self.assertEqual(self.asked(), [
            "apt-get --quiet install --yes --no-install-recommends new-name libyuv-dev ffmpeg [noninteractive]"])

    def test_the_lists_are_updated_when_a_name_is_unknown(self):
        self.set("known", "new-name\n")
        self.set("new", "libyuv-dev\n")
        run = self.install("build")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual([line.split()[2] for line in self.asked()], ["update", "install"])

    def test_a_name_that_nobody_knows_is_an_error(self):
        self.set("known", "libyuv-dev\n")
        run = self.install("build")
        self.assertEqual(run.returncode, 1)
        self.assertIn("old-name|new-name", run.stderr)

    def test_a_failing_install_is_tried_with_new_lists_and_then_an_error(self):
        self.set("broken", "")
        run = self.install("build")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no such file on the mirror", run.stderr)
        self.assertEqual([line.split()[2] for line in self.asked()], ["install", "update", "install"])

    def test_another_user_goes_through_sudo(self):
        self.set("user", "1000\n")
        run = self.install("test")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.asked()[0], "sudo")
        self.assertIn("[noninteractive]", self.asked()[1])

    def test_list_names_what_is_missing_and_installs_nothing(self):
        run = self.install("--list", "build")
        self.assertEqual((run.returncode, run.stdout, self.asked()), (0, "old-name|new-name\nlibyuv-dev\n", []))

    def test_an_unknown_section_is_an_error(self):
        run = self.install("nonsense")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("[nonsense]", run.stderr)


if __name__ == "__main__":
    unittest.main()
