# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests of the queues of an RTSP server's viewers, with frames whose times do not depend on a clock."""

import asyncio
import itertools
import unittest

import processes
import rtsp_library
import rtsp_viewer
import side_by_side
from processes import waiting
from rtsp_library import QUEUE, RATE

load_tests = side_by_side.load_tests


class QueuesTest(unittest.TestCase):

    def test_frames_are_sent_immediately(self):
        """Even those whose time is far in the future. A server that waits for their time delays all frames if a busy
        machine starts the pipeline of a viewer too late."""
        asyncio.run(self.send_far_ahead())

    def test_frames_are_sent_immediately_by_udp(self):
        # The second one receives the reports.
        with processes.free_pair() as (receiver, _):
            asyncio.run(self.send_far_ahead(receiver))

    async def send_far_ahead(self, receiver=None):
        with rtsp_library.Library() as server:
            viewer = rtsp_viewer.Viewer(server.url)
            if receiver:
                viewer.udp_port = receiver.getsockname()[1]
            await self.while_sending_key(server, viewer.play(by_udp=receiver is not None))
            watching = asyncio.create_task(receive(receiver, viewer) if receiver else viewer.watch())
            numbers = range(0, 100_000, 1000)
            for count, number in enumerate(numbers[1:], 1):
                await self.wait_for_frames(viewer, count)
                server.send(number)
            await self.wait_for_frames(viewer, len(numbers))
            viewer.close()
            watching.cancel()
            await asyncio.wait([watching])
        self.assertEqual(viewer.times, list(numbers))

    # MARK: Before PLAY, when the first frame waits in the elements after the queue

    def test_frames_after_a_gap(self):
        """The queue is as long as its frames have waited: the time of the gap before them does not count."""
        number = 10 * RATE
        times = asyncio.run(self.play_late(range(number, number + RATE), number))
        self.assertEqual(times, [0, *range(number, number + RATE)])

    def test_frames_of_ten_seconds(self):
        """The queue keeps two seconds; then frames are dropped until the next key frame."""
        times = asyncio.run(self.play_late(range(1, 10 * RATE), None))
        self.assertEqual(times, list(range(len(times))))
        # Up to three frames are in the elements after the queue.
        self.assertIn(len(times), range(QUEUE * RATE, QUEUE * RATE + 4))

    async def play_late(self, numbers, key):
        """Sends the frames before PLAY, and key frames after it until one arrives. Returns the numbers of the frames
        that arrived before it."""
        later = itertools.count(20 * RATE)
        with rtsp_library.Library() as server:
            viewer = rtsp_viewer.Viewer(server.url)
            await self.while_sending_key(server, viewer.set_up())
            server.send(*numbers, key=key)
            await asyncio.wait_for(viewer.ask("PLAY", viewer.url, Range="npt=now-"), processes.PATIENCE)
            watching = asyncio.create_task(viewer.watch())

            def has_key():
                number = next(later)
                server.send(number, key=number)
                return viewer.times and viewer.times[-1] >= 20 * RATE

            await waiting.wait_until_async(has_key, "a key frame")
            viewer.close()
            await watching
        return [time for time in viewer.times if time < 20 * RATE]

    # MARK: Viewers

    async def while_sending_key(self, server, requests):
        """Sends the requests of a viewer, and a key frame: it waits for one before it gets the description."""
        requests = asyncio.create_task(requests)
        await waiting.wait_until_async(server.takes_wish, "the wish of a key frame")
        server.send(0, key=0)
        await asyncio.wait_for(requests, processes.PATIENCE)

    async def wait_for_frames(self, viewer, count):
        await waiting.wait_until_async(lambda: viewer.pictures >= count, f"{count} frames", interval=0.001)


async def receive(receiver, viewer):
    while True:
        viewer.take(await asyncio.get_running_loop().sock_recv(receiver, 65536))


if __name__ == "__main__":
    unittest.main()
