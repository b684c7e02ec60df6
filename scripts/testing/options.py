# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The options of ./test, and the programs that this system lacks for them."""

import argparse
import pathlib
import shutil
import subprocess
import sys

from places import ROOT, SYSTEM_PYTHON

EPILOG = """\
Without options it runs everything that CI runs. The logs of the steps are kept in .build/logs, with a table of the
times of the steps and of the slowest tests (times.txt). OBSCURA_TEST_MOVIE may name your own test movie;
OBSCURA_TEST_FACES is the folder that scripts/fetch-faces prints.
"""


def count(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not at least 1")
    return value


class Options(argparse.Namespace):
    """The given options, and properties derived from them."""

    # The missing programs that the tests need, as text; None if there are all.
    lacks_browser = lacks_servers = None

    @property
    def everything(self):
        """Whether neither one kind of tests nor a part of them was chosen."""
        return not (self.sanitize or self.filter or self.camera or self.changed)

    @property
    def checks(self):
        """Whether the checks beside the Swift tests run: the sources, the tool, the Studio, the examples."""
        return self.everything and self.lab != "only"

    @property
    def swift(self):
        return self.lab != "only" and not self.camera

    @property
    def in_lab(self):
        return self.lab == "only" or (self.everything and self.lab == "yes")

    @property
    def fuzz(self):
        """Whether to search for memory errors in code that is exposed to attacks."""
        return self.sanitize == "address" and not self.filter


def parse(arguments=None):
    parser = argparse.ArgumentParser(
        prog="test", usage="./test [option …]", description="Builds and tests everything.", epilog=EPILOG,
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
                        help="only the tests in the lab: on devices of a real kernel in QEMU (Tests/Lab)")
    parser.add_argument("--no-lab", dest="lab", action="store_const", const="no", help="everything but the lab")
    parser.add_argument("--camera", metavar="NODE",
                        help="only the lab's tests that are valid for any camera, on this one, such as /dev/video0")
    parser.add_argument("--repeat", metavar="N", type=count,
                        help="run the tests N times, and list the tests that failed only sometimes")
    parser.add_argument("--dry-run", action="store_true", help="print the steps and their commands, do not run them")
    options = parser.parse_args(arguments, namespace=Options())
    if options.sanitize and (options.lab == "only" or options.camera):
        parser.error("--sanitize cannot be combined with --lab or --camera")
    if options.camera and options.lab != "yes":
        parser.error("--camera cannot be combined with --lab or --no-lab")
    if options.changed and (options.sanitize or options.lab != "yes" or options.camera or options.long):
        parser.error("--changed can be combined only with --filter and --repeat")
    return options


def install_packages(options):
    """Installs the packages that the run needs on Debian; on other systems checks that the programs exist."""
    if not options.checks and not options.fuzz:
        return
    is_debian = "ID=debian" in pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    if is_debian:
        sections = ["browser", *(["broadcast"] if options.checks else [])]
        if options.checks and options.long:
            sections += ["manual", "packaging"]
        subprocess.run([ROOT / "scripts/install-packages", *sections], check=True, stdin=subprocess.DEVNULL)
    if not (has_programs("chromium", "chromedriver") and has_modules("jsonschema, selenium")):
        options.lacks_browser = f"chromium, chromedriver, or {SYSTEM_PYTHON}'s selenium or jsonschema is missing"
    rtmp = pathlib.Path("/usr/lib/nginx/modules/ngx_rtmp_module.so")
    if not (has_programs("nginx", "srt-live-transmit") and rtmp.exists()
            and has_modules("gi; gi.require_version('GstRtspServer', '1.0')")):
        options.lacks_servers = "nginx, its module rtmp, srt-live-transmit or GStreamer's RTSP server is missing"


def has_programs(*names):
    return all(shutil.which(name) for name in names)


def has_modules(names):
    return subprocess.run([SYSTEM_PYTHON, "-c", f"import {names}"], check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


if __name__ == "__main__":
    sys.exit("options: called by ./test")
