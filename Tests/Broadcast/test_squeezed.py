# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves what becomes of a broadcast whose network is too narrow: it is sent coarser, and goes on."""

import unittest

import network
import network_test
import servers

# Kilobits a second.
NARROW = 300


class SqueezedTest(network_test.NetworkTest):

    def survives_squeeze(self, server, url):
        with server, self.sender(url) as sender:
            sender.wait_for_event("connected", count=2)
            with self.watch(server) as watch:
                watch.wait_for_pictures(30)
                self.network.squeeze(NARROW)
                sender.program.wait_until(
                    lambda: sender.statistics["targetBitRate"] <= NARROW * 1000, "a bit rate that has room", 30)
                # It never has more waiting than it may, and the far end goes on.
                self.assertLess(sender.destination()["queue"], 5)
                watch.wait_for_pictures(60)
                self.network.release()
                low = sender.statistics["targetBitRate"]
                sender.program.wait_until(
                    lambda: sender.statistics["targetBitRate"] > low, "a higher bit rate again", 30)
                watch.wait_for_pictures(30)
                begin = len(watch.seen)
                watch.wait_for_pictures(30)
            # What is shown is in order. What SRT gives up while it is squeezed its receiver paints over.
            seen = watch.seen[begin if url.startswith("srt:") else 0:]
            numbers = [one.number for one in seen if one.number is not None]
            self.assertEqual(numbers, sorted(numbers))
            self.assertEqual(sender.stop(), 130)
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
