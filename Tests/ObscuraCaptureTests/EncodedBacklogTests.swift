// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import TestSupport
import Testing

@testable import ObscuraCapture

@Suite struct EncodedBacklogTests {
    private func frame(
        _ number: UInt64, isKey: Bool = false, length: Int = 1, gap: UInt64 = 0, isDiscontinuity: Bool = false
    ) -> EncodedFrame {
        var notes = VideoFrame.Attachments()
        notes.gap = gap
        notes.isDiscontinuity = isDiscontinuity
        return EncodedFrame(
            format: .h264, data: [UInt8](repeating: 0, count: length), width: 8, height: 8, isKeyFrame: isKey,
            presentationTime: .zero, hostTime: .now, sequence: number, attachments: notes)
    }

    private func drain(_ backlog: inout EncodedBacklog) -> [EncodedBacklog.Entry] {
        var entries: [EncodedBacklog.Entry] = []
        while let entry = backlog.takeFirst() { entries.append(entry) }
        return entries
    }

    @Test func `Bytes are bounded as frames are`() {
        var backlog = EncodedBacklog(frameLimit: 100, byteLimit: 1000)
        #expect(backlog.append(frame(0, isKey: true, length: 400), arrival: .now).isEmpty)
        #expect(backlog.hasRoom(for: 600) && !backlog.hasRoom(for: 601))
        #expect(backlog.append(frame(1, length: 400), arrival: .now).isEmpty)
        let lost = backlog.append(frame(2, isKey: true, length: 400), arrival: .now)
        #expect(lost.map(\.frame.sequence) == [0, 1] && lost.allSatisfy { $0.reason == .late })
        #expect(backlog.byteCount == 400 && backlog.entries.map(\.startsAnew) == [true])
        // One that is alone is let in whatever its length; with others it is not.
        _ = drain(&backlog)
        #expect(backlog.byteCount == 0 && backlog.hasRoom(for: 5000))
        #expect(backlog.append(frame(3, length: 5000), arrival: .now).isEmpty)
        #expect(backlog.append(frame(4), arrival: .now).map(\.frame.sequence) == [3, 4])
        #expect(backlog.append(frame(5), arrival: .now).map(\.reason) == [.late])
        #expect(backlog.append(frame(6, isKey: true), arrival: .now).isEmpty)
    }

    @Test func `A key frame whose followers have no room is not kept for itself`() {
        var backlog = EncodedBacklog(frameLimit: 3, byteLimit: 1000)
        for number in 0..<3 as Range<UInt64> { _ = backlog.append(frame(number, isKey: number == 0), arrival: .now) }
        #expect(backlog.append(frame(3), arrival: .now).map(\.frame.sequence) == [0, 1, 2, 3])
        #expect(backlog.entries.isEmpty)
    }

    @Test func `The mark of a new timeline goes over to the first frame that is left`() {
        var backlog = EncodedBacklog(frameLimit: 2, byteLimit: 1000)
        _ = backlog.append(frame(0, isKey: true, isDiscontinuity: true), arrival: .now)
        _ = backlog.append(frame(1), arrival: .now)
        _ = backlog.append(frame(2, isKey: true), arrival: .now)
        #expect(drain(&backlog).map(\.frame.attachments.isDiscontinuity) == [true])
        #expect(backlog.append(frame(3, isDiscontinuity: true), arrival: .now).map(\.reason) == [.deviceError])
        #expect(backlog.append(frame(4), arrival: .now).count == 1)
        _ = backlog.append(frame(5, isKey: true), arrival: .now)
        _ = backlog.append(frame(6), arrival: .now)
        let entries = drain(&backlog)
        #expect(entries.map(\.frame.attachments.isDiscontinuity) == [true, false])
        #expect(entries.map(\.startsAnew) == [true, false])
    }

    @Test func `What needs a lost frame is left out, and no more`() {
        var backlog = EncodedBacklog(frameLimit: 10, byteLimit: 1000)
        _ = backlog.append(frame(0, isKey: true), arrival: .now)
        _ = backlog.append(frame(1), arrival: .now)
        _ = backlog.append(frame(2, isKey: true), arrival: .now)
        #expect(backlog.takeFirst()?.frame.sequence == 0)
        #expect(backlog.breakHead().map(\.frame.sequence) == [1])
        #expect(backlog.breakHead().isEmpty)
        #expect(backlog.entries.map(\.frame.sequence) == [2])
        backlog.breakTail()
        #expect(backlog.append(frame(3), arrival: .now).map(\.reason) == [.deviceError])
        #expect(backlog.append(frame(5, isKey: true, gap: 1), arrival: .now).isEmpty)
        #expect(backlog.entries.map(\.startsAnew) == [true, true])
        #expect(backlog.append(frame(7, gap: 1), arrival: .now).map(\.reason) == [.deviceError])
    }

    @Test func `However frames come, each one waits or is told, within the limits`() {
        var dice = Dice(seed: 11)
        var backlog = EncodedBacklog(frameLimit: 5, byteLimit: 300)
        var (taken, lost) = (0, 0)
        for number in 0..<20_000 {
            switch Int.random(in: 0..<20, using: &dice) {
            case 0: lost += backlog.breakHead().count
            case 1: backlog.breakTail()
            case 2..<7: taken += backlog.takeFirst() == nil ? 0 : 1
            default: break
            }
            let next = frame(
                UInt64(number), isKey: Int.random(in: 0..<5, using: &dice) == 0,
                length: Int.random(in: 0...120, using: &dice), gap: Int.random(in: 0..<30, using: &dice) == 0 ? 1 : 0)
            lost += backlog.append(next, arrival: .now).count
            #expect(taken + lost + backlog.entries.count == number + 1)
            #expect(backlog.entries.count <= 5 && (backlog.byteCount <= 300 || backlog.entries.count == 1))
            #expect(backlog.byteCount == backlog.entries.reduce(0) { $0 + $1.frame.data.count })
        }
    }
}
