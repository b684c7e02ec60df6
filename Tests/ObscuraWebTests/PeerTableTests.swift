// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraWeb

@Suite struct PeerTableTests {
    private let start = ContinuousClock.now

    @Test func `A record is there until it expires`() {
        var table = PeerTable<Int>()
        table.keep(1, of: "a", until: start + .seconds(10), at: start)
        #expect(table.record(of: "a", at: start + .seconds(9)) == 1)
        #expect(table.record(of: "a", at: start + .seconds(10)) == nil && table.record(of: "b", at: start) == nil)
        table.keep(2, of: "a", until: start + .seconds(20), at: start)
        #expect(table.record(of: "a", at: start + .seconds(10)) == 2 && table.count == 1)
        table.forget("a")
        #expect(table.count == 0)
    }

    @Test func `In a full table the record that would expire first makes room for a new address`() {
        var table = PeerTable<Int>()
        for number in 0..<1024 { table.keep(number, of: "\(number)", until: start + .seconds(number + 1), at: start) }
        // One that is known takes no room.
        table.keep(5, of: "5", until: start + .seconds(6), at: start)
        #expect(table.count == 1024 && table.record(of: "0", at: start) == 0)
        table.keep(0, of: "new", until: start + .seconds(1), at: start)
        #expect(table.count == 1024)
        #expect(table.record(of: "0", at: start) == nil && table.record(of: "1", at: start) == 1)
        table.keep(0, of: "newer", until: start + .seconds(600), at: start + .seconds(500))
        #expect(table.count == 525)
    }
}
