// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The memory layouts of a sample that can be converted without loss. In order of preference: the finest first.
enum ALSASampleLayout: Sendable, Hashable, CaseIterable {
    case float32
    case int32
    /// 24 bits at the low end of four bytes; the fourth byte is undefined.
    case int24
    /// 24 bits in three bytes, little-endian.
    case packed24
    case int16
    /// Eight bits, unsigned: 128 is silence.
    case uint8

    /// The sample type after conversion.
    var sampleType: AudioFormat.SampleType {
        switch self {
        case .float32: .float32
        case .int32, .int24, .packed24: .int32
        case .int16, .uint8: .int16
        }
    }

    /// Converts 24 bits at the low end of four bytes to a full scale of 2,147,483,648.
    static func widened(int24 samples: [Int32]) -> [Int32] {
        // Moves the sign bit of the 24 bits to the top and drops the undefined byte.
        samples.map { $0 << 8 }
    }

    /// Converts 24 bits in three bytes to a full scale of 2,147,483,648. Ignores an incomplete sample at the end.
    static func widened(packed24 bytes: [UInt8]) -> [Int32] {
        (0..<bytes.count / 3).map { index in
            let value = UInt32(bytes[3 * index]) << 8 | UInt32(bytes[3 * index + 1]) << 16
            return Int32(bitPattern: value | UInt32(bytes[3 * index + 2]) << 24)
        }
    }

    /// Converts eight bits to a full scale of 32,768.
    static func widened(uint8 bytes: [UInt8]) -> [Int16] {
        bytes.map { (Int16($0) - 128) << 8 }
    }
}
