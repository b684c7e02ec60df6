# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Runs a private session with PipeWire for tests in Swift, until SIGTERM or the end of its parent.

    python3 hold.py FOLDER

Writes FOLDER/session.json when the session is ready: its `environment`, and the path of the program `camera`
(camera.c). Commands in FOLDER/commands, a pipe: `restart` kills PipeWire and its session manager, and starts them again.
"""

import json
import os
import pathlib
import select
import signal
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent))

from session import ROOT, Session  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent / "camera.c"
# What the microphones of the tests play into, and a virtual microphone.
SOUND = """
context.objects = [
    { factory = adapter args = {
        factory.name = support.null-audio-sink node.name = obscura.sink media.class = Audio/Sink
        audio.position = [ FL FR ] } }
    { factory = adapter args = {
        factory.name = support.null-audio-sink node.name = obscura.microphone media.class = Audio/Source/Virtual
        node.description = "Test Microphone" audio.position = [ FL FR ] } }
]
"""


def built_camera():
    """The path of the program, which is built if it is older than its source."""
    program = ROOT / ".build/pipewire/camera"
    if not program.exists() or program.stat().st_mtime < SOURCE.stat().st_mtime:
        program.parent.mkdir(parents=True, exist_ok=True)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libpipewire-0.3"], capture_output=True, text=True,
                               check=True).stdout.split()
        new = program.with_suffix(f".{os.getpid()}")
        subprocess.run(["gcc", "-O2", "-o", new, SOURCE, *flags], check=True)
        # Other runs may build it at the same time.
        new.rename(program)
    return program


def restart(session):
    for program in (session.manager, session.pipewire):
        session.stop(program, signal.SIGKILL)
    session.start_pipewire()


def main(folder):
    parent = os.getppid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    camera = built_camera()
    commands = folder / "commands"
    os.mkfifo(commands)
    # Also for writing, so that it has no end when a writer closes it.
    pipe = os.open(commands, os.O_RDWR | os.O_NONBLOCK)
    with Session() as session:
        session.start_pipewire(SOUND)
        ready = folder / "session.json"
        ready.with_suffix(".new").write_text(json.dumps(
            {"environment": session.environment, "camera": str(camera)}))
        ready.with_suffix(".new").rename(ready)
        while os.getppid() == parent:
            if select.select([pipe], [], [], 1)[0] and b"restart" in os.read(pipe, 4096):
                restart(session)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
