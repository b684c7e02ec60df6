# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that browsers and players get what `obscura serve` serves: all of it, and soon."""

import os
import pathlib
import unittest
import urllib.error
import urllib.request

import farend
import hls_viewer
import pattern
from obscura_server import ObscuraServer

# How long a stream is looked at, in seconds.
LENGTH = 60 if os.environ.get("OBSCURA_TEST_LONG") == "1" else 3
RATE = 30
# In milliseconds, from the camera's clock to the picture in the page.
MOST_DELAY = 3000
# So many pictures more or less the browser may have decoded ahead of the one that it shows.
AHEAD = 8


def status(address, **headers):
    """What the server answers."""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=10) as answer:
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
                # It begins to play, and comes to its place.
                viewer.wait_for_number(first + RATE)
                before = viewer.state
                seen = viewer.watch(LENGTH)
                after = viewer.state
                watch.wait_for_number(seen[-1].number)
            troubles = viewer.page.troubles()
            folder = sender.segments
            self.assertEqual(folder.stat().st_mode & 0o777, 0o700)
            self.assertEqual(sender.stop(), 130)
            lost = sender.statistics["camera"]["lostFrames"]
        self.assertFalse(folder.exists(), "the folder of the segments is still there")
        self.assertEqual(troubles, [])
        self.assertEqual((after["state"], after["size"], after["ranges"]), ("live", [640, 360], 1), after)
        # What the camera itself left out on a busy machine nobody lost.
        self.assertEqual(pattern.misplaced(watch.seen), [])
        self.assertNotIn(None, [one.number for one in watch.seen])
        self.assertLessEqual(len(watch.missing()), lost)
        # All of it was decoded in the page; a screen that is busy leaves some of that out.
        self.assertEqual(pattern.misplaced(seen), [])
        decoded, numbers = (after[what] - before[what] for what in ("shown", "number"))
        self.assertGreaterEqual(decoded, numbers - lost - AHEAD)
        delays = pattern.delays(seen, schedule)
        median, p95 = pattern.percentiles(delays)
        print(f"delay: HLS in Chromium: median {median:.0f} ms, 95th percentile {p95:.0f} ms, {len(delays)} pictures,"
              f" {decoded} decoded of {numbers}, {len(watch.seen)} in the player")
        self.assertLess(median, MOST_DELAY)

    def test_only_who_knows_the_password_can_watch(self):
        with ObscuraServer(options=["--user", "me", "--password", "hidden"]) as sender:
            sender.wait_for_event("connected")
            command = pathlib.Path(f"/proc/{sender.program.process.pid}/cmdline").read_bytes()
            self.assertNotIn(b"hidden", command)
            for path in ["/", "live.m3u8", "live-init.mp4"]:
                self.assertEqual(status(sender.address(path)), 401)
            # "me:hidden"
            self.assertEqual(status(sender.url, Authorization="Basic bWU6aGlkZGVu"), 200)
            self.assertEqual(sender.stop(), 130)


if __name__ == "__main__":
    unittest.main()
