# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Obscura authors
"""Tests that the Studio's responses match its openapi.json, and that the description is complete."""

import re
import unittest

import description
import socket_page
import studio
import studio_test


class DescribedTest(studio_test.ServerTest):
    options = ("--allow-sources",)

    def setUp(self):
        super().setUp()
        self.described = description.Description(self.server.ask("GET", "/openapi.json").body)


class RoutesTest(DescribedTest):

    def setUp(self):
        super().setUp()
        self.asked = set()

    def ask(self, method, path, body=None, expect=None, headers=None, query="", **values):
        """The response to a request of a described path, which must match the description."""
        place = re.sub(r"\{(\w+)\}", lambda match: values[match[1]], path)
        answer = self.server.ask(method, place + query, body, headers)
        self.asked.add((method, path))
        self.assertEqual(self.described.complaints_of(method, path, answer), [],
                         f"{method} {place}: {answer.body[:300]!r}")
        if expect:
            self.assertEqual(answer.status, expect, f"{method} {place}: {answer.body[:300]!r}")
        return answer

    def test_every_route_answers_as_described(self):
        for ask in (self.ask_for_pages_and_lists, self.ask_about_a_camera, self.ask_about_photos_and_movies,
                    self.ask_for_the_stream):
            with self.subTest(ask.__name__):
                ask()
        described = {(method, path) for method, path, _ in self.described.operations}
        self.assertEqual(described - self.asked, set(), "not requested")

    def ask_for_pages_and_lists(self):
        for path in ("/", "/library", "/openapi.json", "/health", "/metrics", "/api/state", "/api/devices",
                     "/api/cameras", "/api/visit", "/api/library"):
            self.ask("GET", path, expect=200)
        self.ask("GET", "/assets/{file}", file="app.js", expect=200)
        self.ask("GET", "/assets/{file}", file="none.js", expect=404)
        self.ask("GET", "/api/library", query="?limit=0", expect=422)
        self.ask("GET", "/api/search", query="?text=a%20b&kind=photo&month=2026-11", expect=200)
        self.ask("GET", "/api/search", query="?kind=sound", expect=422)
        self.ask("GET", "/api/months", query="?kind=movie", expect=200)
        self.ask("GET", "/api/months", query="?month=november", expect=422)
        for month in (f"{2 ** 63 - 1}-12", f"-{2 ** 63}-1"):
            self.ask("GET", "/api/search", query=f"?month={month}", expect=422)
        # A letter that joins to what follows, here to a quotation mark.
        self.ask("GET", "/api/search", query="?text=%E0%B5%8E%22", expect=200)
        self.ask("GET", "/api/places", query="?text=a", expect=200)
        for box in ("1,2,3", "1,2,x,4", "60,0,50,0", "0,0,nan,0", "-91,0,0,0"):
            self.ask("GET", "/api/places", query=f"?box={box}", expect=422)
        self.ask("GET", "/ws", expect=403)

    def ask_about_a_camera(self):
        camera = self.ask("POST", "/api/cameras", {"device": "pattern"}, expect=201).json
        other = camera["id"]
        self.ask("POST", "/api/cameras", {"device": "none"}, expect=404)
        self.ask("POST", "/api/cameras", b"{", expect=400, headers={"Content-Type": "application/json"})
        self.ask("POST", "/api/cameras", b"{}", expect=415, headers={"Content-Type": "text/plain"})
        self.ask("POST", "/api/cameras/{id}/start", id=other, expect=200)
        self.ask("GET",
                 "/cameras/{id}/picture.jpg",
                 id=other,
                 expect=200,
                 query="?width=320&gravity=resizeAspectFill&quality=50")
        self.ask("GET", "/cameras/{id}/picture.jpg", id=other, expect=422, query="?width=1")
        self.ask("GET", "/api/cameras/{id}", id=other, expect=200)
        changed = self.ask(
            "PATCH",
            "/api/cameras/{id}",
            {"isMirrored": True, "orientation": "left", "effects": ["mono"], "microphone": "tone", "preset": "medium"},
            id=other,
            expect=200).json
        self.assertEqual((changed["isMirrored"], changed["orientation"], changed["effects"], changed.get("microphone")),
                         (True, "left", ["mono"], "tone"))
        changed = self.ask("PATCH", "/api/cameras/{id}", {"microphone": None}, id=other, expect=200).json
        self.assertNotIn("microphone", changed)
        self.ask("PATCH", "/api/cameras/{id}", {"effects": ["none"]}, id=other, expect=422)
        self.ask("PATCH", "/api/cameras/{id}", {"orientation": "sideways"}, id=other, expect=400)
        self.ask("PATCH", "/api/cameras/{id}", {"isMirorred": True}, id=other, expect=400)
        self.ask("POST", "/api/cameras/{id}/tap", {"x": 0.5, "y": 0.5}, id=other, expect=204)
        self.ask("POST", "/api/cameras/{id}/tap", {"x": 2, "y": 0.5}, id=other, expect=422)
        self.ask("GET", "/api/cameras/{id}/controls", id=other, expect=200)
        self.ask("PATCH", "/api/cameras/{id}/controls", {"none": 1}, id=other, expect=422)
        self.ask("GET", "/api/cameras/{id}/statistics", id=other, expect=200)
        self.ask("DELETE", "/api/cameras/{id}", id=other, expect=204)
        self.ask("GET", "/api/cameras/{id}", id=other, expect=404)

    def ask_about_photos_and_movies(self):
        for count in (0, 21):
            self.ask("POST", "/api/cameras/{id}/photos", {"count": count}, id="1", expect=422)
        for wrong, status in (({"format": "gif"}, 400), ({"format": "png", "quality": 80}, 422), ({"quality": 0}, 422),
                              ({"flash": "on"}, 422), ({"location": {"latitude": 91, "longitude": 0}}, 422)):
            self.ask("POST", "/api/cameras/{id}/photos", wrong, id="1", expect=status)
        unknown = self.ask("POST", "/api/cameras/{id}/photos", {"flsh": "auto"}, id="1", expect=400).json["error"]
        self.assertEqual(unknown["message"], 'There is no property "flsh" here.')
        self.assertIn("flash", unknown["advice"])
        wishes = {"format": "png", "flash": "auto", "title": "Sea", "location": {"latitude": 52.1, "longitude": 4.3}}
        name = self.ask("POST", "/api/cameras/{id}/photos", wishes, id="1", expect=201).json["items"][0]["name"]
        self.assertTrue(self.ask("GET", "/media/{name}", name=name, expect=200).body.startswith(b"\x89PNG"))
        facts = self.ask("GET", "/api/library/{name}", name=name, expect=200).json["metadata"]
        self.assertIn({"label": "Title", "value": "Sea"}, facts)
        self.assertIn({"label": "Place", "value": "52.1, 4.3"}, facts)
        name = self.ask("POST", "/api/cameras/{id}/photos", {"count": 1}, id="1", expect=201).json["items"][0]["name"]
        self.ask("DELETE", "/api/cameras/{id}/recording", id="1", expect=409)
        self.ask("POST", "/api/cameras/{id}/recording", {"maxSize": 1}, id="1", expect=422)
        self.ask("POST", "/api/cameras/{id}/recording", {"maxDuration": 60}, id="1", expect=201)
        self.ask("POST", "/api/cameras/{id}/recording", {}, id="1", expect=409)
        self.ask("PATCH", "/api/cameras/{id}/recording", {"isPaused": True}, id="1", expect=200)
        self.ask("PATCH", "/api/cameras/{id}/recording", {"isPaused": False}, id="1", expect=200)
        studio.wait_until(lambda: self.server.camera()["recording"]["duration"] > 0.3, "a movie")
        movie = self.ask("DELETE", "/api/cameras/{id}/recording", id="1", expect=200).json["item"]["name"]
        before = [item["name"] for item in self.ask("GET", "/api/visit", expect=200).json["items"]]
        after = self.ask("PUT", "/api/visit", {"names": [movie, name]}, expect=200).json["items"]
        self.assertEqual([item["name"] for item in after],
                         [movie, name, *(one for one in before if one not in (movie, name))])
        self.ask("PUT", "/api/visit", {"names": [movie, movie]}, expect=422)
        self.ask("DELETE", "/api/visit/{name}", name=movie, expect=204)
        recipe = {
            "edits": [{"kind": "rotate", "turn": "right"}, {"kind": "mirror"}, {"kind": "straighten", "degrees": -3.5},
                      {"kind": "crop", "x": 0.1, "y": 0.1, "width": 0.5, "height":
                       0.5}, {"kind": "redEye", "parts": [{"x": 0.4, "y": 0.4, "width": 0.1, "height":
                                                           0.1}]}, {"kind": "enhance"}]
        }
        item = self.ask("PUT", "/api/library/{name}/recipe", recipe, name=name, expect=200).json
        self.assertEqual(item["recipe"], recipe)
        self.ask("PUT",
                 "/api/library/{name}/recipe",
                 {"edits": [{"kind": "crop", "x": 0.9, "y": 0, "width": 0.5, "height": 1}]},
                 name=name,
                 expect=422)
        self.ask("PUT", "/api/library/{name}/recipe", {"edits": [{"kind": "explode"}]}, name=name, expect=400)
        self.ask("POST", "/api/library/{name}/export", {"format": "png"}, name=name, expect=201)
        self.ask("POST", "/api/library/{name}/export", {"format": "gif"}, name=name, expect=400)
        self.ask("POST", "/api/library/{name}/trim", {"from": 0.1, "to": 0.2}, name=movie, expect=201)
        self.ask("POST", "/api/library/{name}/trim", {"from": 2, "to": 1}, name=movie, expect=422)
        self.ask("POST", "/api/library/{name}/trim", {"from": 0.1}, name=name, expect=422)
        self.ask("GET", "/media/{name}", name=name, expect=200)
        self.ask("GET", "/media/{name}", name=movie, expect=206, headers={"Range": "bytes=0-9"})
        self.ask("GET", "/media/{name}", name=movie, expect=416, headers={"Range": "bytes=999999999-"})
        for one in (name, movie):
            self.ask("GET", "/media/{name}/picture.jpg", name=one, expect=200, query="?width=200")
            self.ask("GET", "/api/library/{name}", name=one, expect=200)
        self.ask("GET", "/api/state", expect=200)
        self.ask("GET", "/api/library", expect=200, query="?offset=1&limit=1")
        sent = self.ask("POST",
                        "/api/uploads",
                        self.server.media(movie),
                        query="?name=sent.mp4",
                        headers={"Content-Type": "application/octet-stream"},
                        expect=201).json["name"]
        self.ask("POST",
                 "/api/uploads",
                 b"no movie",
                 query="?name=text.mp4",
                 headers={"Content-Type": "application/octet-stream"},
                 expect=422)
        self.ask("DELETE", "/api/library/{name}", name=sent, query="?permanently=1", expect=204)
        self.ask("GET", "/api/trash", expect=200)
        deleted = self.ask("DELETE", "/api/library/{name}", name=name, expect=200).json["id"]
        self.ask("DELETE", "/api/library/{name}", name=name, expect=404)
        self.ask("GET", "/api/trash/{id}/picture.jpg", id=deleted, query="?width=100", expect=200)
        self.ask("POST", "/api/trash/{id}/restore", id=deleted, expect=200)
        for action, method in (("/restore", "POST"), ("/picture.jpg", "GET"), ("", "DELETE")):
            self.ask(method, "/api/trash/{id}" + action, id=deleted, expect=404)
        deleted = self.ask("DELETE", "/api/library/{name}", name=name, expect=200).json["id"]
        self.ask("DELETE", "/api/trash/{id}", id=deleted, expect=204)
        self.ask("DELETE", "/api/library/{name}", name=movie, expect=200)
        self.ask("DELETE", "/api/trash", expect=204)
        self.assertEqual(self.ask("GET", "/api/trash", expect=200).json, {"items": []})
        self.ask("GET", "/api/library/{name}", name="..%5C", expect=400)

    def ask_for_the_stream(self):
        connection = self.server.connection()
        connection.request("GET",
                           "/cameras/1/stream.mjpeg?width=320",
                           headers={"Authorization": f"Bearer {self.server.token}"})
        response = connection.getresponse()
        self.assertEqual(response.status, 200)
        self.assertTrue(response.headers["Content-Type"].startswith("multipart/x-mixed-replace"))
        boundary = response.headers["Content-Type"].split("boundary=")[1].encode()
        data = b""
        while data.count(b"--" + boundary) < 4:
            data += response.read1(65536)
        first = data.split(b"--" + boundary)[1]
        self.assertIn(b"image/jpeg", first)
        # The boundary follows the picture at once, so that a browser shows it before the next one arrives.
        self.assertTrue(first.split(b"\r\n\r\n", 1)[1].rstrip().endswith(b"\xff\xd9"))
        connection.close()
        self.asked.add(("GET", "/cameras/{id}/stream.mjpeg"))


