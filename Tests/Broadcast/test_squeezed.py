# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests a broadcast whose network is too slow: it continues at a lower bit rate."""

import unittest

import network
import network_test
import servers
import side_by_side

# Kilobits per second.
NARROW = 300
# The maximum queue for the network, in seconds of the stream: the limit of the queue and one key frame interval.
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
                    lambda: sender.statistics["targetBitRate"] <= NARROW * 1000, "a bit rate that fits")
                # The far end continues to receive.
                watch.wait_for_pictures(30)
                self.network.release()
                low = sender.statistics["targetBitRate"]
                sender.program.wait_until(
                    lambda: sender.statistics["targetBitRate"] > low, "a higher bit rate again")
                watch.wait_for_pictures(30)
                begin = len(watch.seen)
                watch.wait_for_pictures(30)
            # The frames are in order. The decoder conceals packets that SRT drops while the link is throttled.
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
