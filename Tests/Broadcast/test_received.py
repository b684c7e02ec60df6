# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that real servers receive the stream of `obscura broadcast` completely and correctly."""

import fractions
import os
import unittest

import certificates
import farend
import processes
import servers
import side_by_side
import whole_movie
from obscura_sender import ObscuraSender
from processes import waiting

# The number of frames for which a stream is watched: in the short form they include at least one key frame.
PICTURES = 1800 if os.environ.get("OBSCURA_TEST_LONG") == "1" else 60
# The time limit for their arrival, in seconds.
PATIENCE = PICTURES / 30 + processes.PATIENCE

load_tests = side_by_side.load_tests


class ReceivedTest(unittest.TestCase):
    """The stream at the receiving end of a broadcast."""

    def received(self, server, url=None):
        with server, ObscuraSender(url or server.url) as sender:
            with farend.Watch(server.reading_url) as watch:
                watch.wait_for_pictures()
                watch.wait_for_number(watch.last + PICTURES, PATIENCE)
            streams = server.probe()
            if sender.destination()["kind"] != "udp":
                waiting.wait_until(lambda: sender.destination().get("roundTrip", 0) > 0, "a round trip")
            self.assertEqual(sender.stop(), 130)
            self.assertEqual(sender.destination()["state"], "ended")
            self.assertEqual(sender.destination().get("error"), None)
            self.assertEqual(sender.destination()["reconnects"], 0)
            self.assertEqual(sender.destination()["videoDelays"]["sent"]["count"], sender.destination()["sentFrames"])
            self.assertGreater(sender.destination()["audioDelays"]["sent"]["p99"], 0)
        watch.expect_all(self, sender.unsent())
        self.expect(streams, sender)

    def expect(self, streams, sender):
        video, audio = streams.video, streams.audio
        self.assertEqual((video.codec, video.size, video.pixel_format), ("h264", (640, 360), "yuv420p"))
        # Frames that a busy machine drops lower the rate. Times in FLV are whole milliseconds.
        if sender.unsent() == 0:
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
        server = servers.SRTListener(waits_for_late=True)
        self.received(server, f"srt://127.0.0.1:{server.port}?latency=50")

    def test_srt_as_listener_with_a_passphrase(self):
        server = servers.SRTCaller(passphrase="a long secret", waits_for_late=True)
        self.received(server, f"srt://127.0.0.1:{server.port}?mode=listener&latency=50&passphrase=a%20long%20secret")

    def test_udp(self):
        self.received(servers.UDPReceiver())

    def test_two_streams_at_one_server(self):
        """Each has the statistics of its own connection."""
        with servers.RTMPServer() as server, ObscuraSender(server.url, options=["--to", server.url + "2"]) as sender:
            sender.wait_for_event("connected", 2)
            sender.wait_for_event("statistics")
            waiting.wait_until(lambda: all(one.get("roundTrip") for one in sender.statistics["destinations"]),
                               "the round trips of both")
            self.assertEqual(sender.stop(), 130)

    def test_rtmps_with_a_certificate_of_an_own_authority(self):
        with certificates.Authority() as authority:
            server = servers.RTMPServer(authority=authority)
            with server, ObscuraSender(server.url, options=["--ca", authority.root]) as sender:
                sender.wait_for_event("connected")
                with farend.Watch(server.reading_url) as watch:
                    watch.wait_for_pictures(30)
                self.assertEqual(sender.stop(), 130)
            watch.expect_all(self, sender.unsent())

    def test_hls_and_a_movie_beside_it(self):
        with servers.HLSServer() as server:
            movie = f"{server.folder}/movie.mp4"
            with ObscuraSender(server.url, options=["--record", movie]) as sender:
                waiting.wait_until(lambda: os.path.exists(server.url), "the list")
                with farend.Watch(server.reading_url) as watch:
                    # Several segments of one second.
                    watch.wait_for_pictures(90)
                self.assertEqual(sender.stop(), 130)
            watch.expect_all(self, sender.unsent())
            whole_movie.expect(self, movie, sender)
            self.expect(farend.probe(movie), sender)
            video = server.probe().video
            self.assertEqual((video.codec, video.size), ("h264", (640, 360)))
            if sender.unsent() == 0:
                self.assertEqual(video.rate, fractions.Fraction(30))


if __name__ == "__main__":
    unittest.main()
