// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// The decoder configuration records of H.264 and HEVC in files, from the parameter sets of our encoders: 4:2:0, no
/// temporal layers to choose from, lengths of four bytes.
enum DecoderConfiguration {
    /// Returns the record of H.264 (ISO/IEC 14496-15, section 5.3.3.1); empty without parameter sets.
    static func h264(_ sets: [UInt8]) -> [UInt8] {
        let units = countable(sets)
        // The record counts up to 31 and 255 of them.
        let sequence = units.filter { $0[0] & 0x1f == AnnexB.UnitType.sequenceParameters.rawValue }.prefix(31)
        let picture = units.filter { $0[0] & 0x1f == AnnexB.UnitType.pictureParameters.rawValue }.prefix(255)
        guard let first = sequence.first, first.count > 3 else { return [] }
        var record: [UInt8] = [1, first[1], first[2], first[3], 0xff, 0xe0 | UInt8(sequence.count)]
        record += sequence.flatMap(counted)
        record.append(UInt8(picture.count))
        record += picture.flatMap(counted)
        // The profiles after Extended name their chroma format and bit depths.
        let simpleProfiles: Set<UInt8> = [66, 77, 88]
        if !simpleProfiles.contains(first[1]) { record += [0xfd, 0xf8, 0xf8, 0] }
        return record
    }

    /// Returns the record of HEVC (ISO/IEC 14496-15, section 8.3.3.1); empty without parameter sets.
    static func hevc(_ sets: [UInt8], bitDepth: Int) -> [UInt8] {
        let units = countable(sets).filter { $0.count > 2 }
        func type(_ unit: [UInt8]) -> UInt8 { unit[0] >> 1 & 0x3f }
        // Video, sequence and picture parameter sets (ITU-T H.265, table 7-1).
        let arrays = [32, 33, 34].map { kind in units.filter { type($0) == kind } }
        guard let sequence = arrays[1].first else { return [] }
        // After the header of two bytes (section 7.3.2.2.1): the number of layers, and the profile, tier and level.
        let fields = payload(sequence, 14)
        guard fields.count == 14 else { return [] }
        let (layers, isNested) = ((fields[1] >> 1 & 7) + 1, fields[1] & 1)
        let depth = 0xf8 | UInt8(max(0, bitDepth - 8))
        var record: [UInt8] = [1] + fields[2...] + [0xf0, 0, 0xfc, 0xfd, depth, depth, 0, 0]
        record.append(layers << 3 | isNested << 2 | 3)
        record.append(3)
        for (kind, array) in zip([UInt8(32), 33, 34], arrays) {
            record += [0x80 | kind] + bigEndian(array.count) + array.flatMap(counted)
        }
        return record
    }

    /// The parameter sets whose lengths the record can contain.
    private static func countable(_ sets: [UInt8]) -> [[UInt8]] {
        AnnexB.units(in: sets).filter { $0.count <= Int(UInt16.max) }
    }

    private static func counted(_ unit: [UInt8]) -> [UInt8] { bigEndian(unit.count) + unit }

    private static func bigEndian(_ count: Int) -> [UInt8] { [UInt8(count >> 8 & 0xff), UInt8(count & 0xff)] }

    /// Returns `count` bytes from the second byte of a unit on, without emulation prevention bytes.
    private static func payload(_ unit: [UInt8], _ count: Int) -> [UInt8] {
        let bytes = unit.span.bytes
        var payload = AnnexB.Payload(0..<unit.count, in: bytes)
        var taken: [UInt8] = []
        while taken.count < count, let byte = payload.byte(of: bytes) { taken.append(byte) }
        return taken
    }
}
