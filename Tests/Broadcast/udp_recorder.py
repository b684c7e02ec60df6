# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Records UDP datagrams, one file for each port, until it is ended:

    udp_recorder.py HOST PORT=FILE …
"""

import selectors
import socket
import sys

LARGEST = 1 << 16


def main(host, *places):
    with selectors.DefaultSelector() as selector:
        for place in places:
            port, _, path = place.partition("=")
            receiver = socket.socket(type=socket.SOCK_DGRAM)
            receiver.bind((host, int(port)))
            selector.register(receiver, selectors.EVENT_READ, open(path, "wb", buffering=0))
        while True:
            for key, _ in selector.select():
                key.data.write(key.fileobj.recv(LARGEST))


if __name__ == "__main__":
    main(*sys.argv[1:])