class MessagesTest(DescribedTest):

    def test_the_messages_of_the_socket_are_as_described(self):
        self.server.change(microphone="tone")
        with socket_page.opened(self.server, socket_page.tile()) as page:
            self.server.api("POST", "/api/cameras/1/recording", {})
            studio.wait_until(
                lambda: {one["type"]
                         for one in page.messages} >= {"state", "levels", "recording", "statistics"},
                "a message of each kind")
            self.server.api("DELETE", "/api/cameras/1/recording")
            studio.wait_until(lambda: "notice" in {one["type"] for one in page.messages}, "the notice")
            for message in page.messages:
                self.assertEqual(self.described.complaints("ServerMessage", message), [], message)
            self.assertTrue(page.records)
            for _, _, _, width, height, _, picture in page.records:
                self.assertEqual((width, height), studio.SIZE)
                self.assertTrue(picture.startswith(b"\xff\xd8") and picture.endswith(b"\xff\xd9"))

    def test_every_example_is_what_its_schema_says(self):

        def look(value):
            if isinstance(value, dict):
                if "schema" in value and "example" in value:
                    self.assertEqual(self.described.complaints(value["schema"], value["example"]), [])
                for one in value.values():
                    look(one)
            elif isinstance(value, list):
                for one in value:
                    look(one)

        look(self.described.document)

    def test_methods_that_a_route_does_not_take_are_named(self):
        answer = self.server.ask("DELETE", "/api/state")
        self.assertEqual(answer.status, 405)
        self.assertEqual(answer.headers["Allow"], "GET, HEAD")
        self.assertEqual(self.described.complaints("Error", answer.json), [])


if __name__ == "__main__":
    unittest.main()
