# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""The common part of the tests of Obscura's own RTSP server: a sender at a free port, and viewers."""

import asyncio
import unittest

import processes
import rtsp_viewer
from obscura_sender import ObscuraSender
from processes import waiting

# The maximum number of simultaneous connections.
LIMIT = 100


class RTSPTest(unittest.TestCase):

    def setUp(self):
        self.port = processes.free_port()
        self.url = f"rtsp://127.0.0.1:{self.port}/live"

    def serving(self, user="", **how):
        return ObscuraSender(f"rtsp://{user}:{self.port}/live", **how)

    def wait_for_server(self, sender):
        """Waits for the event of the server: a movie beside it may be connected earlier."""
        sender.program.wait_until(
            lambda: any(event["destination"].startswith("rtsp:") for event in sender.events("connected")), "the server")
        sender.wait_for_event("statistics")

    async def wait_for_viewers(self, sender, count):
        await waiting.wait_until_async(lambda: sender.viewers == count, f"{count} viewers")

    def expect_end(self, sender):
        """It ends by Ctrl-C, and its statistics count no frame twice."""
        self.assertEqual(sender.stop(), 130)
        last, destination = sender.statistics, sender.destination()
        self.assertEqual((destination["state"], destination.get("error")), ("ended", None))
        # The camera continues while the broadcast ends.
        taken = last["encodedFrames"] + last["lateFrames"] + last["camera"]["droppedFrames"]
        self.assertLessEqual(taken, last["camera"]["receivedFrames"])

    async def see(self, url, count=10):
        """Watches until this number of frames has arrived."""
        viewer = rtsp_viewer.Viewer(url)
        try:
            await asyncio.wait_for(viewer.play(), processes.PATIENCE)
            watching = asyncio.create_task(viewer.watch())
            await waiting.wait_until_async(lambda: viewer.pictures >= count, f"{count} pictures")
        finally:
            viewer.close()
        await watching
