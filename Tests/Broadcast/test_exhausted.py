# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that any number of viewers does not affect the process and the movie that it records, even if its files or
threads are limited."""

import asyncio
import os
import pathlib
import resource
import tempfile
import unittest

import other_user
import processes
import rtsp_test
import rtsp_viewer
import side_by_side
import whole_movie

load_tests = side_by_side.load_tests


class ExhaustedTest(rtsp_test.RTSPTest):

    def setUp(self):
        super().setUp()
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-exhausted-")))

    def crowd(self, before, by_udp):
        """The number of accepted viewers of a crowd, with the server run by this command."""
        movie = self.folder / "movie.mp4"
        movie.unlink(missing_ok=True)
        with self.serving(options=("--record", str(movie)), before=before) as sender:
            self.wait_for_server(sender)
            seen = asyncio.run(self.come(rtsp_test.LIMIT + 20, by_udp))
            # Some of those over the limit are closed before they can read the response.
            self.assertIn(503, self.statuses)
            frames = sender.statistics["encodedFrames"]
            processes.waiting.wait_until(lambda: sender.statistics["encodedFrames"] > frames, "more pictures")
            self.expect_end(sender)
            whole_movie.expect(self, movie, sender)
        return seen

    async def come(self, count, by_udp):
        """The number of accepted viewers of `count` that connect at once. All stay until the last has a response."""
        self.statuses = []
        viewers = [rtsp_viewer.Viewer(self.url) for _ in range(count)]
        seen = await asyncio.gather(*(self.is_let_in(one, by_udp) for one in viewers))
        for viewer in viewers:
            viewer.close()
        return sum(seen)

    async def is_let_in(self, viewer, by_udp):
        try:
            await asyncio.wait_for(viewer.play(by_udp), processes.PATIENCE)
        except rtsp_viewer.Refused as refused:
            self.assertEqual(refused.status, 503)
            self.statuses.append(refused.status)
            return False
        except (asyncio.IncompleteReadError, ConnectionResetError, BrokenPipeError):
            # The response came before the end of the request.
            return False
        return True

    def few_files(self, limits):
        """The command that sets these soft and hard limits of open files."""
        return ["prlimit", f"--nofile={limits}"]

    def test_few_threads(self):
        for limit, places in ((100, range(1, 3)), (400, range(8, 15))):
            for by_udp in (False, True):
                with self.subTest(limit=limit, by_udp=by_udp):
                    self.assertIn(self.crowd(other_user.few_threads(limit, self.folder), by_udp), places)

    def test_too_few_threads_for_anybody(self):
        with self.serving(before=other_user.few_threads(50, self.folder)) as sender:
            self.assertEqual(sender.wait(), 1)
            self.assertIn("ulimit -u", sender.program.words)

    def test_few_files(self):
        for by_udp in (False, True):
            with self.subTest(by_udp=by_udp):
                self.assertIn(self.crowd(self.few_files("256:256"), by_udp), range(1, 4))

    def test_a_thousand_files(self):
        for by_udp in (False, True):
            with self.subTest(by_udp=by_udp):
                self.assertIn(self.crowd(self.few_files("1024:1024"), by_udp), range(8, 13))

    def test_a_limit_that_can_be_raised(self):
        """All viewers are accepted, whatever the soft limit is: 256, the usual 1024, or the hard limit."""
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        if os.getuid() != 0 and most < 8192:
            self.skipTest("only root can have so many files open here")
        most = max(most, 8192)
        for limits in ("256:8192", f"1024:{most}", f"{most}:{most}"):
            for by_udp in (False, True):
                with self.subTest(limits=limits, by_udp=by_udp):
                    self.assertEqual(self.crowd(self.few_files(limits), by_udp), rtsp_test.LIMIT)

    def test_too_few_files_for_anybody(self):
        with self.serving(before=("prlimit", "--nofile=40:40")) as sender:
            self.assertEqual(sender.wait(), 1)
            self.assertIn("ulimit -n", sender.program.words)


if __name__ == "__main__":
    unittest.main()
