// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraBroadcast
@testable import ObscuraMovies

@Suite struct ReconnectBackoffTests {
    @Test func `Each wait is twice as long, up to two seconds`() {
        var backoff = ReconnectBackoff()
        let waits = (0..<6).map { _ in backoff.wait(chance: 0.5) }
        #expect(waits == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(2), .seconds(2), .seconds(2)])
        backoff.note(attemptOf: .zero, connectionOf: .seconds(3))
        #expect(backoff.wait(chance: 0.5) == .seconds(2))
        backoff.note(attemptOf: .zero, connectionOf: .seconds(10))
        #expect(backoff.wait(chance: 0.5) == .milliseconds(250))
    }

    @Test func `What the attempt took is part of the wait`() {
        var backoff = ReconnectBackoff()
        for _ in 0..<4 { _ = backoff.wait(chance: 0.5) }
        backoff.note(attemptOf: .milliseconds(500), connectionOf: nil)
        #expect(backoff.wait(chance: 0.5) == .milliseconds(1500))
        backoff.note(attemptOf: .seconds(4), connectionOf: nil)
        #expect(backoff.wait(chance: 0.5) == .milliseconds(250))
    }

    @Test func `Only the first attempt, and one to a slow server, has all the time`() {
        var backoff = ReconnectBackoff()
        #expect(backoff.timeout(.seconds(10)) == .seconds(10))
        backoff.note(attemptOf: .seconds(10), connectionOf: nil)
        #expect(backoff.timeout(.seconds(10)) == .seconds(10))
        backoff.note(attemptOf: .milliseconds(300), connectionOf: .seconds(1))
        #expect(backoff.timeout(.seconds(10)) == .seconds(4) && backoff.timeout(.seconds(2)) == .seconds(2))
        backoff.note(attemptOf: .seconds(3), connectionOf: .seconds(1))
        #expect(backoff.timeout(.seconds(10)) == .seconds(6))
    }

    @Test func `Chance moves it by a tenth`() {
        var (short, long) = (ReconnectBackoff(), ReconnectBackoff())
        #expect(abs(short.wait(chance: 0) / .milliseconds(1) - 225) < 0.001)
        #expect(abs(long.wait(chance: 7) / .milliseconds(1) - 275) < 0.001)
    }
}
