// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// A decoded frame, with a reference to the decoder's memory.
///
/// `Sendable` is safe because one thread fills the frame; afterwards its fields are only read, until one owner (a
/// ``PixelStorage``) releases the reference.
package final class Frame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    /// Returns nil if there is no memory.
    package init?() {
        guard let frame = libav.av_frame_alloc() else { return nil }
        pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        libav.av_frame_free(&frame)
    }

    package var width: Int { Int(pointer.pointee.width) }
    package var height: Int { Int(pointer.pointee.height) }
    var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: pointer.pointee.format) }

    /// Whether the memory has no other references: neither from the decoder, for later frames, nor from another frame.
    package var isWritable: Bool { libav.av_frame_is_writable(pointer) > 0 }

    /// The tag of the packet from which the frame was decoded.
    package var packetTag: Int { Int(truncatingIfNeeded: obscura_frame_tag(pointer)) }

    /// Whether the decoder marked the frame as corrupt.
    package var isCorrupt: Bool {
        pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// The presentation time, in the stream's time base; nil if unknown.
    package var timestamp: Int64? {
        let value = pointer.pointee.best_effort_timestamp
        return value == OBSCURA_NO_TIMESTAMP ? nil : value
    }

    /// The duration, in the stream's time base; nil if unknown.
    package var duration: Int64? {
        let value = obscura_frame_duration(pointer)
        return value > 0 ? value : nil
    }

    package func unreference() {
        libav.av_frame_unref(pointer)
    }

    /// Returns the planes in the decoder's memory, for a frame of `format`; nil if their layout does not match the
    /// format (bottom-up, too narrow).
    package func planes(as format: PixelFormat) -> [PixelStorage.Plane]? {
        let (data, strides) = (pointer.pointee.data, pointer.pointee.linesize)
        let bases = [data.0, data.1, data.2]
        let lengths = [Int(strides.0), Int(strides.1), Int(strides.2)]
        var planes: [PixelStorage.Plane] = []
        for (index, layout) in format.planes(width: width, height: height).enumerated() {
            guard let base = bases[index], lengths[index] >= layout.rowBytes else { return nil }
            planes.append(
                PixelStorage.Plane(
                    base: UnsafeMutableRawPointer(base), bytesPerRow: lengths[index],
                    byteCount: lengths[index] * (layout.rows - 1) + layout.rowBytes))
        }
        return planes
    }
}
