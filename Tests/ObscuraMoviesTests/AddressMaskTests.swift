// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraMovies

@Suite("Masks of addresses")
struct AddressMaskTests {
    @Test(
        "Passwords and secret query items are hidden, and nothing else",
        arguments: [
            ("rtsp://user:pass@host/live", "rtsp://user:***@host/live"),
            ("see http://u:p@h:80/x and http://v:q@i/", "see http://u:***@h:80/x and http://v:***@i/"),
            ("rtsp://host:554/live@2x", "rtsp://host:554/live@2x"),
            ("rtsp://user@host/", "rtsp://user@host/"),
            ("rtsp://user:p@ss:w@host/", "rtsp://user:***@host/"),
            ("rtsp://user:pa/ss@host/", "rtsp://user:***@host/"),
            ("srt://h:9?passphrase=x&mode=caller", "srt://h:9?passphrase=***&mode=caller"),
            ("http://h/?Token=abc", "http://h/?Token=***"),
            ("/videos/a:b@c.mp4", "/videos/a:b@c.mp4"),
        ])
    func masked(text: String, expected: String) {
        #expect(AddressMask.masked(text) == expected)
    }
}
