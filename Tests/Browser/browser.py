# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Headless Chromium for the tests: one browser for each process, and an isolated tab of it for each test."""

import atexit
import contextlib
import functools
import http.client
import http.server
import json
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import urllib.parse

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The modules of Tests/support, for all tests here.
sys.path.append(str(ROOT / "Tests/support"))

import waiting  # noqa: E402
import web_socket  # noqa: E402
from tool import tool  # noqa: E402, F401

# The time limit of operations in the browser, in seconds; only a failing test waits this long.
PATIENCE = waiting.PATIENCE


@contextlib.contextmanager
def chromium(*more):
    """A new browser with these additional arguments. It leaves no files."""
    programs = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    missing = [name for name, path in programs.items() if not path]
    if missing:
        raise FileNotFoundError(f"{' and '.join(missing)} not found: scripts/install-packages browser")
    options = Options()
    options.binary_location = programs["chromium"]
    # No sandbox, since it does not work for root; only pages of the tests are loaded. A container's /dev/shm is small.
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--autoplay-policy=no-user-gesture-required", *more):
        options.add_argument(argument)
    # All temporary files of the browser are in this folder; some of its processes may still be ending.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        service = Service(programs["chromedriver"], env=dict(os.environ, TMPDIR=folder))
        driver = webdriver.Chrome(service=service, options=options)
        try:
            driver.set_page_load_timeout(PATIENCE)
            driver.set_script_timeout(PATIENCE)
            yield driver
        finally:
            driver.quit()


class SharedBrowser:
    """The browser of this process.

    Browser contexts can be created only over a connection to the browser itself; ChromeDriver connects to its pages.
    """

    def __init__(self):
        self._end = contextlib.ExitStack()
        self.driver = self._end.enter_context(chromium())
        # The window that stays open between the tests.
        self._first_window = self.driver.current_window_handle
        port = int(self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"].rpartition(":")[2])
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
            connection.request("GET", "/json/version")
            address = json.load(connection.getresponse())["webSocketDebuggerUrl"]
        self._socket = web_socket.WebSocket(port, urllib.parse.urlsplit(address).path)
        self._socket.wire.settimeout(PATIENCE)
        self._end.callback(self._socket.close)
        self._commands = 0

    def close(self):
        self._end.close()

    def command(self, method, **parameters):
        """Sends a command of the DevTools protocol to the browser, and returns the result."""
        self._commands += 1
        self._socket.send(
            json.dumps({"id": self._commands, "method": method, "params": parameters}).encode())
        while True:
            answer = json.loads(self._socket.receive()[1])
            if answer.get("id") == self._commands:
                if "error" in answer:
                    raise WebDriverException(f"{method}: {answer['error']}")
                return answer["result"]

    def open_context(self):
        """A new browser context with one tab, which the driver then controls."""
        context = self.command("Target.createBrowserContext")["browserContextId"]
        self.driver.switch_to.window(self.open_tab(context))
        return context

    def open_tab(self, context):
        """A new tab in front of the others of the context."""
        return self.command("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]

    def close_tab(self, tab):
        self.command("Target.closeTarget", targetId=tab)

    def close_context(self, context):
        """Closes the tabs of the context, and deletes its cookies, its storage and its entries of the log."""
        self.command("Target.disposeBrowserContext", browserContextId=context)
        self.driver.switch_to.window(self._first_window)
        self.driver.get_log("browser")


_shared = None
_context = None


@contextlib.contextmanager
def isolated():
    """The driver of this process's browser, with an empty tab of its own: no cookies, storage, log or emulation.

    The browser is started by the first call, and ended with the process. There is one such tab at a time.
    """
    global _shared, _context
    if _context:
        raise RuntimeError("there is an isolated tab already")
    if _shared:
        # A test that ends the browser must not make later tests fail.
        with contextlib.suppress(WebDriverException, OSError):
            _context = _shared.open_context()
    if not _context:
        end_shared()
        _shared = SharedBrowser()
        _context = _shared.open_context()
    try:
        yield _shared.driver
    finally:
        context, _context = _context, None
        try:
            _shared.close_context(context)
        except (WebDriverException, OSError):
            end_shared()


@contextlib.contextmanager
def hidden():
    """Hides the isolated tab behind another one."""
    tab = _shared.open_tab(_context)
    try:
        yield
    finally:
        _shared.close_tab(tab)


@atexit.register
def end_shared():
    """Ends the browser of this process, if there is one."""
    global _shared
    ended, _shared = _shared, None
    if ended:
        with contextlib.suppress(WebDriverException, OSError):
            ended.close()


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """Serves the folder by HTTP on the loopback interface; yields the address."""
    handler = functools.partial(_QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
