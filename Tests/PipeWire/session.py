# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A user session without a desktop, private to one test: folders, a session bus, PipeWire, the camera portal.

    with Session() as session:
        session.start_pipewire()
        session.start_portal("allow")
        subprocess.run(command, env=session.environment)

Nothing outside the folder of the session is read or written, no device of the machine is used, and every program that
the session started is ended at its end. The D-Bus daemon activates no services: what is not started does not exist.
"""

import itertools
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

from gi.repository import Gio, GLib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "Tests/support"))

import waiting  # noqa: E402
from tool import tool  # noqa: E402, F401

# The length of the log that a failure shows.
LAST_WORDS = 4000

# Without folders of services: nothing is activated.
BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>{kind}</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""

# The configuration of PipeWire's session manager: no devices of the machine. Lua for WirePlumber 0.4, JSON for 0.5.
WIREPLUMBER = {
    "main.lua.d/60-obscura.lua": """
alsa_monitor.enabled = false
v4l2_monitor.enabled = false
libcamera_monitor.enabled = false
device_defaults.properties["use-persistent-storage"] = false
stream_defaults.properties["restore-props"] = false
stream_defaults.properties["restore-target"] = false
""",
    "bluetooth.lua.d/60-obscura.lua": "bluez_monitor.enabled = false\n",
    "wireplumber.conf.d/60-obscura.conf": """
wireplumber.profiles = {
  main = {
    hardware.audio = disabled
    hardware.bluetooth = disabled
    hardware.video-capture = disabled
  }
}
wireplumber.settings = {
  device.restore-profile = false
  device.restore-routes = false
  node.stream.restore-props = false
  node.stream.restore-target = false
}
""",
}

# The desktop `obscura-test`, whose only backend is access_backend.py.
BACKEND = """[portal]
DBusName=org.freedesktop.impl.portal.desktop.obscura
Interfaces=org.freedesktop.impl.portal.Access;org.freedesktop.impl.portal.Lockdown;
UseIn=obscura-test
"""
PORTALS = "[preferred]\ndefault=obscura\n"

PORTAL, PORTAL_PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
STORE, STORE_PATH = "org.freedesktop.impl.portal.PermissionStore", "/org/freedesktop/impl/portal/PermissionStore"
ACCESS = "org.freedesktop.impl.portal.desktop.obscura"


def lacking(*programs):
    """The first of these programs that is not installed, as a reason to skip; None if all are."""
    missing = [name for name in programs if not found(name)]
    return f"{missing[0]} is not installed" if missing else None


def found(name):
    """The path of a program, also of one that users do not start themselves."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/libexec:/usr/lib/x86_64-linux-gnu/libexec")


class Program:
    """A running program of the session, in its own process group, with a log."""

    def __init__(self, name, command, environment, log, **options):
        self.name, self.log = name, log
        options.setdefault("stdin", subprocess.DEVNULL)
        with open(log, "ab") as output:
            self.process = subprocess.Popen(
                [str(word) for word in command], env=environment, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True, **options)

    @property
    def words(self):
        """The end of the log."""
        return self.log.read_text(errors="replace")[-LAST_WORDS:]

    def check(self):
        """Raises AssertionError if the program has ended."""
        if self.process.poll() is not None:
            raise AssertionError(f"{self.name} has ended with {self.process.returncode}:\n{self.words}")

    def wait_for(self, condition, what):
        """The value of the condition, once it is true; fails when the program ends first."""
        def checked():
            if value := condition():
                return value
            self.check()
            return None
        return waiting.wait_until(checked, lambda: f"{what}\n{self.words}")

    def send(self, number):
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)

    def stop(self, number=signal.SIGTERM):
        """Ends the program and its children, and waits for its end."""
        self.send(number)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.send(signal.SIGKILL)
            self.process.wait()
        if self.process.stdin:
            self.process.stdin.close()


def listens(path):
    """Whether a daemon accepts connections at this path, which exists a moment before."""
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0


class Bus:
    """A connection of the test to a bus of the session."""

    def __init__(self, address):
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.connection = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)

    def call(self, destination, path, method, signature="()", *arguments, timeout=waiting.PATIENCE):
        """The results of a method such as `org.freedesktop.DBus.ListNames`; raises GLib.Error."""
        interface, _, member = method.rpartition(".")
        values = GLib.Variant(signature, arguments) if arguments else None
        result = self.connection.call_sync(
            destination, path, interface, member, values, None, Gio.DBusCallFlags.NO_AUTO_START, timeout * 1000, None)
        return result.unpack()

    def owner(self, name):
        """The unique name of the owner of a name; None without an owner."""
        try:
            return self.call("org.freedesktop.DBus", "/", "org.freedesktop.DBus.GetNameOwner", "(s)", name)[0]
        except GLib.Error:
            return None

    def emit(self, path, name, signature, *arguments):
        """Emits a signal such as `org.freedesktop.login1.Manager.PrepareForSleep`."""
        interface, _, member = name.rpartition(".")
        self.connection.emit_signal(None, path, interface, member, GLib.Variant(signature, arguments))
        self.connection.flush_sync(None)

    def close(self):
        self.connection.close_sync(None)


