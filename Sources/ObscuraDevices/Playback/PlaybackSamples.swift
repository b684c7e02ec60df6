// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The conversion of samples to the memory layout of a playback device, with a volume.
enum PlaybackSamples {
    /// Returns interleaved samples in the layout of the device, little-endian.
    ///
    /// - Parameters:
    ///   - part: the audio.
    ///   - layout: the layout of the device.
    ///   - gains: the factors at the beginning and at the end; between them the factor changes evenly, since a step is
    ///     audible as a click.
    static func bytes(
        of part: PlaybackQueue.Part, as layout: ALSASampleLayout, gains: (from: Float, to: Float)
    ) -> [UInt8] {
        let (buffer, frames) = (part.buffer, part.frames)
        let channels = buffer.format.channelCount
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frames.count * channels * layout.byteCount)
        let step = (gains.to - gains.from) / Float(max(1, frames.count))
        for frame in frames {
            let gain = gains.from + step * Float(frame - frames.lowerBound)
            for channel in 0..<channels {
                append(buffer[frame: frame, channel: channel] * gain, as: layout, to: &bytes)
            }
        }
        return bytes
    }

    private static func append(_ sample: Float, as layout: ALSASampleLayout, to bytes: inout [UInt8]) {
        switch layout {
        case .float32: append(sample.bitPattern, 4, to: &bytes)
        case .int32: append(UInt32(bitPattern: integer(sample, bits: 32)), 4, to: &bytes)
        case .int24: append(UInt32(bitPattern: integer(sample, bits: 24)), 4, to: &bytes)
        case .packed24: append(UInt32(bitPattern: integer(sample, bits: 24)), 3, to: &bytes)
        case .int16: append(UInt32(bitPattern: integer(sample, bits: 16)), 2, to: &bytes)
        case .uint8: append(UInt32(bitPattern: integer(sample, bits: 8) + 128), 1, to: &bytes)
        }
    }

    private static func append(_ value: UInt32, _ count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(index)))) }
    }

    /// Returns the nearest integer; louder samples are clipped, and an invalid one is silence.
    private static func integer(_ sample: Float, bits: Int) -> Int32 {
        guard !sample.isNaN else { return 0 }
        let scale = Double(Int64(1) << (bits - 1))
        return Int32(min(max((Double(sample) * scale).rounded(), -scale), scale - 1))
    }
}

extension ALSASampleLayout {
    /// The size of a sample, in bytes.
    var byteCount: Int {
        switch self {
        case .float32, .int32, .int24: 4
        case .packed24: 3
        case .int16: 2
        case .uint8: 1
        }
    }
}
