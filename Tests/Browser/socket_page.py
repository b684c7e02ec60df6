# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A page without a browser: a client of the Studio's WebSocket that watches tiles."""

import contextlib
import json
import struct
import threading

import studio
import web_socket

HEADER = struct.Struct("<BBHIQHHI")


def handshake(server, headers=(), path="/ws"):
    """The head of the Studio's response to a request for a WebSocket."""
    wire, head = web_socket.handshake(server.port, path, headers)
    wire.close()
    return head


class SocketPage:
    """Watches tiles and acknowledges each picture, on a thread of its own."""

    def __init__(self, server, acknowledges=True):
        self.acknowledges = acknowledges
        self.messages = []
        # (tile, sequence, host time, width, height, age, bytes of the picture), the last thousand.
        self.records = []
        self.count = 0
        self._socket = web_socket.WebSocket(server.port, "/ws",
                                            [f"Origin: {server.origin}", f"Cookie: {server.cookie}"])
        self.is_open = True
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def send(self, payload):
        self._socket.send(payload if isinstance(payload, bytes) else json.dumps(payload).encode())

    def watch(self, *tiles):
        self.send({"type": "watch", "tiles": list(tiles)})

    def _read(self):
        with contextlib.suppress(OSError):
            while True:
                kind, payload = self._socket.receive()
                if kind == web_socket.CLOSE:
                    break
                self._take(kind, payload)
        self.is_open = False

    def _take(self, kind, payload):
        if kind == web_socket.TEXT:
            self.messages.append(json.loads(payload))
            del self.messages[:-1000]
        elif kind == web_socket.BINARY:
            picture, _, tile_number, sequence, stamp, width, height, age = HEADER.unpack_from(payload)
            assert picture == 1, picture
            self.records.append((tile_number, sequence, stamp, width, height, age, payload[HEADER.size:]))
            del self.records[:-1000]
            self.count += 1
            if self.acknowledges:
                self.send({"type": "drawn", "tile": tile_number, "sequence": sequence})

    def wait_for_pictures(self, count):
        """Waits until this many more frames have arrived."""
        aim = self.count + count
        studio.wait_until(lambda: self.count >= aim or not self.is_open, f"{count} more pictures")
        if self.count < aim:
            raise AssertionError("the Studio closed the page")

    def close(self):
        self._socket.shut_down()
        self._thread.join(5)
        self._socket.close()


@contextlib.contextmanager
def opened(server, *tiles, **how):
    page = SocketPage(server, **how)
    try:
        if tiles:
            page.watch(*tiles)
        yield page
    finally:
        page.close()


def tile(number=1, camera="1", width=studio.SIZE[0], height=studio.SIZE[1], **more):
    return {"tile": number, "camera": camera, "width": width, "height": height, **more}
