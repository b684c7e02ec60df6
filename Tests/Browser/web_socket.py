# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A minimal WebSocket client (RFC 6455)."""

import base64
import contextlib
import os
import socket
import struct
import threading

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def handshake(port, path, headers=(), timeout=10):
    """Returns a connection after an upgrade request, and the head of the response."""
    wire = socket.create_connection(("127.0.0.1", port), timeout=timeout)
    lines = [
        f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13", *headers
    ]
    wire.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        # One byte at a time: the first frame may follow at once.
        part = wire.recv(1)
        if not part:
            break
        head += part
    return wire, head.decode(errors="replace")


class WebSocket:
    """An open WebSocket. `send` may be called on any thread, `receive` on one."""

    def __init__(self, port, path, headers=()):
        self.wire, head = handshake(port, path, headers)
        if not head.startswith("HTTP/1.1 101"):
            self.wire.close()
            raise AssertionError(f"no WebSocket: {head!r}")
        self.wire.settimeout(None)
        self._sending = threading.Lock()

    def send(self, payload, kind=TEXT):
        length = (bytes([0x80 | len(payload)]) if len(payload) < 126 else bytes([0x80 | 126]) +
                  struct.pack(">H", len(payload)) if len(payload) < 65536 else bytes([0x80 | 127]) +
                  struct.pack(">Q", len(payload)))
        # The standard requires a mask, and zeros are one.
        with self._sending:
            self.wire.sendall(bytes([0x80 | kind]) + length + b"\0\0\0\0" + payload)

    def receive(self):
        """Waits for the next message that is not a ping, and returns its kind and payload. Pings are answered."""
        while True:
            kind, payload = self._message()
            if kind != PING:
                return kind, payload
            self.send(payload, PONG)

    def _message(self):
        kind, message = None, b""
        while True:
            first, length = self._exactly(2)
            if length == 126:
                (length,) = struct.unpack(">H", self._exactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", self._exactly(8))
            payload = self._exactly(length)
            kind = kind or first & 15
            message += payload
            if first & 0x80:
                return kind, message

    def _exactly(self, count):
        data = bytearray()
        while len(data) < count:
            part = self.wire.recv(count - len(data))
            if not part:
                raise ConnectionError("closed")
            data += part
        return bytes(data)

    def shut_down(self):
        """Ends a `receive` on another thread."""
        with contextlib.suppress(OSError):
            self.wire.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.shut_down()
        self.wire.close()
