// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
package import ObscuraMedia

/// The video and audio of a session that one encoder receives.
package struct SampleSource: Sendable {
    private let pictures: VideoDataOutput?
    private let sound: AudioDataOutput?
    /// Whether one of the inputs is live. Then all samples use their host times, so that video and audio are in sync.
    package let isLive: Bool
    /// Whether the video and the audio come from the same input.
    let hasOneInput: Bool

    init(pictures: VideoDataOutput?, sound: AudioDataOutput?) {
        self.pictures = pictures
        self.sound = sound
        isLive = [pictures?.connection, sound?.connection].contains { $0?.input?.device.driver.isLive == true }
        hasOneInput = pictures?.connection.input === sound?.connection.input
    }

    /// The device that delivers the video; nil without video.
    var camera: CaptureDevice? { pictures?.connection.input?.device }

    package var hasVideo: Bool { pictures != nil }
    package var hasAudio: Bool { sound != nil }

    /// Delivers all samples from now on to the receiver, on one queue per media type. Does not retain the receiver.
    ///
    /// - Parameter copied: the media that are delivered compressed.
    package func begin(_ receiver: some SampleReceiver, copying copied: CopiedMedia = CopiedMedia()) {
        // A movie that is read without pacing begins with its first reader; the other one must not miss anything.
        let held = isLive ? [] : [pictures?.connection, sound?.connection].compactMap { $0?.holdSource() }
        defer { for hold in held { hold.release() } }
        // It waits for the encoder; a camera does not wait.
        if copied.video {
            // Ten seconds of small frames: a disk that is busy for a while must not cost a group of pictures.
            pictures?.latePolicy = isLive ? .bounded(300) : .lossless
            pictures?.setEncodedDelegate(receiver)
        } else {
            pictures?.latePolicy = isLive ? .bounded(32) : .lossless
            pictures?.setDelegate(receiver)
        }
        sound?.latePolicy = isLive ? .bounded(1024) : .lossless(64)
        if copied.audio != nil {
            sound?.setEncodedDelegate(receiver)
        } else {
            sound?.setDelegate(receiver)
        }
    }

    /// Returns what can be written unchanged: the video, and the audio if its codec is supported. Other audio is encoded.
    ///
    /// - Parameters:
    ///   - takesVideo, takesAudio: whether the destination supports a codec.
    /// - Throws: `invalidState` while the session does not run, and `unsupportedFormat` with the reason why the video
    ///   cannot be copied.
    package func copiedMedia(
        for domain: ObscuraError.Domain, subject: String, takesVideo: (VideoCodec) -> Bool,
        takesAudio: (AudioCodec) -> Bool
    ) throws(ObscuraError) -> CopiedMedia {
        var copied = CopiedMedia()
        func refusal(_ reason: String, _ advice: String) -> ObscuraError {
            ObscuraError(domain, .unsupportedFormat, subject: subject, reason: reason, advice: advice)
        }
        if let connection = pictures?.connection {
            guard let encoded = connection.encoded else {
                throw ObscuraError(
                    domain, .invalidState, subject: subject,
                    reason: "whether frames can be copied is known only while the session runs",
                    advice: "Start the session first.")
            }
            let device = camera?.localizedName ?? "the source"
            guard let codec = encoded.video else {
                throw refusal(
                    "\(device) delivers no frames of H.264, HEVC, JPEG or FFV1 that could be copied",
                    "Choose a compressed format of the camera, or encode the frames.")
            }
            guard takesVideo(codec) else {
                throw refusal(
                    "frames of \(codec.rawValue) cannot be copied to it, because it does not support the codec",
                    "Choose another destination, or encode the frames.")
            }
            guard !connection.changesMedia else {
                throw refusal(
                    "frames with effects, or rotated or mirrored ones, cannot be copied",
                    "Remove the effects, or encode the frames.")
            }
            copied.video = true
        }
        if let connection = sound?.connection, !connection.changesMedia, let audio = connection.encoded?.audio,
            takesAudio(audio.codec)
        {
            copied.audio = audio
        }
        return copied
    }

    /// Stops delivering samples to the receiver.
    package func end() {
        pictures?.setDelegate(nil)
        sound?.setDelegate(nil)
    }
}

/// The media that are written unchanged instead of being encoded.
package struct CopiedMedia: Sendable {
    /// Whether frames are copied.
    package var video = false
    /// The parameters of the audio that is copied; nil if it is encoded.
    package var audio: AudioParameters?

    package init() {}
}
