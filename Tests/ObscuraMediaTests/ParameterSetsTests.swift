// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraMedia
import Testing

@Suite struct ParameterSetsTests {
    private enum Unit: UInt8 {
        case video, sequence, picture, slice, message

        /// The first bytes of the unit. Source: Rec. ITU-T H.264, table 7-1, and H.265, table 7-1.
        func bytes(_ format: PixelFormat) -> [UInt8] {
            let head: [UInt8] =
                switch (self, format) {
                case (.video, _): [32 << 1, 1]
                case (.sequence, .h264): [7]
                case (.sequence, _): [33 << 1, 1]
                case (.picture, .h264): [8]
                case (.picture, _): [34 << 1, 1]
                case (.slice, .h264): [5]
                case (.slice, _): [19 << 1, 1]
                case (.message, .h264): [6]
                case (.message, _): [39 << 1, 1]
                }
            return head + [rawValue + 0x80, 0x42]
        }
    }

    private func sets(_ units: [Unit], _ format: PixelFormat) -> ParameterSets {
        ParameterSets(in: units.flatMap { [0, 0, 0, 1] + $0.bytes(format) }, of: format)
    }

    @Test(arguments: [PixelFormat.h264, .hevc])
    func `They are complete with a sequence and a picture set`(_ format: PixelFormat) {
        for (units, isComplete) in [
            ([], false), ([.sequence], false), ([.picture], false), ([.sequence, .picture], true),
            ([.sequence, .slice], false), ([.picture, .slice], false), ([.sequence, .picture, .slice], true),
            ([.message, .picture, .message, .sequence, .slice], true), ([.sequence, .slice, .picture], false),
            ([.slice, .sequence, .picture], false),
        ] as [([Unit], Bool)] {
            #expect(sets(units, format).isComplete == isComplete, "\(units)")
        }
    }

    @Test(arguments: [PixelFormat.h264, .hevc])
    func `They are the sets before the first slice, without messages`(_ format: PixelFormat) {
        let found = sets([.message, .sequence, .picture, .slice, .picture], format)
        #expect(found.units == [Unit.sequence, .picture].map { $0.bytes(format) })
        #expect(found.byteStream == [Unit.sequence, .picture].flatMap { [0, 0, 0, 1] + $0.bytes(format) })
        #expect(found.includes(sets([.picture], format)) && !sets([.picture], format).includes(found))
    }

    @Test func `Only HEVC has video sets`() {
        #expect(sets([.video, .sequence, .picture], .hevc).units.count == 3)
    }

    @Test func `Other formats need none`() {
        let none = ParameterSets(in: [0, 0, 0, 1, 7, 1, 2], of: .mjpeg)
        #expect(none.isComplete && none.units.isEmpty)
    }
}
