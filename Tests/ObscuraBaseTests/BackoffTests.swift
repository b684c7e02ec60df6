// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Testing

@Suite struct BackoffTests {
    @Test func `Each delay is a multiple of the one before, up to the limit`() {
        let doubling = Backoff(first: .milliseconds(250), limit: .seconds(2))
        #expect((0..<5).map { doubling.delay(after: $0) } == [250, 500, 1000, 2000, 2000].map { .milliseconds($0) })
        let steep = Backoff(first: .milliseconds(50), factor: 4, limit: .milliseconds(700))
        #expect((0..<4).map { steep.delay(after: $0) } == [50, 200, 700, 700].map { .milliseconds($0) })
        #expect(doubling.delay(after: -3) == .milliseconds(250) && doubling.delay(after: .max) == .seconds(2))
    }

    @Test func `Odd limits make no odd delays`() {
        #expect(Backoff(first: .seconds(5), limit: .seconds(2)).delay(after: 0) == .seconds(2))
        #expect(Backoff(first: .zero, limit: .seconds(2)).delay(after: .max) == .zero)
        #expect(Backoff(first: .seconds(-1), limit: .seconds(-1)).delay(after: 3) == .zero)
        let longest = Duration.seconds(Int64.max)
        #expect(Backoff(first: .seconds(1), factor: 4, limit: longest).delay(after: .max) == longest)
    }
}
