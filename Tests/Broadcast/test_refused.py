# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that a destination that cannot be reached causes an error with a remedy and without secrets."""

import concurrent.futures
import json
import subprocess
import unittest

import certificates
import network
import processes
import servers
import side_by_side
import silent_names

load_tests = side_by_side.load_tests


class RefusedTest(unittest.TestCase):
    """A clear error without secrets."""

    def refused(self, url, code, *options, secret="s3cret", within=lambda command: command):
        command = [processes.tool(), "broadcast", "pattern:320x180@30", "--json", "--to", url, *options]
        run = subprocess.run(within(command), capture_output=True, text=True, timeout=processes.PATIENCE,
                             stdin=subprocess.DEVNULL)
        self.assertEqual(run.returncode, 1, run.stderr)
        failed = next(line for line in map(json.loads, run.stdout.splitlines()) if line["event"] == "failed")
        self.assertEqual(failed["code"], code, failed)
        self.assertNotIn(secret, run.stdout + run.stderr)
        # A sentence with the failure, and one with the remedy.
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

    @unittest.skipIf(network.reason_against(), "network namespaces are not possible")
    def test_a_name_that_no_server_answers_for(self):
        """The system's resolver would retry for minutes, and then report another error."""
        self.refused_together({
            url: ("timedOut", "names", silent_names.command)
            for url in ("rtmp://live.example.com/live/s3cret", "srt://live.example.com:9000?streamid=s3cret")
        })

    def test_a_port_that_nobody_listens_at(self):
        port, silent = processes.free_port(), processes.free_port("udp")
        self.refused_together({
            f"rtmp://127.0.0.1:{port}/live/s3cret": ("connectionFailed", "127.0.0.1"),
            f"rtsp://me:s3cret@127.0.0.1:{port}/live": ("connectionFailed", "127.0.0.1"),
            f"srt://127.0.0.1:{silent}?streamid=s3cret": ("timedOut", "127.0.0.1"),
        })

    def refused_together(self, expected):
        """Checks addresses, each with its error code, a word of the message, and the command that runs the tool."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            runs = {url: pool.submit(self.refused, url, code, **({"within": within[0]} if within else {}))
                    for url, (code, _, *within) in expected.items()}
        for url, run in runs.items():
            with self.subTest(url=url):
                self.assertIn(expected[url][1], run.result())

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

    def test_a_certificate_that_is_not_for_this_server(self):
        for name, days, is_self_signed in (("DNS:another.example", 2, False), ("IP:127.0.0.1", -1, False),
                                           ("IP:127.0.0.1", 2, True)):
            with self.subTest(name=name, days=days, is_self_signed=is_self_signed), \
                    certificates.Authority(name, days) as authority:
                if is_self_signed:
                    authority.sign_itself("127.0.0.1")
                with servers.RTMPServer(authority=authority, stream_key="s3cret") as server:
                    self.refused(server.url, "certificateNotTrusted", "--ca", authority.root)

    def test_a_password_by_tls(self):
        """FFmpeg would send it on a second connection, whose certificate it does not check."""
        address = "rtmps://me:s3cret@127.0.0.1/live/s3cret"
        run = subprocess.run([processes.tool(), "broadcast", "pattern:320x180@30", "--to", address], capture_output=True,
                             text=True, stdin=subprocess.DEVNULL, timeout=processes.PATIENCE)
        self.assertEqual(run.returncode, 64, run.stderr)
        self.assertIn("certificates", run.stderr)
        self.assertNotIn("s3cret", run.stdout + run.stderr)


if __name__ == "__main__":
    unittest.main()
