// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// The video and audio of a session that one encoder receives.
package struct SampleSource: Sendable {
    private let outputs: [SampleOutput]
    /// Whether one of the inputs is live. Then all samples use their host times, so that video and audio are in sync.
    package let isLive: Bool
    /// Whether all tracks come from the same input.
    package let hasOneInput: Bool

    /// - Parameter outputs: at least one.
    init(_ outputs: [SampleOutput]) {
        self.outputs = outputs
        isLive = outputs.contains { $0.connection.input?.device.driver.isLive == true }
        hasOneInput = outputs.allSatisfy { $0.connection.input === outputs.first?.connection.input }
    }

    /// The device that delivers the first video; nil without video.
    var camera: CaptureDevice? { outputs.first(where: \.track.isVideo)?.connection.input?.device }

    /// The tracks, in their order.
    package var tracks: [SampleTrack] { outputs.map(\.track) }
    package var hasVideo: Bool { tracks.contains(where: \.isVideo) }
    package var hasAudio: Bool { tracks.contains { !$0.isVideo } }

    /// The track that an output delivers.
    func track(of output: CaptureOutput) -> SampleTrack? { outputs.first { $0.output === output }?.track }

    /// Delivers all samples from now on to the receiver, on one queue per track, and on one thread for all that
    /// are gathered. Does not retain the receiver.
    ///
    /// - Parameters:
    ///   - copied: the media that are delivered compressed.
    ///   - timer: delivers these samples, many at once, for a live source only; nil delivers each immediately.
    package func begin(
        _ receiver: some SampleReceiver, copying copied: CopiedMedia = CopiedMedia(), at timer: GatheringTimer? = nil
    ) {
        // A movie that is read without pacing begins with its first reader; the others must not miss anything.
        if !isLive { for output in outputs { output.connection.holdsSource = true } }
        defer { for output in outputs { output.connection.holdsSource = false } }
        for output in outputs {
            output.begin(receiver, isLive: isLive, isCopied: copied.contains(output.track), gathering: timer)
        }
    }

    /// Returns what can be written unchanged: all video, and the audio whose codec is supported. Other audio is encoded.
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
        for output in outputs {
            let connection = output.connection
            guard output.track.isVideo else {
                if !connection.changesMedia, let audio = connection.encoded?.audio, takesAudio(audio.codec) {
                    copied.audio[output.track] = audio
                }
                continue
            }
            guard let encoded = connection.encoded else {
                throw ObscuraError(
                    domain, .invalidState, subject: subject,
                    reason: "the session is not running, so it is unknown whether its frames can be copied",
                    advice: "Start the session first.")
            }
            let device = connection.input?.device.localizedName ?? "the source"
            guard let codec = encoded.video else {
                throw refusal(
                    "\(device) delivers no H.264, HEVC, JPEG or FFV1 frames, so its frames cannot be copied",
                    "Choose a compressed format of the camera, or encode the frames.")
            }
            guard takesVideo(codec) else {
                throw refusal(
                    "it does not support \(codec.rawValue), so the frames cannot be copied",
                    "Choose another destination, or encode the frames.")
            }
            guard !connection.changesMedia else {
                throw refusal(
                    "frames with effects, rotation or mirroring cannot be copied",
                    "Remove the effects, rotation and mirroring, or encode the frames.")
            }
            copied.video.insert(output.track)
        }
        return copied
    }

    /// Stops delivering samples to the receiver.
    package func end() {
        for output in outputs { output.end() }
    }
}

/// The media that are written unchanged instead of being encoded.
package struct CopiedMedia: Sendable {
    /// The tracks whose frames are copied.
    package var video: Set<SampleTrack> = []
    /// The parameters of the audio that is copied.
    package var audio: [SampleTrack: AudioParameters] = [:]

    package init() {}

    var isEmpty: Bool { video.isEmpty && audio.isEmpty }

    func contains(_ track: SampleTrack) -> Bool { video.contains(track) || audio[track] != nil }
}
