# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""`obscura pick` in a separate process, and pictures for it."""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import re
import selectors
import subprocess
import threading

import browser
import studio

ADDRESS = re.compile(r"The page is at (http://127\.0\.0\.1:(\d+)/\?token=([A-Za-z0-9._~-]+))$")


class Picker(studio.Studio):
    """A running `obscura pick`, whose page is open."""

    def __init__(self, folder, options):
        super().__init__(folder, options=options)
        self.output = pathlib.Path(folder) / "picked"

    @property
    def command(self):
        return [
            browser.tool(), "pick", "--no-open", "--json", "-o",
            str(self.output), "--library",
            str(self.library), *self.options, *(() if "--camera" in self.options else ("--camera", studio.CAMERA))
        ]

    def start(self):
        self.process = subprocess.Popen(self.command,
                                        env=os.environ | self.environment,
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        # Notices of the log may precede it.
        line = ""
        while not (match := ADDRESS.search(line)) and (line := self._error_line()):
            pass
        if not match:
            self.kill()
            raise AssertionError(f"the picker did not start: {line!r}")
        self.address, self.port, self.token = match[1], int(match[2]), match[3]

    def _error_line(self):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stderr, selectors.EVENT_READ)
            if not selector.select(studio.START):
                return ""
        return self.process.stderr.readline().decode(errors="replace").rstrip("\n")

    def result(self):
        """Waits for its end; returns the exit code and the picked files."""
        output, errors = self.process.communicate(timeout=studio.END)
        self.process.stdin.close()
        try:
            return self.process.returncode, json.loads(output)
        except json.JSONDecodeError:
            raise AssertionError(f"no JSON: {output!r} {errors!r}") from None

    def _close(self):
        super()._close()
        self.process.stderr.close()


@contextlib.contextmanager
def running(folder, *options):
    picker = Picker(folder, options)
    picker.start()
    try:
        yield picker
    finally:
        if picker.process.poll() is None:
            picker.kill()


@contextlib.contextmanager
def serving(folder, kind=None):
    """A web server for the files of a folder; yields its address."""
    handler = functools.partial(kind or QuietHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


class QuietHandler(http.server.SimpleHTTPRequestHandler):

    def log_message(self, *_):
        pass


class StallingHandler(QuietHandler):
    """Sends half of each file, and then nothing until the client ends the connection."""

    def do_GET(self):
        data = pathlib.Path(self.translate_path(self.path)).read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:len(data) // 2])
        self.connection.recv(1)


# MARK: Pictures


def ffmpeg(*arguments):
    return subprocess.run(["ffmpeg", "-v", "error", "-y", *arguments], check=True, capture_output=True,
                          stdin=subprocess.DEVNULL).stdout


def make_picture(path, left, right, size=(320, 240)):
    """Writes a picture whose left half has one color and whose right half has another."""
    path.parent.mkdir(parents=True, exist_ok=True)
    ffmpeg("-f", "lavfi", "-i", f"color={left}:s={size[0]}x{size[1]}", "-vf",
           f"format=rgb24,drawbox=x=iw/2:y=0:w=iw/2:h=ih:color={right}:t=fill", "-frames:v", "1", str(path))


def size(path):
    text = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "stream=width,height", "-of",
                           "csv=p=0", str(path)], check=True, capture_output=True, text=True).stdout
    return tuple(int(number) for number in text.strip().split(","))


def color(path, x, y):
    """The name of the nearest pure color at a place in fractions of the sides."""
    red, green, blue = ffmpeg("-i", str(path), "-vf", f"format=rgb24,crop=4:4:(iw-4)*{x}:(ih-4)*{y},scale=1:1", "-frames:v",
                              "1", "-f", "rawvideo", "-")[:3]
    names = {"red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255), "yellow": (255, 255, 0), "white": (255,) * 3,
             "black": (0,) * 3}
    return min(names, key=lambda name: sum((a - b)**2 for a, b in zip(names[name], (red, green, blue))))
