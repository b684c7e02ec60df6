// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import Testing

@testable import ObscuraStudio

@Suite struct RemoteAddressTests {
    @Test func `An address is composed of its parts`() throws {
        let plain = try RemoteAddress("HTTPS://Example.COM")
        #expect(plain.text == "https://example.com:443/" && plain.name == "example.com")
        let long = try RemoteAddress("http://example.com:8080/a/My%20photo.jpg?size=1#top")
        #expect(long.text == "http://example.com:8080/a/My%20photo.jpg?size=1")
        #expect(long.name == "My photo.jpg" && long.host == "example.com" && long.port == 8080)
        #expect(try RemoteAddress("http://[::1]:81/x").host == "::1")
        #expect(try RemoteAddress("https://example.com/p?token=secret").shown == "https://example.com:443/p?token=***")
    }

    @Test(arguments: [
        "", "photo.jpg", "/etc/passwd", "file:///etc/passwd", "ftp://example.com/a", "gopher://example.com", "http://",
        "http:///a", "http://a b/", "http://example.com/\r\nHost: x", "http://user:pass@example.com/",
        "http://user@example.com/", "http://example.com\\@127.0.0.1/", "http://example.com:0/",
        "http://example.com:99999/",
        "http://exa%6dple.com/", "http://exämple.com/", "http://[fe80::1%25eth0]/", "http://example.com:80:80/",
        "data:image/png;base64,AAAA", "javascript:alert(1)",
    ])
    func `Any other address is rejected`(_ text: String) throws {
        let error = #expect(throws: ObscuraError.self) { try RemoteAddress(text) }
        #expect(error?.code == .invalidLocation)
    }

    @Test func `A redirect is relative to its address`() throws {
        let address = try RemoteAddress("https://example.com/a/b?c")
        #expect(try address.following("/d?e").text == "https://example.com:443/d?e")
        #expect(try address.following("d").text == "https://example.com:443/a/d")
        #expect(try address.following("//other.org/d").text == "https://other.org:443/d")
        #expect(try address.following("http://other.org").text == "http://other.org:80/")
        #expect(throws: ObscuraError.self) { try address.following("file:///etc/passwd") }
    }
}
