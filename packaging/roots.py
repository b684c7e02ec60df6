# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Roots of Debian suites: made by `mmdebstrap`, entered by `chroot`. Needs root."""

import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build/packages"
MIRROR = "http://deb.debian.org/debian"
# The suites, and the names of their releases in the versions of packages.
SUITES = {"bookworm": "debian12", "trixie": "debian13"}


class Failure(Exception):
    """A command that failed."""


def run(*command, shown=None, **options):
    """The output of a command, if it is captured.

    A command that fails is a `Failure`, with its output or, if that is not captured, without.

    - shown: the command of the message, if it is another one.
    """
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False, **options)
    if done.returncode != 0:
        raise Failure(f"status {done.returncode}: {shlex.join(map(str, shown or command))}\n{done.stdout or ''}")
    return done.stdout


def make(suite, target, *options, variant="minbase"):
    """Makes a root, unless it exists."""
    if target.is_dir():
        return
    if not shutil.which("mmdebstrap"):
        raise Failure("there is no mmdebstrap; install it with: scripts/install-packages packaging")
    making = target.with_name(f"{target.name}.making")
    shutil.rmtree(making, ignore_errors=True)
    making.parent.mkdir(parents=True, exist_ok=True)
    # The lists of packages stay, for the packages that are installed later.
    run("mmdebstrap", "--quiet", f"--variant={variant}", "--mode=root", "--skip=cleanup/apt",
        "--keyring=/usr/share/keyrings/debian-archive-keyring.gpg", *options, suite, making, MIRROR)
    making.rename(target)


def inside(root, *command, shared=(), folder="/", environment=None, **options):
    """Runs a command in a root, and returns its output, if it is captured.

    - shared: folders of this machine, and `ro` or `rw` for each; the command sees them at their own paths. They are
      mounted in a namespace of the command, so the mounts end with it.
    """
    lines = ["set -e", "mount --make-rprivate /", f"mount -t proc proc {root}/proc", f"mount --rbind /dev {root}/dev"]
    for path, mode in shared:
        place = pathlib.Path(f"{root}{path}")
        place.mkdir(parents=True, exist_ok=True)
        lines.append(f"mount --bind -o {mode} {shlex.quote(str(path))} {shlex.quote(str(place))}")
    values = {"HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
              "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"} | (environment or {})
    words = ["env", "-i", *(f"{name}={value}" for name, value in values.items()), *map(str, command)]
    line = f"cd {shlex.quote(str(folder))} && exec {shlex.join(words)}"
    lines.append(f"exec chroot {root} sh -c {shlex.quote(line)}")
    return run("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", "\n".join(lines), shown=command,
               **options)


def version():
    """The version of Obscura."""
    text = (ROOT / "Sources/Obscura/ObscuraBuild.swift").read_text(encoding="utf-8")
    return re.search(r'version = "([^"]+)"', text)[1]


def architecture():
    """Debian's name of this machine's architecture."""
    return {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]


def package(suite):
    """The package that `build-packages` has built for a suite."""
    path = WORK / f"obscura_{version()}~{SUITES[suite]}_{architecture()}.deb"
    if not path.exists():
        raise Failure(f"there is no {path}; build it first: packaging/build-packages {suite}")
    return path


def main(function, parser):
    """Runs a script's function with the suites of its options; a failure is reported in one line."""
    parser.add_argument("suites", nargs="*", metavar="SUITE", default=[],
                        help=f"{', '.join(SUITES)} (default: all)")
    options = parser.parse_args()
    if unknown := set(options.suites) - set(SUITES):
        parser.error(f"unknown suite: {', '.join(sorted(unknown))}")
    if os.geteuid() != 0:
        parser.error("run it as root: it works in roots of its own, by chroot")
    options.suites = options.suites or list(SUITES)
    try:
        function(options)
    except Failure as failure:
        sys.exit(f"{parser.prog}: {failure}")
