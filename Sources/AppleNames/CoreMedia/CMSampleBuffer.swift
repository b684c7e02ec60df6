// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Obscura
internal import ObscuraBase

/// The times of a sample.
public struct CMSampleTimingInfo: Sendable {
    /// The duration.
    public var duration: CMTime
    /// The time at which the sample is shown or heard.
    public var presentationTimeStamp: CMTime
    /// The time at which the sample is decoded; invalid if samples are decoded in the order of presentation.
    public var decodeTimeStamp: CMTime

    /// Creates invalid times.
    public init() { self.init(duration: .invalid, presentationTimeStamp: .invalid, decodeTimeStamp: .invalid) }

    /// Creates times.
    public init(duration: CMTime, presentationTimeStamp: CMTime, decodeTimeStamp: CMTime) {
        self.duration = duration
        self.presentationTimeStamp = presentationTimeStamp
        self.decodeTimeStamp = decodeTimeStamp
    }
}

/// A frame of video, or a buffer of sound, with its format and its times.
public final class CMSampleBuffer: Sendable {
    package enum Content: Sendable {
        case image(CVImageBuffer)
        case sound(Obscura.AudioBuffer)
        /// The file of a photo.
        case file([UInt8])
        /// A frame that was dropped: its times and the reason, and no pixels.
        case nothing
    }

    package let content: Content
    /// The format of the samples; nil for a frame that was dropped.
    public let formatDescription: CMFormatDescription?
    package let timing: CMSampleTimingInfo

    /// `@unchecked Sendable` is safe as that of the attachments of `CVBuffer`.
    private struct State: @unchecked Sendable {
        var attachments: [String: Any] = [:]
        var isValid = true
        /// The bytes of sound; nil until they are asked for.
        var block: CMBlockBuffer?
    }

    private let state = Lock(State())

    package init(_ content: Content, formatDescription: CMFormatDescription?, timing: CMSampleTimingInfo) {
        self.content = content
        self.formatDescription = formatDescription
        self.timing = timing
    }

    /// The uncompressed image; nil for sound, for an encoded photo such as a JPEG file, and for a dropped frame.
    public var imageBuffer: CVImageBuffer? {
        if case .image(let buffer) = content { buffer } else { nil }
    }

    /// The bytes of sound, in the format of ``formatDescription``, or of an encoded photo. Nil for an uncompressed
    /// image, and for a dropped frame.
    public var dataBuffer: CMBlockBuffer? {
        state.withLock { state in
            let block =
                switch content {
                case .sound(let sound): state.block ?? CMBlockBuffer(sound.samples)
                case .file(let bytes): state.block ?? CMBlockBuffer(bytes)
                case .image, .nothing: nil as CMBlockBuffer?
                }
            state.block = block
            return block
        }
    }

    /// The sound, including changes that a program has made to its bytes; nil for other media, and for a dropped frame.
    package var sound: Obscura.AudioBuffer? {
        guard case .sound(let sound) = content else { return nil }
        guard let block = state.withLock(\.block) else { return sound }
        return Obscura.AudioBuffer(
            format: sound.format, samples: block.samples(sound.format.sampleType),
            presentationTime: sound.presentationTime, hostTime: sound.hostTime, position: sound.position,
            attachments: sound.attachments)
    }

    /// The time at which the sample is shown or heard.
    public var presentationTimeStamp: CMTime { timing.presentationTimeStamp }
    /// The time at which the sample is decoded; invalid if samples are decoded in the order of presentation.
    public var decodeTimeStamp: CMTime { timing.decodeTimeStamp }
    /// The duration; invalid if the source does not specify one.
    public var duration: CMTime { timing.duration }
    /// Whether the buffer is valid: ``invalidate()`` has not been called.
    public var isValid: Bool { state.withLock(\.isValid) }

    /// Marks the buffer as invalid. Its memory is freed only when the last reference is released.
    public func invalidate() throws {
        markInvalid()
    }

    func markInvalid() {
        state.withLock { $0.isValid = false }
    }

    /// The number of samples: 1 for an image, the number of frames of sound, 0 for a dropped frame.
    public var numSamples: Int {
        switch content {
        case .image, .file: 1
        case .sound(let sound): sound.frameCount
        case .nothing: 0
        }
    }

    func attachment(_ key: String) -> Any? { state.withLock { $0.attachments[key] } }

    package func setAttachment(_ value: Any?, _ key: String) {
        // The old value is released without the lock.
        _ = state.withLock { state in
            defer { state.attachments[key] = value }
            return state.attachments[key]
        }
    }
}

extension CMSampleBuffer: Hashable {
    /// Whether both are the same object.
    public static func == (one: CMSampleBuffer, other: CMSampleBuffer) -> Bool { one === other }

    /// Hashes the identity of the object.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// Returns the uncompressed image; nil for sound, for an encoded photo such as a JPEG file, and for a dropped frame.
public func CMSampleBufferGetImageBuffer(_ buffer: CMSampleBuffer) -> CVImageBuffer? { buffer.imageBuffer }

/// Returns the format of the samples.
public func CMSampleBufferGetFormatDescription(_ buffer: CMSampleBuffer) -> CMFormatDescription? {
    buffer.formatDescription
}

/// Returns the time at which the sample is shown or heard.
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime {
    buffer.presentationTimeStamp
}

/// Returns the time at which the sample is decoded; invalid if samples are decoded in the order of presentation.
public func CMSampleBufferGetDecodeTimeStamp(_ buffer: CMSampleBuffer) -> CMTime { buffer.decodeTimeStamp }

/// Returns the duration; invalid if the source does not specify one.
public func CMSampleBufferGetDuration(_ buffer: CMSampleBuffer) -> CMTime { buffer.duration }

/// Returns the number of samples.
public func CMSampleBufferGetNumSamples(_ buffer: CMSampleBuffer) -> Int { buffer.numSamples }

/// Marks a sample buffer as invalid; see ``CMSampleBuffer/invalidate()``.
@discardableResult
public func CMSampleBufferInvalidate(_ buffer: CMSampleBuffer) -> OSStatus {
    buffer.markInvalid()
    return 0
}

/// Returns whether a sample buffer is valid; see ``CMSampleBuffer/isValid``.
public func CMSampleBufferIsValid(_ buffer: CMSampleBuffer) -> Bool { buffer.isValid }

/// Returns whether the data of a sample buffer is complete; always true.
public func CMSampleBufferDataIsReady(_ buffer: CMSampleBuffer) -> Bool { true }
