// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import ObscuraMedia

extension VideoDataOutput {
    /// Returns the compressed frames of the source, unchanged, for a `for try await` loop. Each loop is a separate
    /// reader.
    ///
    /// Supported sources are cameras that deliver JPEG or H.264, and files and network addresses with JPEG, H.264, HEVC
    /// or FFV1. The loop does not decode frames; a decoder runs only if other readers of the source need one.
    ///
    /// The settings of the output do not apply, nor do the orientation, the mirroring and the effects of the
    /// connection. ``CaptureConnection/minFrameDuration`` and ``CaptureConnection/frameStride`` apply only to JPEG
    /// frames of a camera.
    ///
    /// An H.264 or HEVC stream begins with a key frame; frames before the first key frame are counted as skipped. After
    /// a lost or dropped frame, the stream continues with the next key frame; the frames in between are counted as
    /// dropped.
    ///
    /// The loop waits for the session to start, ends when the session stops or the source ends, and throws
    /// ``ObscuraError``: `unsupportedFormat` if the source delivers uncompressed frames, otherwise the error with which the
    /// source failed.
    ///
    /// - Parameter latePolicy: The handling of frames that arrive while the loop is busy. With
    ///   ``LateFramePolicy/latest``, an H.264 stream loses frames whenever the loop is late.
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
