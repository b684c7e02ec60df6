# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A network that delays what it carries by up to so many seconds, each packet by another time, without reordering it."""

import queue
import random
import select
import socket
import threading
import time

# The largest piece that is read at once, in bytes; a large one would arrive all at the same moment.
PIECE = 16 << 10


class Delay:
    """Hands pieces to `send` later, in order, in a thread of its own; `None` is the last one."""

    def __init__(self, send, longest, seed):
        self._send, self._longest, self._dice = send, longest, random.Random(seed)
        # A delay of all pieces, in seconds.
        self.lateness = 0
        self._pieces = queue.Queue()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def take(self, piece):
        self._pieces.put((time.monotonic() + self.lateness + self._dice.uniform(0, self._longest), piece))

    def end(self):
        """Drops what is still to be sent."""
        self._ended.set()
        self.take(None)
        self._thread.join()

    def _run(self):
        while True:
            due, piece = self._pieces.get()
            if self._ended.wait(max(0, due - time.monotonic())) or not self._send(piece) or piece is None:
                return


class TCPRelay:
    """Accepts connections and forwards each to a port of this host; what comes back is delayed."""

    def __init__(self, port, longest, seed=1):
        self._target, self._longest, self._seed = port, longest, seed
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._open = []

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def _accept(self):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                client.close()
                continue
            self._open += [client, server]
            self._seed += 1
            threading.Thread(target=self._carry, args=(client, server), daemon=True).start()

    def _carry(self, client, server):

        def send(piece):
            try:
                if piece is None:
                    client.close()
                else:
                    client.sendall(piece)
                return True
            except OSError:
                client.close()
                return False

        delay = Delay(send, self._longest, self._seed)
        try:
            while True:
                for ready in select.select([client, server], [], [])[0]:
                    piece = ready.recv(PIECE)
                    if not piece:
                        return
                    if ready is client:
                        server.sendall(piece)
                    else:
                        delay.take(piece)
        except (OSError, ValueError):
            pass
        finally:
            server.close()
            delay.take(None)

    def cut(self):
        """Ends all connections."""
        for one in self._open:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self._open = []

    def __exit__(self, *_):
        self._listener.close()
        self.cut()


class UDPRelay:
    """Forwards datagrams to a port of this host, delayed; all of them by `lateness` seconds, until `hurry` is called."""

    def __init__(self, port, longest, seed=1, lateness=0):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._socket.settimeout(0.2)
        # The kernel drops what a busy machine does not take in time.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.port = self._socket.getsockname()[1]
        self._target = ("127.0.0.1", port)
        self._delay = Delay(self._send, longest, seed)
        self._delay.lateness = lateness
        self._is_open = True

    def _send(self, datagram):
        self._socket.sendto(datagram, self._target)
        return True

    def __enter__(self):
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()
        return self

    def _carry(self):
        while self._is_open:
            try:
                self._delay.take(self._socket.recv(PIECE))
            except TimeoutError:
                continue

    def hurry(self):
        self._delay.lateness = 0

    def __exit__(self, *_):
        self._is_open = False
        self._thread.join()
        self._delay.end()
        self._socket.close()
