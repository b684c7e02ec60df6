// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
internal import ObscuraMedia

/// The pictures and the sound of a session that one encoder gets.
package struct SampleSource: Sendable {
    private let pictures: VideoDataOutput?
    private let sound: AudioDataOutput?
    /// Whether one of the inputs is live. Then all samples come at their host times, so that pictures and sound belong
    /// together.
    package let isLive: Bool

    init(pictures: VideoDataOutput?, sound: AudioDataOutput?) {
        self.pictures = pictures
        self.sound = sound
        isLive = [pictures?.connection, sound?.connection].contains { $0?.input?.device.driver.isLive == true }
    }

    package var hasVideo: Bool { pictures != nil }
    package var hasAudio: Bool { sound != nil }

    /// Gives all samples from now on to the receiver, on a queue for each kind of media. Does not keep it alive.
    package func begin(_ receiver: some VideoDataOutputDelegate & AudioDataOutputDelegate) {
        // A film that is read as fast as it goes waits for the encoder; a camera does not wait.
        pictures?.lateFrames = isLive ? .bounded(32) : .lossless
        sound?.lateFrames = isLive ? .bounded(1024) : .lossless(64)
        pictures?.setDelegate(receiver)
        sound?.setDelegate(receiver)
    }

    /// Gives no more samples to the receiver.
    package func end() {
        pictures?.setDelegate(nil)
        sound?.setDelegate(nil)
    }
}
