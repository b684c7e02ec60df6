# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Sends random requests to every route of openapi.json: valid, partly valid and invalid ones. The Studio must not end,
must respond as described, must have no internal errors, and must not reveal secrets.

Each run prints its seed, and OBSCURA_TEST_SEED repeats it. `./test --sanitize address` tests a Studio with the address
sanitizer, which reports leaks at its end."""

import collections
import http.client
import json
import os
import random
import re
import unittest
import urllib.parse

import description
import socket_page
import studio

REQUESTS = 60_000 if studio.IS_LONG else 1500
# The allowed growth of the Studio's memory. Measured in the short form: 5 to 23 MiB. The address sanitizer keeps freed
# memory for a while, and has an overhead.
GROWTH = (2048 if os.environ.get("OBSCURA_TEST_SANITIZER") else 192 if studio.IS_LONG else 64) << 20
# Makes malloc return large freed blocks to the system: the amount kept depends on the number of threads that had some
# at once, and was 230 MiB on a busy machine.
FREEING = {"MALLOC_MMAP_THRESHOLD_": str(128 << 10)}
CANARY = "this must not leave the machine"
# A Studio that is stopping, and a full disk.
ALLOWED = {503, 507}
ODD = [
    "", " ", "0", "-1", "1", "99999999999999999999", "NaN", "null", "true", "..", ".", "../secret.jpg",
    "..%2fsecret.jpg", "%00", "%", "%zz", "a" * 300, "é", "\u202e.jpg", "x.jpg", "x.mp4", "x.recording.mp4", "CON", "~",
    "$(id)", "'; --", "{}", "*", "?", "#", "a/b", "a\\b", "\r\nX-Owned: 1", "file:///etc/passwd", "/etc/passwd",
    "😀" * 40, ".hidden.jpg", "x.jpg.recipe.json"
]
NUMBERS = [
    0, -0.0, 1, -1, 0.5, 2, 15, 16, 3840, 3841, 65535, 65536, 2**31, 2**53, -2**63, 2**63, 2**64, 1e308, -1e308, 1e-320,
    0.1 + 0.2
]
# There is no server at these addresses, so a request for them fails at once.
ADDRESSES = [
    "rtsp://127.0.0.1:9/x", "http://127.0.0.1:9/x", "srt://127.0.0.1:9", "http://", "rtsp://user:secret@127.0.0.1:9/x",
    "http://[::1/"
]


class Fuzzer:
    """Random requests for the routes of a description; the same seed gives the same ones."""

    def __init__(self, described, seed):
        self.described = described
        self.chance = random.Random(seed)
        self.operations = list(described.operations)
        self.names = []
        self.cameras = ["1"]

    def odd(self):
        return self.chance.choice(ODD)

    def value(self, schema, depth=0):
        """A value of the schema, most of the time."""
        chance = self.chance
        schema = self.described.resolved(schema or {})
        if depth > 6 or chance.random() < 0.06:
            return chance.choice([None, True, self.odd(), chance.choice(NUMBERS), [], {}, [[]], {"a": {"b": 1}}])
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return chance.choice(schema["enum"])
        if "oneOf" in schema:
            return self.value(chance.choice(schema["oneOf"]), depth + 1)
        kind = schema.get("type", "string")
        kind = chance.choice(kind) if isinstance(kind, list) else kind
        match kind:
            case "object":
                return self.object(schema, depth)
            case "array":
                count = chance.choice([0, 1, 1, 2, 3, 3, 20, 200])
                return [
                    self.value(schema.get("items"), depth + 1) for _ in range(count if depth < 3 else min(count, 2))
                ]
            case "integer" | "number":
                least = schema.get("minimum", 0)
                most = schema.get("maximum", least + 100)
                if chance.random() < 0.3:
                    return chance.choice([*NUMBERS, least, most, least - 1, most + 1])
                return chance.randint(int(least), int(most)) if kind == "integer" else chance.uniform(least, most)
            case "boolean":
                return chance.random() < 0.5
            case "null":
                return None
            case _:
                return self.text()

    def object(self, schema, depth):
        chance = self.chance
        made = {}
        for name, part in schema.get("properties", {}).items():
            if (name in schema.get("required", []) and chance.random() < 0.95) or chance.random() < 0.4:
                made[name] = chance.choice(ADDRESSES) if name == "source" else self.value(part, depth + 1)
        if chance.random() < 0.05:
            made[self.odd()] = self.value({}, depth + 1)
        return made

    def text(self):
        return self.chance.choice([*self.names, *self.cameras, "pattern", "tone", "brightness"
                                   ]) if self.chance.random() < 0.5 else self.odd()

    def request(self):
        """Method, path of the description, path of the request, body, headers."""
        chance = self.chance
        method, path, operation = chance.choice(self.operations)
        query = []

        def fill(match):
            known = self.cameras if match[1] == "id" else self.names or ["x.jpg"]
            text = chance.choice(known) if chance.random() < 0.7 else self.odd()
            return text if chance.random() < 0.1 else urllib.parse.quote(text,
                                                                         safe="%" if chance.random() < 0.2 else "")

        place = re.sub(r"\{(\w+)\}", fill, path)
        headers = {}
        for parameter in self.described.parameters(path, operation):
            if parameter["in"] == "query" and (parameter.get("required") or chance.random() < 0.5):
                value = self.odd() if chance.random() < 0.2 else self.value(parameter["schema"])
                query.append((parameter["name"], value if isinstance(value, str) else json.dumps(value)))
            elif parameter["in"] == "header" and chance.random() < 0.5:
                headers[parameter["name"]] = chance.choice(
                    ["bytes=0-", "bytes=-1", "bytes=5-2", "bytes=0-0,2-3", "bytes=99999999999999999999-", "x"])
        if query:
            place += "?" + urllib.parse.urlencode(query)
        body = None
        if "requestBody" in operation or chance.random() < 0.05:
            schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            text = json.dumps(self.value(schema)) if schema else chance.randbytes(chance.choice([0, 1, 100, 5000
                                                                                                 ])).hex()
            body = text.encode("utf-8", "surrogatepass")
            if chance.random() < 0.1:
                at = chance.randrange(len(body) + 1)
                body = body[:at] + chance.randbytes(chance.choice([0, 1, 9])) + body[at + chance.choice([0, 1, 5]):]
            headers["Content-Type"] = chance.choice(["application/json"] * 9 + ["text/plain"])
        if chance.random() < 0.05:
            method = chance.choice(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
        return method, path, place, body, headers


class FuzzTest(unittest.TestCase):

    def test_no_request_brings_it_down_or_makes_it_tell_what_it_should_not(self):
        seed = int(os.environ.get("OBSCURA_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
        print(f"fuzz-seed: {seed}")
        with studio.running("pattern:320x240@30", options=("--allow-sources", ), environment=FREEING) as server:
            (server.library.parent / "secret.jpg").write_text(CANARY, encoding="utf-8")
            described = description.Description(server.ask("GET", "/openapi.json").body)
            fuzzer = Fuzzer(described, seed)
            counts, wrong = collections.Counter(), []
            with socket_page.opened(server, socket_page.tile(width=320, height=240)) as page:
                memory = server.memory
                self.fuzz(server, fuzzer, counts, wrong)
                self.assertIsNone(server.process.poll(), f"it ended (OBSCURA_TEST_SEED={seed})")
                self.assertTrue(page.is_open)
            print(f"fuzz: {sum(counts.values())} requests, {dict(sorted(counts.items()))}")
            self.assertFalse(wrong, f"{len(wrong)} in all (OBSCURA_TEST_SEED={seed})\n" + "\n".join(wrong[:20]))
            # Python refuses to send a few of them.
            self.assertGreater(sum(counts.values()), REQUESTS * 0.9)
            # Enough requests were valid to reach the code after the validation.
            self.assertGreater(counts[200] + counts[201] + counts[204], REQUESTS * 0.1)
            self.assertEqual((server.library.parent / "secret.jpg").read_text(encoding="utf-8"), CANARY)
            self.assertEqual({path.name
                              for path in server.library.parent.iterdir()}, {"library", "cache", "log.txt", "secret.jpg"})
            self.assertEqual(server.ask("GET", "/health", token=False).status, 200)
            for camera in server.api("GET", "/api/cameras")["cameras"]:
                server.api("DELETE", f"/api/cameras/{camera['id']}")
            studio.wait_until(lambda: server.descriptors < 100, "few descriptors")
            # Cameras have buffers, and on a busy machine more cameras exist at once.
            print(f"fuzz-memory: {(server.memory - memory) / (1 << 20):.1f} MiB more")
            studio.wait_until(lambda: server.memory - memory < GROWTH, "memory to be free again")

    def fuzz(self, server, fuzzer, counts, wrong):
        unreachable = []
        for index in range(REQUESTS):
            if len(wrong) >= 50:
                break
            if index % 50 == 0:
                self.refresh(server, fuzzer)
            method, path, place, body, headers = fuzzer.request()
            has_token = fuzzer.chance.random() < 0.9
            asked = f"{method} {place} {body!r:.300} {headers}{'' if has_token else ' without the token'}"
            try:
                answer = self.ask(server, method, place, body, headers, has_token)
            except (ValueError, http.client.InvalidURL):
                # Python cannot send such a request; test_studio_attacks.py does with plain sockets.
                continue
            except OSError as error:
                wrong.append(f"{asked}: {error!r}")
                continue
            if answer is None:
                counts[200] += 1
                continue
            counts[answer.status] += 1
            if (method, path, answer.status) == ("POST", "/api/cameras", 201) and "device" not in answer.json:
                self.end_unreachable(server, answer.json["id"], unreachable)
            wrong += [
                f"{asked}: {complaint}" for complaint in self.judge(server, fuzzer, method, path, answer, has_token)
            ]

    @staticmethod
    def end_unreachable(server, camera, earlier):
        """Removes a camera at an address without a server, since each request for it would wait for seconds.

        The first camera is started before.
        """
        if not earlier:
            server.ask("POST", f"/api/cameras/{camera}/start")
        earlier.append(camera)
        server.api("DELETE", f"/api/cameras/{camera}")

    @staticmethod
    def refresh(server, fuzzer):
        """Reads the names of cameras and files, and removes some if there are many."""
        cameras = server.api("GET", "/api/cameras")["cameras"]
        for camera in cameras[3:]:
            server.api("DELETE", f"/api/cameras/{camera['id']}")
        if not cameras:
            server.api("POST", "/api/cameras", {"device": "pattern"})
        fuzzer.cameras = [camera["id"] for camera in server.api("GET", "/api/cameras")["cameras"]]
        items = server.api("GET", "/api/library?limit=1000")["items"]
        if not items:
            server.ask("POST", f"/api/cameras/{fuzzer.cameras[0]}/photos", {"count": 2})
        fuzzer.names = [item["name"] for item in server.api("GET", "/api/library?limit=20")["items"]]
        for item in items[20:]:
            server.ask("DELETE", f"/api/library/{urllib.parse.quote(item['name'])}")

    @staticmethod
    def ask(server, method, place, body, headers, has_token):
        """The response; None for a stream, which has no end."""
        headers = dict(headers)
        if has_token:
            headers["Authorization"] = f"Bearer {server.token}"
        connection = server.connection(timeout=30)
        try:
            connection.request(method, place, body=body, headers=headers)
            response = connection.getresponse()
            if "multipart" in response.headers.get("Content-Type", ""):
                response.read1(1000)
                return None
            return studio.Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    @staticmethod
    def judge(server, fuzzer, method, path, answer, has_token):
        if answer.status >= 500 and answer.status not in ALLOWED:
            yield f"{answer.status} {answer.body[:300]!r}"
        everything = str(answer.headers).encode() + answer.body
        for secret in (server.token, CANARY, str(server.library.parent), "X-Owned"):
            # A response may repeat the request.
            if secret.encode() in everything and not (secret == "X-Owned"
                                                      and b"X-Owned" not in str(answer.headers).encode()):
                yield f"it tells {secret!r}: {everything[:300]!r}"
        if not has_token and answer.status < 400 and path not in ("/health", ):
            yield f"{answer.status} without the token"
        if method == "HEAD" or answer.status == 404 and not answer.body:
            return
        kind = answer.headers.get("Content-Type", "")
        if answer.status >= 400 and answer.body and kind.startswith("application/json"):
            yield from fuzzer.described.complaints("Error", answer.json)
        elif answer.status < 400 and (method.lower() in fuzzer.described.document["paths"][path]):
            yield from fuzzer.described.complaints_of(method, path, answer)


if __name__ == "__main__":
    unittest.main()
