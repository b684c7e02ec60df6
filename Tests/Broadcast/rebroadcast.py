# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""A network camera that is broadcast again."""

import math

import processes
import udp_recorder
from obscura_sender import ObscuraSender


class Rebroadcast(ObscuraSender):
    """`obscura broadcast` of the source for this time. The stream that it sends is the file `stream` in the folder."""

    def __init__(self, source, folder, seconds, *options, namespace=None):
        self.stream, self.seconds, port = folder / "broadcast.ts", seconds, processes.free_port("udp")
        self._receiver = udp_recorder.UDPRecorder("127.0.0.1", {port: self.stream}, folder, namespace)
        super().__init__(f"udp://127.0.0.1:{port}?pkt_size=1316", source=source,
                         options=["--duration", f"{seconds}s", *options], namespace=namespace)

    def __enter__(self):
        self._receiver.__enter__()
        try:
            return super().__enter__()
        except BaseException:
            self._receiver.stop()
            raise

    def end(self):
        """Waits until it has sent for its time, and all of it is in the file."""
        if code := self.wait(self.seconds + processes.PATIENCE):
            raise self.program.failure(f"ended with {code}")
        self._receiver.wait_until(lambda: self._receiver.unread_bytes == 0, "the end of the stream")

    @property
    def lost(self):
        """The number of frames that it lost before it could read them, by its statistics."""
        return self.statistics["camera"]["lostFrames"]

    @property
    def waiting(self):
        """The number of frames that were captured before it ended and were not sent, at most, by its statistics: those of the
        time from capture to encoding. On a busy machine it is longer for them than for the sound."""
        found = self.statistics
        camera = found["camera"]
        received = camera["receivedFrames"] - camera["droppedFrames"] - found["lateFrames"] - found["encodedFrames"]
        return max(received, math.ceil(found["encodeDelay"] * self.rate))

    def __exit__(self, *why):
        super().__exit__(*why)
        self._receiver.stop()
