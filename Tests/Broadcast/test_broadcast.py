# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that real servers get what `obscura broadcast` sends: all of it, right, and that they are found again."""

import fractions
import json
import os
import subprocess
import time
import unittest

import certificates
import farend
import pattern
import processes
import servers
from browser_tests import browser
from obscura_sender import ObscuraSender

IS_LONG = os.environ.get("OBSCURA_TEST_LONG") == "1"
# How long a stream is looked at, in seconds.
LENGTH = 60 if IS_LONG else 6
# How often a server is killed.
KILLS = 20 if IS_LONG else 3


def movie_numbers(path, size=(640, 360)):
    """The numbers that the pictures of a movie show."""
    run = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-map", "0:v:0", "-vf", "extractplanes=y",
                          "-fps_mode", "passthrough", "-f", "rawvideo", "-"], capture_output=True, check=True)
    length = size[0] * size[1]
    return [pattern.shown_number(run.stdout[offset:offset + length], *size)
            for offset in range(0, len(run.stdout), length)]


class ReceivedTest(unittest.TestCase):
    """What the far end has of a broadcast."""

    def received(self, server, url=None):
        with server, farend.Watch(server.reading_url) as watch, ObscuraSender(url or server.url) as sender:
            watch.wait_for_pictures()
            watch.wait_for_number(watch.last + LENGTH * 30, timeout=LENGTH + processes.PATIENCE)
            streams = farend.probe(server.reading_url) if self.can_be_probed(server) else None
            self.assertEqual(sender.stop(), 130)
            self.assertEqual(sender.destination()["state"], "ended")
            self.assertEqual(sender.destination().get("error"), None)
        self.assertEqual((watch.missing(), pattern.misplaced(watch.seen)), ([], []))
        self.assertNotIn(None, [one.number for one in watch.seen])
        if streams:
            self.expect(streams)

    @staticmethod
    def can_be_probed(server):
        """A port of UDP has one reader."""
        return not server.reading_url.startswith("udp:")

    def expect(self, streams):
        video, audio = streams.video, streams.audio
        self.assertEqual((video.codec, video.size, video.pixel_format), ("h264", (640, 360), "yuv420p"))
        # A time in FLV is whole milliseconds.
        self.assertAlmostEqual(float(video.rate), 30, delta=0.5)
        self.assertEqual((video.matrix, video.range), ("smpte170m", "tv"))
        self.assertEqual((audio.codec, audio.rate, audio.channels), ("aac", 48000, 2))

    def test_rtmp(self):
        self.received(servers.RTMPServer())

    def test_rtsp_over_tcp(self):
        self.received(servers.RTSPServer())

    def test_rtsp_over_udp(self):
        server = servers.RTSPServer(transport="udp")
        self.received(server, server.url + "?transport=udp")

    def test_rtsp_with_a_password(self):
        self.received(servers.RTSPServer(user="me", password="secret"))

    def test_srt_as_caller(self):
        server = servers.SRTListener()
        self.received(server, f"srt://127.0.0.1:{server.port}?latency=50")

    def test_srt_as_listener_with_a_passphrase(self):
        server = servers.SRTCaller(passphrase="a long secret")
        self.received(server, f"srt://127.0.0.1:{server.port}?mode=listener&latency=50&passphrase=a%20long%20secret")

    def test_udp(self):
        self.received(servers.UDPReceiver())

    def test_rtmps_with_a_certificate_of_ones_own(self):
        with certificates.Authority() as authority:
            server = servers.RTMPServer(authority=authority)
            with server, ObscuraSender(server.url, options=["--ca", authority.root]) as sender:
                sender.wait_for_event("connected")
                with farend.Watch(server.reading_url) as watch:
                    watch.wait_for_pictures(30)
                self.assertEqual(watch.missing(), [])

    def test_hls_and_a_movie_beside_it(self):
        with servers.HLSServer() as server:
            movie = f"{server.folder}/movie.mp4"
            with ObscuraSender(server.url, options=["--record", movie]) as sender:
                processes.wait_until(lambda: os.path.exists(server.url), "the list")
                with farend.Watch(server.reading_url) as watch:
                    watch.wait_for_number(150)
                self.assertEqual(sender.stop(), 130)
            self.assertEqual(watch.missing(), [])
            numbers = movie_numbers(movie)
            self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))))
            self.expect(farend.probe(movie))
            video = farend.probe(server.reading_url).video
            self.assertEqual((video.codec, video.size, video.rate), ("h264", (640, 360), fractions.Fraction(30)))


