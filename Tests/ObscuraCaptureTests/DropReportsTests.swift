// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@testable import ObscuraCapture

@Suite struct DropReportsTests {
    private func drop(_ number: Int, _ reason: DropReason) -> DroppedFrame {
        DroppedFrame(
            sequence: UInt64(number), presentationTime: MediaTime(value: Int64(number), timescale: 30), reason: reason,
            count: 1)
    }

    @Test func `Frames that were dropped in a row for one reason are one report, of the last of them`() {
        var reports = DropReports()
        for number in 0..<5 { reports.append(drop(number, .late)) }
        reports.append(drop(5, .outOfBuffers))
        reports.append(drop(6, .late))
        let found = reports.takeAll()
        #expect(found.map(\.count) == [5, 1, 1] && found.map(\.sequence) == [4, 5, 6])
        #expect(found.map(\.reason) == [.late, .outOfBuffers, .late])
        #expect(found[0].presentationTime == MediaTime(value: 4, timescale: 30))
        #expect(reports.takeAll().isEmpty)
    }

    @Test func `There are at most 64 reports, and the oldest give way`() {
        var reports = DropReports()
        for number in 0..<100 { reports.append(drop(number, number % 2 == 0 ? .late : .outOfBuffers)) }
        #expect(reports.takeAll().map(\.sequence) == Array(36..<100))
    }
}
