# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that a destination that cannot be is told at once, with what to do, and without its secrets."""

import json
import subprocess
import time
import unittest

import certificates
import network
import processes
import servers
import silent_names
from browser_tests import browser


class RefusedTest(unittest.TestCase):
    """A clear error, within the time-out, that shows no secret."""

    def refused(self, url, code, *options, secret="s3cret", limit=12, within=lambda command: command):
        begin = time.monotonic()
        command = [browser.tool(), "broadcast", "pattern:320x180@30", "--json", "--to", url, *options]
        run = subprocess.run(within(command), capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)
        self.assertLess(time.monotonic() - begin, limit)
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

    @unittest.skipIf(network.reason_against(), "this machine makes no network")
    def test_a_name_of_which_nobody_says_anything(self):
        """The system itself would go on asking for 20 s: two servers, twice, for 5 s each."""
        for url in ("rtmp://live.example.com/live/s3cret", "srt://live.example.com:9000?streamid=s3cret"):
            with self.subTest(url=url):
                self.assertIn("names", self.refused(url, "timedOut", limit=18,
                                                    within=silent_names.command))

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


if __name__ == "__main__":
    unittest.main()
