// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// How a sound card lays out one sample, of those layouts that become samples of ours without loss. In the order
/// in which they are taken where nobody asks for one: the finest first.
enum ALSASampleLayout: Sendable, Hashable, CaseIterable {
    case float32
    case int32
    /// 24 bits at the low end of four bytes; what stands in the fourth is not said.
    case int24
    /// 24 bits in three bytes, the lowest first.
    case packed24
    case int16
    /// Eight bits, of which 128 is silence.
    case uint8

    /// What its samples become.
    var sampleType: AudioFormat.SampleType {
        switch self {
        case .float32: .float32
        case .int32, .int24, .packed24: .int32
        case .int16, .uint8: .int16
        }
    }

    /// The sample frames of 24 bits at the low end, at full scale 2,147,483,648.
    static func widened(int24 samples: [Int32]) -> [Int32] {
        // The sign of the 24 bits comes to the top, whatever was above it falls out.
        samples.map { $0 << 8 }
    }

    /// The samples of 24 bits in three bytes, at full scale 2,147,483,648. Bytes beyond the last whole one are left
    /// out.
    static func widened(packed24 bytes: [UInt8]) -> [Int32] {
        (0..<bytes.count / 3).map { index in
            let value = UInt32(bytes[3 * index]) << 8 | UInt32(bytes[3 * index + 1]) << 16
            return Int32(bitPattern: value | UInt32(bytes[3 * index + 2]) << 24)
        }
    }

    /// The samples of eight bits, at full scale 32,768.
    static func widened(uint8 bytes: [UInt8]) -> [Int16] {
        bytes.map { (Int16($0) - 128) << 8 }
    }
}