class RefusedTest(unittest.TestCase):
    """A clear error, within the time-out, that shows no secret."""

    def refused(self, url, code, *options, secret="s3cret"):
        begin = time.monotonic()
        run = subprocess.run([browser.tool(), "broadcast", "pattern:320x180@30", "--json", "--to", url, *options],
                             capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
        self.assertLess(time.monotonic() - begin, 12)
        self.assertEqual(run.returncode, 1, run.stderr)
        failed = next(line for line in map(json.loads, run.stdout.splitlines()) if line["event"] == "failed")
        self.assertEqual(failed["code"], code, failed)
        self.assertNotIn(secret, run.stdout + run.stderr)
        # One sentence that says what, and one that says what to do.
        self.assertRegex(run.stderr, r"^obscura: [^\n]+\.( [^\n]+\.)?\n$")
        return run.stderr

    def test_a_wrong_stream_key(self):
        with servers.StreamKeyGate("right") as gate, servers.RTMPServer(gate=gate, stream_key="s3cret") as server:
            self.assertIn("stream key", self.refused(server.url, "refused"))
            self.assertEqual(gate.asked, ["s3cret"])

    def test_a_wrong_application(self):
        with servers.RTMPServer(stream_key="s3cret") as server:
            self.assertIn("application", self.refused(server.url.replace("/live/", "/none/"), "refused"))

    def test_a_wrong_host(self):
        for url in ("rtmp://nobody.invalid/live/s3cret", "rtsp://me:s3cret@nobody.invalid/live",
                    "srt://nobody.invalid:9000?streamid=s3cret", "udp://nobody.invalid:1234"):
            with self.subTest(url=url):
                self.assertIn("nobody.invalid", self.refused(url, "hostNotFound"))

    def test_a_port_where_nobody_is(self):
        port = processes.free_port()
        for url in (f"rtmp://127.0.0.1:{port}/live/s3cret", f"rtsp://me:s3cret@127.0.0.1:{port}/live"):
            with self.subTest(url=url):
                self.refused(url, "connectionFailed")
        self.refused(f"srt://127.0.0.1:{processes.free_port('udp')}?streamid=s3cret", "timedOut")

    def test_a_wrong_password(self):
        with servers.RTSPServer(user="me", password="right") as server:
            self.refused(server.url.replace(":right@", ":s3cret@"), "notAuthorized")
            self.refused(server.url.replace("me:right@", ""), "notAuthorized")

    def test_a_wrong_path(self):
        with servers.RTSPServer() as server:
            self.refused(server.url.rsplit("/", 1)[0] + "/nowhere", "notFound")

    def test_a_wrong_passphrase(self):
        with servers.SRTListener(passphrase="a long secret") as server:
            for query in ("?passphrase=another+s3cret", ""):
                with self.subTest(query=query):
                    self.assertIn("passphrase", self.refused(f"srt://127.0.0.1:{server.port}{query}", "notAuthorized"))

    def test_a_certificate_of_strangers(self):
        with certificates.Authority() as authority, servers.RTMPServer(authority=authority,
                                                                       stream_key="s3cret") as server:
            self.assertIn("certificate", self.refused(server.url, "certificateNotTrusted"))

    def test_a_certificate_of_another_name(self):
        with certificates.Authority("DNS:another.example") as authority:
            with servers.RTMPServer(authority=authority, stream_key="s3cret") as server:
                self.refused(server.url, "certificateNotTrusted", "--ca", authority.root)


class KilledTest(unittest.TestCase):
    """A server that is killed and comes back, again and again."""

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
                    begin = time.monotonic()
                    sender.wait_for_event("connected", count=kill + 3)
                    self.assertLess(time.monotonic() - begin, 3)
                self.assertEqual(sender.stop(), 130)
                self.assertGreaterEqual(sender.destination()["reconnects"], KILLS)
                self.assertEqual(sender.statistics["lateFrames"], 0)
            numbers = movie_numbers(movie)
            self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))))
            self.assertEqual(len(numbers), sender.statistics["encodedFrames"])

    def test_rtmp(self):
        self.survives(servers.RTMPServer())

    def test_rtsp(self):
        self.survives(servers.RTSPServer())

    def test_srt(self):
        server = servers.SRTListener()
        self.survives(server, f"srt://127.0.0.1:{server.port}?latency=50")


if __name__ == "__main__":
    unittest.main()
