// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
package import ObscuraMedia

/// One decoded picture and its reference to the decoder's memory.
///
/// `Sendable` is proved by use: one thread fills it; after that its fields are only read, until one owner
/// (a ``PixelStorage``) lets the reference go.
package final class Frame: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<AVFrame>

    /// Nil when there is no memory.
    package init?() {
        guard let frame = av_frame_alloc() else { return nil }
        pointer = frame
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&frame)
    }

    package var width: Int { Int(pointer.pointee.width) }
    package var height: Int { Int(pointer.pointee.height) }
    var pixelFormat: AVPixelFormat { AVPixelFormat(rawValue: pointer.pointee.format) }

    /// Whether nobody else refers to the memory: not the decoder, for later pictures, and no other frame.
    package var isWritable: Bool { av_frame_is_writable(pointer) > 0 }

    /// The number that the packet was given before it was decoded.
    package var packetTag: Int { Int(truncatingIfNeeded: obscura_frame_tag(pointer)) }

    /// Whether the decoder flagged the picture as broken.
    package var isCorrupt: Bool {
        pointer.pointee.decode_error_flags != 0 || pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    }

    /// When the picture is to be shown, in the stream's time base; nil where nobody knows.
    package var timestamp: Int64? {
        let value = pointer.pointee.best_effort_timestamp
        return value == OBSCURA_NO_TIMESTAMP ? nil : value
    }

    /// How long it is to be shown, in the stream's time base; nil where nobody knows.
    package var duration: Int64? {
        let value = obscura_frame_duration(pointer)
        return value > 0 ? value : nil
    }

    package func unreference() {
        av_frame_unref(pointer)
    }

    /// The planes as they lie in the decoder's memory, for a picture of `format`; nil where they do not
    /// lie as the format asks (upside down, too narrow).
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
