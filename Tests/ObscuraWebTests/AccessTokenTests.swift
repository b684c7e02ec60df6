// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Foundation
import Testing

@testable import ObscuraWeb

@Suite struct AccessTokenTests {
    @Test func aTokenIs32BytesAndNeverTheSame() throws {
        let tokens = (0..<100).map { _ in AccessToken().text }
        #expect(Set(tokens).count == 100)
        for text in tokens {
            #expect(text.count == 43)
            let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/") + "="
            #expect(Data(base64Encoded: base64)?.count == 32, "\(text)")
            #expect((try? AccessToken(chosen: text)) != nil)
        }
    }

    @Test func onlyTheTokenItselfMatches() throws {
        let token = try AccessToken(chosen: "abcdefghijklmnop")
        #expect(token.matches("abcdefghijklmnop"))
        for guess in [
            "", "a", "abcdefghijklmno", "abcdefghijklmnopq", "Abcdefghijklmnop", "abcdefghijklmnoP",
            " abcdefghijklmnop",
            "abcdefghijklmnop\0", String(repeating: "abcdefghijklmnop", count: 1000),
        ] {
            #expect(!token.matches(guess), "\(guess)")
        }
    }

    @Test(arguments: [
        "", "short", "fifteen-letters", "sixteen letters!", "sixteen-lettersä", "sixteen;letters-",
        "a\r\nbcdefghijklmnopq",
        String(repeating: "a", count: 257),
    ])
    func aChosenTokenThatWouldNotDoIsRefusedWithAdvice(text: String) {
        do {
            _ = try AccessToken(chosen: text)
            Issue.record("taken")
        } catch {
            #expect(error.advice?.contains("16") == true)
            #expect(text.isEmpty || !"\(error)".contains(text), "the error holds the token")
        }
    }

    @Test func noDescriptionHoldsIt() {
        let token = AccessToken()
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped, "\([token])"] {
            #expect(!text.contains(token.text))
        }
    }

    @Test func manyWrongTokensOfOneAddressMustWait() {
        var limits = RequestLimits()
        limits.guesses = 3
        let attempts = TokenAttempts(limits: limits)
        let start = ContinuousClock.now
        for _ in 0..<3 { #expect(attempts.note("a", at: start).delay == nil) }
        #expect(attempts.note("a", at: start) == (limits.guessDelay, true))
        #expect(attempts.note("a", at: start) == (limits.guessDelay, false))
        #expect(attempts.note("b", at: start).delay == nil)
        #expect(attempts.note("a", at: start + .seconds(59)).delay == limits.guessDelay)
        #expect(attempts.note("a", at: start + .seconds(61)).delay == nil)
    }

    @Test func theTableOfAddressesDoesNotGrow() {
        let attempts = TokenAttempts(limits: RequestLimits())
        let start = ContinuousClock.now
        for number in 0..<5000 { _ = attempts.note("\(number)", at: start + .milliseconds(number)) }
        #expect(attempts.count <= 1024)
    }
}
