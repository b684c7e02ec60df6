// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura

/// The width and the height of video, in pixels.
public struct CMVideoDimensions: Sendable, Hashable {
    /// The width, in pixels.
    public var width: Int32
    /// The height, in pixels.
    public var height: Int32

    /// Creates dimensions of zero.
    public init() { self.init(width: 0, height: 0) }

    /// Creates dimensions.
    public init(width: Int32, height: Int32) {
        self.width = width
        self.height = height
    }
}

/// A four-character code.
public typealias FourCharCode = UInt32
/// The kind of media, as a four-character code.
public typealias CMMediaType = FourCharCode
/// A description of video.
public typealias CMVideoFormatDescription = CMFormatDescription
/// A description of sound.
public typealias CMAudioFormatDescription = CMFormatDescription

/// Video.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// Sound.
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E

/// The format of the samples of a buffer or of a track.
public final class CMFormatDescription: Sendable {
    /// The kind of media.
    public struct MediaType: RawRepresentable, Sendable, Hashable {
        /// The four-character code.
        public let rawValue: CMMediaType

        /// Creates a kind from its code.
        public init(rawValue: CMMediaType) { self.rawValue = rawValue }

        /// Video.
        public static let video = MediaType(rawValue: kCMMediaType_Video)
        /// Sound.
        public static let audio = MediaType(rawValue: kCMMediaType_Audio)
    }

    /// The encoding of the media: a pixel format or a codec.
    public struct MediaSubType: RawRepresentable, Sendable, Hashable {
        /// The four-character code.
        public let rawValue: FourCharCode

        /// Creates a subtype from its code.
        public init(rawValue: FourCharCode) { self.rawValue = rawValue }
    }

    /// The kind of media.
    public let mediaType: MediaType
    /// The pixel format, or the codec.
    public let mediaSubType: MediaSubType
    /// The size of video; zero for sound.
    public let dimensions: CMVideoDimensions
    /// The format of uncompressed sound; nil for all other media.
    package let audioFormat: AudioFormat?
    let streamDescription: StreamDescriptionMemory?

    package init(video type: FourCharCode, size: PixelSize) {
        mediaType = .video
        mediaSubType = MediaSubType(rawValue: type)
        dimensions = CMVideoDimensions(width: Int32(clamping: size.width), height: Int32(clamping: size.height))
        audioFormat = nil
        streamDescription = nil
    }

    package convenience init(audio format: AudioFormat) {
        self.init(audio: AudioStreamBasicDescription(format), format)
    }

    /// Creates the description of sound.
    ///
    /// - Parameter format: the format of uncompressed samples; nil for compressed ones.
    package init(audio description: AudioStreamBasicDescription, _ format: AudioFormat? = nil) {
        mediaType = .audio
        mediaSubType = MediaSubType(rawValue: description.mFormatID)
        dimensions = CMVideoDimensions()
        audioFormat = format
        streamDescription = StreamDescriptionMemory(description)
    }
}

extension CMFormatDescription: Hashable {
    /// Whether both describe the same format.
    public static func == (one: CMFormatDescription, other: CMFormatDescription) -> Bool {
        one.mediaType == other.mediaType && one.mediaSubType == other.mediaSubType
            && one.dimensions == other.dimensions && one.audioFormat == other.audioFormat
            && one.audioStreamBasicDescription?.mSampleRate == other.audioStreamBasicDescription?.mSampleRate
            && one.audioStreamBasicDescription?.mChannelsPerFrame
                == other.audioStreamBasicDescription?.mChannelsPerFrame
    }

    /// Hashes the media type, the subtype and the dimensions.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mediaType)
        hasher.combine(mediaSubType)
        hasher.combine(dimensions)
    }
}

/// Returns the kind of media.
public func CMFormatDescriptionGetMediaType(_ description: CMFormatDescription) -> CMMediaType {
    description.mediaType.rawValue
}

/// Returns the pixel format, or the codec.
public func CMFormatDescriptionGetMediaSubType(_ description: CMFormatDescription) -> FourCharCode {
    description.mediaSubType.rawValue
}

/// Returns the size of video, in pixels.
public func CMVideoFormatDescriptionGetDimensions(_ description: CMVideoFormatDescription) -> CMVideoDimensions {
    description.dimensions
}
