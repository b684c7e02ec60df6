// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// A video decoder for the inter-coded frames of one stream.
///
/// Its methods are called by one thread at a time, on the source's decoding thread, and may block while decoding.
public protocol FrameDecoder: AnyObject, Sendable {
    /// Decodes the next frame, in stream order. The first frame, and the first one after ``drain()``, is a key
    /// frame.
    ///
    /// - Parameters:
    ///   - frame: The compressed frame.
    ///   - id: The identifier of the frame and its image; increases with each call.
    /// - Returns: The images that are ready, in display order; possibly none or several.
    /// - Throws: ``ObscuraError`` if the frame cannot be decoded. The session then calls ``drain()`` and continues with
    ///   the next key frame.
    func decode(_ frame: EncodedFrame, id: UInt64) throws(ObscuraError) -> [DecodedFrame]
    /// Returns the remaining images and resets the decoder.
    func drain() -> [DecodedFrame]
}

/// The result of decoding a compressed frame.
public struct DecodedFrame: Sendable {
    /// The identifier of the frame; see ``FrameDecoder/decode(_:id:)``.
    public let id: UInt64
    /// The image; nil if parts of it are missing or were concealed.
    public let picture: PixelBuffer?

    /// Creates a result, with or without an image.
    public init(id: UInt64, picture: PixelBuffer?) {
        self.id = id
        self.picture = picture
    }
}

/// A factory of decoders, which lets a driver decode without depending on a codec library.
public protocol FrameDecoderProvider: Sendable {
    /// Returns a decoder for one stream; nil if its format is not supported.
    ///
    /// - Throws: ``ObscuraError`` if the decoder cannot be set up.
    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)?
}
