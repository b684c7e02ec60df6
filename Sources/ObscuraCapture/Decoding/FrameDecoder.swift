// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A decoder for the frames of one inter-coded video stream, such as H.264.
///
/// The methods are called one at a time, on the decoding thread of the source, and may block.
public protocol FrameDecoder: AnyObject, Sendable {
    /// Decodes the next frame in stream order. The first frame, and the first frame after ``drain()``, are key frames.
    ///
    /// - Parameters:
    ///   - frame: The compressed frame.
    ///   - id: The identifier of the frame, which increases with each call. The decoded image gets the same identifier.
    /// - Returns: The images that are ready, in display order; possibly none or several.
    /// - Throws: ``ObscuraError`` if the frame cannot be decoded. The session then calls ``drain()`` and continues with
    ///   the next key frame.
    func decode(_ frame: EncodedFrame, id: UInt64) throws(ObscuraError) -> [DecodedFrame]
    /// Returns the remaining images and resets the decoder.
    func drain() -> [DecodedFrame]
}

/// The result of decoding a compressed frame.
public struct DecodedFrame: Sendable {
    /// The identifier that was passed to ``FrameDecoder/decode(_:id:)`` with the compressed frame.
    public let id: UInt64
    /// The image; nil if the image is incomplete, even if the decoder concealed the missing parts.
    public let picture: PixelBuffer?

    /// Creates a result. Pass nil for `picture` if the decoded image is incomplete.
    public init(id: UInt64, picture: PixelBuffer?) {
        self.id = id
        self.picture = picture
    }
}

/// A factory of decoders, which lets a driver decode without depending on a codec library.
public protocol FrameDecoderProvider: Sendable {
    /// Returns a decoder for one stream; nil if the format is not supported.
    ///
    /// - Throws: ``ObscuraError`` if the decoder cannot be set up.
    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)?
}
