# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A Studio in a separate process, for the tests, and HTTP requests to it."""

import contextlib
import dataclasses
import http.client
import json
import os
import pathlib
import re
import selectors
import subprocess
import tempfile
import time
import urllib.parse

import browser
# Exported to the importing modules.
from waiting import PATIENCE, wait_until  # noqa: F401

# Small, so that encoding and drawing need little CPU time.
SIZE = (640, 360)
RATE = 30
CAMERA = f"pattern:{SIZE[0]}x{SIZE[1]}@{RATE}"
ADDRESS = re.compile(r"^The Studio is at (http://127\.0\.0\.1:(\d+)/\?token=([A-Za-z0-9._~-]+))$")
# Forbidden lines in the log.
TROUBLE = re.compile(r"^\S+ (error|critical) |Fatal error|Sanitizer|\*\*\* ")
IS_LONG = os.environ.get("OBSCURA_TEST_LONG") == "1"
# How long it may take to start and to end, in seconds; only a failing test waits this long.
START, END = 45, 45


@dataclasses.dataclass
class Answer:
    """A response of the Studio."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class Studio:
    """A running `obscura studio`; see `running`."""

    def __init__(self, folder, sources=(), options=(), port=0, token=None, environment=()):
        self.library = pathlib.Path(folder) / "library"
        self.log = pathlib.Path(folder) / "log.txt"
        self.sources, self.options = sources, options
        self.token = token
        # The index of the library, and its thumbnails.
        self.environment = {"XDG_CACHE_HOME": f"{folder}/cache"} | dict(environment)
        self.port = port
        self.process = None

    @property
    def command(self):
        return [
            browser.tool(), "studio", *self.sources, "--no-open", "--library",
            str(self.library), "--port",
            str(self.port), *self.options
        ]

    @property
    def cookie_name(self):
        """The name of the cookie. A browser sends a host's cookies to all of its ports, so the name has the port."""
        return f"obscura-{self.port}"

    @property
    def cookie(self):
        """The cookie of an authorized browser."""
        return f"{self.cookie_name}={self.token}"

    def start(self):
        environment = os.environ | self.environment
        environment.pop("OBSCURA_STUDIO_TOKEN", None)
        if self.token:
            environment["OBSCURA_STUDIO_TOKEN"] = self.token
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command,
                                            env=environment,
                                            stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE,
                                            stderr=log)
        line = self.line()
        match = ADDRESS.match(line)
        if not match:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the Studio did not start: {line!r} {self.log.read_text(errors='replace')[-2000:]}")
        self.address, self.port, self.token = match[1], int(match[2]), match[3]

    def line(self):
        """The next line of its output; incomplete if it ends or is late."""
        text, deadline = b"", time.monotonic() + START
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in text and selector.select(max(0, deadline - time.monotonic())):
                part = os.read(self.process.stdout.fileno(), 4096)
                if not part:
                    break
                text += part
        return text.decode(errors="replace").split("\n")[0]

    def kill(self):
        """Kills it, as the out-of-memory killer does."""
        self.process.kill()
        self.process.wait()
        self._close()

    def end(self):
        """Asks it to end, as a service manager does."""
        self.process.terminate()

    def stop(self):
        """Ends it, and returns its exit code."""
        self.end()
        try:
            return self.process.wait(END)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the Studio did not end within {END} s") from None
        finally:
            self._close()

    def _close(self):
        self.process.stdin.close()
        self.process.stdout.close()

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def troubles(self):
        """The lines of its log that report errors."""
        return [line for line in self.log.read_text(errors="replace").splitlines() if TROUBLE.search(line)]

    # MARK: HTTP

    def connection(self, timeout=30):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, token=True, timeout=30):
        """The response to a request, with the token in a header unless `token` is false."""
        headers = dict(headers or {})
        if token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        with contextlib.closing(self.connection(timeout)) as connection:
            connection.request(method, path, body=body, headers=headers)
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())

    def api(self, method, path, value=None):
        """The JSON of a successful response; None if it has no body."""
        answer = self.ask(method, path, value)
        if not 200 <= answer.status < 300:
            raise AssertionError(f"{method} {path}: {answer.status} {answer.body[:500]!r}")
        return answer.json if answer.body else None

    def camera(self, number="1"):
        return self.api("GET", f"/api/cameras/{number}")

    def change(self, number="1", **values):
        return self.api("PATCH", f"/api/cameras/{number}", values)

    def media(self, name, suffix=""):
        """The bytes of a file of the library."""
        answer = self.ask("GET", f"/media/{urllib.parse.quote(name)}{suffix}")
        if answer.status != 200:
            raise AssertionError(f"{name}{suffix}: {answer.status}")
        return answer.body

    # MARK: Resources

    @property
    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self):
        """Its anonymous memory, in bytes: mapped files do not count."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+) kB", status)[1]) * 1024

    @property
    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


@contextlib.contextmanager
def running(*sources, options=(), port=0, token=None, environment=()):
    """A Studio with these cameras and an empty library. It must exit with 0, and its log must have no errors."""
    with tempfile.TemporaryDirectory(prefix="obscura-studio-") as folder, \
            lived(Studio(folder, sources or [CAMERA], options, port, token, environment)) as studio:
        yield studio


@contextlib.contextmanager
def lived(studio):
    """Starts the Studio and stops it. Prints its log if the block fails."""
    studio.start()
    try:
        yield studio
    except BaseException:
        if studio.process.poll() is None:
            studio.kill()
        print(studio.log.read_text(errors="replace")[-4000:])
        raise
    code = studio.stop()
    if code not in (0, 143):
        raise AssertionError(f"the Studio ended with {code}: {studio.log.read_text(errors='replace')[-4000:]}")
    if studio.troubles:
        raise AssertionError("the Studio's log reports errors:\n" + "\n".join(studio.troubles[:20]))
