# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that a broadcast reconnects to a server that was killed and restarted, and that its movie is complete."""

import os
import unittest

import farend
import servers
import side_by_side
import whole_movie
from obscura_sender import ObscuraSender

# The number of kills.
KILLS = 20 if os.environ.get("OBSCURA_TEST_LONG") == "1" else 2
# The longest delay before the next attempt, in seconds: two, plus or minus a tenth.
LONGEST_WAIT = 2.2

load_tests = side_by_side.load_tests


class KilledTest(unittest.TestCase):
    """A server that is killed and restarted repeatedly."""

    def survives(self, server, url=None):
        with server:
            movie = f"{server.folder}/movie.mp4"
            with ObscuraSender(url or server.url, options=["--record", movie]) as sender:
                for kill in range(KILLS):
                    sender.wait_for_event("connected", count=kill + 2)
                    with farend.Watch(server.reading_url) as watch:
                        watch.wait_for_pictures(5)
                    server.kill()
                    sender.wait_for_event("waiting", count=kill + 1)
                    server.restart()
                    sender.wait_for_event("connected", count=kill + 3)
                with farend.Watch(server.reading_url) as watch:
                    watch.wait_for_pictures(5)
                self.assertEqual(sender.stop(), 130)
                self.assertGreaterEqual(sender.destination()["reconnects"], KILLS)
                self.assertLessEqual(max(sender.retries), LONGEST_WAIT)
            whole_movie.expect(self, movie, sender)

    def test_rtmp(self):
        self.survives(servers.RTMPServer())

    def test_rtsp(self):
        self.survives(servers.RTSPServer())

    def test_srt(self):
        server = servers.SRTListener()
        self.survives(server, f"srt://127.0.0.1:{server.port}?latency=50")


if __name__ == "__main__":
    unittest.main()
