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

    @Test func `The configuration of H.264 has up to 31 sequence and 255 picture parameter sets, none too long`() {
        let start: [UInt8] = [0, 0, 0, 1]
        let sequence = start + [0x67, 66, 0, 30, 1]
        let tooLong = start + [0x67] + [UInt8](repeating: 5, count: 70_000)
        let sets = tooLong + (0..<40).flatMap { _ in sequence } + (0..<300).flatMap { _ in start + [0x68, 1] }
        let parameters = VideoParameters(
            codec: .h264, size: PixelSize(width: 16, height: 16), sets: sets, bitDepth: 8, encoder: "")
        let record = parameters.configuration
        #expect(record.prefix(6) == [1, 66, 0, 30, 0xff, 0xe0 | 31])
        #expect(record.count == 6 + 31 * 7 + 1 + 255 * 4 && record[6 + 31 * 7] == 255)
    }

    @Test func `Other formats need none`() {
        let none = ParameterSets(in: [0, 0, 0, 1, 7, 1, 2], of: .mjpeg)
        #expect(none.isComplete && none.units.isEmpty)
    }
}
