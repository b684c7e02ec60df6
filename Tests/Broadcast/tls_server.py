# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A TLS server that serves files by HTTP, and records all received data."""

import contextlib
import pathlib
import socket
import ssl
import threading

# The first byte of a client of RTMP.
RTMP_VERSION = b"\x03"


class TLSServer:
    """Serves the files of a folder on 127.0.0.1, with the certificate; `received` is the data that clients sent by TLS.

    It requires a password and accepts any, so that a client that trusts it sends one.
    """

    def __init__(self, folder, certificate, key):
        self.folder, self.received, self.connections = pathlib.Path(folder), b"", 0
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._changed = threading.Condition()
        self._open = 0

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        # Makes `accept` return with an error.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def wait_for_silence(self, timeout):
        """Waits until every client has disconnected; raises if one has not, or if there was none."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.connections and not self._open, timeout):
                raise AssertionError(f"{self._open} of {self.connections} clients have not left")

    def _serve(self):
        while True:
            try:
                plain, _ = self._socket.accept()
            except OSError:
                return
            with self._changed:
                self.connections += 1
                self._open += 1
            threading.Thread(target=self._talk, args=(plain,), daemon=True).start()

    def _talk(self, plain):
        # A client that does not trust the server disconnects during the handshake, or after it.
        with contextlib.suppress(OSError), plain, self._context.wrap_socket(plain, server_side=True) as secure:
            self._answer(secure)
        with self._changed:
            self._open -= 1
            self._changed.notify_all()

    def _answer(self, secure):
        said = b""
        while b"\r\n\r\n" not in said:
            part = secure.recv(4096)
            if not part:
                return
            said += part
            with self._changed:
                self.received += part
            if said.startswith(RTMP_VERSION):
                return
        if b"\r\nAuthorization: " not in said:
            # Otherwise a client does not send its password.
            secure.sendall(b"HTTP/1.0 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"camera\"\r\n"
                           b"Content-Length: 0\r\n\r\n")
            return
        name = said.split(b" ")[1].split(b"?")[0].lstrip(b"/").decode()
        path = self.folder / name
        if not path.is_file():
            secure.sendall(b"HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return
        body = path.read_bytes()
        secure.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
