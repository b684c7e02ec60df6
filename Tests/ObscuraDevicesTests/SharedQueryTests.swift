// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraDevices

@Suite("A query that may have no response", .hangLimit)
struct SharedQueryTests {
    @Test("Many calls without a response occupy one thread, and the response serves them all")
    func noResponse() {
        let count = Lock(0)
        let isOpen = Lock(false)
        let query = SharedQuery(name: "test") {
            count.withLock { $0 += 1 }
            return isOpen.wait { $0 ? "response" : nil } ?? ""
        }
        for _ in 0..<10 { #expect(query.answer(within: .zero) == nil) }
        isOpen.withLockSignalling { $0 = true }
        #expect(query.answer(within: .seconds(60)) == "response")
        // The last call may have come after the response.
        #expect(count.withLock { $0 } <= 2)
    }

    @Test("After a response the next call asks anew")
    func again() {
        let count = Lock(0)
        let query = SharedQuery(name: "test") {
            count.withLock { count in
                count += 1
                return count
            }
        }
        for number in 1...3 { #expect(query.answer(within: .seconds(60)) == number) }
    }
}
