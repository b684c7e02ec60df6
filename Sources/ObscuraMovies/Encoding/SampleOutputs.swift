// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
internal import ObscuraFFmpeg
package import ObscuraMedia

/// The video and audio data outputs within an output that encodes both.
package struct SampleOutputs: Sendable {
    private let name: String
    private let outputs: [SampleOutput]

    /// - Parameters:
    ///   - name: the name in statistics and messages.
    ///   - tracks: the tracks, in their order.
    package init(name: String, tracks: [SampleTrack] = [SampleTrack(0, .video), SampleTrack(1, .audio)]) {
        // Not when a recording starts, because its first frames would wait. That start throws if it is not possible.
        try? FFmpegLibrary.load()
        self.name = name
        outputs = tracks.map { track in
            let number = tracks.filter { $0.mediaType == track.mediaType && $0.index < track.index }.count + 1
            return SampleOutput(track, name: number == 1 ? name : "\(name) \(number)")
        }
    }

    package var all: [CaptureOutput] { outputs.map(\.output) }

    /// Whether the sources of the outputs deliver nothing; see ``CaptureConnection/holdsSource``.
    package var holdsSources: Bool {
        get { outputs.contains(where: \.connection.holdsSource) }
        nonmutating set { for output in outputs { output.connection.holdsSource = newValue } }
    }

    /// Returns the connected and enabled outputs among the requested ones, as the tracks 0 and 1.
    ///
    /// - Throws: `invalidState` of the domain if there are none.
    package func source(
        video: Bool, audio: Bool, for domain: ObscuraError.Domain
    ) throws(ObscuraError) -> SampleSource {
        let used = outputs.filter { ($0.track.isVideo ? video : audio) && $0.isConnected }
        guard !used.isEmpty else {
            throw ObscuraError(
                domain, .invalidState, subject: name, reason: "it receives neither video nor audio from the session",
                advice: "Add the output to a session with a camera or a microphone, and enable its connections.")
        }
        return SampleSource(
            used.enumerated().map { index, output in
                var output = output
                output.track = SampleTrack(index, output.track.mediaType)
                return output
            })
    }

    /// Returns all outputs.
    ///
    /// - Throws: `invalidState` of the domain if one receives nothing.
    package func source(for domain: ObscuraError.Domain) throws(ObscuraError) -> SampleSource {
        guard let missing = outputs.first(where: { !$0.isConnected }) else { return SampleSource(outputs) }
        let track = missing.track
        throw ObscuraError(
            domain, .invalidState, subject: name,
            reason: "track \(track.index) (\(track.mediaType.rawValue)) receives nothing from the session",
            advice: track.isVideo
                ? "Add a camera for each video track to the session, and enable the connections of the output."
                : "Add a microphone for each audio track to the session, and enable the connections of the output.")
    }
}
