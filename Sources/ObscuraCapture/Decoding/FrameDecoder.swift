// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

/// The protocol of a codec: makes pictures of the compressed frames of one stream whose pictures
/// refer to one another.
///
/// Its methods are called by one thread at a time, a thread of the source's own, and may take as long as
/// decoding takes.
public protocol FrameDecoder: AnyObject, Sendable {
    /// Takes the next frame in, in the order of the stream. The first one, and the first one after ``drain()``,
    /// is a key frame.
    ///
    /// - Parameter id: comes back with the picture of this frame; higher each time.
    /// - Returns: what is ready, in the order in which it is to be shown: nothing yet, one picture, or several.
    /// - Throws: ``ObscuraError`` if the frame cannot be decoded. The decoder is then drained, and goes on with
    ///   the next key frame.
    func decode(_ frame: EncodedFrame, id: UInt64) throws(ObscuraError) -> [DecodedFrame]
    /// Gives the pictures that it still holds, and forgets everything that came before.
    func drain() -> [DecodedFrame]
}

/// What came of a compressed frame.
public struct DecodedFrame: Sendable {
    /// That of the frame; see ``FrameDecoder/decode(_:id:)``.
    public let id: UInt64
    /// The picture; nil if parts of it are missing or had to be guessed.
    public let picture: PixelBuffer?

    /// A picture, or the want of one.
    public init(id: UInt64, picture: PixelBuffer?) {
        self.id = id
        self.picture = picture
    }
}

/// Makes decoders. A driver that knows no codec is given one by whoever knows both.
public protocol FrameDecoderProvider: Sendable {
    /// A decoder for one stream; nil if there is none for its format.
    ///
    /// - Throws: ``ObscuraError`` if there is one and it cannot be set up.
    func makeDecoder(for format: VideoFormat) throws(ObscuraError) -> (any FrameDecoder)?
}
