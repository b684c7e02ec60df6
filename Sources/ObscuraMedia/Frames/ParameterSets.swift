// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The parameter sets of an H.264 or HEVC stream, without start codes.
package struct ParameterSets: Sendable, Hashable {
    package private(set) var units: [[UInt8]] = []
    /// Whether there is a sequence and a picture parameter set, without which no frame can be decoded.
    package private(set) var isComplete = false

    /// Finds the parameter sets in a byte stream, up to the first slice.
    package init(in bytes: [UInt8], of format: PixelFormat) {
        guard format == .h264 || format == .hevc else {
            isComplete = true
            return
        }
        var (hasSequence, hasPicture) = (false, false)
        var offset = 0
        while let unit = AnnexB.nextUnit(in: bytes.span.bytes, from: offset) {
            offset = unit.upperBound
            guard let first = unit.first.map({ bytes[$0] }) else { continue }
            switch Self.kind(first, format) {
            case .sequence: hasSequence = true
            case .picture: hasPicture = true
            case .video: break
            case .other: continue
            case .slice:
                isComplete = hasSequence && hasPicture
                return
            }
            units.append(Array(bytes[unit]))
        }
        isComplete = hasSequence && hasPicture
    }

    /// The sets as a byte stream.
    package var byteStream: [UInt8] { units.flatMap { [0, 0, 0, 1] + $0 } }

    /// Whether a stream with these sets can go on with `others`: whether they repeat some of these.
    package func includes(_ others: ParameterSets) -> Bool { others.units.allSatisfy(units.contains) }

    private enum Kind {
        case video, sequence, picture, slice, other
    }

    /// The kind of a unit, by its first byte.
    private static func kind(_ first: UInt8, _ format: PixelFormat) -> Kind {
        if format == .h264 {
            // ITU-T H.264, table 7-1.
            switch first & 0x1f {
            case 7: return .sequence
            case 8: return .picture
            case 1...5: return .slice
            default: return .other
            }
        }
        // ITU-T H.265, table 7-1.
        switch first >> 1 & 0x3f {
        case 32: return .video
        case 33: return .sequence
        case 34: return .picture
        case 0...31: return .slice
        default: return .other
        }
    }
}
