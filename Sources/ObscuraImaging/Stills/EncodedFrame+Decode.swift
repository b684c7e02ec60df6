// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension EncodedFrame {
    /// The frame with its picture decoded, for ``PixelFormat/mjpeg``.
    ///
    /// It is decoded once for all copies of this frame, on the thread of whoever asks first; times and
    /// attachments are carried over. See ``JPEGDecoder`` for the formats.
    ///
    /// - Throws: ``ImagingError/Code/unsupportedFormat`` if the frame is not a JPEG, or as
    ///   ``JPEGDecoder/decode(_:in:)-([UInt8],_)``.
    public func decodedFrame() throws -> VideoFrame {
        guard format == .mjpeg else { throw ImagingError.notIntraCoded(format) }
        return try decoded.value(for: format) {
            var frame = VideoFrame(
                buffer: try JPEGDecoder.decode(data, in: pool), presentationTime: presentationTime,
                hostTime: hostTime, duration: duration, sequence: sequence, attachments: attachments)
            frame.pool = pool
            return frame
        }
    }
}

extension ImagingError {
    fileprivate static func notIntraCoded(_ format: PixelFormat) -> ImagingError {
        ImagingError(
            code: .unsupportedFormat, subject: "frame in \(format.rawValue)",
            reason: "it is not a picture by itself",
            advice: "Let the source decode it, with all frames before it.")
    }
}
