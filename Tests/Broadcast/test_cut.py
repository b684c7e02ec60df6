# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests a broadcast whose network is cut: it reconnects, and nothing else is affected."""

import os
import pathlib
import unittest

import farend
import network
import network_test
import servers
import side_by_side
from obscura_sender import ObscuraSender

# The number of cuts.
CUTS = 20 if os.environ.get("OBSCURA_TEST_LONG") == "1" else 1
# The longest delay before the next attempt, in seconds: two, plus or minus a tenth.
LONGEST_WAIT = 2.2

load_tests = side_by_side.load_tests


def resident(process):
    """The private memory of a process, in MiB."""
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    raise AssertionError(f"process {process} does not report its memory")


class CutTest(network_test.NetworkTest):

    def survives_cuts(self, server, url):
        with server, self.sender(url) as sender:
            sender.wait_for_event("connected", count=2)
            memory = None
            for cut in range(CUTS):
                with self.watch(server) as watch:
                    watch.wait_for_pictures(10)
                before = len(sender.events("waiting"))
                self.network.down()
                # There is an event for each failed attempt.
                sender.wait_for_event("waiting", count=before + 1)
                self.network.up()
                sender.wait_for_event("connected", count=cut + 3)
                memory = memory or resident(sender.program.process.pid)
            with self.watch(server) as watch:
                watch.wait_for_pictures(10)
            self.assertLessEqual(max(sender.retries), LONGEST_WAIT)
            self.assertLess(resident(sender.program.process.pid) - memory, 8)
            self.assertEqual(sender.stop(), 130)
        self.expect_whole_movie(sender)

    def test_rtmp_is_cut(self):
        server = servers.RTMPServer(**self.place())
        self.survives_cuts(server, server.url)

    def test_rtsp_is_cut(self):
        server = servers.RTSPServer(has_audio=False, **self.place())
        self.survives_cuts(server, server.url)

    def test_srt_is_cut(self):
        server = servers.SRTListener(**self.place())
        self.survives_cuts(server, f"srt://{network.FAR}:{server.port}?latency=50")

    def test_one_that_is_away_costs_the_other_nothing(self):
        away = servers.RTMPServer(**self.place())
        there = servers.SRTListener(namespace=self.network.near, waits_for_late=True)
        with away, there:
            urls = [away.url, f"srt://127.0.0.1:{there.port}?latency=50"]
            with ObscuraSender(*urls, namespace=self.network.near) as sender:
                sender.wait_for_event("connected", count=2)
                with farend.Watch(there.reading_url, namespace=self.network.near) as watch:
                    watch.wait_for_pictures(30)
                    self.network.down()
                    sender.wait_for_event("waiting")
                    watch.wait_for_pictures(30)
                self.assertEqual(sender.stop(), 130)
                self.assertEqual(sender.destination(1)["reconnects"], 0)
            watch.expect_all(self, sender.unsent(1))


if __name__ == "__main__":
    unittest.main()
