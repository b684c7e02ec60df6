# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests the test servers: a stream from ffmpeg arrives at each server, complete and unchanged, and invalid requests are
rejected."""

import contextlib
import pathlib
import unittest

import certificates
import farend
import hls_viewer
import network
import pattern
import processes
import servers
from ffmpeg_sender import RATE, SIZE, FFmpegSender

# The duration of each stream, and the number of its frames.
SECONDS = 5
PICTURES = SECONDS * RATE

RTMP = ["-f", "flv"]
RTSP_TCP = ["-f", "rtsp", "-rtsp_transport", "tcp"]
RTSP_UDP = ["-f", "rtsp", "-rtsp_transport", "udp"]
MPEGTS = ["-f", "mpegts"]
HLS = [
    "-f", "hls", "-hls_time", "0.5", "-hls_segment_type", "fmp4", "-hls_list_size", "8", "-hls_flags",
    "delete_segments+independent_segments+temp_file"
]
# A key frame for each HLS segment.
HLS_KEY_FRAMES = RATE // 2

VIDEO = farend.Video(codec="h264", profile="High", size=SIZE, rate=RATE, pixel_format="yuv420p", matrix="smpte170m",
                     range="tv", primaries="smpte170m", transfer="smpte170m")
AUDIO = farend.Audio(codec="aac", profile="LC", rate=48000, channels=2)


@contextlib.contextmanager
def sending(server, output, **how):
    """A watch of the stream that the server receives, and its sender."""
    with farend.Watch(server.reading_url, namespace=server.namespace) as watch, \
            FFmpegSender(server.url, output, **how) as sender:
        yield watch, sender


class BenchTest(unittest.TestCase):

    def report(self, title, delays):
        median, p95 = pattern.percentiles(delays)
        print(f"delay: {title}, ffmpeg: median {median:.1f} ms, 95th percentile {p95:.1f} ms, {len(delays)} pictures")

    def assert_streams(self, streams, video=VIDEO, audio=AUDIO):
        self.assertEqual(streams.video, video)
        self.assertEqual(streams.audio, audio)

    def assert_whole(self, seen, sent):
        self.assertEqual(pattern.missing(seen, sent), [], "numbers that were sent and did not arrive")
        self.assertEqual(pattern.misplaced(seen), [], "numbers out of order")
        self.assertEqual([index for index, one in enumerate(seen) if one.number is None], [], "frames without a number")

    def receive(self, title, server, output, **how):
        """Sends for some seconds: the whole stream must arrive, with its properties."""
        with sending(server, output, **how) as (watch, sender):
            watch.wait_for_number(PICTURES)
            # A UDP port has only one reader.
            watch.stop()
            self.assert_streams(server.probe())
            sender.stop()
            self.assert_whole(watch.seen, sender.sent)
            self.report(title, watch.delays(sender.schedule))
            return watch.seen, sender.schedule

    def assert_arrives(self, server, output, **how):
        with sending(server, output, **how) as (watch, _):
            watch.wait_for_pictures(RATE)

    def assert_refused(self, server, output, url=None):
        """The sender ends by itself, and nothing arrives."""
        with farend.Watch(server.reading_url) as watch, FFmpegSender(url or server.url, output) as sender:
            self.assertNotEqual(sender.program.wait(), 0)
            self.assertEqual(watch.seen, [])

    def survive(self, server, output):
        """The server is killed: the sender ends with an error, the next one connects again, and one watch sees both."""
        with farend.Watch(server.reading_url) as watch:
            for _ in range(2):
                with FFmpegSender(server.url, output) as sender:
                    watch.wait_for_pictures(RATE)
                    server.kill()
                    self.assertNotEqual(sender.program.wait(), 0)
                server.restart()


class RTMPTest(BenchTest):

    def test_rtmp_receives_all_of_it(self):
        with servers.RTMPServer() as server:
            self.receive("RTMP", server, RTMP)

    def test_rtmp_outlives_a_kill(self):
        with servers.RTMPServer() as server:
            self.survive(server, RTMP)

    def test_one_stream_key_alone_is_let_in(self):
        with servers.StreamKeyGate("right") as gate, servers.RTMPServer(gate=gate, stream_key="right") as server:
            self.assert_refused(server, RTMP, server.url.replace("right", "wrong"))
            self.assertEqual(gate.asked, ["wrong"])
            self.assert_arrives(server, RTMP)
            self.assertEqual(gate.asked, ["wrong", "right"])

    def test_rtmps_is_trusted_by_its_authority_alone(self):
        with certificates.Authority() as authority, servers.RTMPServer(authority=authority) as server:
            self.assert_refused(server, ["-tls_verify", "1", *RTMP])
            self.assert_arrives(server, ["-tls_verify", "1", "-ca_file", str(authority.root), *RTMP])


class RTSPTest(BenchTest):

    def test_rtsp_over_tcp_receives_all_of_it(self):
        with servers.RTSPServer() as server:
            self.receive("RTSP over TCP", server, RTSP_TCP)

    def test_rtsp_over_udp_receives_all_of_it(self):
        with servers.RTSPServer("udp") as server:
            self.receive("RTSP over UDP", server, RTSP_UDP)

    def test_rtsp_outlives_a_kill(self):
        with servers.RTSPServer() as server:
            self.survive(server, RTSP_TCP)

    def test_a_password_is_asked_for(self):
        with servers.RTSPServer(user="camera", password="right") as server:
            self.assert_refused(server, RTSP_TCP, server.url.replace("right", "wrong"))
            self.assert_arrives(server, RTSP_TCP)

    def test_a_picture_without_sound_has_a_place_of_its_own(self):
        with servers.RTSPServer(has_audio=False) as server:
            self.assert_arrives(server, RTSP_TCP, has_audio=False)


class SRTTest(BenchTest):

    def test_a_listener_receives_all_of_it(self):
        with servers.SRTListener() as server:
            self.receive("SRT, 50 ms", server, MPEGTS)

    def test_a_caller_receives_all_of_it(self):
        with servers.SRTCaller() as server:
            self.receive("SRT, 50 ms, called", server, MPEGTS)

    def test_srt_outlives_a_kill(self):
        with servers.SRTListener() as server:
            self.survive(server, MPEGTS)

    def test_a_passphrase_is_asked_for(self):
        with servers.SRTListener(passphrase="a right passphrase") as server:
            self.assert_refused(server, MPEGTS, server.url.replace("right", "wrong"))
            self.assert_arrives(server, MPEGTS)


class UDPTest(BenchTest):

    def test_udp_receives_all_of_it(self):
        with servers.UDPReceiver() as server:
            self.receive("MPEG-TS over UDP", server, MPEGTS)

    def test_a_length_in_each_packet_spares_the_receiver_a_picture(self):
        """With the length of a frame the receiver does not wait for the start of the next one."""
        with servers.UDPReceiver() as server:
            self.receive("MPEG-TS over UDP, with lengths", server, ["-omit_video_pes_length", "0", *MPEGTS])

    def test_the_flashes_agree_with_the_stamps(self):
        """The schedule from the time stamps matches the flashes of the camera; a shifted one does not. At
        this rate the frames have all phases of a second."""
        rate = 29.6
        with servers.UDPReceiver() as server, sending(server, MPEGTS, rate=rate) as (watch, sender):
            watch.wait_for_number(PICTURES)
            watch.stop()
            sender.stop()
            schedule = sender.schedule
            self.assertEqual(schedule.flash_error(watch.seen), 0)
            for shift in (-20, 20):
                moved = pattern.Schedule(schedule.begin + shift * 10**6, schedule.rate)
                self.assertGreater(moved.flash_error(watch.seen), 10)


class HLSTest(BenchTest):

    def test_hls_receives_all_of_it_and_a_page_shows_it(self):
        with servers.HLSServer() as server, hls_viewer.opened() as viewer, \
                sending(server, HLS, key_frames=HLS_KEY_FRAMES) as (watch, sender):
            watch.wait_for_pictures()
            viewer.open(server.reading_url)
            number = viewer.wait_for_number()
            viewer.wait_for_number(number + 2 * RATE)
            shown = viewer.watch(PICTURES)
            state = viewer.state
            watch.wait_for_number(max(PICTURES, shown[-1].number))
            self.assert_streams(server.probe())
            watch.stop()
            sender.stop()
            self.assert_whole(watch.seen, sender.sent)
            self.assertEqual((state["error"], tuple(state["size"])), (None, SIZE))
            self.assertGreater(len(shown), 1)
            self.report("HLS, 0.5 s, in a page", pattern.delays(shown, sender.schedule))
            print(f"hls-page: {len(shown)} pictures, {len(pattern.missing(shown, sender.sent))} left out, {state}")

    def test_a_player_finds_the_server_again(self):
        with servers.HLSServer() as server, sending(server, HLS, key_frames=HLS_KEY_FRAMES) as (watch, _):
            watch.wait_for_pictures(RATE)
            server.kill()
            before = watch.attached
            watch.wait_until(lambda: watch.attached > before, "the watch to lose the server")
            server.restart()
            watch.wait_for_pictures(RATE)
            files = {path.suffix for path in pathlib.Path(server.folder).iterdir()}
            self.assertEqual(files - {".tmp"}, {".m3u8", ".mp4", ".m4s"})


class NetworkTest(BenchTest):

    def setUp(self):
        if reason := network.reason_against():
            self.skipTest(f"network namespaces are not possible: {reason}")

    def test_a_cable_can_be_pulled_and_made_narrow(self):
        with network.Network() as net, servers.RTMPServer(host=network.FAR, namespace=net.far) as server, \
                sending(server, RTMP, namespace=net.near) as (watch, sender):
            watch.wait_for_pictures(RATE)
            net.down()
            # Frames in transit have arrived when no more do.
            quiet = 0.5 * pattern.SECOND
            watch.wait_until(lambda: processes.now() - watch.seen[-1].moment > quiet, "the end of the pictures")
            self.assertTrue(sender.program.is_running)
            net.up()
            watch.wait_for_pictures(RATE)
            net.squeeze(50)
            watch.wait_until(lambda: net.waiting > 0, "a queue at the throttled link")
            net.release()
            watch.wait_for_pictures(RATE)


if __name__ == "__main__":
    unittest.main()
