// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CFFmpeg
internal import Glibc
package import ObscuraMedia

/// A converter of frames from unsupported pixel formats to the nearest supported one, at the same size.
package final class Scaler {
    /// The properties for which a context is created; other frames need another context.
    package struct Key: Equatable {
        package var width: Int
        package var height: Int
        var source: AVPixelFormat
        package var target: PixelFormat
        package var isFullRange: Bool
    }

    package let key: Key
    private let context: OpaquePointer

    /// Returns nil if swscale does not support the conversion, or if there is no memory.
    package init?(_ key: Key) {
        let (width, height) = (Int32(clamping: key.width), Int32(clamping: key.height))
        let flags = SWS_POINT | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT
        guard
            let context = libav.sws_getContext(
                width, height, FramePixels.withoutRange(key.source), width, height, FramePixels.ffmpeg(key.target),
                flags,
                nil, nil, nil)
        else { return nil }
        self.key = key
        self.context = context
        // The same matrix and range on both sides, so that sample values do not change.
        let coefficients = libav.sws_getCoefficients(SWS_CS_ITU601)
        let range: Int32 = key.isFullRange ? 1 : 0
        _ = libav.sws_setColorspaceDetails(context, coefficients, range, coefficients, range, 0, 1 << 16, 1 << 16)
    }

    deinit {
        libav.sws_freeContext(context)
    }

    /// Converts `frame` into `buffer`, whose format and size are those of the key. Returns whether all rows were
    /// written.
    package func scale(_ frame: Frame, into buffer: inout PixelBuffer) throws -> Bool {
        let (data, strides) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        let sources = [data.0, data.1, data.2, data.3].map { $0.map { UnsafePointer($0) } }
        let sourceStrides = [strides.0, strides.1, strides.2, strides.3]
        return try buffer.withMutablePlanes { planes in
            let targets = (0..<4).map { index -> UnsafeMutablePointer<UInt8>? in
                planes.indices.contains(index) ? planes[index].base.assumingMemoryBound(to: UInt8.self) : nil
            }
            let targetStrides = (0..<4).map { planes.indices.contains($0) ? Int32(planes[$0].bytesPerRow) : 0 }
            return libav.sws_scale(context, sources, sourceStrides, 0, Int32(key.height), targets, targetStrides)
                == Int32(key.height)
        }
    }
}
