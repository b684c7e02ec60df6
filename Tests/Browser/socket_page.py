# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A page without a browser: the Studio's WebSocket, as small as the tests need it (RFC 6455)."""

import base64
import contextlib
import json
import os
import socket
import struct
import threading
import time

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
HEADER = struct.Struct("<BBHIQHHI")


def handshake(server, headers=(), path="/ws"):
    """A socket on which a WebSocket was asked for, and the head of the answer."""
    wire = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    lines = [
        f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", "Upgrade: websocket", "Connection: Upgrade",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}", "Sec-WebSocket-Version: 13", *headers
    ]
    wire.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        part = wire.recv(1)
        if not part:
            break
        head += part
    return wire, head.decode(errors="replace")


class SocketPage:
    """Watches tiles and says of each picture that it was drawn, on a thread of its own."""

    def __init__(self, server, acknowledges=True):
        self.acknowledges = acknowledges
        self.messages = []
        # (tile, sequence, time of capture, width, height, age, bytes of the picture), the last thousand.
        self.records = []
        self.count = 0
        self.wire, head = handshake(server, [f"Origin: {server.origin}", f"Cookie: {server.cookie}"])
        if not head.startswith("HTTP/1.1 101"):
            self.wire.close()
            raise AssertionError(f"no WebSocket: {head!r}")
        self.wire.settimeout(None)
        self.is_open = True
        self._sending = threading.Lock()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def send(self, payload, kind=TEXT):
        payload = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        length = (bytes([0x80 | len(payload)]) if len(payload) < 126 else bytes([0x80 | 126]) +
                  struct.pack(">H", len(payload)) if len(payload) < 65536 else bytes([0x80 | 127]) +
                  struct.pack(">Q", len(payload)))
        # A mask of zeros is a mask.
        with self._sending:
            self.wire.sendall(bytes([0x80 | kind]) + length + b"\0\0\0\0" + payload)

    def watch(self, *tiles):
        self.send({"type": "watch", "tiles": list(tiles)})

    def _exactly(self, count):
        data = bytearray()
        while len(data) < count:
            part = self.wire.recv(count - len(data))
            if not part:
                raise ConnectionError("closed")
            data += part
        return bytes(data)

    def _read(self):
        with contextlib.suppress(OSError):
            while True:
                first, length = self._exactly(2)
                if length == 126:
                    (length,) = struct.unpack(">H", self._exactly(2))
                elif length == 127:
                    (length,) = struct.unpack(">Q", self._exactly(8))
                self._take(first & 15, self._exactly(length))
                if first & 15 == CLOSE:
                    break
        self.is_open = False

    def _take(self, kind, payload):
        if kind == TEXT:
            self.messages.append(json.loads(payload))
            del self.messages[:-1000]
        elif kind == PING:
            self.send(payload, PONG)
        elif kind == BINARY:
            picture, _, tile, sequence, stamp, width, height, age = HEADER.unpack_from(payload)
            assert picture == 1, picture
            self.records.append((tile, sequence, stamp, width, height, age, payload[HEADER.size:]))
            del self.records[:-1000]
            self.count += 1
            if self.acknowledges:
                self.send({"type": "drawn", "tile": tile, "sequence": sequence})

    def rate(self, seconds=1.0):
        """Pictures a second, over the next moment."""
        begin, count = time.monotonic(), self.count
        time.sleep(seconds)
        return (self.count - count) / (time.monotonic() - begin)

    def close(self):
        with contextlib.suppress(OSError):
            self.wire.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)
        self.wire.close()


@contextlib.contextmanager
def opened(server, *tiles, **how):
    page = SocketPage(server, **how)
    try:
        if tiles:
            page.watch(*tiles)
        yield page
    finally:
        page.close()


def tile(number=1, camera="1", width=1280, height=720, **more):
    return {"tile": number, "camera": camera, "width": width, "height": height, **more}
