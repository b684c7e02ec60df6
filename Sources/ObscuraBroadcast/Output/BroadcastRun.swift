// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia
internal import ObscuraMovies

/// One broadcast of a ``BroadcastOutput``, from its first frame to its end.
///
/// Pictures and sound come on a queue each, and wait there a little while the encoder is behind; what comes meanwhile
/// waits in the mailboxes of the two outputs, and is left out, and counted, when there is more than these hold.
final class BroadcastRun: SampleReceiver {
    /// How long a frame waits for the encoder.
    private static let encoderPatience = Duration.seconds(1)

    let source: SampleSource
    private let writer: BroadcastWriter

    init(_ writer: BroadcastWriter, _ source: SampleSource) {
        self.writer = writer
        self.source = source
    }

    /// Takes what comes from now on.
    func begin() { source.begin(self) }

    var statistics: BroadcastStatistics { writer.statistics }

    nonisolated(nonsending) func stop() async -> BroadcastStatistics {
        source.end()
        return await writer.finish()
    }

    /// Nothing more comes.
    ///
    /// - Parameter error: what the camera or the film failed with.
    func sessionStopped(with error: ObscuraError? = nil) {
        source.end()
        writer.finishByItself(
            because: error.map {
                ObscuraError(
                    .broadcast, .sourceFailed, subject: $0.subject, reason: $0.reason, remedy: $0.remedy)
            })
    }

    func receive(_ sample: MediaSample) {
        // What has ended the broadcast was announced when it happened.
        _ = try? writer.append(sample, until: .now + Self.encoderPatience)
    }

    func sourceEnded(_ mediaType: MediaType, _ error: ObscuraError?) {
        if mediaType == .video || !source.hasVideo { sessionStopped(with: error) }
    }
}
