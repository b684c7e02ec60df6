# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The guest's kernel: Debian's own, unpacked into a cache, never installed.

A cache entry has `kernel`, `modules/` (the tree of /lib/modules/RELEASE, v4l2loopback in it), `initramfs.gz`
(busybox and the modules that reach the host's files) and `about.json`.
"""

import contextlib
import fcntl
import gzip
import hashlib
import json
import lzma
import os
import pathlib
import platform
import re
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("OBSCURA_LAB_CACHE") or HERE.parent.parent / ".build/lab").absolute()

# With these the guest reaches the host's files, and with them all other modules.
FIRST_MODULES = ["virtio_pci", "9pnet_virtio", "9p", "overlay"]
# Proves that the packages hold what the tests load.
NEEDED_MODULES = ["vivid", "snd-aloop", "v4l2loopback", "vhci-hcd", "uvcvideo"]
FOLDERS = ["bin", "dev", "etc", "host", "job", "modules", "proc", "shared", "sys", "system", "upper"]


class Unavailable(Exception):
    """This system has no packages of such a kernel."""


class Failure(Exception):
    """Something that should have worked did not."""


def run(*command, **options):
    """The standard output of a command that must succeed."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", **options)
    except FileNotFoundError as error:
        raise Failure(f"there is no {command[0]}; scripts/install-packages test installs it") from error
    if done.returncode != 0:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise Failure(f"{' '.join(map(str, command))} failed with status {done.returncode}:\n{said}")
    return done.stdout


# MARK: Packages

def dependencies(*names):
    """The packages on which these depend; none of those that apt does not know."""
    try:
        said = run("apt-cache", "depends", "--important", *names)
    except Failure:
        return []
    return re.findall(r"^ +Depends: ([\w.+-]+)$", said, re.MULTILINE)


def first(names, pattern):
    return next((name for name in names if re.fullmatch(pattern, name)), None)


def packages():
    """The packages of the newest kernel, by what they are for: name and version."""
    newest = dependencies("linux-image-amd64", "linux-headers-amd64")
    image, headers = first(newest, r"linux-image-\d.*"), first(newest, r"linux-headers-\d.*")
    if not image or not headers:
        return None
    built_with = dependencies(headers)
    names = {
        "image": image,
        "headers": headers,
        "common": first(built_with, r"linux-headers-.*-common"),
        "kbuild": first(built_with, r"linux-kbuild-.*"),
        "loopback": "v4l2loopback-dkms",
    }
    if None in names.values():
        raise Failure(f"{headers} depends on unknown packages: {', '.join(built_with)}")
    said = run("apt-cache", "policy", *names.values())
    versions = dict(re.findall(r"^(\S+):\n.*\n +Candidate: (\S+)$", said, re.MULTILINE))
    for name in names.values():
        if versions.get(name, "(none)") == "(none)":
            raise Failure(f"apt knows no package {name}")
    return {use: [name, versions[name]] for use, name in names.items()}


def update_lists():
    print("lab: updating the lists of packages (apt-get update) …", file=sys.stderr, flush=True)
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    run(*as_root, "apt-get", "--quiet", "update")


def wanted_packages():
    if platform.machine() != "x86_64":
        raise Unavailable(f"its kernel is Debian's for x86_64, and this machine is {platform.machine()}")
    if not shutil.which("apt-cache"):
        raise Unavailable("its kernel comes out of Debian's packages, and this system has no apt")
    found = packages()
    if found is None:
        update_lists()
        found = packages()
    if found is None:
        raise Unavailable("its kernel comes out of Debian's package linux-image-amd64, which apt does not know here")
    return found


def download(wanted, folder):
    command = ["apt-get", "--quiet", "-o", "APT::Sandbox::User=root", "download"]
    command += [f"{name}={version}" for name, version in wanted.values()]
    try:
        run(*command, cwd=folder)
    except Failure:
        # Lists that are older than the mirror name files that are gone.
        update_lists()
        run(*command, cwd=folder)


# MARK: Building

def build_loopback(root, release, modules):
    """v4l2loopback is no part of Debian's kernel: its module is built for it, out of tree."""
    headers = root / "usr/src" / f"linux-headers-{release}"
    makefile = headers / "Makefile"
    makefile.write_text(makefile.read_text().replace("/usr/src/", f"{root}/usr/src/"))
    sources = next((root / "usr/src").glob("v4l2loopback-*"))
    # Without the type information, for which the packages lack a program.
    run("make", "-C", headers, f"M={sources}", "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules")
    target = modules / "updates/dkms"
    target.mkdir(parents=True)
    shutil.move(sources / "v4l2loopback.ko", target)


