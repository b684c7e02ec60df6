// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraBroadcast

/// How long bytes have waited for the network, with times that the test chooses.
@Suite struct SentBytesTests {
    @Test func `The oldest unsent byte has waited since its packet was passed on`() {
        var sent = SentBytes()
        for number in 0..<100 { sent.add(100, at: Self.at(33 * number)) }
        #expect(sent.wait(ofLast: 10_000, at: Self.at(3300)) == .milliseconds(3300))
        #expect(sent.wait(ofLast: 901, at: Self.at(3300)) == .milliseconds(3300 - 33 * 90))
        #expect(sent.wait(ofLast: 900, at: Self.at(3300)) == .milliseconds(3300 - 33 * 91))
        #expect(sent.wait(ofLast: 1, at: Self.at(3300)) == .milliseconds(33))
        #expect(sent.wait(ofLast: 0, at: Self.at(3300)) == .zero)
    }

    @Test func `Protocols add bytes of their own`() {
        var sent = SentBytes()
        sent.add(100, at: Self.at(5))
        #expect(sent.wait(ofLast: 150, at: Self.at(25)) == .milliseconds(20))
    }

    @Test func `A key frame after a pause has not waited for the time of the pause`() {
        var sent = SentBytes()
        for number in 0..<10 { sent.add(100, at: Self.at(33 * number)) }
        sent.add(100_000, at: Self.at(60_000))
        #expect(sent.wait(ofLast: 16_000, at: Self.at(60_001)) == .milliseconds(1))
    }

    @Test func `Packets within ten milliseconds count from the first one on`() {
        var sent = SentBytes()
        for number in 0..<30 { sent.add(1, at: Self.at(number)) }
        #expect(sent.wait(ofLast: 11, at: Self.at(30)) == .milliseconds(20))
        #expect(sent.wait(ofLast: 10, at: Self.at(30)) == .milliseconds(10))
    }

    private static func at(_ milliseconds: Int) -> HostTime {
        HostTime(nanoseconds: 1_000_000_000 + Int64(milliseconds) * 1_000_000)
    }
}
