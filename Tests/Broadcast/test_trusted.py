# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that a server with an untrusted certificate gets no password and no request from a reader."""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import unittest

import certificates
import processes
import side_by_side
import tls_server

PASSWORD = "hunter2"
load_tests = side_by_side.load_tests


class TrustedTest(unittest.TestCase):

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory(prefix="obscura-trusted-")))
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x90:rate=25:duration=2", "-c:v",
                        "mpeg2video", "-f", "mpegts", self.folder / "film.ts"], check=True, stdin=subprocess.DEVNULL)
        (self.folder / "list.m3u8").write_text(
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nfilm.ts\n#EXT-X-ENDLIST\n", encoding="utf-8")

    def info(self, address, *options, before=()):
        return subprocess.run([*before, processes.tool(), "info", address, *map(str, options)], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=processes.PATIENCE)

    def rtmp(self, server):
        """Without a password: FFmpeg would send that on a connection that it does not check."""
        return f"rtmps://127.0.0.1:{server.port}/live/key"

    def address(self, server, path="film.ts", scheme="https", host="127.0.0.1"):
        return f"{scheme}://camera:{PASSWORD}@{host}:{server.port}/{path}"

    @contextlib.contextmanager
    def server(self, *name, alone_as=None, **how):
        """The server, and the authority that signed its certificate; with `alone_as` the certificate is self-signed."""
        with certificates.Authority(*name, **how) as authority:
            if alone_as:
                authority.sign_itself(alone_as)
            with tls_server.TLSServer(self.folder, authority.certificate, authority.key) as server:
                yield server, authority

    def expect_refusal(self, server, run, words="certificate"):
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn(words, run.stderr)
        self.assertNotIn(PASSWORD, run.stderr + run.stdout)
        self.assertEqual(server.received, b"")

    # MARK: Untrusted servers

    def test_strangers(self):
        for path in ("film.ts", "list.m3u8", None):
            with self.subTest(path=path), self.server() as (server, _):
                address = self.address(server, path) if path else self.rtmp(server)
                run = self.info(address)
                server.wait_for_silence(processes.PATIENCE)
                self.expect_refusal(server, run)
                self.assertIn("--source-ca", run.stderr)

    def test_each_certificate_by_each_protocol(self):
        hostile = {"of another name": {"name": "DNS:another.example"}, "expired": {"days": -1}, "of another authority": {},
                   "self-signed": {"alone_as": "127.0.0.1"}}
        for what, how in hostile.items():
            for secure in (self.address, self.rtmp):
                with self.subTest(what=what, secure=secure.__name__), self.server(**how) as (server, authority), \
                        certificates.Authority() as other:
                    root = other.root if what == "of another authority" else authority.root
                    run = self.info(secure(server), "--source-ca", root)
                    server.wait_for_silence(processes.PATIENCE)
                    self.expect_refusal(server, run)

    def test_the_segments_of_a_list(self):
        """FFmpeg's HLS demuxer passes none of its options on to the addresses in a playlist."""
        with self.server() as (trusted, authority), self.server() as (stranger, _):
            (self.folder / "list.m3u8").write_text(
                "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n"
                f"{self.address(stranger)}\n#EXT-X-ENDLIST\n", encoding="utf-8")
            run = self.info(self.address(trusted, "list.m3u8"), "--source-ca", authority.root)
            self.assertEqual(run.returncode, 1, run.stdout)
            self.assertIn(b"list.m3u8", trusted.received)
            stranger.wait_for_silence(processes.PATIENCE)
            self.assertEqual(stranger.received, b"")

    def test_what_ffmpeg_does_not_check(self):
        """RTSP by TLS; and RTMP by TLS with a password, for which FFmpeg connects a second time without a check."""
        with self.server() as (server, authority):
            for scheme, path in (("rtsps", "live"), ("rtmps", "live/key")):
                for options in ((), ("--source-ca", authority.root)):
                    with self.subTest(scheme=scheme, options=options):
                        run = self.info(self.address(server, path, scheme), *options)
                        self.expect_refusal(server, run, "--insecure-source")
            self.assertEqual(server.connections, 0)

    def test_what_a_manifest_names(self):
        """FFmpeg's DASH demuxer opens the addresses in a manifest itself."""
        with self.server() as (trusted, authority), self.server() as (stranger, _):
            manifest = self.folder / "live.mpd"
            subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x90:rate=25:duration=2", "-c:v",
                            "mpeg4", "-f", "dash", manifest], check=True, stdin=subprocess.DEVNULL)
            text = manifest.read_text(encoding="utf-8")
            place = text.index("<Period")
            manifest.write_text(f"{text[:place]}<BaseURL>{self.address(stranger, '')}</BaseURL>{text[place:]}",
                                encoding="utf-8")
            run = self.info(self.address(trusted, "live.mpd"), "--source-ca", authority.root)
            self.assertEqual(run.returncode, 1, run.stdout)
            self.assertIn(b"live.mpd", trusted.received)
            self.assertEqual((stranger.connections, stranger.received), (0, b""))
            self.info(self.address(trusted, "live.mpd"), "--insecure-source")
            self.assertIn(b"Authorization: ", stranger.received, "the manifest leads nowhere")

    # MARK: Trusted servers

    def test_an_authority_of_ones_own(self):
        for host in ("127.0.0.1", "localhost"):
            for path in ("film.ts", "list.m3u8"):
                with self.subTest(host=host, path=path), self.server() as (server, authority):
                    run = self.info(self.address(server, path, host=host), "--source-ca", authority.root)
                    self.assertEqual(run.returncode, 0, run.stderr)
                    self.assertIn("160x90", run.stdout)
                    self.assertIn(b"Authorization: Basic", server.received)

    def test_rtmp(self):
        """A trusted server receives the beginning of a handshake, to which this one does not respond."""
        with self.server() as (server, authority):
            for options in (["--source-ca", authority.root], ["--source-fingerprint", authority.fingerprint]):
                with self.subTest(options=options):
                    server.received = b""
                    self.assertEqual(self.info(self.rtmp(server), *options).returncode, 1)
                    self.assertEqual(server.received[:1], tls_server.RTMP_VERSION)

    def test_an_authority_of_the_system(self):
        if os.getuid() != 0:
            self.skipTest("only root can show a process other authorities of the system")
        with self.server() as (server, authority):
            mount = f"mount --bind {authority.root} /etc/ssl/certs/ca-certificates.crt && exec \"$0\" \"$@\""
            as_system = ["unshare", "--mount", "sh", "-c", mount]
            run = self.info(self.address(server), before=as_system)
            self.assertEqual(run.returncode, 0, run.stderr)
            server.received = b""
            self.info(self.rtmp(server), before=as_system)
            self.assertEqual(server.received[:1], tls_server.RTMP_VERSION)

    def test_a_fingerprint(self):
        for how in ({"alone_as": "IPCamera 4711"}, {"alone_as": "*.camera.example"}, {"name": "DNS:another.example"},
                    {"name": "IP:192.0.2.7"}, {}):
            for path in ("film.ts", "list.m3u8"):
                with self.subTest(how=how, path=path), self.server(**how) as (server, authority):
                    for digits in (authority.fingerprint, authority.fingerprint.replace(":", "").lower()):
                        run = self.info(self.address(server, path), "--source-fingerprint", digits)
                        self.assertEqual(run.returncode, 0, run.stderr)
                        self.assertIn("160x90", run.stdout)
                    self.assertIn(b"Authorization: Basic", server.received)

    def test_another_fingerprint(self):
        """The server receives nothing, even if an authority of the system has signed its certificate."""
        with self.server(alone_as="camera") as (server, authority), self.server() as (other, _):
            for secure in (self.address(other), self.rtmp(other)):
                run = self.info(secure, "--source-fingerprint", authority.fingerprint)
                other.wait_for_silence(processes.PATIENCE)
                self.expect_refusal(other, run, "fingerprint")
            run = self.info(self.address(server), "--source-fingerprint", "00" * 32)
            self.expect_refusal(server, run, authority.fingerprint)
            self.expect_refusal(server, self.info(self.address(server, scheme="http"), "--source-fingerprint",
                                                  authority.fingerprint), "https://")
        with self.server(days=-1) as (server, authority):
            self.expect_refusal(server, self.info(self.address(server), "--source-fingerprint", authority.fingerprint))

    def test_the_segments_of_another_server(self):
        with self.server() as (pinned, authority), self.server() as (stranger, _):
            (self.folder / "list.m3u8").write_text(
                "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n"
                f"{self.address(stranger)}\n#EXT-X-ENDLIST\n", encoding="utf-8")
            run = self.info(self.address(pinned, "list.m3u8"), "--source-fingerprint", authority.fingerprint)
            self.assertEqual(run.returncode, 1, run.stdout)
            stranger.wait_for_silence(processes.PATIENCE)
            self.assertEqual(stranger.received, b"")

    def test_anybody_where_that_was_asked_for(self):
        with self.server("DNS:another.example", days=-1) as (server, _):
            run = self.info(self.address(server), "--insecure-source")
            self.assertEqual(run.returncode, 0, run.stderr)

    def test_a_file_of_authorities_that_is_not_there(self):
        with self.server() as (server, _):
            run = self.info(self.address(server), "--source-ca", "nowhere.pem")
            self.expect_refusal(server, run, "nowhere.pem: there is no such file")


if __name__ == "__main__":
    unittest.main()
