# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""SRT's own srt-live-transmit, as listener or caller; it forwards received data over UDP."""

import processes
import server


class SRTServer(server.Server):
    """`latency` is the receiver's, in milliseconds; the larger one of both sides applies.

    SRT drops packets that arrive later, on a busy machine even on the loopback interface, unless it `waits_for_late`.
    """

    name = "srt-live-transmit"
    kind = "udp"
    # The mode of the server, and that of the sender.
    mode, sender_mode = "listener", "caller"

    def __init__(self, latency=50, passphrase=None, waits_for_late=False, **place):
        super().__init__(**place)
        self.latency, self.passphrase, self.waits_for_late = latency, passphrase, waits_for_late
        self.target = processes.free_port("udp")

    def command(self):
        query = f"mode={self.mode}&latency={self.latency}&transtype=live{self._secret}"
        if self.waits_for_late:
            query += "&tlpktdrop=0"
        return [
            "srt-live-transmit", "-chunk:1316", "-loglevel:note", "-autoreconnect:yes",
            f"srt://{self.host}:{self.port}?{query}", f"udp://{self.host}:{self.target}"
        ]

    @property
    def _secret(self):
        return f"&passphrase={self.passphrase}" if self.passphrase else ""

    @property
    def url(self):
        # The latency is in microseconds for FFmpeg, in milliseconds for SRT's own programs.
        query = f"mode={self.sender_mode}&latency={self.latency * 1000}&transtype=live{self._secret}"
        return f"srt://{self.host}:{self.port}?{query}"

    @property
    def reading_url(self):
        return f"udp://{self.host}:{self.target}"


class SRTListener(SRTServer):
    """Listens for the sender."""


class SRTCaller(SRTServer):
    """Calls the listening sender, repeatedly until it is ready."""

    mode, sender_mode = "caller", "listener"

    def wait_until_ready(self):
        """Waits until it runs: it has no known port to wait for."""
        self.program.wait_until(lambda: self.program.words or True, "its start")
