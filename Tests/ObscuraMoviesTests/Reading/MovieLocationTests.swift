// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraMovies

@Suite struct MovieLocationTests {
    @Test(
        "TCP keeps what is not read yet, UDP does not",
        arguments: [
            ("rtsp://camera/live", true), ("rtsp://camera/live?transport=tcp", true),
            ("rtsp://camera/live?channel=1&transport=udp", false), ("rtsps://camera/live", true),
            ("rtmp://server/live/key", true), ("tcp://camera:5000", true), ("udp://239.0.0.1:5000", false),
            ("srt://camera:9000", false), ("rtp://239.0.0.1:5000", false), ("https://server/live.m3u8", false),
            ("/films/film.mp4", false),
        ])
    func tcp(address: String, isByTCP: Bool) throws {
        #expect(try MovieLocation(address).isByTCP == isByTCP)
    }
}
