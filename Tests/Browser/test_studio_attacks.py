# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that the Studio serves nothing to clients without the token or to other sites, nothing from outside of its
library, and rejects malformed and oversized requests."""

import concurrent.futures
import contextlib
import pathlib
import unittest
import urllib.parse

import attackers
import description
import socket_page
import studio
import studio_test

CANARY = b"this must not leave the machine"
MEGABYTE = 1 << 20
# The allowed growth of memory by oversized requests. Measured: 3.2 to 3.9 MiB.
GROWTH = 8 * MEGABYTE


class AttackTest(studio_test.ServerTest):

    def setUp(self):
        super().setUp()
        self.name = self.server.api("POST", "/api/cameras/1/photos", {"count": 1})["items"][0]["name"]
        # Beside the library, where nothing may be read.
        (self.server.library.parent / "secret.jpg").write_bytes(CANARY)

    def tearDown(self):
        self.assertIsNone(self.server.process.poll(), "the Studio ended")
        self.assertEqual(self.server.ask("GET", "/health", token=False).status, 200)

    def raw(self, head, body=b"", token=True, host=None):
        """The raw answer to a request with the lines of this head, unchanged."""
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

    def expect_nothing(self, answer, status):
        self.assertEqual(answer.status, status)
        for secret in (self.server.token, self.name, "Test pattern", str(self.server.library)):
            self.assertNotIn(secret.encode(), answer.body + str(answer.headers).encode())
        self.assertNotIn("Set-Cookie", answer.headers)

    def test_without_the_token_nothing_but_health_is_told(self):
        for method, path in self.routes():
            with self.subTest(route=f"{method} {path}"):
                answer = self.server.ask(method, path, None if method == "GET" else {}, token=False)
                if path == "/health":
                    self.assertEqual((answer.status, set(answer.json)), (200, {"status", "uptime", "version"}))
                else:
                    # A foreign page could make a browser send others: they are rejected before the token is checked.
                    self.expect_nothing(answer, 401 if method == "GET" and path != "/ws" else 403)

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
        # After some of them each reply is delayed: they are sent at once to wait together.
        with concurrent.futures.ThreadPoolExecutor(len(tried)) as pool:
            answers = list(pool.map(lambda one: self.server.ask("GET", one[0], headers=one[1], token=False), tried))
        for (path, headers), answer in zip(tried, answers):
            with self.subTest(path=path, headers=headers):
                self.expect_nothing(answer, 429 if answer.status == 429 else 401)
        # Ten within a minute are answered at once.
        self.assertEqual([answer.status for answer in answers].count(401), 10)

        def overtakes():
            """Whether a request with the token is answered before a wrong one that was sent earlier."""
            with contextlib.closing(attackers.connect(self.server.port)) as wire:
                wire.sendall(f"GET /api/state?token=x HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n".encode())
                self.assertEqual(self.server.ask("GET", "/api/state").status, 200)
                is_first = not attackers.is_answered(wire)
                self.assertEqual(attackers.status(attackers.answer_on(wire)), 429)
                return is_first

        studio.wait_until(overtakes, "an answer to the token before the one to a wrong token")

    def test_another_host_is_another_site(self):
        port = self.server.port
        foreign = ("evil.example", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"127.0.0.1:{port + 1}",
                   "127.0.0.1", f"0.0.0.0:{port}", f"localhost.evil:{port}", f"2130706433:{port}")
        malformed = (f"127.0.0.1:{port}@evil", f"localhost.:{port}", "", "[")
        for host in foreign + malformed:
            for path in ("/", "/health", "/api/state", f"/?token={self.server.token}", "/cameras/1/picture.jpg"):
                with self.subTest(host=host, path=path):
                    answer = attackers.raw(
                        port, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer "
                        f"{self.server.token}\r\nConnection: close\r\n\r\n".encode())
                    self.assertEqual(attackers.status(answer), 403 if host in foreign else 400)
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
        # In old browsers a form sends no Origin, and it cannot send the token in a header.
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
        for status, headers in ((403, []), (403, [cookie]), (403, [cookie, evil]), (403, [cookie, none]),
                                (403, [cookie, origin, evil]), (401, [origin]), (401, [wrong, origin]),
                                (101, [cookie, origin])):
            with self.subTest(headers=headers):
                head = socket_page.handshake(self.server, headers)
                self.assertEqual(attackers.status(head.encode()), status)

    def test_no_path_leads_out_of_the_library(self):
        outside = str(self.server.library.parent)
        malformed = [
            "../secret.jpg", "..%2fsecret.jpg", "%2e%2e/secret.jpg", "%2e%2e%2fsecret.jpg", "..%5csecret.jpg",
            "..\\secret.jpg", "....//secret.jpg", "./../secret.jpg", "..%00/secret.jpg",
            f"{self.name}/../../secret.jpg", f"%2f{outside[1:]}/secret.jpg", "..%u2215secret.jpg",
            f"//{outside}/secret.jpg", f"file://{outside}/secret.jpg"
        ]
        unknown = [
            "%252e%252e%252fsecret.jpg", "..;/secret.jpg", "%c0%ae%c0%ae%c0%afsecret.jpg",
            "%ef%bc%8e%ef%bc%8e%ef%bc%8fsecret.jpg"
        ]
        for spelling in malformed + unknown:
            status = 400 if spelling in malformed else 404
            for place in ("/media/{}", "/media/{}/picture.jpg", "/api/library/{}", "/assets/{}"):
                with self.subTest(path=place.format(spelling)):
                    answer = self.raw(f"GET {place.format(spelling)} HTTP/1.1")
                    self.assertEqual(attackers.status(answer), status, answer[:200])
                    self.assertNotIn(CANARY, answer)
            for method in ("DELETE", "PUT"):
                with self.subTest(path=spelling, method=method):
                    answer = self.raw(f"{method} /api/library/{spelling} HTTP/1.1\r\nContent-Length: 0")
                    # PUT is not allowed for any name.
                    is_name = status == 404 and "/" not in spelling
                    self.assertEqual(attackers.status(answer), 405 if method == "PUT" and is_name else status)
        for spelling in ("../index.html", "%2e%2e/openapi.json", "..%2f..%2f..%2fetc%2fpasswd", "/etc/passwd"):
            self.assertEqual(attackers.status(self.raw(f"GET /assets/{spelling} HTTP/1.1")), 400, spelling)
        self.assertEqual((self.server.library.parent / "secret.jpg").read_bytes(), CANARY)

    def test_a_link_leads_nowhere(self):
        library = self.server.library
        links = {
            "link.jpg": library.parent / "secret.jpg", "up.jpg": library.parent, "loop.jpg": library / "loop.jpg",
            "proc.jpg": pathlib.Path("/proc/self/environ"), "zero.jpg": pathlib.Path("/dev/zero")
        }
        for name, aim in links.items():
            (library / name).symlink_to(aim)
        listed = {item["name"] for item in self.server.api("GET", "/api/library")["items"]}
        self.assertEqual(listed, {self.name})
        for name in links:
            for method, path, body in (("GET", f"/media/{name}", None), ("GET", f"/media/{name}/picture.jpg", None),
                                       ("GET", f"/api/library/{name}", None),
                                       ("PUT", f"/api/library/{name}/recipe", {"edits": [{"kind": "mirror"}]}),
                                       ("POST", f"/api/library/{name}/export", {})):
                with self.subTest(path=path):
                    answer = self.server.ask(method, path, body)
                    self.assertEqual(answer.status, 404)
                    self.assertNotIn(CANARY, answer.body)
        self.assertEqual((library.parent / "secret.jpg").read_bytes(), CANARY)

    def test_headers_cannot_be_smuggled_in(self):
        for path, status in (("/api/library/x%0d%0aSet-Cookie:%20owned=1", 400), ("/?token=x%0d%0aX-Owned:%201", 401),
                             ("/media/a%0aX-Owned:1.jpg", 400), ("/library?token=%0d%0a%0d%0a<script>", 401),
                             ("/assets/%0d%0aX-Owned:1", 400)):
            with self.subTest(path=path):
                answer = self.raw(f"GET {path} HTTP/1.1", token=False)
                self.assertNotIn(b"owned", answer.partition(b"\r\n\r\n")[0].lower())
                self.assertEqual(attackers.status(answer), status)
        # A request that could be read in two ways is rejected, and so is all that follows it.
        for lines in ("Content-Length: 3\r\nTransfer-Encoding: chunked", "Content-Length: 3\r\nContent-Length: 4",
                      "Content-Length: -1", "Transfer-Encoding: chunked, identity", "Transfer-Encoding: xchunked",
                      " Folded: yes", "Bad Header: 1", "No-Colon"):
            with self.subTest(lines=lines), contextlib.closing(attackers.connect(self.server.port)) as wire:
                wire.sendall(f"POST /api/cameras/1/tap HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                             f"Authorization: Bearer {self.server.token}\r\nContent-Type: application/json\r\n{lines}"
                             "\r\n\r\n0\r\n\r\nGET /api/state HTTP/1.1\r\n\r\n".encode())
                answer = attackers.answer_on(wire)
                self.assertEqual(attackers.status(answer), 400)
                # After that response the connection is closed.
                with contextlib.suppress(ConnectionError):
                    self.assertEqual(wire.recv(1), b"")
                self.assertEqual(answer.count(b"HTTP/1."), 1)
                self.assertNotIn(b'"cameras"', answer)

    def test_what_is_no_http_is_rejected(self):
        for data in (b"\x16\x03\x01\x02\x00" + b"\0" * 512, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET\r\n\r\n",
                     b"\0" * 1000, b"A" * 100_000, b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                     b"CONNECT evil:80 HTTP/1.1\r\nHost: evil:80\r\n\r\n", b"GET * HTTP/1.1\r\n\r\n",
                     b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"):
            with self.subTest(data=data[:40]):
                answer = attackers.raw(self.server.port, data)
                self.assertEqual(attackers.status(answer), 400)
                self.assertNotIn(b'"cameras"', answer)

    def test_what_is_too_large_is_not_read(self):
        before = self.server.memory
        for head, status in (("GET /" + "a" * 100_000 + " HTTP/1.1", 431), ("GET /" + "a" * 5000 + " HTTP/1.1", 414),
                             ("GET / HTTP/1.1\r\nX: " + "a" * 100_000, 431),
                             ("GET / HTTP/1.1\r\n" + "\r\n".join(f"X-{i}: 1" for i in range(5000)), 431)):
            with self.subTest(head=head[:40]):
                self.assertEqual(attackers.status(self.raw(head)), status)
        # The response comes before the body, or after the first megabyte, the limit of JSON. The rest is not kept.
        part = b"10000\r\n" + b"a" * 65536 + b"\r\n"
        for lines, first in (("Content-Length: 67108864", b""), ("Content-Length: 99999999999999", b""),
                             ("Transfer-Encoding: chunked", part * 17)):
            with self.subTest(lines=lines), contextlib.closing(attackers.connect(self.server.port)) as wire:
                wire.sendall(f"POST /api/cameras/1/tap HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                             f"Authorization: Bearer {self.server.token}\r\nContent-Type: application/json\r\n"
                             f"{lines}\r\n\r\n".encode() + first)
                self.assertEqual(attackers.status(attackers.answer_on(wire)), 413)
                attackers.send_and_wait_until_closed(wire, part, 64 * MEGABYTE // len(part), studio.PATIENCE)
        deep = b"[" * 200_000
        self.assertEqual(
            self.server.ask("POST", "/api/cameras/1/tap", deep, {"Content-Type": "application/json"}).status, 400)
        growth = self.server.memory - before
        print(f"too-large: {growth / MEGABYTE:.1f} MiB more")
        self.assertLess(growth, GROWTH)

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


if __name__ == "__main__":
    unittest.main()
