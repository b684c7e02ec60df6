// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia
internal import ObscuraMovies

/// One broadcast of a ``BroadcastOutput``, from its first frame to its end.
///
/// Video and audio arrive on separate queues and wait there briefly while the encoder is behind; further samples wait
/// in the mailboxes of the two outputs, and are dropped and counted when these are full.
final class BroadcastRun: SampleReceiver {
    /// Maximum time that a frame waits for the encoder.
    private static let encoderPatience = Duration.seconds(1)

    let source: SampleSource
    private let writer: BroadcastWriter
    private let copied: CopiedMedia
    /// The tracks that may still deliver samples.
    private let tracks: Lock<Set<SampleTrack>>

    init(_ writer: BroadcastWriter, _ source: SampleSource, copying copied: CopiedMedia) {
        self.writer = writer
        self.source = source
        self.copied = copied
        tracks = Lock(Set(source.tracks))
    }

    /// Starts receiving samples.
    func begin() { source.begin(self, copying: copied) }

    var statistics: BroadcastStatistics { writer.statistics }

    nonisolated(nonsending) func stop() async -> BroadcastStatistics {
        source.end()
        return await writer.finish()
    }

    /// Ends the broadcast, because no more samples follow.
    ///
    /// - Parameter error: the failure of the camera or the movie.
    func sessionStopped(with error: ObscuraError? = nil) {
        source.end()
        writer.finishByItself(
            because: error.map {
                ObscuraError(
                    .broadcast, .sourceFailed, subject: $0.subject, reason: $0.reason, remedy: $0.remedy)
            })
    }

    func receive(_ sample: MediaSample, of track: SampleTrack) {
        // The error that ended the broadcast was reported when it occurred.
        _ = try? writer.append(sample, until: .now + Self.encoderPatience)
    }

    func sourceEnded(_ track: SampleTrack, _ error: ObscuraError?) {
        let isLast = tracks.withLock { tracks in
            tracks.remove(track)
            return tracks.isEmpty
        }
        // The sound of a movie may still wait for the encoder when its video has ended, or be longer. A separate microphone
        // does not end.
        let endsAll = track.isVideo && (error != nil || !source.hasOneInput)
        if isLast || endsAll { sessionStopped(with: error) }
    }
}
