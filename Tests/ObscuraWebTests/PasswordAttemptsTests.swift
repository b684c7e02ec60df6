// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Testing

@testable import ObscuraWeb

@Suite struct PasswordAttemptsTests {
    private let start = ContinuousClock.now
    private let attempts: PasswordAttempts

    init() {
        var limits = RequestLimits()
        limits.guesses = 2
        attempts = PasswordAttempts(limits: limits)
    }

    /// A wrong password that is compared; returns its delay in seconds.
    private func guess(_ peer: String, after seconds: Int) -> Int64? {
        guard case .after(let delay) = attempts.turn(of: peer, at: start + .seconds(seconds)) else { return nil }
        _ = attempts.end(of: peer, isRight: false, at: start + .seconds(seconds) + delay)
        return delay.components.seconds
    }

    @Test func eachWrongPasswordWaitsTwiceAsLongAsTheOneBefore() {
        let delays = (0..<9).map { guess("a", after: 40 * $0) }
        #expect(delays == [0, 0, 1, 2, 4, 8, 16, 30, 30])
        #expect(guess("b", after: 400) == 0)
        // After ten minutes of nothing it is forgotten.
        #expect(guess("a", after: 9 * 40 + 1000) == 0)
    }

    @Test func anAddressHasOneAttemptAtATime() {
        for _ in 0..<2 { #expect(attempts.turn(of: "a", at: start) == .after(.zero)) }
        #expect(attempts.turn(of: "a", at: start) == .after(.seconds(1)))
        #expect(attempts.turn(of: "a", at: start) == .rejected(retryAfter: .seconds(1)))
        // Its delay is over, and it is not yet compared.
        #expect(attempts.turn(of: "a", at: start + .seconds(5)) == .rejected(retryAfter: .zero))
        #expect(attempts.turn(of: "b", at: start) == .after(.zero))
        for _ in 0..<2 { _ = attempts.end(of: "a", isRight: false, at: start + .seconds(5)) }
        #expect(attempts.turn(of: "a", at: start + .seconds(5)) == .after(.seconds(2)))
    }

    @Test func aRightPasswordTakesNoWrongOneAway() {
        for _ in 0..<50 {
            #expect(attempts.turn(of: "a", at: start) == .after(.zero))
            #expect(!attempts.end(of: "a", isRight: true, at: start))
        }
        #expect(attempts.count == 0)
        #expect([0, 1].map { guess("a", after: $0) } == [0, 0])
        for second in 2..<6 {
            #expect(attempts.turn(of: "a", at: start + .seconds(second)) == .after(.seconds(1)))
            _ = attempts.end(of: "a", isRight: true, at: start + .seconds(second))
        }
    }

    @Test func theFirstThatMakesItSlowIsTold() {
        let told = (0..<4).map { _ in
            _ = attempts.turn(of: "a", at: start)
            return attempts.end(of: "a", isRight: false, at: start)
        }
        #expect(told == [false, true, false, false])
    }

    @Test func theTableOfAddressesDoesNotGrow() {
        for number in 0..<5000 { _ = guess("\(number)", after: number) }
        #expect(attempts.count <= 1024)
    }
}
