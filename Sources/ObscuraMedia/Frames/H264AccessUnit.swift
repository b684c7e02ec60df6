// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

/// What the bytes of an H.264 picture say, as far as it can be seen without decoding it: a byte stream of
/// NAL units (ITU-T H.264, Annex B), as cameras and demuxers give it.
///
/// Any bytes are valid input; what makes no sense is no key frame. Nothing is kept.
public enum H264AccessUnit {
    /// Whether decoding can begin with this picture: it is an IDR picture, it is marked as a recovery point, or
    /// it is made of itself alone and brings its parameters with it.
    ///
    /// Looks no further than to the first slice of the picture.
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

    /// As ``isKeyFrame(_:)-(RawSpan)``, of an array.
    public static func isKeyFrame(_ bytes: [UInt8]) -> Bool {
        isKeyFrame(bytes.span.bytes)
    }

    /// Whether the messages of a supplemental unit (section 7.3.2.3) have a recovery point among them.
    private static func isRecoveryPoint(_ unit: Range<Int>, in bytes: RawSpan) -> Bool {
        var payload = AnnexB.Payload(unit, in: bytes)
        while let type = payload.extendedNumber(of: bytes), let size = payload.extendedNumber(of: bytes) {
            // Type 6; the number of frames until the picture is whole follows.
            if type == 6 { return size > 0 && payload.byte(of: bytes) != nil }
            for _ in 0..<size where payload.byte(of: bytes) == nil { return false }
        }
        return false
    }

    /// Whether the slice refers to no other picture (section 7.4.3: types 2, 4, 7 and 9).
    private static func isIntra(_ unit: Range<Int>, in bytes: RawSpan) -> Bool {
        var payload = AnnexB.Payload(unit, in: bytes)
        guard payload.exponentialGolomb(of: bytes) != nil,
            let type = payload.exponentialGolomb(of: bytes)
        else { return false }
        return [2, 4, 7, 9].contains(type)
    }
}
