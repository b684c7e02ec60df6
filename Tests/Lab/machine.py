# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""One boot of the guest, for one command.

The host and the guest share one folder, the job: the host leaves the command and the settings there, the guest
writes the command's output, its files and finally its status. The console of the kernel goes into a separate
file, so no output of the command can be mistaken for a status.
"""

import contextlib
import dataclasses
import fcntl
import gzip
import os
import pathlib
import pwd
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile
import time

import kernel

GUEST = kernel.HERE / "guest"
# A user and group that the host does not have; above Debian's range for users.
NOBODY = 59999
# The unprivileged user: the caller, as whom QEMU creates files, or this one for root.
USER = os.getuid() or NOBODY
# Disables the kernel's cryptography self-tests, which are a third of the instructions until the command begins.
QUICKER = "cryptomgr.notests"
# Disables the kernel's timer test, which waits some milliseconds for four ticks and panics without them: a guest that
# gets no CPU time at that moment sees too few.
PATIENT = "no_timer_check"
# The time limit until the command begins, in seconds: measured 3 to 10.
BOOT_LIMIT = 180
# The polling interval of the guest's files, in seconds.
INTERVAL = 0.02


class Lost(Exception):
    """The guest ended, or had to be ended, without a status of the command."""


@dataclasses.dataclass
class Job:
    command: list
    as_user: bool = False
    modules: list = dataclasses.field(default_factory=list)
    # Commands that run before it, as root in any case.
    before: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)
    # The host's ends of its network interfaces.
    networks: list = dataclasses.field(default_factory=list)
    # The files that the guest sees as its own, and folders of the host that it sees at their own paths beside them.
    files: pathlib.Path = pathlib.Path("/")
    shared: list = dataclasses.field(default_factory=list)
    processors: int = 2
    memory: int = 2048
    counts_instructions: bool = False
    timeout: float = 600
    out: pathlib.Path | None = None
    console: pathlib.Path | None = None


def environment(job):
    """The minimal environment of the command, so that it is the same on every machine."""
    values = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "LANG", "LC_ALL", "TZ") if name in os.environ}
    folders = os.environ.get("PATH", "").split(":") + ["/usr/sbin", "/usr/bin", "/sbin", "/bin"]
    user = user_name() if job.as_user else "root"
    values |= {
        "PATH": ":".join(dict.fromkeys(filter(None, folders))),
        "HOME": "/run/lab/home", "USER": user, "LOGNAME": user,
        "OBSCURA_LAB": "1", "OBSCURA_LAB_OUT": "/run/lab/out",
    }
    return values | job.environment


def user_name():
    try:
        return pwd.getpwuid(USER).pw_name
    except KeyError:
        return "lab"


def shell_line(job):
    words = []
    if job.as_user:
        words += ["setpriv", f"--reuid={USER}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all"]
    words += ["env", "-i"] + [f"{name}={value}" for name, value in environment(job).items()] + job.command
    return f"cd {shlex.quote(os.getcwd())} && exec {shlex.join(words)}\n"


def closed_folders(job):
    """The folders above the command, its libraries and the tools that only their owner may enter."""
    program = shutil.which(job.command[0]) or job.command[0]
    places = [os.getcwd(), os.path.dirname(program), os.path.dirname(os.path.realpath(program))]
    places += os.environ.get("PATH", "").split(":") + os.environ.get("LD_LIBRARY_PATH", "").split(":")
    paths = {path for place in places if place for path in (os.path.abspath(place), os.path.realpath(place))}
    folders = {folder for path in paths for folder in (pathlib.Path(path), *pathlib.Path(path).parents)}
    return sorted(str(folder) for folder in folders if is_closed(folder))


def is_closed(folder):
    try:
        mode = folder.stat().st_mode
    except OSError:
        # It does not exist, or is closed to the caller too.
        return False
    return stat.S_ISDIR(mode) and not mode & stat.S_IXOTH


def modules(job, entry):
    """The folder of the kernel's modules, as the guest's first process reaches it."""
    folder = (entry / "modules").resolve()
    return f"/shared{folder}" if job.shared else f"/host{folder}"


def settings(job, entry):
    values = {
        "MODULES": str(modules(job, entry)),
        "LAB_USER": str(USER),
        "LAB_GROUP": str(NOBODY),
        "RUN_AS": f"{USER}:{NOBODY}" if job.as_user else "0:0",
    }
    return "".join(f"{name}={shlex.quote(value)}\n" for name, value in values.items())


def initrd(entry, work):
    """The prepared archive, followed by one of the guest's scripts: the kernel unpacks both."""
    folder = work / "guest"
    shutil.copytree(GUEST, folder)
    scripts = work / "guest.cpio"
    kernel.pack(folder, scripts)
    target = work / "initrd"
    target.write_bytes(gzip.decompress((entry / "initramfs.gz").read_bytes()) + scripts.read_bytes())
    return target


