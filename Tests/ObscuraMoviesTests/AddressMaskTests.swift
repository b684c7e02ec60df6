// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
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
            ("rtsp://user:123456/7@host/", "rtsp://user:***@host/"),
            ("rtsp://[::1]:554/live@2x", "rtsp://[::1]:554/live@2x"),
            ("rtsp://user:pa'ss@host/", "rtsp://user:***@host/"),
            ("rtsp://user:pa\"s/s@host/", "rtsp://user:***@host/"),
            ("cannot open 'rtsp://u:p@h/x': no", "cannot open 'rtsp://u:***@h/x': no"),
            ("cannot open 'rtsp://u:a'b@h/x' (at all)", "cannot open 'rtsp://u:***@h/x' (at all)"),
            ("[\"http://u:p@h\",\"http://v:q@i\"]", "[\"http://u:***@h\",\"http://v:***@i\"]"),
            (
                "no segment 'http://h/a.ts?src=http://x/y&token=a'",
                "no segment 'http://h/a.ts?src=http://x/y&token=***'"
            ),
            ("cannot open 'rtsp://u:p://q@h/x'", "cannot open 'rtsp://u:***@h/x'"),
            ("srt://h:9?passphrase=x&mode=caller", "srt://h:9?passphrase=***&mode=caller"),
            ("http://h/?Token=abc", "http://h/?Token=***"),
            ("/videos/a:b@c.mp4", "/videos/a:b@c.mp4"),
        ])
    func masked(text: String, expected: String) {
        #expect(AddressMask.masked(text) == expected)
    }

    @Test("Of a whole address a blank is a part as well")
    func maskedAddress() throws {
        #expect(AddressMask.masked(address: "rtsp://user:pa ss@host/a b") == "rtsp://user:***@host/a b")
        #expect(AddressMask.masked(address: "http://h/?token=a b") == "http://h/?token=***")
        #expect(AddressMask.masked(address: "a:b@c") == "a:b@c")
        #expect(try MovieLocation("rtsp://user:pa'ss@host/").description == "rtsp://user:***@host/")
    }
}
