// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension EncodedFrame {
    /// Returns the decoded frame; only for frames in ``PixelFormat/mjpeg``.
    ///
    /// The frame is decoded once for all copies of this value, on the thread of the first caller. The copies also share
    /// the images converted from the decoded frame. The result has the times and attachments of this copy. See
    /// ``JPEGDecoder`` for the pixel formats of the result.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedFormat`` if the frame is not in ``PixelFormat/mjpeg``; otherwise as
    ///   ``JPEGDecoder/decode(_:in:)-([UInt8],_)``.
    public func decodedFrame() throws -> VideoFrame {
        guard format == .mjpeg else { throw ObscuraError.notJPEG(format) }
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
    fileprivate static func notJPEG(_ format: PixelFormat) -> ObscuraError {
        ObscuraError(
            .imaging, .unsupportedFormat, subject: "frame in \(format.rawValue)",
            reason: "only frames in mjpeg can be decoded one by one",
            advice: "Request decoded frames from the source.")
    }
}
