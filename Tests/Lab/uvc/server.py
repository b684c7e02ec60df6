# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The process that has the cameras: one thread, which waits for requests, commands and the times of the frames."""

import selectors
import socket
import time

import camera
import commands

ADDRESS = "/run/lab/uvc"
# The polling interval for the kernel, which does not announce that it has finished, in seconds.
INTERVAL = 0.01


class Server:
    def __init__(self, count, when_ready):
        """`when_ready` is called when the driver has made the nodes of all cameras."""
        self.cameras = [camera.Camera(port, serial=f"LAB{port + 1:04d}") for port in range(count)]
        self._commands = commands.Commands(self)
        self._selector = selectors.DefaultSelector()
        # Conditions, and what is done when they hold.
        self._waiting = [(lambda: all(one.cable.nodes for one in self.cameras), when_ready)]
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(ADDRESS)
        listener.listen()
        self._selector.register(listener, selectors.EVENT_READ, lambda: self._accept(listener))
        for one in self.cameras:
            self.plug(one)

    def run(self):
        while True:
            for key, _ in self._selector.select(self._timeout()):
                key.data()
            now = time.monotonic()
            for one in self.cameras:
                if one.stream.is_running and one.stream.due <= now:
                    self._guard(one, lambda one=one: one.stream.tick(now))
            done = [pair for pair in self._waiting if pair[0]()]
            self._waiting = [pair for pair in self._waiting if pair not in done]
            for _, action in done:
                action()

    def _timeout(self):
        limits = [max(0, one.stream.due - time.monotonic()) for one in self.cameras if one.stream.is_running]
        if self._waiting:
            limits.append(INTERVAL)
        return min(limits, default=None)

    # MARK: Cameras

    def plug(self, one):
        self._selector.register(
            one.plug(), selectors.EVENT_READ, lambda: self._guard(one, one.receive))

    def unplug(self, one):
        if one.cable.is_plugged:
            self._selector.unregister(one.cable.socket)
            one.unplug()

    def _guard(self, one, action):
        """Runs the action. The kernel may end the connection, too."""
        try:
            action()
        except (EOFError, ConnectionError):
            self.unplug(one)

    # MARK: Commands

    def _accept(self, listener):
        connection, _ = listener.accept()
        # A command is short, and its sender does not wait between its parts.
        line = connection.makefile().readline().strip()
        answer = self._commands.run(line)
        if isinstance(answer, commands.Pending):
            self._waiting.append((answer.is_done, lambda: self._reply(connection, answer.text)))
        else:
            self._reply(connection, answer)

    @staticmethod
    def _reply(connection, text):
        with connection:
            try:
                connection.sendall(f"{text}\n".encode())
            except ConnectionError:
                # The sender has not waited for it.
                pass


def tell(line):
    """The answer of the process to a command."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(ADDRESS)
        connection.sendall(f"{line}\n".encode())
        return connection.makefile().read().strip()
