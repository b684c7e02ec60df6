# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""SRT's own srt-live-transmit, on either side of the call; what it receives it sends on over UDP."""

import processes
import server


class SRTServer(server.Server):
    """`latency` is the receiver's, in milliseconds; the larger of both sides' counts.

    SRT gives up packets that come later, on a busy machine also those of the loopback, unless it `waits_for_late`.
    """

    name = "srt-live-transmit"
    kind = "udp"
    # Its own part, and that of who sends.
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
        # FFmpeg counts the latency in microseconds, SRT's own programs in milliseconds.
        query = f"mode={self.sender_mode}&latency={self.latency * 1000}&transtype=live{self._secret}"
        return f"srt://{self.host}:{self.port}?{query}"

    @property
    def reading_url(self):
        return f"udp://{self.host}:{self.target}"


class SRTListener(SRTServer):
    """Waits for the sender's call."""


class SRTCaller(SRTServer):
    """Calls the sender, which listens; again and again until it is there."""

    mode, sender_mode = "caller", "listener"

    def wait_until_ready(self):
        """It binds no port that is known before: that it runs is all."""
        self.program.wait_until(lambda: self.program.words or True, "its start")
