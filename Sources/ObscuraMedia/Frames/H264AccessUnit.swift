// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// Inspection of H.264 access units without decoding. An access unit is a byte stream of NAL units (ITU-T H.264, Annex
/// B), as delivered by cameras and demuxers.
///
/// Any bytes are accepted; malformed data does not count as a key frame.
public enum H264AccessUnit {
    /// Returns whether decoding can start at an access unit. Decoding can start at an IDR picture, at a recovery
    /// point, and at an intra picture that includes a sequence parameter set.
    ///
    /// Reads only up to the first slice of the access unit.
    public static func isKeyFrame(_ bytes: RawSpan) -> Bool {
        var hasSequenceParameters = false
        var offset = 0
        while let unit = AnnexB.nextUnit(in: bytes, from: offset) {
            offset = unit.upperBound
            guard let type = AnnexB.type(of: unit, in: bytes) else { continue }
            switch type {
            case .idrSlice: return true
            case .supplement: if isRecoveryPoint(unit, in: bytes) { return true }
            case .sequenceParameters: hasSequenceParameters = true
            case .slice, .dataPartition: return hasSequenceParameters && isIntra(unit, in: bytes)
            default: continue
            }
        }
        return false
    }

    /// Returns whether decoding can start at an access unit in an array; see ``isKeyFrame(_:)-(RawSpan)``.
    public static func isKeyFrame(_ bytes: [UInt8]) -> Bool {
        isKeyFrame(bytes.span.bytes)
    }

    /// Whether the messages of an SEI unit (section 7.3.2.3) include a recovery point.
    private static func isRecoveryPoint(_ unit: Range<Int>, in bytes: RawSpan) -> Bool {
        var payload = AnnexB.Payload(unit, in: bytes)
        while let type = payload.extendedNumber(of: bytes), let size = payload.extendedNumber(of: bytes) {
            // Type 6 is followed by the number of frames until the picture is complete.
            if type == 6 { return size > 0 && payload.byte(of: bytes) != nil }
            for _ in 0..<size where payload.byte(of: bytes) == nil { return false }
        }
        return false
    }

    /// Whether the slice refers to no other frame (section 7.4.3: types 2, 4, 7 and 9).
    private static func isIntra(_ unit: Range<Int>, in bytes: RawSpan) -> Bool {
        var payload = AnnexB.Payload(unit, in: bytes)
        guard payload.exponentialGolomb(of: bytes) != nil,
            let type = payload.exponentialGolomb(of: bytes)
        else { return false }
        return [2, 4, 7, 9].contains(type)
    }
}
