// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// A sample of one of the tracks of a movie.
struct TrackSample: QueuedSample {
    enum Content: Sendable {
        case media(MediaSample)
        case text(TimedText)
        case location(TimedLocation)
    }

    let content: Content
    /// The index of the track.
    let track: Int

    var isVideo: Bool {
        if case .media(let sample) = content { sample.isVideo } else { false }
    }
}