def pack(folder, target):
    """The folder as an archive that the kernel unpacks."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))
    done = subprocess.run(
        ["cpio", "--create", "--format=newc", "--quiet", "--owner=0:0"], cwd=folder, input="\n".join(names).encode(),
        stdout=subprocess.PIPE, check=True)
    target.write_bytes(done.stdout)


def unpack_kernel(image):
    """The kernel as QEMU starts it at once: it takes the emulated processor 3 s to unpack itself."""
    data = image.read_bytes()
    # Of the x86 boot protocol: how many sectors the part in front has, and where the payload lies behind it.
    sectors = data[0x1F1] or 4
    offset, length = struct.unpack_from("<II", data, 0x248)
    begin = (sectors + 1) * 512 + offset
    try:
        unpacked = lzma.LZMADecompressor().decompress(data[begin:begin + length])
    except lzma.LZMAError:
        # Kernels of Debian 13 are compressed by another method, which Python 3.13 does not know.
        unpacked = b""
    return unpacked if unpacked.startswith(b"\x7fELF") else data


def copy_module(path, folder):
    """Copies a module for the guest's initial `insmod`, which knows no compression; returns its name."""
    path = pathlib.Path(path)
    if path.suffix != ".xz":
        shutil.copy(path, folder)
        return path.name
    (folder / path.stem).write_bytes(lzma.decompress(path.read_bytes()))
    return path.stem


def build_initramfs(root, release, work, target):
    folder = work / "initramfs"
    for name in FOLDERS:
        (folder / name).mkdir(parents=True)
    busybox = shutil.which("busybox")
    if not busybox:
        raise Failure("there is no busybox; scripts/install-packages test installs busybox-static")
    shutil.copy(busybox, folder / "bin/busybox")
    order = []
    for module in FIRST_MODULES + NEEDED_MODULES:
        said = run("modprobe", "-d", root, "-S", release, "--show-depends", module)
        if module in NEEDED_MODULES:
            continue
        for path in re.findall(r"^insmod (\S+)", said, re.MULTILINE):
            name = copy_module(path, folder / "modules")
            if name not in order:
                order.append(name)
    (folder / "modules/order").write_text("".join(f"{name}\n" for name in order))
    archive = work / "initramfs.cpio"
    pack(folder, archive)
    target.write_bytes(gzip.compress(archive.read_bytes(), compresslevel=6, mtime=0))


def build(wanted, target):
    """Fills the folder `target`, which is moved to its place only when it is whole."""
    work = target / "work"
    root = work / "root"
    root.mkdir(parents=True)
    download(wanted, work)
    for package in sorted(work.glob("*.deb")):
        run("dpkg", "-x", package, root)
    if not (root / "lib").exists():
        # Packages since Debian 13 have no files in /lib.
        (root / "lib").symlink_to("usr/lib")
    image = next((root / "boot").glob("vmlinuz-*"))
    release = image.name.removeprefix("vmlinuz-")
    modules = root / "lib/modules" / release
    if not modules.is_dir():
        raise Failure(f"the package {wanted['image'][0]} has no modules of {release}")
    build_loopback(root, release, modules)
    run("depmod", "-b", root, release)
    build_initramfs(root, release, work, target / "initramfs.gz")
    (target / "kernel").write_bytes(unpack_kernel(image))
    shutil.move(modules, target / "modules")
    shutil.rmtree(work)
    about = {"release": release, "version": wanted["image"][1], "packages": wanted, "scripts": scripts()}
    (target / "about.json").write_text(json.dumps(about, indent=2) + "\n")


# MARK: The cache

def scripts():
    """What the cache is built by. The guest's own scripts are packed anew at each boot."""
    return hashlib.sha256(pathlib.Path(__file__).read_bytes()).hexdigest()


@contextlib.contextmanager
def locked(path, kind):
    with open(path, "a") as file:
        fcntl.flock(file, kind)
        yield


def remove_others(kept):
    """Entries that no guest uses any more."""
    for entry in CACHE.glob("kernel-*"):
        if entry == kept:
            continue
        with contextlib.suppress(OSError), locked(entry / "in-use", fcntl.LOCK_EX | fcntl.LOCK_NB):
            shutil.rmtree(entry)
    for broken in CACHE.glob("making-*"):
        shutil.rmtree(broken, ignore_errors=True)


def prepared(cache=CACHE):
    """The cache entry in use if these scripts made it, else None. Asks apt nothing."""
    current = cache / "current"
    try:
        entry = current.resolve(strict=True)
        about = json.loads((entry / "about.json").read_text())
    except (OSError, ValueError):
        return None
    return entry if about.get("scripts") == scripts() else None


def prepare():
    """The entry of the newest kernel, built if it is not there yet."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with locked(CACHE / "lock", fcntl.LOCK_EX):
        wanted = wanted_packages()
        busybox = run("dpkg-query", "--show", "busybox-static")
        key = hashlib.sha256(json.dumps([wanted, busybox, scripts()]).encode()).hexdigest()[:16]
        entry = CACHE / f"kernel-{key}"
        if not entry.is_dir():
            print(f"lab: fetching and building {wanted['image'][0]} …", file=sys.stderr, flush=True)
            making = pathlib.Path(tempfile.mkdtemp(prefix="making-", dir=CACHE))
            try:
                build(wanted, making)
                making.chmod(0o755)
                making.rename(entry)
            finally:
                shutil.rmtree(making, ignore_errors=True)
        link = CACHE / "current.new"
        link.unlink(missing_ok=True)
        link.symlink_to(entry.name)
        link.rename(CACHE / "current")
        remove_others(entry)
        return entry


def version():
    entry = prepared()
    if entry is None:
        raise Failure("no kernel is prepared; `Tests/Lab/lab prepare` does it")
    about = json.loads((entry / "about.json").read_text())
    return f"Linux {about['release']} ({about['version']})"