class Session:
    """The folders and the session bus; all else is started when a test asks for it."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="obscura-session-"))
        self.programs = []
        self._instances = itertools.count(1)
        self.runtime = self.folder / "runtime"
        self.data = self.folder / "data"
        self.configuration = self.folder / "configuration"
        for folder in (self.runtime, self.data, self.configuration, self.folder / "home", self.folder / "portals"):
            folder.mkdir(mode=0o700)
        kept = {name: value for name, value in os.environ.items() if name not in (
            "DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_ID", "SNAP", "PIPEWIRE_REMOTE", "PIPEWIRE_RUNTIME_DIR",
            "DBUS_SYSTEM_BUS_ADDRESS")}
        self.environment = {
            **kept, "HOME": str(self.folder / "home"), "XDG_RUNTIME_DIR": str(self.runtime),
            "XDG_CONFIG_HOME": str(self.configuration), "XDG_DATA_HOME": str(self.data),
            "XDG_STATE_HOME": str(self.folder / "state"), "XDG_CACHE_HOME": str(self.folder / "cache"),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={self.runtime}/bus",
            # None, rather than that of the machine.
            "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={self.runtime}/system-bus",
            "XDG_DESKTOP_PORTAL_DIR": str(self.folder / "portals"), "XDG_CURRENT_DESKTOP": "obscura-test",
            # GLib would ask the session manager of the desktop, and the portal would ask GVfs.
            "GIO_USE_VFS": "local", "GSETTINGS_BACKEND": "memory",
        }

    def __enter__(self):
        try:
            self.bus = self._start_bus("session", self.runtime / "bus")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for program in reversed(self.programs):
            program.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    # MARK: Programs

    def start(self, name, command, environment=None, **options):
        """Starts a program of the session; it is ended with the session."""
        log = self.folder / f"{name.replace('/', '-')}.log"
        program = Program(name, command, {**self.environment, **(environment or {})}, log, **options)
        self.programs.append(program)
        return program

    def stop(self, program, number=signal.SIGTERM):
        """Ends a program before the end of the session."""
        program.stop(number)
        self.programs.remove(program)

    def write(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def _start_bus(self, kind, place):
        file = self.folder / f"{kind}.conf"
        file.write_text(BUS.format(kind=kind, socket=place))
        daemon = self.start(f"dbus-{kind}", ["dbus-daemon", f"--config-file={file}", "--nofork", "--nopidfile"])
        daemon.wait_for(lambda: listens(place), f"the {kind} bus listens")
        return Bus(f"unix:path={place}")

    def start_system_bus(self):
        """Starts a private system bus, and returns a connection to it."""
        return self._start_bus("system", self.runtime / "system-bus")

    def wait_for_name(self, program, name, bus=None):
        """Waits until the program owns a name of the bus."""
        program.wait_for(lambda: (bus or self.bus).owner(name), f"{name} has an owner")

    # MARK: PipeWire

    def start_pipewire(self, configuration="", manager=True):
        """Starts PipeWire, with lines that are added to its configuration, and its session manager."""
        if configuration:
            self.write(self.configuration / "pipewire/pipewire.conf.d/50-obscura.conf", configuration)
        place = self.runtime / "pipewire-0"
        # A daemon that was killed leaves it, and the session manager would not find the new daemon.
        place.unlink(missing_ok=True)
        self.pipewire = self.start("pipewire", ["pipewire"])
        self.pipewire.wait_for(lambda: listens(place), "PipeWire listens")
        if manager:
            self.start_manager()
        return self.pipewire

    def start_manager(self):
        """Starts WirePlumber, and waits until PipeWire knows it."""
        for name, text in WIREPLUMBER.items():
            self.write(self.configuration / "wireplumber" / name, text)
        self.manager = self.start("wireplumber", ["wireplumber"])
        self.manager.wait_for(lambda: "WirePlumber" in self.run(["pw-cli", "ls", "Client"]), "WirePlumber runs")
        return self.manager

    def run(self, command, timeout=waiting.PATIENCE):
        """The output of a program of the session."""
        return subprocess.run([str(word) for word in command], env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=timeout, check=False).stdout

    # MARK: The portal

    def start_store(self):
        """Starts the permission store."""
        store = self.start("store", [found("xdg-permission-store")])
        self.wait_for_name(store, STORE)
        return store

    def start_portal(self, answer="allow", lockdown=False):
        """Starts the portal, with a backend that answers each dialog with `answer`; see access_backend.py."""
        self.start_store()
        self.write(self.folder / "portals/obscura.portal", BACKEND)
        self.write(self.configuration / "xdg-desktop-portal/portals.conf", PORTALS)
        self.backend = self.start("backend", [sys.executable, "-B", HERE / "access_backend.py", answer,
                                              *(["--lockdown"] if lockdown else [])])
        self.wait_for_name(self.backend, ACCESS)
        self.portal = self.start("portal", [found("xdg-desktop-portal"), "-v"])
        self.wait_for_name(self.portal, PORTAL)
        return self.portal

    def portal_has(self, interface):
        """Whether the portal has an interface."""
        text, = self.bus.call(PORTAL, PORTAL_PATH, "org.freedesktop.DBus.Introspectable.Introspect")
        return f'"{interface}"' in text

    def watch_calls(self, interface):
        """Watches the session bus. Returns a function for the calls of an interface so far: the name of the method, and
        `method return` or `error`; only those with an answer.
        """
        monitor = self.start("monitor", ["dbus-monitor", "--address", self.environment["DBUS_SESSION_BUS_ADDRESS"]])
        monitor.wait_for(lambda: "member=NameLost" in monitor.words, "the bus is watched")

        def calls():
            lines = monitor.log.read_text(errors="replace").splitlines()
            methods = {}
            for line in lines:
                if f"interface={interface};" in line and line.startswith("method call"):
                    sender, serial, member = re.search(r"sender=(\S+) .*serial=(\d+) .*member=(\w+)", line).groups()
                    methods[sender, serial] = member
            answers = (re.search(r"^(method return|error) .*destination=(\S+) .*reply_serial=(\d+)", line) for line in lines)
            return [(methods[answer[2], answer[3]], answer[1])
                    for answer in answers if answer and (answer[2], answer[3]) in methods]
        return calls

    def answer(self, answer):
        """Sets the answer of the next dialogs; a dialog that is open stays so."""
        self.bus.call(ACCESS, PORTAL_PATH, "org.obscura.Test.SetAnswer", "(s)", answer)

    def answer_open(self, answer):
        """Answers the dialogs that are open."""
        self.bus.call(ACCESS, PORTAL_PATH, "org.obscura.Test.AnswerOpen", "(s)", answer)

    @property
    def dialogs(self):
        """The numbers of dialogs that were shown, that are open, and that were closed by their requester."""
        return self.bus.call(ACCESS, PORTAL_PATH, "org.obscura.Test.Count")[0]

    @property
    def stored(self):
        """The stored decisions about cameras, by application; the host programs are one, with an empty name."""
        try:
            entries, _ = self.bus.call(STORE, STORE_PATH, f"{STORE}.Lookup", "(ss)", "devices", "camera")
        except GLib.Error:
            return {}
        return {application: words[0] for application, words in entries.items()}

    def store(self, decision, application=""):
        """Stores a decision about cameras: `yes`, `no` or `ask`."""
        self.bus.call(STORE, STORE_PATH, f"{STORE}.SetPermission", "(sbssas)", "devices", True, "camera", application,
                      [decision])

    def in_sandbox(self, application, command):
        """The command, run so that the portal takes it for a Flatpak application.

        Its root is in memory, with the folders of this machine and a file /.flatpak-info. Never `--dev-bind / /`:
        that would create the file on this machine.
        """
        instance = next(self._instances)
        info = self.folder / f"flatpak-info-{instance}"
        info.write_text(
            f"[Application]\nname={application}\n[Instance]\ninstance-id={instance}\nflatpak-version=1.14.0\n")
        # The portal reads there which process is the first of the sandbox.
        process = self.runtime / f".flatpak/{instance}/bwrapinfo.json"
        process.parent.mkdir(parents=True)
        words = ["sh", "-c", 'exec 3>"$0"; exec "$@"', process, "bwrap", "--info-fd", "3", "--tmpfs", "/"]
        for entry in sorted(pathlib.Path("/").iterdir()):
            if entry.is_symlink():
                words += ["--symlink", os.readlink(entry), entry]
            elif entry.is_dir():
                words += ["--dev-bind", entry, entry]
        return [*words, "--ro-bind", info, "/.flatpak-info", "--", *command]
