# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Proves that the Studio gives nothing to who has no right to it, and stands whatever is thrown at it."""

import concurrent.futures
import pathlib
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse

import attackers
import description
import socket_page
import studio

ATTACKERS = pathlib.Path(attackers.__file__)
CANARY = b"this must not leave the machine"
MEGABYTE = 1 << 20
# What memory may grow by under an attack: a few connections' buffers, and what the allocator keeps.
GROWTH = 192 * MEGABYTE


class AttackTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(studio.running())
        cls.name = cls.server.api("POST", "/api/cameras/1/photos", {"count": 1})["items"][0]["name"]
        # Beside the library, where nothing may be read.
        (cls.server.library.parent / "secret.jpg").write_bytes(CANARY)

    def setUp(self):
        self.assertIsNone(self.server.process.poll())

    def tearDown(self):
        self.assertIsNone(self.server.process.poll(), "the Studio fell")
        self.assertEqual(self.server.ask("GET", "/health", token=False).status, 200)

    def raw(self, head, body=b"", token=True, host=None):
        """The raw answer to a request with this head, whose lines are as they are."""
        lines = [head, f"Host: {host or f'127.0.0.1:{self.server.port}'}"]
        if token:
            lines.append(f"Authorization: Bearer {self.server.token}")
        return attackers.raw(self.server.port, "\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)


class AccessTest(AttackTest):

    def routes(self):
        """Each route of the API, with names that exist."""
        described = description.Description(self.server.ask("GET", "/openapi.json").body)
        for method, path, _ in described.operations:
            yield method, path.format(id="1", name=urllib.parse.quote(self.name), file="app.js")

    def expect_nothing(self, answer, *statuses):
        self.assertIn(answer.status, statuses)
        for secret in (self.server.token, self.name, "Test pattern", str(self.server.library)):
            self.assertNotIn(secret.encode(), answer.body + str(answer.headers).encode())
        self.assertNotIn("Set-Cookie", answer.headers)

    def test_without_the_token_nothing_but_health_is_told(self):
        for method, path in self.routes():
            with self.subTest(route=f"{method} {path}"):
                if path == "/health":
                    continue
                self.expect_nothing(self.server.ask(method, path, None if method == "GET" else {}, token=False), 401,
                                    403)

    def test_a_wrong_token_is_none_in_whatever_form_it_comes(self):
        right = self.server.token
        tried = []
        for wrong in (right[:-1], right + "x", right.swapcase(), "", right[::-1], "%00" + right,
                      right.replace(right[0], "é", 1)):
            text = urllib.parse.quote(wrong, safe="%")
            tried += [(f"/api/state?token={text}", {}), (f"/?token={text}", {}),
                      ("/api/state", {"Cookie": f"{self.server.cookie_name}={text}"}),
                      ("/api/state", {"Authorization": f"Bearer {text}"}),
                      ("/api/state", {"Authorization": f"Basic {text}"})]
        # After some, each waits for its answer; all at once they wait together.
        with concurrent.futures.ThreadPoolExecutor(len(tried)) as pool:
            answers = list(pool.map(lambda one: self.server.ask("GET", one[0], headers=one[1], token=False), tried))
            # Who knows it is let in at once, whatever others guess.
            begin = time.monotonic()
            self.assertEqual(self.server.ask("GET", "/api/state").status, 200)
            self.assertLess(time.monotonic() - begin, 1)
        for (path, headers), answer in zip(tried, answers):
            with self.subTest(path=path, headers=headers):
                self.expect_nothing(answer, 401, 429)
        self.assertIn(429, [answer.status for answer in answers])

    def test_another_host_is_another_site(self):
        port = self.server.port
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"127.0.0.1:{port + 1}",
                     "127.0.0.1", f"0.0.0.0:{port}", f"localhost.evil:{port}", f"127.0.0.1:{port}@evil",
                     f"localhost.:{port}", "", "[", f"2130706433:{port}"):
            for path in ("/", "/health", "/api/state", f"/?token={self.server.token}", "/cameras/1/picture.jpg"):
                with self.subTest(host=host, path=path):
                    answer = attackers.raw(
                        port, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer "
                        f"{self.server.token}\r\nConnection: close\r\n\r\n".encode())
                    self.assertIn(attackers.status(answer), (400, 403))
                    self.assertNotIn(self.server.token.encode(), answer)
        for host in (f"localhost:{port}", f"127.0.0.1:{port}", f"[::1]:{port}", f"LOCALHOST:{port}"):
            self.assertEqual(attackers.status(self.raw("GET /api/state HTTP/1.1", host=host)), 200, host)
        twice = self.raw(f"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:{port}")
        self.assertEqual(attackers.status(twice), 400)

    def test_a_foreign_page_changes_nothing_even_with_the_cookie(self):
        cookie = {"Cookie": self.server.cookie}
        port = self.server.port
        for origin in ("http://evil.example", "null", f"http://127.0.0.1:{port + 1}", f"https://127.0.0.1:{port}",
                       f"http://localhost:{port}", f"http://127.0.0.1:{port}.evil.example", ""):
            for method, path, body in (("PATCH", "/api/cameras/1", {"isMirrored": True}),
                                       ("DELETE", f"/api/library/{self.name}", None), ("POST", "/api/cameras/1/photos",
                                                                                       {"count": 1})):
                with self.subTest(origin=origin, path=path):
                    answer = self.server.ask(method, path, body, {**cookie, "Origin": origin}, token=False)
                    self.assertEqual(answer.status, 403)
        # A form sends no Origin in old browsers, and has no header for the token.
        self.assertEqual(
            self.server.ask("PATCH", "/api/cameras/1", {"isMirrored": True}, cookie, token=False).status, 403)
        self.assertEqual(
            self.server.ask("GET", "/api/state", None, {**cookie, "Sec-Fetch-Site": "same-site"}, token=False).status,
            403)
        self.assertFalse(self.server.camera()["isMirrored"])
        self.assertEqual(len(self.server.api("GET", "/api/library")["items"]), 1)
        ours = {**cookie, "Origin": self.server.origin}
        self.assertEqual(
            self.server.ask("PATCH", "/api/cameras/1", {"isMirrored": False}, ours, token=False).status, 200)

    def test_a_foreign_page_gets_no_socket(self):
        cookie, origin = f"Cookie: {self.server.cookie}", f"Origin: {self.server.origin}"
        evil, none = "Origin: http://evil.example", "Origin: null"
        wrong = f"Cookie: {self.server.cookie_name}=wrong"
        for headers in ([cookie], [cookie, evil], [cookie, none], [origin], [cookie, origin, evil], [wrong, origin]):
            with self.subTest(headers=headers):
                wire, head = socket_page.handshake(self.server, headers)
                wire.close()
                self.assertRegex(head, r"^HTTP/1.1 (400|401|403|429) ")

    def test_no_path_leads_out_of_the_library(self):
        beside = [
            "../secret.jpg", "..%2fsecret.jpg", "%2e%2e/secret.jpg", "%2e%2e%2fsecret.jpg", "..%5csecret.jpg",
            "..\\secret.jpg", "%252e%252e%252fsecret.jpg", "....//secret.jpg", "..;/secret.jpg",
            "%c0%ae%c0%ae%c0%afsecret.jpg", "./../secret.jpg", "..%00/secret.jpg", f"{self.name}/../../secret.jpg",
            "%2f" + str(self.server.library.parent)[1:] + "/secret.jpg", "%ef%bc%8e%ef%bc%8e%ef%bc%8fsecret.jpg",
            "..%u2215secret.jpg", "//" + str(self.server.library.parent) + "/secret.jpg",
            "file://" + str(self.server.library.parent) + "/secret.jpg"
        ]
        for spelling in beside:
            for place in ("/media/{}", "/media/{}/picture.jpg", "/api/library/{}", "/assets/{}"):
                with self.subTest(path=place.format(spelling)):
                    answer = self.raw(f"GET {place.format(spelling)} HTTP/1.1")
                    self.assertIn(attackers.status(answer), (400, 404), answer[:200])
                    self.assertNotIn(CANARY, answer)
            for method in ("DELETE", "PUT"):
                answer = self.raw(f"{method} /api/library/{spelling} HTTP/1.1\r\nContent-Length: 0")
                self.assertIn(attackers.status(answer), (400, 404, 405), answer[:200])
        for spelling in ("../index.html", "%2e%2e/openapi.json", "..%2f..%2f..%2fetc%2fpasswd", "/etc/passwd"):
            self.assertIn(attackers.status(self.raw(f"GET /assets/{spelling} HTTP/1.1")), (400, 404))
        self.assertTrue((self.server.library.parent / "secret.jpg").exists())

    def test_a_link_leads_nowhere(self):
        library = self.server.library
        links = {
            "link.jpg": library.parent / "secret.jpg", "up.jpg": library.parent, "loop.jpg": library / "loop.jpg",
            "proc.jpg": pathlib.Path("/proc/self/environ"), "zero.jpg": pathlib.Path("/dev/zero")
        }
        for name, aim in links.items():
            (library / name).symlink_to(aim)
        try:
            listed = {item["name"] for item in self.server.api("GET", "/api/library")["items"]}
            self.assertEqual(listed & set(links), set())
            for name in links:
                for path in (f"/media/{name}", f"/media/{name}/picture.jpg", f"/api/library/{name}"):
                    with self.subTest(path=path):
                        answer = self.server.ask("GET", path)
                        self.assertEqual(answer.status, 404)
                        self.assertNotIn(CANARY, answer.body)
                self.assertIn(
                    self.server.ask("PUT", f"/api/library/{name}/recipe", {"edits": [{"kind": "mirror"}]}).status,
                    (404, 422))
                self.assertIn(self.server.ask("POST", f"/api/library/{name}/export", {}).status, (404, 422))
            self.assertEqual((library.parent / "secret.jpg").read_bytes(), CANARY)
        finally:
            for name in links:
                (library / name).unlink(missing_ok=True)

    def test_headers_cannot_be_smuggled_in(self):
        for path in ("/api/library/x%0d%0aSet-Cookie:%20owned=1", "/?token=x%0d%0aX-Owned:%201",
                     "/media/a%0aX-Owned:1.jpg", "/library?token=%0d%0a%0d%0a<script>", "/assets/%0d%0aX-Owned:1"):
            answer = self.raw(f"GET {path} HTTP/1.1", token=False)
            head = answer.partition(b"\r\n\r\n")[0].lower()
            self.assertNotIn(b"owned", head, path)
            self.assertGreaterEqual(attackers.status(answer), 400)
        # Two readings of one request are none.
        for lines in ("Content-Length: 3\r\nTransfer-Encoding: chunked", "Content-Length: 3\r\nContent-Length: 4",
                      "Content-Length: -1", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: xchunked",
                      " Folded: yes", "Bad Header: 1", "No-Colon"):
            answer = self.raw(f"POST /api/cameras/1/tap HTTP/1.1\r\nContent-Type: application/json\r\n{lines}",
                              b"0\r\n\r\nGET /api/state HTTP/1.1\r\n\r\n")
            with self.subTest(lines=lines):
                self.assertIn(attackers.status(answer), (0, 400, 501))
                self.assertLessEqual(answer.count(b"HTTP/1."), 1)
                self.assertNotIn(b'"cameras"', answer)

    def test_what_is_no_http_is_refused_or_cut_off(self):
        for data in (b"\x16\x03\x01\x02\x00" + b"\0" * 512, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET\r\n\r\n",
                     b"\0" * 1000, b"A" * 100_000, b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                     b"CONNECT evil:80 HTTP/1.1\r\nHost: evil:80\r\n\r\n", b"GET * HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"):
            with self.subTest(data=data[:40]):
                answer = attackers.raw(self.server.port, data, timeout=15)
                self.assertIn(attackers.status(answer), (0, 400, 401, 403, 404, 405, 431, 501, 505))
                self.assertNotIn(b'"cameras"', answer)

    def test_what_is_too_large_is_not_read(self):
        before = self.server.memory
        for head, statuses in (("GET /" + "a" * 100_000 + " HTTP/1.1",
                                (0, 400, 414, 431)), ("GET /" + "a" * 5000 + " HTTP/1.1", (0, 400, 414)),
                               ("GET / HTTP/1.1\r\nX: " + "a" * 100_000, (0, 400, 431)),
                               ("GET / HTTP/1.1\r\n" + "\r\n".join(f"X-{i}: 1" for i in range(5000)), (0, 400, 431))):
            self.assertIn(attackers.status(self.raw(head)), statuses, head[:40])
        body = b'{"x": "' + b"a" * (64 * MEGABYTE) + b'"}'
        for lines in (f"Content-Length: {len(body)}", "Transfer-Encoding: chunked"):
            sent = body if "Length" in lines else b"%x\r\n" % len(body) + body + b"\r\n0\r\n\r\n"
            answer = self.raw(f"POST /api/cameras/1/tap HTTP/1.1\r\nContent-Type: application/json\r\n{lines}", sent)
            self.assertIn(attackers.status(answer), (0, 413), lines)
        self.assertIn(
            attackers.status(
                self.raw("POST /api/cameras/1/tap HTTP/1.1\r\nContent-Type: application/json\r\n"
                         "Content-Length: 99999999999999")), (400, 413))
        deep = b"[" * 200_000
        self.assertEqual(
            self.server.ask("POST", "/api/cameras/1/tap", deep, {"Content-Type": "application/json"}).status, 400)
        self.assertLess(self.server.memory - before, GROWTH)

    def test_a_page_that_sends_what_is_no_message_is_closed(self):
        for payload in (b"{", b'{"type":"none"}', b'{"type":"watch","tiles":5}', b"x" * 20_000, b"[" * 10_000,
                        b'{"type":"watch","tiles":[' + b",".join(b'{"tile":%d,"camera":"1","width":1,"height":1}' % n
                                                                 for n in range(1, 80)) + b"]}"):
            with self.subTest(payload=payload[:40]), socket_page.opened(self.server) as page:
                page.send(payload)
                studio.wait_until(lambda page=page: not page.is_open, "the end of the page")
        with socket_page.opened(self.server, socket_page.tile(camera="99"), socket_page.tile(2, width=-5,
                                                                                             height=10**9)) as page:
            studio.wait_until(lambda: page.count > 3, "pictures, of a size that is possible")
            self.assertLessEqual(page.records[-1][3], 1280)