def processors(job):
    if job.counts_instructions:
        # One processor: with two, QEMU 7.2 hangs at the start of the second. Without sleeping, idle time is
        # skipped.
        return ["-accel", "tcg", "-icount", "shift=0,sleep=off", "-smp", "1"]
    return ["-accel", "tcg", "-smp", str(job.processors)]


def networks(job):
    words = []
    for name in job.networks:
        # The guest does not boot from the network, so it needs no boot ROM.
        words += ["-netdev", f"tap,id={name},ifname={name},script=no,downscript=no",
                  "-device", f"virtio-net-pci,netdev={name},romfile="]
    return words


def qemu(job, entry, work):
    def share(path, tag, options):
        path = str(path).replace(",", ",,")
        return ["-virtfs", f"local,path={path},mount_tag={tag},security_model=none,multidevs=remap{options}"]

    shares = share(job.files, "host", ",readonly=on")
    if job.shared:
        shares += share("/", "shared", ",readonly=on")
    return [
        # If this script is killed, so is the guest.
        "setpriv", "--pdeathsig", "KILL",
        "qemu-system-x86_64", "-M", "q35", *processors(job), "-cpu", "max", "-m", str(job.memory),
        "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
        "-kernel", str(entry / "kernel"), "-initrd", str(initrd(entry, work)),
        "-append", f"console=ttyS0 loglevel=5 panic=-1 {QUICKER} {PATIENT}",
        "-serial", f"file:{work / 'console.log'}",
        *shares, *share(work / "job", "job", ""), *networks(job),
    ]


def prepare_job(job, entry, work):
    folder = work / "job"
    files = folder / "files"
    files.mkdir(parents=True)
    # Only the owner of `work` can access it on the host; in the guest the unprivileged user writes here.
    files.chmod(0o777)
    (folder / "command").write_text(shell_line(job))
    (folder / "settings").write_text(settings(job, entry))
    closed = closed_folders(job) if job.as_user else []
    (folder / "closed-folders").write_text("".join(f"{path}\n" for path in closed))
    (folder / "before").write_text("".join(f"{shlex.join(map(str, words))}\n" for words in job.before))
    (folder / "modules").write_text("".join(f"{module}\n" for module in job.modules))
    (folder / "shared").write_text("".join(f"{path}\n" for path in job.shared))


class Output:
    """The command's output in the guest, passed on as it is written."""

    def __init__(self, path):
        self.path = path
        self.file = None

    @property
    def has_begun(self):
        return self.file is not None

    def pass_on(self):
        if self.file is None:
            try:
                self.file = open(self.path, "rb")
            except FileNotFoundError:
                return
        while part := self.file.read(1 << 16):
            sys.stdout.buffer.write(part)
        sys.stdout.buffer.flush()


def number(status):
    if not status.isdecimal() or int(status) > 255:
        raise Lost(f"the guest left `{status}` in place of a status")
    return int(status)


def wait(job, machine, work):
    """Waits for the status of the command, and returns it."""
    output = Output(work / "job/output")
    status = work / "job/status"
    begin = time.monotonic()
    while True:
        # In this order, so that all output before the end is read.
        has_ended = machine.poll() is not None
        has_status = status.exists()
        output.pass_on()
        if has_status:
            return number(status.read_text().strip())
        if has_ended:
            raise Lost(f"the guest ended without a status of the command (QEMU's is {machine.returncode})")
        took = time.monotonic() - begin
        if took > job.timeout:
            raise Lost(f"the guest was ended: it ran past its time limit of {job.timeout:g} s")
        if took > BOOT_LIMIT and not output.has_begun:
            raise Lost(f"the guest was ended: it had not begun the command after {BOOT_LIMIT} s")
        with contextlib.suppress(subprocess.TimeoutExpired):
            machine.wait(INTERVAL)


def take_back(work, job):
    if job.out:
        shutil.copytree(work / "job/files", job.out, symlinks=True, dirs_exist_ok=True)
    if job.console and (work / "console.log").exists():
        shutil.copyfile(work / "console.log", job.console)


def last_words(work):
    words = ""
    for name in ("qemu.log", "console.log"):
        with_ends = (work / name).read_text(errors="replace") if (work / name).exists() else ""
        words += "".join(f"    {line}\n" for line in with_ends.splitlines()[-60:])
    return words or "    nothing\n"


def run(job, entry):
    """Boots the guest, runs the command and returns its exit status."""
    with tempfile.TemporaryDirectory(prefix="obscura-lab-") as folder, \
            kernel.locked(entry / "in-use", fcntl.LOCK_SH):
        work = pathlib.Path(folder)
        prepare_job(job, entry, work)
        with open(work / "qemu.log", "wb") as log:
            machine = subprocess.Popen(
                qemu(job, entry, work), stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            return wait(job, machine, work)
        except Lost as error:
            raise Lost(f"{error}; the end of its console:\n{last_words(work)}") from None
        finally:
            machine.kill()
            machine.wait()
            take_back(work, job)
