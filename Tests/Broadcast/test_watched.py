# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that Obscura's RTSP server serves all its viewers, and that no viewer affects another."""

import asyncio
import os
import pathlib
import unittest

import cv2

import farend
import pattern
import processes
import rtsp_test
import rtsp_viewer
import side_by_side
from processes import number_row, waiting

# The number of frames for which a stream is watched.
PICTURES = 1800 if os.environ.get("OBSCURA_TEST_LONG") == "1" else 60
# The time limit for their arrival, in seconds.
PATIENCE = PICTURES / 30 + processes.PATIENCE
CROWD = 50

load_tests = side_by_side.load_tests


class WatchedTest(rtsp_test.RTSPTest):
    """The streams of viewers."""

    # MARK: Common programs

    def watched(self, transport):
        with self.serving() as sender:
            self.wait_for_server(sender)
            with farend.Watch(self.url, transport=transport) as watch:
                watch.wait_for_pictures()
                watch.wait_for_number(watch.last + PICTURES, PATIENCE)
                watch.wait_until(lambda: sender.viewers == 1, "the statistics to count the viewer")
            streams = farend.probe(self.url)
            self.assertEqual((streams.video.codec, streams.video.size), ("h264", (640, 360)))
            self.assertEqual((streams.video.matrix, streams.video.range), ("smpte170m", "tv"))
            self.assertEqual((streams.audio.codec, streams.audio.rate, streams.audio.channels), ("aac", 48000, 2))
            waiting.wait_until(lambda: sender.viewers == 0, "the end of the last viewer")
            self.expect_end(sender)
        watch.expect_all(self, sender.unsent())

    def test_ffmpeg_over_tcp(self):
        self.watched("tcp")

    def test_ffmpeg_over_udp(self):
        self.watched("udp")

    def test_opencv(self):
        with self.serving() as sender:
            self.wait_for_server(sender)
            capture = cv2.VideoCapture(self.url, cv2.CAP_FFMPEG)
            numbers = []
            for _ in range(30):
                is_read, picture = capture.read()
                self.assertTrue(is_read)
                luma = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
                numbers.append(number_row.shown(memoryview(luma).cast("B"), 640, 360))
            capture.release()
            self.expect_end(sender)
        self.assertNotIn(None, numbers)
        self.assertEqual(sorted(set(numbers)), numbers)
        self.assertLessEqual(numbers[-1] - numbers[0] - 29, sender.unsent())

    # MARK: Many viewers

    def test_fifty_at_once(self):
        """Each gets the whole stream, beginning with a key frame."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            viewers = [rtsp_viewer.Viewer(self.url) for _ in range(CROWD)]
            asyncio.run(self.watch_together(viewers, sender))
            self.expect_end(sender)
        self.assertEqual([one.gaps for one in viewers], [0] * CROWD)
        self.assertEqual({one.begins_with_key for one in viewers}, {True})

    async def watch_together(self, viewers, sender):
        await asyncio.wait_for(asyncio.gather(*(one.play() for one in viewers)), processes.PATIENCE)
        watching = [asyncio.create_task(one.watch()) for one in viewers]
        # From here on all of them watch the stream.
        before = [one.pictures for one in viewers]
        await waiting.wait_until_async(
            lambda: all(one.pictures - start >= PICTURES for one, start in zip(viewers, before)),
            lambda: f"{PICTURES} pictures for each viewer: {[(one.pictures, one.is_closed) for one in viewers]}", PATIENCE)
        await self.wait_for_viewers(sender, CROWD)
        self.assertNotIn(True, [one.is_closed for one in viewers])
        for one in viewers:
            one.close()
        await asyncio.gather(*watching, return_exceptions=True)
        await self.wait_for_viewers(sender, 0)

    def test_viewers_that_come_and_go(self):
        """More viewers than the limit, one after the other, which disappear without a request, leave nothing behind."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            open_files = pathlib.Path(f"/proc/{sender.program.process.pid}/fd")
            before = len(list(open_files.iterdir()))
            asyncio.run(self.come_and_go(sender))
            # The listening socket is open from the first one on.
            waiting.wait_until(lambda: len(list(open_files.iterdir())) <= before + 2, "the files to be closed")
            asyncio.run(self.see(self.url))
            self.expect_end(sender)

    async def come_and_go(self, sender):
        size = 40
        for _ in range(rtsp_test.LIMIT // size + 1):
            viewers = [rtsp_viewer.Viewer(self.url) for _ in range(size)]
            await asyncio.wait_for(asyncio.gather(*(one.play() for one in viewers)), processes.PATIENCE)
            await self.wait_for_viewers(sender, size)
            for one in viewers:
                one.vanish()
            await self.wait_for_viewers(sender, 0)

    # MARK: The end

    def test_the_end(self):
        """Viewers are notified; their programs then end by themselves."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.watch_to_the_end(sender))

    async def watch_to_the_end(self, sender):
        viewer = rtsp_viewer.Viewer(self.url)
        await viewer.play()
        watching = asyncio.create_task(viewer.watch())
        await waiting.wait_until_async(lambda: viewer.pictures > 0, "a picture")
        self.assertEqual(await asyncio.to_thread(sender.stop), 130)
        await asyncio.wait_for(watching, processes.PATIENCE)
        self.assertTrue(viewer.is_closed)
        viewer.close()

    def test_a_port_in_use(self):
        with self.serving() as first:
            self.wait_for_server(first)
            with self.serving() as second:
                failed = second.wait_for_event("failed")
                self.assertEqual((second.wait(), failed["code"]), (1, "connectionFailed"))
            asyncio.run(self.see(self.url))
            self.expect_end(first)


if __name__ == "__main__":
    unittest.main()
