// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
internal import ObscuraMedia

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
    package func begin(_ receiver: some VideoDataOutputDelegate & AudioDataOutputDelegate) {
        // A movie that is read without pacing waits for the encoder; a camera does not wait.
        pictures?.latePolicy = isLive ? .bounded(32) : .lossless
        sound?.latePolicy = isLive ? .bounded(1024) : .lossless(64)
        pictures?.setDelegate(receiver)
        sound?.setDelegate(receiver)
    }

    /// Stops delivering samples to the receiver.
    package func end() {
        pictures?.setDelegate(nil)
        sound?.setDelegate(nil)
    }
}
