// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
package import ObscuraMedia

/// The video and audio data outputs within an output that encodes both.
package struct SampleOutputs: Sendable {
    private let name: String
    private let pictures: VideoDataOutput
    private let sound: AudioDataOutput

    package init(name: String) {
        self.name = name
        // The encoder retains frames while it works.
        pictures = VideoDataOutput(name: name, leaseLimit: 16)
        sound = AudioDataOutput(name: "\(name) sound")
    }

    package var all: [CaptureOutput] { [pictures, sound] }

    /// Returns the connected and enabled outputs among the requested ones.
    ///
    /// - Throws: `invalidState` of the domain if there are none.
    package func source(
        video: Bool, audio: Bool, for domain: ObscuraError.Domain
    ) throws(ObscuraError) -> SampleSource {
        func isConnected(_ connection: CaptureConnection) -> Bool { connection.isEnabled && connection.input != nil }
        let source = SampleSource(
            pictures: video && isConnected(pictures.connection) ? pictures : nil,
            sound: audio && isConnected(sound.connection) ? sound : nil)
        guard source.hasVideo || source.hasAudio else {
            throw ObscuraError(
                domain, .invalidState, subject: name, reason: "it receives neither video nor audio from the session",
                advice: "Add the output to a session with a camera or a microphone, and enable its connections.")
        }
        return source
    }
}
