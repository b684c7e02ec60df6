# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that browsers and players get the whole stream from `obscura serve`, and that its password is required."""

import os
import pathlib
import unittest
import urllib.error
import urllib.request

import farend
import hls_viewer
import pattern
import processes
import side_by_side
from obscura_server import ObscuraServer

IS_LONG = os.environ.get("OBSCURA_TEST_LONG") == "1"
# The number of frames for which the page is watched: in the short form several segments.
PICTURES = 1800 if IS_LONG else 60
RATE = 30
# The numbers of decoded and shown frames may differ by this many.
AHEAD = 8

load_tests = side_by_side.load_tests


def status(address, **headers):
    """The status of the server's response."""
    request = urllib.request.Request(address, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=processes.PATIENCE) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


class ServedTest(unittest.TestCase):

    def test_a_browser_and_a_player_get_all_of_it(self):
        with ObscuraServer() as sender, hls_viewer.opened() as viewer:
            schedule = sender.schedule
            viewer.open_served(sender.url)
            first = viewer.wait_for_number()
            with farend.Watch(sender.address("live.m3u8")) as watch:
                # After one second the player has its intended latency.
                viewer.wait_for_number(first + RATE)
                viewer.count_jumps()
                before = viewer.state
                seen = viewer.watch(PICTURES)
                after, jumps = viewer.state, viewer.jumps
                watch.wait_for_number(seen[-1].number)
            troubles = viewer.page.troubles()
            folder = sender.segments
            self.assertEqual(folder.stat().st_mode & 0o777, 0o700)
            self.assertEqual(sender.stop(), 130)
        self.assertFalse(folder.exists(), "the folder of the segments is still there")
        self.assertEqual(troubles, [])
        self.assertEqual((after["state"], after["size"], after["ranges"]), ("live", [640, 360], 1), after)
        watch.expect_all(self, sender.unsent())
        self.assertEqual(pattern.misplaced(seen), [])
        decoded, numbers = (after[what] - before[what] for what in ("shown", "number"))
        # The page decodes all frames, unless a busy machine is so slow that the playback seeks.
        if jumps == 0:
            self.assertGreaterEqual(decoded, numbers - sender.not_encoded - AHEAD)
        if IS_LONG:
            median, p95 = pattern.percentiles(pattern.delays(seen, schedule))
            print(f"delay: HLS in Chromium: median {median:.0f} ms, 95th percentile {p95:.0f} ms, {len(seen)} pictures,"
                  f" {decoded} decoded of {numbers}, {len(watch.seen)} in the player")

    def test_the_password(self):
        with ObscuraServer(options=["--user", "me", "--password", "hidden-word"]) as sender:
            sender.wait_for_event("connected")
            command = pathlib.Path(f"/proc/{sender.program.process.pid}/cmdline").read_bytes()
            self.assertNotIn(b"hidden-word", command)
            for path in ["/", "live.m3u8", "live-init.mp4"]:
                self.assertEqual(status(sender.address(path)), 401)
            # "me:hidden-word" and "me:wrong"
            self.assertEqual(status(sender.url, Authorization="Basic bWU6aGlkZGVuLXdvcmQ="), 200)
            self.assertEqual(status(sender.url, Authorization="Basic bWU6d3Jvbmc="), 401)
            self.assertNotIn("hidden-word", sender.program.words + str(sender.lines))
            self.assertEqual(sender.stop(), 130)


if __name__ == "__main__":
    unittest.main()
