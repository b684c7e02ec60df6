# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that Obscura's RTSP server rejects viewers without the password, and closes harmful connections."""

import asyncio
import contextlib
import os
import socket
import unittest

import farend
import processes
import rtsp_test
import rtsp_viewer
import side_by_side
from processes import waiting

TALKERS = 20
OPTIONS = b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"

load_tests = side_by_side.load_tests


class GuardedTest(rtsp_test.RTSPTest):
    """Connections that are rejected or closed."""

    # MARK: The password

    def test_a_password(self):
        with self.serving("me:s3cret-word@") as sender:
            self.wait_for_server(sender)
            for login, status in (("", 401), ("me:wrong@", 401), ("you:s3cret-word@", 401)):
                with self.subTest(login=login), self.assertRaises(rtsp_viewer.Refused) as refused:
                    asyncio.run(self.see(f"rtsp://{login}127.0.0.1:{self.port}/live"))
                self.assertEqual(refused.exception.status, status)
            asyncio.run(self.see(f"rtsp://me:s3cret-word@127.0.0.1:{self.port}/live"))
            self.assertEqual(farend.probe(f"rtsp://me:s3cret-word@127.0.0.1:{self.port}/live").video.size, (640, 360))
            self.expect_end(sender)
            self.assertNotIn("s3cret-word", sender.program.words + str(sender.lines))

    def test_guessing(self):
        """A connection has few attempts to guess a password."""
        with self.serving("me:s3cret-word@") as sender:
            self.wait_for_server(sender)
            self.assertIn(asyncio.run(self.guess()), range(1, 10))

    async def guess(self):
        viewer = rtsp_viewer.Viewer(f"rtsp://me:wrong@127.0.0.1:{self.port}/live")
        await viewer.connect()
        for guesses in range(100):
            try:
                await asyncio.wait_for(viewer.ask("DESCRIBE", viewer.url), processes.PATIENCE)
            except rtsp_viewer.Refused:
                continue
            except (asyncio.IncompleteReadError, ConnectionError):
                return guesses
        return 100

    def test_guessing_by_many_connections(self):
        """An address that guesses is blocked for a while; its viewer continues, and other addresses are accepted."""
        with self.serving("me:s3cret-word@") as sender:
            self.wait_for_server(sender)
            asyncio.run(self.guess_beside_viewers())
            waiting.wait_until(lambda: self.answer() == b"RTSP/1.0 200", "the end of the pause")
            asyncio.run(self.see(f"rtsp://me:s3cret-word@127.0.0.1:{self.port}/live"))
            self.expect_end(sender)

    async def guess_beside_viewers(self):
        right = f"rtsp://me:s3cret-word@127.0.0.1:{self.port}/live"
        good, other = rtsp_viewer.Viewer(right), rtsp_viewer.Viewer(right, source="127.0.0.2")
        await good.play()
        watching = [asyncio.create_task(good.watch())]
        idle = rtsp_viewer.Viewer(right)
        await idle.connect()
        refusals = [await self.guess_once() for _ in range(3)]
        self.assertEqual(refusals, [401] * 3)
        # After the fourth the address is blocked, for 1 s, 2 s, 4 s …; a slower machine guesses again after that.
        while len(refusals) < 10 and refusals[-1] != 503:
            refusals.append(await self.guess_once())
        self.assertEqual(refusals[-1], 503)
        await asyncio.wait_for(idle.watch(), processes.PATIENCE)
        await other.play()
        watching.append(asyncio.create_task(other.watch()))
        for one in (good, other):
            before = one.pictures
            await waiting.wait_until_async(lambda: one.pictures >= before + 10, "10 more pictures")
            self.assertFalse(one.is_closed)
            one.close()
        await asyncio.gather(*watching)

    async def guess_once(self):
        """The status of the response to a wrong password on a new connection; None if it was closed."""
        viewer = rtsp_viewer.Viewer(f"rtsp://me:wrong@127.0.0.1:{self.port}/live")
        try:
            await viewer.connect()
            await asyncio.wait_for(viewer.ask("DESCRIBE", viewer.url), processes.PATIENCE)
        except rtsp_viewer.Refused as refused:
            return refused.status
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        finally:
            viewer.close()

    def test_an_unknown_path(self):
        with self.serving() as sender:
            self.wait_for_server(sender)
            with self.assertRaises(rtsp_viewer.Refused) as refused:
                asyncio.run(self.see(self.url + "/nowhere"))
            self.assertEqual(refused.exception.status, 404)

    # MARK: Connections that do nothing

    def test_a_viewer_that_reads_nothing_and_a_connection_that_says_nothing(self):
        """Their connections are closed, and a viewer beside them is not affected."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.watch_beside(sender))
            self.expect_end(sender)

    async def watch_beside(self, sender):
        good, stuck = rtsp_viewer.Viewer(self.url), rtsp_viewer.Viewer(self.url, socket_buffer=2048)
        await good.play()
        watching = asyncio.create_task(good.watch())
        # Stops reading.
        await stuck.play()
        await self.wait_for_viewers(sender, 2)
        silent, senseless = rtsp_viewer.Viewer(self.url), rtsp_viewer.Viewer(self.url)
        for one in (silent, senseless):
            await one.connect()
        senseless.write(os.urandom(4096))
        await asyncio.wait_for(asyncio.gather(silent.watch(), senseless.watch()), processes.PATIENCE)
        await self.wait_for_viewers(sender, 1)
        before = good.pictures
        await waiting.wait_until_async(lambda: good.pictures >= before + 30, "30 more pictures")
        self.assertEqual((good.gaps, good.is_closed), (0, False))
        for one in (good, stuck):
            one.close()
        await asyncio.gather(watching, return_exceptions=True)

    def test_a_viewer_that_has_ended_and_stays(self):
        """After its own request; in the long form also one that never began, which may stay a minute."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.stay(plays=True, patience=processes.PATIENCE))
            if os.environ.get("OBSCURA_TEST_LONG") == "1":
                asyncio.run(self.stay(plays=False, patience=60 + processes.PATIENCE))
            self.expect_end(sender)

    async def stay(self, plays, patience):
        viewer = rtsp_viewer.Viewer(self.url)
        if plays:
            await viewer.play()
            await viewer.end()
        else:
            await viewer.set_up()
        await asyncio.wait_for(viewer.watch(), patience)
        self.assertTrue(viewer.is_closed)

    def test_more_connections_than_there_may_be(self):
        """A further one gets 503 and is closed; when the others are gone, a new one is accepted."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.fill())
            waiting.wait_until(self.is_seen, "a connection to be accepted")
            self.expect_end(sender)

    def is_seen(self):
        """Whether there is room for a viewer, which then gets the stream. Each rejected attempt may take the place of
        the next one for a moment."""
        try:
            asyncio.run(self.see(self.url))
        except rtsp_viewer.Refused as refusal:
            self.assertEqual(refusal.status, 503)
            return False
        except (ConnectionError, EOFError):
            # Closed before its request was sent.
            return False
        return True

    async def fill(self):
        # A connection that has set up a stream may stay for a minute.
        viewers = [rtsp_viewer.Viewer(self.url) for _ in range(rtsp_test.LIMIT)]
        await asyncio.wait_for(asyncio.gather(*(one.set_up() for one in viewers)), processes.PATIENCE)
        self.assertEqual(await asyncio.to_thread(self.answer), b"RTSP/1.0 503")
        # The others are still served.
        await asyncio.wait_for(viewers[-1].ask("OPTIONS", self.url), processes.PATIENCE)
        for one in viewers:
            one.close()

    def answer(self):
        """The start of the response to a request on a new connection."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=processes.PATIENCE) as one:
                # A connection over the limit gets a response before its request.
                with contextlib.suppress(ConnectionError):
                    one.sendall(OPTIONS)
                return one.recv(12, socket.MSG_WAITALL)
        except ConnectionError:
            return b""

    # MARK: Connections that send too much

    def test_a_request_without_end(self):
        """It is cut off at any rate of data, although a viewer may stay for any time."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.flood_twice())
            self.expect_end(sender)

    async def flood_twice(self):
        await asyncio.gather(*(self.flood(piece) for piece in (60_000, 600)))

    async def flood(self, piece):
        """Sends a piece for each frame until the server closes the connection."""
        viewer = rtsp_viewer.Viewer(self.url)
        await viewer.play()
        watching = asyncio.create_task(viewer.watch())
        viewer.write(b"OPTIONS * RTSP/1.0\r\n")
        answered = 0

        def is_next():
            nonlocal answered
            if viewer.pictures > answered and not watching.done():
                answered = viewer.pictures
                viewer.write(b"X: y\r\n" * (piece // 6))
            return watching.done()

        await waiting.wait_until_async(is_next, f"the end of a connection that sends {piece} bytes again and again")
        viewer.close()
        await asyncio.gather(watching, return_exceptions=True)
        self.assertTrue(viewer.is_closed)

    def test_the_end_while_requests_come(self):
        """GStreamer's own function to close a connection that is being read fails an assertion."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.talk_to_the_end(sender))
            self.assertNotIn("CRITICAL", sender.program.words)
            self.assertEqual(sender.events("finished"), [{"event": "finished"}])

    async def talk_to_the_end(self, sender):
        viewers = [rtsp_viewer.Viewer(self.url) for _ in range(TALKERS)]
        await asyncio.gather(*(viewer.play() for viewer in viewers))
        watching = [asyncio.create_task(viewer.watch()) for viewer in viewers]
        for viewer in viewers:
            viewer.write(b"OPTIONS * RTSP/1.0\r\n")
        ending = asyncio.create_task(asyncio.to_thread(sender.stop))

        def is_ended():
            for viewer, watch in zip(viewers, watching):
                if not watch.done():
                    viewer.write(b"X: y\r\n" * 1000)
            return ending.done()

        await waiting.wait_until_async(is_ended, "the end", interval=0.002)
        self.assertEqual(await ending, 130)
        await asyncio.wait_for(asyncio.gather(*watching, return_exceptions=True), processes.PATIENCE)
        self.assertEqual([viewer.is_closed for viewer in viewers], [True] * TALKERS)
        for viewer in viewers:
            viewer.close()


if __name__ == "__main__":
    unittest.main()
