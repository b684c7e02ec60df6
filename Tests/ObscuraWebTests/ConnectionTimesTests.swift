// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import NIOCore
import Testing

@testable import ObscuraWeb

@Suite struct ConnectionTimesTests {
    private let limits = RequestLimits()
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func times() -> ConnectionTimes { ConnectionTimes(limits: limits, at: start) }

    private func at(_ seconds: Int64) -> NIODeadline { start + .seconds(seconds) }

    /// What it says when nothing waits to be sent.
    private func expiry(
        _ times: inout ConnectionTimes, at seconds: Int64, isReading: Bool = true
    ) -> ConnectionTimes.Expiry? {
        times.expiry(sent: 0, waiting: 0, isReading: isReading, at: at(seconds))
    }

    @Test func aConnectionThatSaysNothingIsClosedAfterTheTimeOfAHead() {
        var times = times()
        #expect(expiry(&times, at: 9) == nil)
        #expect(expiry(&times, at: 10) == .slowHead)
    }

    @Test func bytesOfAHeadDoNotBuyTime() {
        var times = times()
        for second in 0..<10 { times.received(at: at(Int64(second))) }
        #expect(expiry(&times, at: 10) == .slowHead)
    }

    @Test func afterAnAnswerTheNextRequestMayTakeItsTimeToBegin() {
        var times = times()
        times.headEnded(at: at(1))
        times.requestEnded(at: at(1))
        times.answerEnded(at: at(2))
        #expect(expiry(&times, at: 61) == nil)
        #expect(expiry(&times, at: 62) == .idle)
    }

    @Test func aLaterHeadMustBeWholeInTimeFromItsFirstByte() {
        var times = times()
        times.headEnded(at: at(1))
        times.requestEnded(at: at(1))
        times.answerEnded(at: at(2))
        times.received(at: at(40))
        #expect(expiry(&times, at: 49) == nil)
        #expect(expiry(&times, at: 50) == .slowHead)
    }

    @Test func anAnswerMayTakeAsLongAsItLikes() {
        var times = times()
        times.headEnded(at: at(1))
        times.requestEnded(at: at(1))
        #expect(expiry(&times, at: 100_000) == nil)
        // Also when bytes of a further request are here.
        times.received(at: at(100_000))
        #expect(expiry(&times, at: 200_000) == nil)
        times.answerEnded(at: at(200_000))
        #expect(expiry(&times, at: 200_009) == nil)
        #expect(expiry(&times, at: 200_010) == .slowHead)
    }

    @Test func aBodyThatTricklesIsCutOff() {
        var times = times()
        times.headEnded(at: at(0))
        for second in 0..<30 { times.bodyCame(bytes: 100, at: at(Int64(second))) }
        #expect(expiry(&times, at: 29) == nil)
        #expect(expiry(&times, at: 30) == .slowBody)
    }

    @Test func aBodyThatComesFastEnoughGoesOn() {
        var times = times()
        times.headEnded(at: at(0))
        for second in 1..<1000 {
            times.bodyCame(bytes: 2048, at: at(Int64(second)))
            #expect(expiry(&times, at: Int64(second)) == nil)
        }
        times.requestEnded(at: at(1000))
        #expect(expiry(&times, at: 1000) == nil)
    }

    @Test func aBodyThatWeDoNotReadIsNotSlow() {
        var times = times()
        times.headEnded(at: at(0))
        for second in stride(from: Int64(0), to: 300, by: 10) {
            #expect(expiry(&times, at: second, isReading: false) == nil)
        }
        #expect(expiry(&times, at: 319) == nil)
        #expect(expiry(&times, at: 320) == .slowBody)
    }

    @Test func aBodyThatNobodyWaitsForAnyMoreHasLittleTimeAndFewBytes() {
        var slow = times()
        slow.headEnded(at: at(0))
        slow.answerEnded(at: at(1))
        #expect(slow.isReadingBody)
        #expect(expiry(&slow, at: 2) == nil)
        #expect(expiry(&slow, at: 3) == .unreadBody)

        var huge = times()
        huge.headEnded(at: at(0))
        huge.answerEnded(at: at(1))
        huge.bodyCame(bytes: limits.drainBytes, at: at(1))
        #expect(expiry(&huge, at: 1) == nil)
        huge.bodyCame(bytes: 1, at: at(1))
        #expect(expiry(&huge, at: 1) == .unreadBody)
    }

    @Test func aReaderThatTakesNothingIsCutOffAndOneThatTakesAByteIsNot() {
        var times = times()
        times.headEnded(at: at(0))
        times.requestEnded(at: at(0))
        func expiry(_ sent: Int, _ waiting: Int, _ second: Int64) -> ConnectionTimes.Expiry? {
            times.expiry(sent: sent, waiting: waiting, isReading: true, at: at(second))
        }
        #expect(expiry(1000, 500, 1) == nil)
        #expect(expiry(1000, 900, 15) == nil)
        // More is ready, and none of it went.
        #expect(expiry(1000, 5000, 16) == .stalledReader)
        #expect(expiry(1001, 5000, 17) == nil)
        #expect(expiry(1001, 5000, 31) == nil)
        #expect(expiry(1001, 0, 32) == nil)
        #expect(expiry(1001, 1, 46) == nil)
        #expect(expiry(1001, 1, 47) == .stalledReader)
    }

    @Test func whoHasClosedHisSideGetsHisAnswerForAWhile() {
        var times = times()
        times.headEnded(at: at(0))
        times.requestEnded(at: at(0))
        times.inputClosed(at: at(1))
        #expect(expiry(&times, at: 15) == nil)
        #expect(expiry(&times, at: 16) == .halfClosed)
        var idle = self.times()
        idle.inputClosed(at: at(1))
        #expect(expiry(&idle, at: 1) == .halfClosed)
    }

    @Test func aSocketHasNoRequestsToBeSlowWith() {
        var times = times()
        times.headEnded(at: at(0))
        times.requestEnded(at: at(0))
        times.becameSocket()
        #expect(expiry(&times, at: 100_000) == nil)
        #expect(times.expiry(sent: 1, waiting: 1, isReading: true, at: at(100_000)) == nil)
        #expect(times.expiry(sent: 1, waiting: 1, isReading: true, at: at(100_015)) == .stalledReader)
    }

    @Test func pipelinedRequestsAreCounted() {
        var times = times()
        for _ in 0..<3 {
            times.headEnded(at: at(0))
            times.requestEnded(at: at(0))
        }
        for _ in 0..<2 { times.answerEnded(at: at(1)) }
        #expect(times.isAnswering)
        times.answerEnded(at: at(2))
        #expect(!times.isAnswering)
        #expect(expiry(&times, at: 62) == .idle)
    }

    @Test func theClockTicksOftenEnoughForTheShortestLimit() {
        #expect(ConnectionTimes.interval(limits) == .milliseconds(500))
        var short = limits
        short.headTime = .milliseconds(100)
        #expect(ConnectionTimes.interval(short) == .milliseconds(25))
        short.headTime = .zero
        #expect(ConnectionTimes.interval(short) == .milliseconds(10))
    }
}
