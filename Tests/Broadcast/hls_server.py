# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A web server that serves a folder to players."""

import contextlib
import http.server
import pathlib
import socket
import tempfile
import threading

import farend
import processes

TYPES = {
    ".m3u8": "application/vnd.apple.mpegurl", ".mp4": "video/mp4", ".m4s": "video/iso.segment", ".ts": "video/mp2t"
}


class _Handler(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    extensions_map = TYPES
    # A head and its body are two writes: the second must not wait for the acknowledgement of the first.
    disable_nagle_algorithm = True

    def end_headers(self):
        # Any page may play it, and a live playlist must not be cached.
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, form, *values):
        self.server.lines.append(form % values)


class _HTTPServer(http.server.ThreadingHTTPServer):
    """A server that can close all connections, as if it were killed."""

    daemon_threads = True
    # A player that disconnects does not wait for its response.
    handle_error = staticmethod(lambda *_: None)

    def __init__(self, address, folder, lines):
        self.lines, self.connections = lines, set()
        super().__init__(address, lambda *given: _Handler(*given, directory=folder))

    def process_request(self, request, client_address):
        self.connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request):
        self.connections.discard(request)
        super().shutdown_request(request)

    def hang_up(self):
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


class HLSServer:
    """`url` is the playlist to write, `reading_url` is what players open."""

    namespace = None

    def __init__(self, playlist="live.m3u8"):
        self.playlist = playlist
        self.port = processes.free_port()
        self.lines = []
        self.server = None

    def start(self):
        self.server = _HTTPServer(("127.0.0.1", self.port), self.folder, self.lines)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()

    def kill(self):
        if self.server:
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()
            self.server.hang_up()
            self.server = None

    stop = kill

    def restart(self):
        self.kill()
        self.start()

    @property
    def words(self):
        """The log: a line for each request."""
        return "\n".join(self.lines)

    @property
    def url(self):
        return str(pathlib.Path(self.folder) / self.playlist)

    @property
    def reading_url(self):
        return f"http://127.0.0.1:{self.port}/{self.playlist}"

    def probe(self):
        return farend.probe(self.reading_url)

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="obscura-hls-")
        self.folder = self._folder.name
        self.start()
        return self

    def __exit__(self, kind, error, trace):
        self.kill()
        if error is not None:
            files = sorted(path.name for path in pathlib.Path(self.folder).iterdir())
            error.add_note(f"--- the HLS folder: {files}\n" + "\n".join(self.lines[-20:]))
        self._folder.cleanup()
