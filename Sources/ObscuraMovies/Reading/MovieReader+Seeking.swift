// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension MovieReader {
    /// Maximum number of seek attempts, each further back, before the movie is read from its beginning.
    static let seekAttempts = 6
    /// Duration by which audio decoding starts earlier, because the first decoded samples depend on earlier ones.
    static let soundRunUp = MediaTime(value: 1, timescale: 4)

    /// The condition that the first frame after a seek must meet.
    enum SeekState {
        case none
        /// The first frame must not be later than the requested start. If the frame is later, the next attempt seeks
        /// further back.
        case start(attempt: Int)
        /// The first frame of a repetition must have exactly the time with which the first pass through the movie
        /// began. If the time differs, the movie is opened again.
        case loop(first: MediaTime)
    }

    /// Whether the first element after a seek, at `time`, is at the right position; otherwise the seek is repeated.
    func hasArrived(at time: MediaTime) throws(ObscuraError) -> Bool {
        defer { if case .loop = seek { seek = .none } }
        switch seek {
        case .none: break
        case .start(let attempt):
            seek = .none
            // No sample precedes the beginning of the movie.
            if let start = start ?? soundStart, time > max(start, source.startTime ?? start),
                attempt < Self.seekAttempts
            {
                try goToStart(attempt: attempt + 1)
                return false
            }
        case .loop(let first):
            if time != first {
                try beginAgain()
                return false
            }
        }
        return true
    }

    /// Whether the first audio of a loop matches that of the first pass. After a seek, the number of priming samples to
    /// skip may be unknown; the movie is then opened again.
    func hasArrived(withSoundAt time: MediaTime) throws(ObscuraError) -> Bool {
        if start == nil, firstSoundTime == nil { firstSoundTime = time }
        defer { isSoundUnproved = false }
        guard isSoundUnproved, times.beginsPass, time != firstSoundTime else { return true }
        try beginAgain()
        return false
    }

    private func beginAgain() throws(ObscuraError) {
        try source.reopen(soundBegin: nil)
        passEnd = nil
        seek = .none
        (nextPicture, nextSound) = (nil, nil)
    }

    /// Seeks to a position from which the frame at the start can be decoded; each attempt seeks further back.
    func goToStart(attempt: Int) throws(ObscuraError) {
        seek = .start(attempt: attempt)
        passEnd = nil
        nextSound = nil
        guard var place = start ?? soundStart else { return }
        if source.readsSound { place = min(place, soundStart ?? place) - Self.soundRunUp }
        source.sound?.flush(beginningAt: soundStart)
        if let first = source.startTime, place <= first {
            if attempt > 0 { try source.reopen(soundBegin: soundStart) }
            return
        }
        let target = attempt == 0 ? place : place - MediaTime(value: 1 << (attempt - 1), timescale: 1)
        // A movie that is not seekable is decoded from its beginning up to the start.
        if attempt < Self.seekAttempts, source.seek(to: target, soundBegin: soundStart) { return }
        if attempt > 0 { try source.reopen(soundBegin: soundStart) }
    }

    /// Seeks back for the next loop. Returns false if that is not possible.
    func beginNextLoop() throws(ObscuraError) -> Bool {
        let lost = source.pictures?.takeLostCount(counts: hasDeliveredInPass || start == nil) ?? 0
        progress.lost += lost
        progress.soundLost += source.sound?.takeLostCount() ?? 0
        guard options.isLooping, source.canLoop, times.close() else { return false }
        pendingGap += UInt64(lost)
        passEnd = nil
        hasDeliveredInPass = false
        (start, soundStart) = (options.start, options.start)
        // The encoder's priming samples precede the first sample, which depends on them.
        let runUp = source.readsSound ? Self.soundRunUp : .zero
        if start != nil {
            try goToStart(attempt: 0)
        } else if let first = firstTime,
            source.seek(to: (source.startTime.map { min($0, first) } ?? first) - runUp, soundBegin: nil)
        {
            seek = .loop(first: first)
            isSoundUnproved = source.readsSound
        } else {
            try source.reopen(soundBegin: nil)
        }
        return true
    }
}
