# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The built-in camera or another source, sent by `obscura broadcast`, and the events and statistics that it prints."""

import json
import pathlib
import signal
import subprocess
import tempfile
import threading

import pattern
import processes

SIZE = (640, 360)
RATE = 30


class ObscuraSender:
    """Sends to these addresses until it is stopped, and keeps its JSON output."""

    command = "broadcast"

    def __init__(self, *addresses, source=None, size=SIZE, rate=RATE, options=(), namespace=None, before=()):
        """`before` is a command that runs it, such as prlimit with its options. `source` is sent in place of the built-in
        camera."""
        self.before = before
        self.source = source or f"pattern:{size[0]}x{size[1]}@{rate}"
        self.addresses, self.size, self.rate = addresses, size, rate
        self.options, self.namespace = options, namespace
        self.lines = []

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="obscura-sender-")
        self.folder = pathlib.Path(self._folder.name)
        command = [*self.before, processes.tool(), self.command, self.source, "--json", *self.options]
        for address in self.addresses:
            command += ["--to", address]
        self.program = processes.Program("obscura", command, self.folder, self.namespace, stdout=subprocess.PIPE,
                                         bufsize=0)
        self.program.start()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        return self

    def _read(self):
        with self.program.process.stdout as pipe:
            for line in pipe:
                self.lines.append(json.loads(line))

    def stop(self):
        """Ends it as Ctrl-C does. Returns its exit code, which is 130 then; afterwards its output is complete."""
        code = self.program.stop(signal.SIGINT, timeout=processes.PATIENCE)
        self._thread.join()
        return code

    def wait(self, timeout=processes.PATIENCE):
        """Waits until it ends by itself, and returns its exit code."""
        code = self.program.wait(timeout)
        self._thread.join()
        return code

    # MARK: Events and statistics

    def events(self, kind):
        """All events of one kind, in order."""
        return [line for line in list(self.lines) if line["event"] == kind]

    def wait_for_event(self, kind, count=1):

        def is_there():
            if not self.program.is_running:
                # Its last lines may not have been read.
                self._thread.join()
            return len(self.events(kind)) >= count

        self.program.wait_until(is_there, f"{count} times {kind}")
        return self.events(kind)[count - 1]

    @property
    def statistics(self):
        """The newest statistics; None before the first."""
        return next(iter(reversed(self.events("statistics"))), None)

    def destination(self, index=0):
        return self.statistics["destinations"][index]

    @property
    def viewers(self):
        """The number of viewers of the RTSP server, by the newest statistics; None until it listens."""
        return self.destination().get("viewers")

    @property
    def not_encoded(self):
        """The number of frames that were not encoded, by the statistics: on a busy machine the camera, the broadcast
        and the encoder drop some. Waits for statistics from now, because the last ones can be older than what was seen."""
        count = len(self.events("statistics"))

        def are_newer():
            if self.program.is_running:
                return len(self.events("statistics")) > count
            # Its last lines may not have been read.
            self._thread.join()
            return True

        self.program.wait_until(are_newer, "new statistics")
        camera = self.statistics["camera"]
        return camera["lostFrames"] + camera["droppedFrames"] + self.statistics["lateFrames"]

    def unsent(self, index=0):
        """The number of frames that a destination did not get, by the statistics."""
        return self.not_encoded + self.destination(index)["droppedFrames"]

    @property
    def retries(self):
        """The delays before each next attempt to connect, in seconds and in order."""
        return [event["retryAfter"] for event in self.events("waiting")]

    @property
    def schedule(self):
        """The first frame of a camera has the number 0, and the broadcast begins with it."""
        self.program.wait_until(lambda: self.statistics and self.statistics.get("startTime"), "its first picture")
        return pattern.Schedule.of_stamp(self.statistics["startTime"], 0, self.rate)

    def __exit__(self, kind, error, trace):
        self.program.stop(signal.SIGINT)
        if error is not None:
            error.add_note(f"--- obscura said last: {self.lines[-5:]}")
            self.program.described(error)
        self._folder.cleanup()
