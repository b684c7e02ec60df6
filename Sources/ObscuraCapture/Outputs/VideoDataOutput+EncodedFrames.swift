// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoDataOutput {
    /// The compressed frames of the source, unchanged, for a `for try await` loop: of a camera that delivers JPEG or
    /// H.264, and of a file or a network address with JPEG, H.264, HEVC or FFV1. Each loop is a separate reader.
    ///
    /// Nothing is decoded for it: while nobody else reads the source, no decoder runs. The settings of the output and the
    /// orientation, the mirroring and the effects of the connection do not apply; ``CaptureConnection/minFrameDuration``
    /// and ``CaptureConnection/frameStride`` apply to JPEG only, since each frame of H.264 needs those before it. An H.264
    /// stream begins with a key frame; frames before it are counted as skipped. After a lost or dropped frame it continues
    /// with the next key frame, and those between are counted as dropped.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source ends, and throws
    /// ``ObscuraError``: `unsupportedFormat` if the source delivers uncompressed frames, otherwise the error with which the
    /// source failed.
    ///
    /// - Parameter latePolicy: The handling of frames that arrive while the loop is busy. With
    ///   ``LateFramePolicy/latest``, an H.264 stream loses frames at each delay.
    public func encodedFrames(latePolicy: LateFramePolicy = .bounded(60)) -> EncodedFrames {
        sequence(of: EncodedReader.self, latePolicy: latePolicy)
    }

    /// The compressed frames of an output as an asynchronous sequence. Each iteration is a separate reader.
    public typealias EncodedFrames = EncodedMediaSequence<EncodedFrame>

    /// Sets a delegate that receives the compressed frames instead of pixels; see ``setDelegate(_:queue:)``.
    ///
    /// - Parameter gathering: the timer at which they are delivered; nil delivers each immediately.
    package func setEncodedDelegate(_ delegate: some EncodedMediaDelegate, gathering: GatheringTimer? = nil) {
        setDelegate(
            delegate, reading: EncodedReader.self, gathering: gathering, onElement: { $1.output($0, didOutput: $2) },
            onEnd: { $1.output($0, didFinishWith: $2) })
    }
}
