# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The cable: USB/IP messages over a socket pair whose other end the kernel's virtual host controller has (vhci-hcd)."""

import dataclasses
import glob
import os
import socket
import struct

HOST = "/sys/devices/platform/vhci_hcd.0"
HIGH_SPEED = 3
# The state of a port that nothing is attached to.
FREE = 4
SUBMIT, UNLINK, SUBMITTED, UNLINKED = 1, 2, 3, 4
HEADER_LENGTH = 48
# Statuses of a transfer.
OK, STALLED, RESET = 0, -32, -104
BUFFER = 1 << 20


@dataclasses.dataclass
class Transfer:
    """A request of the host (URB)."""

    sequence: int
    is_in: bool
    endpoint: int
    # The number of bytes, or of those that the host accepts.
    length: int
    setup: bytes
    data: bytes = b""


class Cable:
    """One port. The kernel enumerates the camera while its requests are answered, so nothing here waits for it."""

    def __init__(self, port):
        self.port = port
        self.socket = None
        self._received = bytearray()

    @property
    def is_plugged(self):
        return self.socket is not None

    @property
    def is_free(self):
        """Whether the kernel has removed the former camera. It does so after the end of the connection."""
        with open(f"{HOST}/status") as file:
            rows = [line.split() for line in file.read().splitlines()[1:]]
        state = next(int(row[2]) for row in rows if int(row[1]) == self.port)
        return state == FREE and not self._folders

    @property
    def _folders(self):
        return glob.glob(f"{HOST}/usb*/*-{self.port + 1}")

    @property
    def nodes(self):
        """The names of the camera's nodes; empty until the driver has finished."""
        interfaces = [f"{folder}/{os.path.basename(folder)}:1.0" for folder in self._folders]
        # It registers the media device last.
        if not any(glob.glob(f"{interface}/media*") for interface in interfaces):
            return []
        found = [glob.glob(f"{interface}/video4linux/video*") for interface in interfaces]
        return sorted(os.path.basename(path) for paths in found for path in paths)

    def plug(self):
        """Returns the socket of the new connection."""
        self._received.clear()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        with theirs, open(f"{HOST}/attach", "w") as file:
            # The third number identifies the device to a USB/IP server.
            file.write(f"{self.port} {theirs.fileno()} {self.port + 1} {HIGH_SPEED}")
        self.socket = ours
        return ours

    def unplug(self):
        if self.socket:
            self.socket.close()
            self.socket = None

    def receive(self):
        """Yields the requests that have arrived: a transfer, or the sequence number of one to be withdrawn with its own.

        Raises EOFError if the kernel has ended the connection.
        """
        part = self.socket.recv(1 << 16)
        if not part:
            raise EOFError
        self._received += part
        while len(self._received) >= HEADER_LENGTH:
            command, sequence, _, direction, endpoint = struct.unpack_from(">5I", self._received)
            if command == UNLINK:
                victim, = struct.unpack_from(">I", self._received, 20)
                del self._received[:HEADER_LENGTH]
                yield sequence, victim
                continue
            length, = struct.unpack_from(">I", self._received, 24)
            end = HEADER_LENGTH + (0 if direction else length)
            if len(self._received) < end:
                return
            transfer = Transfer(
                sequence, bool(direction), endpoint, length, bytes(self._received[40:48]),
                bytes(self._received[HEADER_LENGTH:end]))
            del self._received[:end]
            yield transfer

    def answer(self, transfer, data=b"", status=OK):
        length = len(data) if transfer.is_in else transfer.length
        if status != OK:
            data, length = b"", 0
        self._send(struct.pack(">5IiI16x4x", SUBMITTED, transfer.sequence, 0, 0, 0, status, length) + data)

    def answer_withdrawal(self, sequence, was_pending):
        self._send(struct.pack(">5Ii24x", UNLINKED, sequence, 0, 0, 0, RESET if was_pending else OK))

    def _send(self, message):
        if self.socket:
            self.socket.sendall(message)
