# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves what becomes of a broadcast whose network is too narrow: it is sent coarser, and goes on."""

import unittest

import network
import network_test
import servers
import side_by_side

# Kilobits a second.
NARROW = 300
# The most that may wait for the network, in seconds of the stream: the limit of the queue and one key frame interval.
LONGEST_QUEUE = 4

load_tests = side_by_side.load_tests


class SqueezedTest(network_test.NetworkTest):

    def survives_squeeze(self, server, url):
        with server, self.sender(url) as sender:
            sender.wait_for_event("connected", count=2)
            with self.watch(server) as watch:
                watch.wait_for_pictures(30)
                self.network.squeeze(NARROW)
                sender.program.wait_until(
                    lambda: sender.statistics["targetBitRate"] <= NARROW * 1000, "a bit rate that has room")
                # The far end goes on.
                watch.wait_for_pictures(30)
                self.network.release()
                low = sender.statistics["targetBitRate"]
                sender.program.wait_until(
                    lambda: sender.statistics["targetBitRate"] > low, "a higher bit rate again")
                watch.wait_for_pictures(30)
                begin = len(watch.seen)
                watch.wait_for_pictures(30)
            # The pictures are in order. What SRT gives up while it is squeezed its receiver paints over.
            seen = watch.seen[begin if url.startswith("srt:") else 0:]
            numbers = [one.number for one in seen if one.number is not None]
            self.assertEqual(numbers, sorted(numbers))
            self.assertEqual(sender.stop(), 130)
            queues = [event["destinations"][0]["queue"] for event in sender.events("statistics")]
            self.assertLessEqual(max(queues), LONGEST_QUEUE)
        self.expect_whole_movie(sender)

    def test_rtmp_is_squeezed(self):
        server = servers.RTMPServer(**self.place())
        self.survives_squeeze(server, server.url)

    def test_rtsp_is_squeezed(self):
        server = servers.RTSPServer(has_audio=False, **self.place())
        self.survives_squeeze(server, server.url)

    def test_srt_is_squeezed(self):
        server = servers.SRTListener(**self.place())
        self.survives_squeeze(server, f"srt://{network.FAR}:{server.port}?latency=200")


if __name__ == "__main__":
    unittest.main()
