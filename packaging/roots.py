# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Roots of suites of Debian and Ubuntu: made by `mmdebstrap`, entered by `chroot`. Needs root."""

import dataclasses
import hashlib
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import typing
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build/packages"
# The keys of Ubuntu's archive are in a package of it, which Debian 12 does not have. By its checksum, which was compared
# with the signed index of the archive, it is trusted.
UBUNTU_KEYRING = ("http://archive.ubuntu.com/ubuntu/pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb",
                  "36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8")


class Failure(Exception):
    """A command that failed."""


def debian_keyring():
    return pathlib.Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def ubuntu_keyring():
    """The keys of Ubuntu's archive, which are fetched once."""
    target = WORK / "ubuntu-archive-keyring.gpg"
    if not target.exists():
        url, checksum = UBUNTU_KEYRING
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                package = answer.read()
        except OSError as error:
            raise Failure(f"{url} cannot be fetched: {error}") from None
        if hashlib.sha256(package).hexdigest() != checksum:
            raise Failure(f"{url} has another checksum than {checksum}")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "keyring.deb")
            path.write_bytes(package)
            run("dpkg-deb", "--extract", path, folder)
            WORK.mkdir(parents=True, exist_ok=True)
            fetched = shutil.copy2(pathlib.Path(folder, "usr/share/keyrings", target.name), WORK / "keyring.fetched")
            fetched.rename(target)
    return target


@dataclasses.dataclass(frozen=True)
class Suite:
    """A suite: the name of its release in the versions of packages, its archive, and the keys of the archive."""

    release: str
    mirror: str
    components: str
    keyring: typing.Callable[[], pathlib.Path]


def ubuntu(release):
    # Only the most common architectures are in the main archive.
    mirror = "http://archive.ubuntu.com/ubuntu" if architecture() == "amd64" else "http://ports.ubuntu.com/ubuntu-ports"
    return Suite(release, mirror, "main,universe", ubuntu_keyring)


def debian(release):
    return Suite(release, "http://deb.debian.org/debian", "main", debian_keyring)


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
    place = SUITES[suite]
    # The lists of packages stay, for the packages that are installed later. For Ubuntu's suites, mmdebstrap does not add
    # apt by itself.
    run("mmdebstrap", "--quiet", f"--variant={variant}", "--mode=root", "--skip=cleanup/apt", "--include=apt",
        f"--keyring={place.keyring()}", f"--components={place.components}", *options, suite, making, place.mirror)
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


def install_packages(root, *sections):
    """Installs the packages of sections of packages.apt that a root lacks."""
    shutil.copy(ROOT / "packages.apt", root / "tmp")
    inside(root, ROOT / "scripts/install-packages", *sections, shared=[(ROOT / "scripts", "ro")],
           environment={"OBSCURA_PACKAGES": "/tmp/packages.apt"})


def toolchain():
    """The folder of this machine's Swift, whose programs also run in a root that has the packages of [swift]."""
    said = run("swift", "-print-target-info", stdout=subprocess.PIPE, text=True)
    return pathlib.Path(json.loads(said)["paths"]["runtimeResourcePath"]).parent.parent


def version():
    """The version of Obscura."""
    text = (ROOT / "Sources/ObscuraMedia/Metadata/ObscuraBuild.swift").read_text(encoding="utf-8")
    return re.search(r'version = "([^"]+)"', text)[1]


def architecture():
    """Debian's name of this machine's architecture."""
    return {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]


def package(suite):
    """The package that `build-packages` has built for a suite."""
    path = WORK / f"obscura_{version()}~{SUITES[suite].release}_{architecture()}.deb"
    if not path.exists():
        raise Failure(f"there is no {path}; build it first: packaging/build-packages {suite}")
    return path


SUITES = {"bookworm": debian("debian12"), "trixie": debian("debian13"), "noble": ubuntu("ubuntu24.04")}


# The suites that are tried as whole systems: as the guest of an emulator, and as a container.
SYSTEMS = ["bookworm", "trixie"]


def main(function, parser, suites=tuple(SUITES)):
    """Runs a script's function with the suites of its options, of these; a failure is reported in one line."""
    parser.add_argument("suites", nargs="*", metavar="SUITE", default=[],
                        help=f"{', '.join(suites)} (default: all)")
    options = parser.parse_args()
    if unknown := set(options.suites) - set(suites):
        parser.error(f"unknown suite: {', '.join(sorted(unknown))}")
    if os.geteuid() != 0:
        parser.error("run it as root: it works in roots of its own, by chroot")
    options.suites = options.suites or list(suites)
    try:
        function(options)
    except Failure as failure:
        sys.exit(f"{parser.prog}: {failure}")
