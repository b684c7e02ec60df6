// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The byte stream format of H.264 (ITU-T H.264, Annex B): NAL units preceded by start codes.
package enum AnnexB {
    /// The type of a NAL unit (table 7-1); types that are not used here have no case.
    package enum UnitType: UInt8, Sendable {
        case slice = 1
        /// Data partition A: the first part of a slice that is split into three NAL units.
        case dataPartition = 2
        case idrSlice = 5
        case supplement = 6
        case sequenceParameters = 7
        case pictureParameters = 8
        case delimiter = 9
    }

    /// Returns the first complete NAL unit at or after `offset`, without its start code; nil if there is none.
    ///
    /// A unit ends at the next start code or at the end of the data; trailing zeros are not part of it.
    package static func nextUnit(in bytes: RawSpan, from offset: Int) -> Range<Int>? {
        guard let begin = startCode(in: bytes, from: offset)?.upperBound else { return nil }
        var end = startCode(in: bytes, from: begin)?.lowerBound ?? bytes.byteCount
        while end > begin, byte(end - 1, of: bytes) == 0 { end -= 1 }
        return begin..<end
    }

    /// Returns the NAL units of a byte stream, without start codes.
    package static func units(in bytes: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var offset = 0
        while let unit = nextUnit(in: bytes.span.bytes, from: offset) {
            if !unit.isEmpty { units.append(Array(bytes[unit])) }
            offset = unit.upperBound
        }
        return units
    }

    /// Returns the NAL units of a byte stream, each preceded by its length in four bytes, big-endian, as in files.
    package static func lengthPrefixed(_ bytes: [UInt8]) -> [UInt8] {
        units(in: bytes).flatMap { unit in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: unit.count >> $0) } + unit
        }
    }

    /// Returns units that are preceded by their lengths as a byte stream, whose start codes have four bytes.
    ///
    /// - Parameter size: the number of bytes of a length.
    /// - Returns: nil if a length exceeds the data.
    package static func byteStream(lengthPrefixed bytes: [UInt8], lengthSize size: Int) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= size else { return nil }
            let count = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(size)
            guard count <= rest.count else { return nil }
            // Padding.
            guard count > 0 else { continue }
            result += [0, 0, 0, 1]
            result += rest.prefix(count)
            rest = rest.dropFirst(count)
        }
        return result
    }

    /// Returns the type of the unit; nil for an empty unit and for types without a case.
    package static func type(of unit: Range<Int>, in bytes: RawSpan) -> UnitType? {
        guard !unit.isEmpty else { return nil }
        return UnitType(rawValue: byte(unit.lowerBound, of: bytes) & 0x1f)
    }

    /// Returns the range of the next three bytes 0, 0, 1.
    private static func startCode(in bytes: RawSpan, from offset: Int) -> Range<Int>? {
        var index = max(0, offset) + 2
        while index < bytes.byteCount {
            switch byte(index, of: bytes) {
            case 1 where byte(index - 1, of: bytes) == 0 && byte(index - 2, of: bytes) == 0:
                return (index - 2)..<(index + 1)
            // The start code may end at one of the next two bytes.
            case 0: index += 1
            default: index += 3
            }
        }
        return nil
    }

    fileprivate static func byte(_ offset: Int, of bytes: RawSpan) -> UInt8 {
        bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }

    /// Reads the payload after the first byte of a NAL unit, without the emulation prevention bytes (section 7.4.1.1:
    /// the 3 of 0, 0, 3). Each call takes the bytes as a parameter, because they are borrowed.
    package struct Payload {
        private let end: Int
        private var offset: Int
        private var zeros = 0
        private var bits: UInt8 = 0
        private var bitsLeft = 0

        package init(_ unit: Range<Int>, in bytes: RawSpan) {
            end = min(unit.upperBound, bytes.byteCount)
            offset = unit.lowerBound + 1
        }

        /// Returns the next whole byte; nil at the end. Must not be called between bits.
        package mutating func byte(of bytes: RawSpan) -> UInt8? {
            guard offset < end else { return nil }
            var value = AnnexB.byte(offset, of: bytes)
            offset += 1
            if zeros >= 2, value == 3 {
                zeros = 0
                guard offset < end else { return nil }
                value = AnnexB.byte(offset, of: bytes)
                offset += 1
            }
            zeros = value == 0 ? zeros + 1 : 0
            return value
        }

        /// Returns a number in the coding of SEI messages: the sum of all bytes up to and including the first one below
        /// 255.
        package mutating func extendedNumber(of bytes: RawSpan) -> Int? {
            var sum = 0
            while let next = byte(of: bytes) {
                sum += Int(next)
                if next < 255 { return sum }
            }
            return nil
        }

        /// Returns an unsigned Exp-Golomb number (section 9.1); nil at the end, and for a number above 32 bits.
        package mutating func exponentialGolomb(of bytes: RawSpan) -> UInt32? {
            var length = 0
            while let next = bit(of: bytes) {
                if next == 1 {
                    var value: UInt64 = 1
                    for _ in 0..<length {
                        guard let next = bit(of: bytes) else { return nil }
                        value = value << 1 | UInt64(next)
                    }
                    return UInt32(exactly: value - 1)
                }
                length += 1
                if length > 32 { return nil }
            }
            return nil
        }

        private mutating func bit(of bytes: RawSpan) -> UInt8? {
            if bitsLeft == 0 {
                guard let next = byte(of: bytes) else { return nil }
                (bits, bitsLeft) = (next, 8)
            }
            bitsLeft -= 1
            return bits >> UInt8(bitsLeft) & 1
        }
    }
}
