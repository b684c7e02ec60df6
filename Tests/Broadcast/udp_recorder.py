# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Records UDP datagrams, one file for each port, until it is ended:

    udp_recorder.py HOST PORT=FILE …
"""

import selectors
import socket
import sys

import processes

LARGEST = 1 << 16
# The kernel drops what a busy machine does not read in time.
WAITING = 4 << 20


class UDPRecorder(processes.Program):
    """This program, with the path of the file for each port."""

    def __init__(self, host, files, folder, namespace=None):
        self._ports = list(files)
        places = [f"{port}={path}" for port, path in files.items()]
        super().__init__("udp-recorder", [sys.executable, "-B", __file__, host, *places], folder, namespace)

    def start(self):
        super().start()
        for port in self._ports:
            self.wait_for_port(port, "udp")


def main(host, *places):
    with selectors.DefaultSelector() as selector:
        for place in places:
            port, _, path = place.partition("=")
            receiver = socket.socket(type=socket.SOCK_DGRAM)
            receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WAITING)
            receiver.bind((host, int(port)))
            selector.register(receiver, selectors.EVENT_READ, open(path, "wb", buffering=0))
        while True:
            for key, _ in selector.select():
                key.data.write(key.fileobj.recv(LARGEST))


if __name__ == "__main__":
    main(*sys.argv[1:])
