// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension MovieReader {
    /// How often a seek is tried, each time further back, before the movie is read from its beginning.
    static let seekAttempts = 6
    /// How much earlier decoders of sound begin: what they give first leans on what came before.
    static let soundRunUp = MediaTime(value: 1, timescale: 4)

    /// What the first frame after a seek must show.
    enum SeekState {
        case none
        /// Not later than the wanted start; else the next attempt goes further back.
        case start(attempt: Int)
        /// Exactly the time with which the first pass began.
        case loop(first: MediaTime)
    }

    /// Whether the first element after a seek, at `time`, shows that it led to the right place; else it is done again.
    func hasArrived(at time: MediaTime) throws(ObscuraError) -> Bool {
        defer { if case .loop = seek { seek = .none } }
        switch seek {
        case .none: break
        case .start(let attempt):
            seek = .none
            // Nothing is earlier than the beginning of the movie.
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

    /// Whether the first sound of a loop is that of the first pass. A seek may lose what says how much of the
    /// encoder's run-up is to be left out; then the movie is opened again.
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

    /// Goes to a place from which the frame at the start can be decoded; each attempt further back.
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
        // What cannot be sought is decoded from its beginning, up to the start.
        if attempt < Self.seekAttempts, source.seek(to: target, soundBegin: soundStart) { return }
        if attempt > 0 { try source.reopen(soundBegin: soundStart) }
    }

    /// Goes back for the next loop. Returns false when there is none to be had.
    func beginNextLoop() throws(ObscuraError) -> Bool {
        let lost = source.pictures?.takeLostCount(counts: hasDeliveredInPass || start == nil) ?? 0
        progress.lost += lost
        progress.soundLost += source.sound?.takeLostCount() ?? 0
        guard options.isLooping, source.canLoop, times.close() else { return false }
        pendingGap += UInt64(lost)
        passEnd = nil
        hasDeliveredInPass = false
        (start, soundStart) = (options.start, options.start)
        // The run-up of the encoder lies before the first sample, and is needed for it.
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
