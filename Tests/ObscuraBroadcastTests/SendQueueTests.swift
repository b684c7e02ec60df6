// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraFFmpeg
import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraBroadcast
@testable import ObscuraMovies

@Suite struct SendQueueTests {
    private static let limits = SendQueue.Limits(duration: MediaTime(value: 2, timescale: 1), byteCount: 10_000)

    /// A picture each tenth of a second, the first of each ten a key frame.
    static func picture(_ number: Int, bytes: Int = 100, isKey: Bool? = nil) throws -> EncodedPacket {
        try #require(
            EncodedPacket(
                isVideo: true, bytes: [UInt8](repeating: UInt8(number & 255), count: bytes), units: Int64(number),
                timescale: 10, duration: 1, isKey: isKey ?? (number % 10 == 0), hostTime: HostTime(nanoseconds: 0)))
    }

    static func sound(_ number: Int) throws -> EncodedPacket {
        try #require(
            EncodedPacket(
                isVideo: false, bytes: [1], units: Int64(number), timescale: 10, duration: 1, isKey: true,
                hostTime: HostTime(nanoseconds: 0)))
    }

    private func taken(_ queue: inout SendQueue) -> [Int] {
        var units: [Int] = []
        while let packet = queue.take() { if packet.isVideo { units.append(Int(packet.units)) } }
        return units
    }

    @Test func `What fits comes out as it went in`() throws {
        var queue = SendQueue(limits: Self.limits)
        for number in 0..<15 {
            queue.add(try Self.picture(number))
            queue.add(try Self.sound(number))
        }
        #expect(queue.count == 30 && queue.byteCount == 1515 && queue.duration == MediaTime(value: 14, timescale: 10))
        #expect(taken(&queue) == Array(0..<15))
        #expect(queue.isEmpty && queue.byteCount == 0 && queue.duration == .zero && queue.droppedFrames == 0)
    }

    @Test func `It begins with a key frame, and sound before it is left out`() throws {
        var queue = SendQueue(limits: Self.limits)
        queue.add(try Self.sound(2))
        for number in 3..<12 { queue.add(try Self.picture(number)) }
        queue.add(try Self.sound(11))
        #expect(queue.droppedFrames == 7)
        #expect(queue.take()?.units == 10 && queue.take()?.units == 11 && queue.take()?.isVideo == false)
    }

    @Test func `Who is behind loses whole groups, and goes on with the newest`() throws {
        var queue = SendQueue(limits: Self.limits)
        for number in 0..<3 { queue.add(try Self.picture(number)) }
        // It has sent three of the first group; the rest of that group goes as well.
        #expect(taken(&queue) == [0, 1, 2])
        for number in 3..<25 {
            queue.add(try Self.picture(number))
            queue.add(try Self.sound(number))
        }
        #expect(taken(&queue) == [20, 21, 22, 23, 24])
        #expect(queue.droppedFrames == 17)
    }

    @Test func `A group too large for it is not sent at all`() throws {
        var queue = SendQueue(limits: Self.limits)
        queue.add(try Self.picture(0, bytes: 20_000))
        #expect(queue.isEmpty && queue.awaitsKey && queue.droppedFrames == 1)
        for number in 1..<12 { queue.add(try Self.picture(number)) }
        #expect(taken(&queue) == [10, 11])
    }

    @Test func `A group without end is left out, and the next key frame begins anew`() throws {
        var queue = SendQueue(limits: Self.limits)
        for number in 0..<25 { queue.add(try Self.picture(number, isKey: number == 0)) }
        #expect(queue.isEmpty && queue.droppedFrames == 25)
        queue.add(try Self.picture(30))
        #expect(taken(&queue) == [30])
    }

    @Test func `A new connection begins with the next key frame`() throws {
        var queue = SendQueue(limits: Self.limits)
        for number in 0..<5 { queue.add(try Self.picture(number)) }
        queue.restart()
        #expect(queue.isEmpty && queue.byteCount == 0 && queue.droppedFrames == 5)
        for number in 5..<12 { queue.add(try Self.picture(number)) }
        #expect(taken(&queue) == [10, 11])
    }

    @Test func `Sound alone needs no key frame`() throws {
        var queue = SendQueue(limits: Self.limits, hasVideo: false)
        for number in 0..<25 { queue.add(try Self.sound(number)) }
        #expect(!queue.isEmpty && queue.duration <= Self.limits.duration)
    }

    @Test(arguments: 0..<50) func `Whatever comes, its limits hold and what is sent can be decoded`(seed: Int) throws {
        var dice = Dice(seed: UInt64(seed))
        var queue = SendQueue(limits: Self.limits)
        var (given, sent) = (0, 0)
        var last: Int?
        for _ in 0..<400 {
            if Int.random(in: 0..<3, using: &dice) > 0 {
                let bytes = Int.random(in: 1...(seed % 2 == 0 ? 300 : 3000), using: &dice)
                queue.add(try Self.picture(given, bytes: bytes))
                given += 1
                if Bool.random(using: &dice) { queue.add(try Self.sound(given)) }
            } else if let packet = queue.take(), packet.isVideo {
                sent += 1
                let number = Int(packet.units)
                // The one before, or the beginning of a group.
                #expect(packet.isKey || number - 1 == last, "\(number) after \(last ?? -1)")
                last = number
            }
            #expect(queue.duration <= Self.limits.duration && queue.byteCount <= Self.limits.byteCount)
        }
        var waiting = 0
        while let packet = queue.take() { waiting += packet.isVideo ? 1 : 0 }
        #expect(given == sent + waiting + queue.droppedFrames)
    }
}
