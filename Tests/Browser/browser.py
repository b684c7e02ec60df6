# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A Chromium without a window, for the tests, and what they need beside it."""

import contextlib
import functools
import http.server
import os
import pathlib
import shutil
import tempfile
import threading

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# How long anything may take in the browser; only a failing test waits so long.
PATIENCE = 45


def tool():
    """The path of `obscura`: what OBSCURA_TOOL says, else the release build."""
    path = pathlib.Path(os.environ.get("OBSCURA_TOOL", ROOT / ".build/release/obscura")).resolve()
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(f"{path} is not there: swift build -c release --product obscura")
    return str(path)


@contextlib.contextmanager
def chromium(*more):
    """A browser with these arguments more, and no trace of it afterwards."""
    programs = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    missing = [name for name, path in programs.items() if not path]
    if missing:
        raise FileNotFoundError(f"{' and '.join(missing)} not found: scripts/install-packages browser")
    options = Options()
    options.binary_location = programs["chromium"]
    # Without a sandbox, which root cannot have, it sees only what the tests made. A container's /dev/shm is small.
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--autoplay-policy=no-user-gesture-required", *more):
        options.add_argument(argument)
    # What it leaves among the temporary files goes with this folder; a process of it may still be ending.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        service = Service(programs["chromedriver"], env=dict(os.environ, TMPDIR=folder))
        driver = webdriver.Chrome(service=service, options=options)
        try:
            driver.set_page_load_timeout(PATIENCE)
            driver.set_script_timeout(PATIENCE)
            yield driver
        finally:
            driver.quit()


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """The address under which this machine alone sees the folder."""
    handler = functools.partial(_QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
