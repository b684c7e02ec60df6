# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The built-in camera, served by `obscura serve`, and the events and statistics that it prints."""

import pathlib
import urllib.parse

import obscura_sender


class ObscuraServer(obscura_sender.ObscuraSender):
    """Serves HLS on a free port of this machine until it is stopped, and keeps its JSON output."""

    command = "serve"

    def __init__(self, **how):
        super().__init__(**how)
        self.options = ["--hls", "127.0.0.1:0", *self.options]

    @property
    def url(self):
        """The address of the page."""
        return self.wait_for_event("listening")["url"]

    def address(self, name):
        """The address of a playlist or a segment."""
        return urllib.parse.urljoin(self.url, name)

    @property
    def segments(self):
        """The folder of the segments, which the server has open."""
        opened = pathlib.Path(f"/proc/{self.program.process.pid}/fd").iterdir()
        return next(path for path in map(pathlib.Path.resolve, opened) if path.name.startswith("obscura-hls-"))
