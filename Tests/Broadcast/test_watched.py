# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that the RTSP server of Obscura's own serves whoever asks, and that none of them disturbs another."""

import asyncio
import os
import pathlib
import socket
import time
import unittest

import cv2

import farend
import pattern
import processes
import rtsp_viewer
from obscura_sender import ObscuraSender

# How long a stream is looked at, in seconds.
LENGTH = 60 if os.environ.get("OBSCURA_TEST_LONG") == "1" else 3
CROWD = 50
TALKERS = 20
# How many connections there may be, and how long one may do nothing, as the settings say.
LIMIT, QUIET = 100, 5
# How long what should be at once may take on a busy machine.
SOON = 10


class WatchedTest(unittest.TestCase):
    """What those see who watch."""

    def setUp(self):
        self.port = processes.free_port()
        self.url = f"rtsp://127.0.0.1:{self.port}/live"

    def serving(self, user="", **how):
        return ObscuraSender(f"rtsp://{user}:{self.port}/live", **how)

    def wait_for_server(self, sender):
        sender.wait_for_event("connected")
        sender.wait_for_event("statistics")

    def expect_nothing_late(self, sender):
        self.assertEqual(sender.stop(), 130)
        last = sender.statistics
        self.assertEqual((last["lateFrames"], last["camera"]["droppedFrames"]), (0, 0))
        self.assertEqual((sender.destination()["state"], sender.destination()["droppedFrames"]), ("ended", 0))

    # MARK: Programs that people have

    def watched(self, transport):
        with self.serving() as sender:
            self.wait_for_server(sender)
            with farend.Watch(self.url, transport=transport) as watch:
                watch.wait_for_pictures()
                watch.wait_for_number(watch.last + LENGTH * 30, timeout=LENGTH + processes.PATIENCE)
            self.assertEqual(sender.destination()["viewers"], 1)
            streams = farend.probe(self.url)
            self.assertEqual((streams.video.codec, streams.video.size), ("h264", (640, 360)))
            self.assertEqual((streams.video.matrix, streams.video.range), ("smpte170m", "tv"))
            self.assertEqual((streams.audio.codec, streams.audio.rate, streams.audio.channels), ("aac", 48000, 2))
            processes.wait_until(lambda: sender.destination()["viewers"] == 0, "the end of the last viewer")
            self.expect_nothing_late(sender)
        self.assertEqual(pattern.misplaced(watch.seen), [])
        self.assertLessEqual(len(watch.missing()), sender.statistics["camera"]["lostFrames"])
        self.assertNotIn(None, [one.number for one in watch.seen])

    def test_ffmpeg_over_tcp(self):
        self.watched("tcp")

    def test_ffmpeg_over_udp(self):
        self.watched("udp")

    def test_opencv(self):
        with self.serving() as sender:
            self.wait_for_server(sender)
            capture = cv2.VideoCapture(self.url, cv2.CAP_FFMPEG)
            numbers = []
            for _ in range(30):
                is_read, picture = capture.read()
                self.assertTrue(is_read)
                luma = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
                numbers.append(pattern.shown_number(memoryview(luma).cast("B"), 640, 360))
            capture.release()
            self.assertEqual(numbers, list(range(numbers[0], numbers[0] + 30)))

    # MARK: Many

    def test_fifty_at_once(self):
        """Each gets all of it from a key frame on, and no frame is late at the source."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            viewers = [rtsp_viewer.Viewer(self.url) for _ in range(CROWD)]
            asyncio.run(self.watch_together(viewers, sender))
            self.expect_nothing_late(sender)
        self.assertEqual([one.gaps for one in viewers], [0] * CROWD)
        self.assertEqual({one.begins_with_key for one in viewers}, {True})

    async def watch_together(self, viewers, sender):
        await asyncio.wait_for(asyncio.gather(*(one.play() for one in viewers)), processes.PATIENCE)
        watching = [asyncio.create_task(one.watch()) for one in viewers]
        # From here on all of them watch.
        before = [one.pictures for one in viewers]
        await until(lambda: all(one.pictures - start >= LENGTH * 30 for one, start in zip(viewers, before)),
                    LENGTH + processes.PATIENCE)
        await until(lambda: sender.destination()["viewers"] == CROWD)
        for one in viewers:
            one.close()
        await asyncio.gather(*watching, return_exceptions=True)
        await until(lambda: sender.destination()["viewers"] == 0)

    def test_those_who_come_and_go(self):
        """More than there may be at one time, who leave without a word, leave nothing behind."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            open_files = pathlib.Path(f"/proc/{sender.program.process.pid}/fd")
            before = len(list(open_files.iterdir()))
            asyncio.run(self.come_and_go(sender))
            # What waits for a connection is there from the first on.
            processes.wait_until(lambda: len(list(open_files.iterdir())) <= before + 2, "the files to be closed")
            asyncio.run(self.see(self.url))
            self.expect_nothing_late(sender)

    async def come_and_go(self, sender):
        for _ in range(LIMIT // 20):
            viewers = [rtsp_viewer.Viewer(self.url) for _ in range(30)]
            await asyncio.wait_for(asyncio.gather(*(one.play() for one in viewers)), processes.PATIENCE)
            for one in viewers:
                one.vanish()
            await until(lambda: sender.destination()["viewers"] == 0)

    # MARK: Those who may not, and those who mean no good

    def test_a_password(self):
        with self.serving("me:s3cret@") as sender:
            self.wait_for_server(sender)
            for login, status in (("", 401), ("me:wrong@", 401), ("you:s3cret@", 401)):
                with self.subTest(login=login), self.assertRaises(rtsp_viewer.Refused) as refused:
                    asyncio.run(self.see(f"rtsp://{login}127.0.0.1:{self.port}/live"))
                self.assertEqual(refused.exception.status, status)
            asyncio.run(self.see(f"rtsp://me:s3cret@127.0.0.1:{self.port}/live"))
            self.assertEqual(farend.probe(f"rtsp://me:s3cret@127.0.0.1:{self.port}/live").video.size, (640, 360))
            sender.stop()
            self.assertNotIn("s3cret", sender.program.words + str(sender.lines))

    def test_guessing(self):
        """Nobody guesses a password often by one connection."""
        with self.serving("me:s3cret@") as sender:
            self.wait_for_server(sender)
            self.assertLess(asyncio.run(self.guess()), 10)

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

    async def see(self, url, count=10):
        viewer = rtsp_viewer.Viewer(url)
        try:
            await asyncio.wait_for(viewer.play(), processes.PATIENCE)
            watching = asyncio.create_task(viewer.watch())
            await until(lambda: viewer.pictures >= count)
        finally:
            viewer.close()
        await watching

    def test_a_path_that_is_not_there(self):
        with self.serving() as sender:
            self.wait_for_server(sender)
            with self.assertRaises(rtsp_viewer.Refused) as refused:
                asyncio.run(self.see(self.url + "/nowhere"))
            self.assertEqual(refused.exception.status, 404)

    def test_one_who_takes_nothing_and_one_who_says_nothing(self):
        """They are sent away, and who watches beside them does not notice."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.watch_beside(sender))
            self.expect_nothing_late(sender)

    async def watch_beside(self, sender):
        good, stuck = rtsp_viewer.Viewer(self.url), rtsp_viewer.Viewer(self.url, socket_buffer=2048)
        await good.play()
        watching = asyncio.create_task(good.watch())
        # Reads no more from now on.
        await stuck.play()
        await until(lambda: sender.destination()["viewers"] == 2)
        silent, senseless = rtsp_viewer.Viewer(self.url), rtsp_viewer.Viewer(self.url)
        for one in (silent, senseless):
            await one.connect()
        senseless.write(os.urandom(4096))
        await asyncio.wait_for(asyncio.gather(silent.watch(), senseless.watch()), QUIET + SOON)
        await until(lambda: sender.destination()["viewers"] == 1, 2 * QUIET + SOON)
        before = good.pictures
        await until(lambda: good.pictures >= before + 30)
        self.assertEqual((good.gaps, good.is_closed), (0, False))
        for one in (good, stuck):
            one.close()
        await asyncio.gather(watching, return_exceptions=True)

    def test_a_request_without_end(self):
        """It is not read for ever, not even slowly: who watches may else stay for as long as he likes."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            for piece in (60_000, 600):
                with self.subTest(piece=piece):
                    asyncio.run(self.flood(piece))
            self.expect_nothing_late(sender)

    async def flood(self, piece):
        viewer = rtsp_viewer.Viewer(self.url)
        await viewer.play()
        watching = asyncio.create_task(viewer.watch())
        viewer.write(b"OPTIONS * RTSP/1.0\r\n")
        begin = time.monotonic()
        while not watching.done():
            self.assertLess(time.monotonic(), begin + SOON)
            viewer.write(b"X: y\r\n" * (piece // 6))
            await asyncio.wait([watching], timeout=0.1)
        viewer.close()
        await asyncio.gather(watching, return_exceptions=True)

    def test_the_end_while_requests_come(self):
        """GStreamer's own way to close a connection that is being read ends in a failed assertion."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.talk_to_the_end(sender))
            self.assertNotIn("CRITICAL", sender.program.words)
            self.assertEqual(sender.destination()["state"], "ended")

    async def talk_to_the_end(self, sender):
        viewers = [rtsp_viewer.Viewer(self.url) for _ in range(TALKERS)]
        await asyncio.gather(*(viewer.play() for viewer in viewers))
        watching = [asyncio.create_task(viewer.watch()) for viewer in viewers]
        for viewer in viewers:
            viewer.write(b"OPTIONS * RTSP/1.0\r\n")
        ending = asyncio.create_task(asyncio.to_thread(sender.stop))
        while not ending.done():
            for viewer, watch in zip(viewers, watching):
                if not watch.done():
                    viewer.write(b"X: y\r\n" * 1000)
            await asyncio.wait([ending], timeout=0.002)
        self.assertEqual(await ending, 130)
        await asyncio.wait_for(asyncio.gather(*watching, return_exceptions=True), SOON)
        for viewer in viewers:
            viewer.close()

    def test_more_than_may_be(self):
        with self.serving() as sender:
            self.wait_for_server(sender)
            connections = [socket.create_connection(("127.0.0.1", self.port)) for _ in range(LIMIT)]
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=QUIET / 2) as one_more:
                    # At once: whoever says nothing is sent away later anyhow.
                    self.assertEqual(one_more.recv(1), b"")
            finally:
                for one in connections:
                    one.close()
            processes.wait_until(self.has_place, "a place to come free")
            asyncio.run(self.see(self.url))

    def test_one_who_has_ended_and_stays(self):
        """By his own word; in the long form also one who never began, of whom nothing is heard for a minute."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.stay(plays=True, patience=QUIET + SOON))
            if os.environ.get("OBSCURA_TEST_LONG") == "1":
                asyncio.run(self.stay(plays=False, patience=60 + QUIET + 2 * SOON))
            self.expect_nothing_late(sender)

    async def stay(self, plays, patience):
        viewer = rtsp_viewer.Viewer(self.url)
        if plays:
            await viewer.play()
            await viewer.end()
        else:
            await viewer.set_up()
        await asyncio.wait_for(viewer.watch(), patience)
        self.assertTrue(viewer.is_closed)

    def has_place(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=SOON) as one:
                one.sendall(b"OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n")
                return one.recv(1) != b""
        except ConnectionError:
            return False

    def test_the_end(self):
        """Whoever watches is told, and what watches from outside of the tests ends."""
        with self.serving() as sender:
            self.wait_for_server(sender)
            asyncio.run(self.watch_to_the_end(sender))

    async def watch_to_the_end(self, sender):
        viewer = rtsp_viewer.Viewer(self.url)
        await viewer.play()
        watching = asyncio.create_task(viewer.watch())
        await until(lambda: viewer.pictures > 0)
        self.assertEqual(await asyncio.to_thread(sender.stop), 130)
        await asyncio.wait_for(watching, SOON)
        viewer.close()

    def test_a_port_that_another_has(self):
        with self.serving() as first:
            self.wait_for_server(first)
            with self.serving() as second:
                failed = second.wait_for_event("failed")
                self.assertEqual((second.wait(), failed["code"]), (1, "connectionFailed"))


async def until(condition, timeout=processes.PATIENCE):
    """As `processes.wait_until`, beside the viewers of the same thread."""
    await asyncio.wait_for(_poll(condition), timeout)


async def _poll(condition):
    while not condition():
        await asyncio.sleep(processes.INTERVAL)


if __name__ == "__main__":
    unittest.main()
