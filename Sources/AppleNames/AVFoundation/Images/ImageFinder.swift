// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura
internal import ObscuraMovies

/// Finds the frame of a movie that is shown at a time.
enum ImageFinder {
    /// Returns the first frame within the tolerance from the last key frame on; without one, the frame that is shown at
    /// the time. Blocks.
    ///
    /// - Throws: ``ObscuraError``: `invalidRequest` if the movie has no frame at the time; the errors of reading.
    static func frame(
        of source: AssetSource, at time: MediaTime, _ tolerance: ImageTolerance, control: ReadControl
    ) throws(ObscuraError) -> VideoFrame {
        var options = MovieReadingOptions()
        options.start = time
        options.includesRunUp = true
        // The first frame is enough, before which a decoder with several threads would decode as many others.
        if tolerance.before == nil { options.decoderThreads = 1 }
        let reader = try MovieReader(source.location, options: options, control: control)
        let earliest = tolerance.earliest(for: time)
        var shown: VideoFrame?
        while let frame = try reader.nextFrame() {
            guard frame.presentationTime <= time else {
                if let shown { return shown }
                guard tolerance.reaches(frame.presentationTime, from: time) else { break }
                return frame
            }
            if earliest.map({ frame.presentationTime >= $0 }) ?? true { return frame }
            shown = frame
        }
        guard let shown, time < shown.presentationTime + (shown.duration ?? .zero) else {
            throw ObscuraError(
                .movies, .invalidRequest, subject: source.location, reason: "it has no frame at \(time)")
        }
        return shown
    }
}