class LoadTest(AttackTest):

    def test_thousands_of_connections_keep_nobody_from_a_page_that_is_open(self):
        descriptors, memory = self.server.descriptors, self.server.memory
        with socket_page.opened(self.server, socket_page.tile()) as page:
            studio.wait_until(lambda: page.count > 10, "pictures")
            with subprocess.Popen(
                [sys.executable, "-B", str(ATTACKERS),
                 str(self.server.port), "flood", "4000"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True) as flood:
                try:
                    rates = []
                    words = flood.stdout.readline().split()
                    self.assertEqual(words[0], "open")
                    self.assertGreater(int(words[1]), 3500)
                    for _ in range(3):
                        rates.append(page.rate())
                    self.assertTrue(page.is_open)
                    print(
                        f"flood: {words[1]} connections, the open page gets {min(rates):.0f} pictures a second; "
                        f"{self.server.descriptors} descriptors, "
                        f"{(self.server.memory - memory) / MEGABYTE:.0f} MiB more"
                    )
                    self.assertGreater(min(rates), 10)
                    self.assertLess(self.server.descriptors - descriptors, 1000)
                    self.assertLess(self.server.memory - memory, GROWTH)
                finally:
                    flood.stdin.close()
                    flood.wait(20)
            studio.wait_until(lambda: self.server.descriptors < descriptors + 50, "the end of the connections")
            self.assertEqual(self.server.ask("GET", "/api/state").status, 200)
            self.assertGreater(page.rate(), 20)

    def test_who_is_slow_is_cut_off_and_costs_little(self):
        # Slow heads, silence, and fifty who read nothing of their stream; in the long form, slow bodies too.
        memory, descriptors = self.server.memory, self.server.descriptors
        port, token = self.server.port, self.server.token
        mine = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n".encode()
        wires = {"silent": [attackers.connect(port) for _ in range(20)], "head": [], "body": [], "stalled": []}
        for _ in range(20):
            wires["head"].append(attackers.connect(port))
            wires["head"][-1].sendall(b"GET / HTTP/1.1\r\n" + mine)
        for _ in range(20 if studio.IS_LONG else 0):
            wires["body"].append(attackers.connect(port))
            wires["body"][-1].sendall(b"POST /api/cameras/1/tap HTTP/1.1\r\n" + mine +
                                      b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
        for _ in range(50):
            wires["stalled"].append(attackers.connect(port))
            wires["stalled"][-1].sendall(b"GET /cameras/1/stream.mjpeg HTTP/1.1\r\n" + mine + b"\r\n")
        stop = threading.Event()

        def trickle():
            """A byte at a time, of heads and bodies that never end."""
            while not stop.wait(1):
                for kind, byte in (("head", b"X"), ("body", b" ")):
                    for wire in wires[kind]:
                        try:
                            wire.send(byte)
                        except OSError:
                            pass

        threading.Thread(target=trickle, daemon=True).start()
        try:
            with socket_page.opened(self.server, socket_page.tile()) as page:
                studio.wait_until(lambda: page.count > 10, "pictures")
                studio.wait_until(lambda: self.server.camera()["viewers"] >= 51, "fifty viewers")
                most, begin = 0, time.monotonic()
                rates = []
                while time.monotonic() - begin < 30 and self.server.camera()["viewers"] > 1:
                    rates.append(page.rate(0.5))
                    most = max(most, self.server.memory - memory)
                held = time.monotonic() - begin
                self.assertEqual(self.server.camera()["viewers"], 1, "those who read nothing are still there")
                print(
                    f"stalled: 50 readers cost {most / MEGABYTE:.0f} MiB at most, and were cut off after {held:.0f} s; "
                    f"the open page got {min(rates):.0f} pictures a second or more")
                self.assertLess(most, GROWTH)
                self.assertGreater(sorted(rates)[len(rates) // 2], 15)
                self.assertTrue(page.is_open)
                limits = {"silent": 5, "head": 5, "body": 40}
                for kind, limit in limits.items():
                    for wire in wires[kind]:
                        self.assertIsNotNone(attackers.seconds_until_closed(wire, limit), kind)
        finally:
            stop.set()
            for group in wires.values():
                for wire in group:
                    wire.close()
        studio.wait_until(lambda: self.server.descriptors < descriptors + 20, "the end of the connections")

    def test_a_page_that_never_says_that_it_drew_holds_two_pictures_and_no_more(self):
        with socket_page.opened(self.server, socket_page.tile(), acknowledges=False) as page:
            studio.wait_until(lambda: page.count >= 2, "two pictures")
            time.sleep(0.5)
            self.assertEqual(page.count, 2)
            page.acknowledges = True
            page.send({"type": "drawn", "tile": 1, "sequence": page.records[-1][1]})
            studio.wait_until(lambda: page.count > 10, "the next ones")

    def test_viewers_that_come_and_go_leave_nothing_behind(self):
        # An hour of it in the long form.
        def visit():
            with socket_page.opened(self.server, socket_page.tile(), socket_page.tile(2, width=320,
                                                                                      height=180)) as page:
                studio.wait_until(lambda: page.count > 3, "pictures")
            attackers.raw(
                self.server.port, f"GET /cameras/1/picture.jpg HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                f"Authorization: Bearer {self.server.token}\r\nConnection: close\r\n\r\n".encode())

        for _ in range(10):
            visit()
        memory, descriptors = self.server.memory, self.server.descriptors
        end = time.monotonic() + (3600 if studio.IS_LONG else 3)
        count = 0
        while time.monotonic() < end:
            visit()
            count += 1
        studio.wait_until(lambda: self.server.descriptors <= descriptors + 5, "the same descriptors")
        print(f"coming-and-going: {count} visits, {(self.server.memory - memory) / MEGABYTE:+.1f} MiB, "
              f"{self.server.descriptors - descriptors:+d} descriptors")
        self.assertLess(self.server.memory - memory, 32 * MEGABYTE)


if __name__ == "__main__":
    unittest.main()
