# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""What ./test may be asked for, and whether this system has what that needs."""

import argparse
import pathlib
import shutil
import subprocess
import sys

from places import ROOT, SYSTEM_PYTHON

EPILOG = """\
Without options it does everything that CI does. The logs of the steps are kept in .build/logs, with a table of the
times of the steps and of the slowest tests (times.txt). OBSCURA_TEST_MOVIE may name a film of your own;
OBSCURA_TEST_FACES names the folder that scripts/fetch-faces makes.
"""


def count(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return value


class Options(argparse.Namespace):
    """What was asked for, and what follows from it."""

    # In words, what of the programs that the tests need is not here; None when all is.
    lacks_browser = lacks_servers = None

    @property
    def everything(self):
        """Neither one kind of tests alone nor a part of them."""
        return not (self.sanitize or self.filter or self.camera or self.changed)

    @property
    def checks(self):
        """What is proved beside the Swift tests: the sources, the tool, the Studio, the examples."""
        return self.everything and self.lab != "only"

    @property
    def swift(self):
        return self.lab != "only" and not self.camera

    @property
    def in_lab(self):
        return self.lab == "only" or (self.everything and self.lab == "yes")

    @property
    def fuzz(self):
        """Memory errors are looked for in all that is open to attack."""
        return self.sanitize == "address" and not self.filter


def parse(arguments=None):
    parser = argparse.ArgumentParser(
        prog="test", usage="./test [option …]", description="Builds everything and proves it.", epilog=EPILOG,
        allow_abbrev=False)
    parser.add_argument("--changed", metavar="COMMIT", nargs="?", const="HEAD",
                        help="only the tests that the changes since COMMIT can affect (default: HEAD, or the commit "
                        "before it if nothing has changed since), from a debug build; without the lab, browsers and "
                        "servers")
    parser.add_argument("--long", action="store_true",
                        help="the tests with their full numbers (OBSCURA_TEST_LONG=1) instead of the short forms")
    parser.add_argument("--sanitize", choices=["thread", "address"],
                        help="only the Swift tests, without the lab, built with this sanitizer; with address also the "
                        "fuzz of the Studio's routes")
    parser.add_argument("--filter", metavar="REGEX",
                        help="only the Swift tests whose name matches; not in the lab, unless --lab asks for it")
    parser.add_argument("--lab", dest="lab", action="store_const", const="only", default="yes",
                        help="only the tests in the lab: on the real devices of a kernel in QEMU (Tests/Lab)")
    parser.add_argument("--no-lab", dest="lab", action="store_const", const="no", help="everything but the lab")
    parser.add_argument("--camera", metavar="NODE",
                        help="only the tests of the lab that hold on any camera, on this one, such as /dev/video0")
    parser.add_argument("--repeat", metavar="N", type=count,
                        help="run the tests N times, and list those that failed only sometimes")
    parser.add_argument("--dry-run", action="store_true", help="print the steps and their commands, and run none")
    options = parser.parse_args(arguments, namespace=Options())
    if options.sanitize and (options.lab == "only" or options.camera):
        parser.error("--sanitize goes neither with --lab nor with --camera")
    if options.camera and options.lab != "yes":
        parser.error("--camera goes neither with --lab nor with --no-lab")
    if options.changed and (options.sanitize or options.lab != "yes" or options.camera or options.long):
        parser.error("--changed goes with --filter and --repeat alone")
    return options


def install_packages(options):
    """Installs what the run needs, where this is Debian; else looks whether it is there."""
    if not options.checks and not options.fuzz:
        return
    is_debian = "ID=debian" in pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    if is_debian:
        subprocess.run([ROOT / "scripts/install-packages", "browser", *(["broadcast"] if options.checks else [])],
                       check=True, stdin=subprocess.DEVNULL)
    if not (has_programs("chromium", "chromedriver") and has_modules("jsonschema, selenium")):
        options.lacks_browser = f"chromium, chromedriver and {SYSTEM_PYTHON}'s selenium and jsonschema are not all here"
    rtmp = pathlib.Path("/usr/lib/nginx/modules/ngx_rtmp_module.so")
    if not (has_programs("nginx", "srt-live-transmit") and rtmp.exists()
            and has_modules("gi; gi.require_version('GstRtspServer', '1.0')")):
        options.lacks_servers = "nginx, its module rtmp, srt-live-transmit and GStreamer's RTSP server are not all here"


def has_programs(*names):
    return all(shutil.which(name) for name in names)


def has_modules(names):
    return subprocess.run([SYSTEM_PYTHON, "-c", f"import {names}"], check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


if __name__ == "__main__":
    sys.exit("options: called by ./test")
