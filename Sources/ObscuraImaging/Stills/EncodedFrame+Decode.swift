// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension EncodedFrame {
    /// The frame with its picture decoded, for ``PixelFormat/mjpeg``.
    ///
    /// The picture is decoded once for all copies of this frame, on the thread of whoever asks first, and so
    /// is what is made of it; times and attachments are those of this copy. See ``JPEGDecoder`` for the
    /// formats.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedFormat`` if the frame is not a JPEG, or as
    ///   ``JPEGDecoder/decode(_:in:)-([UInt8],_)``.
    public func decodedFrame() throws -> VideoFrame {
        guard format == .mjpeg else { throw ObscuraError.notIntraCoded(format) }
        var picture = try decoded.value(for: format) {
            try JPEGDecoder.decode(
                data.span.bytes, limit: PixelSize(width: width, height: height).decodingLimit, in: pool)
        }
        if let colorSpace { picture.colorSpace = colorSpace }
        var frame = VideoFrame(
            buffer: picture, presentationTime: presentationTime, hostTime: hostTime, duration: duration,
            sequence: sequence, attachments: attachments)
        frame.derived = derived
        frame.pool = pool
        return frame
    }
}

extension ObscuraError {
    fileprivate static func notIntraCoded(_ format: PixelFormat) -> ObscuraError {
        ObscuraError(
            .imaging, .unsupportedFormat, subject: "frame in \(format.rawValue)",
            reason: "it is not a picture by itself",
            advice: "Let the source decode it, with all frames before it.")
    }
}
