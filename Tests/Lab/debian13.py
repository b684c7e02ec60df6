# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Debian 13 as the guest's system: a root beside this machine's, with that Debian's kernel. Needs root.

The root has what builds and tests need, and from Debian's backports libcamera 0.7, PipeWire 1.6 and WirePlumber 0.5:
those of the release cannot use libcamera's virtual cameras.
"""

import fcntl
import os
import pathlib
import sys

import kernel

PROJECT = kernel.HERE.parent.parent
sys.path.append(str(PROJECT / "packaging"))

import roots  # noqa: E402

FOLDER = kernel.CACHE / "debian13"
ROOT = FOLDER / "root"

BACKPORTS = "deb http://deb.debian.org/debian trixie-backports main\n"
# Only these, and what they need; otherwise apt takes nothing from the backports.
PREFERENCES = """\
Package: src:libcamera:any src:pipewire:any src:wireplumber:any
Pin: release n=trixie-backports
Pin-Priority: 990
"""


def prepared():
    """The kernel's entry of the cache, if it is there and these scripts made it; else None."""
    return kernel.prepared(FOLDER) if ROOT.is_dir() else None


def shared():
    """The folders of this machine that commands in the root see at their own paths."""
    return [PROJECT, roots.toolchain()]


def prepare():
    """Makes the root and its kernel, as far as they are not there yet. Returns the kernel's entry of the cache."""
    if os.geteuid() != 0:
        raise kernel.Failure("Debian 13 needs root: its programs run in a root of their own (chroot)")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with kernel.locked(FOLDER / "root-lock", fcntl.LOCK_EX):
        if not ROOT.is_dir():
            print("lab: making the root of Debian 13 …", file=sys.stderr, flush=True)
        roots.make("trixie", ROOT, '--aptopt=APT::Install-Recommends "false"')
        sources = ROOT / "etc/apt/sources.list.d/backports.list"
        if not sources.exists():
            (ROOT / "etc/apt/preferences.d/backports").write_text(PREFERENCES)
            sources.write_text(BACKPORTS)
            roots.inside(ROOT, "apt-get", "--quiet", "update")
        roots.install_packages(ROOT, "build", "test", "swift", "debian13")
        roots.inside(ROOT, kernel.HERE / "lab", "prepare", shared=[(PROJECT, "ro"), (FOLDER, "rw")],
                     environment={"OBSCURA_LAB_CACHE": str(FOLDER)})
    return kernel.prepared(FOLDER)


def run(*command):
    """Runs a command in the root, on this machine's kernel; what it writes into the project stays."""
    project, swift = shared()
    roots.inside(ROOT, *command, shared=[(project, "rw"), (swift, "ro")], folder=project,
                 environment={"PATH": f"{swift}/bin:/usr/sbin:/usr/bin:/sbin:/bin"})
