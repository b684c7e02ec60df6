// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

extension MovieReader {
    func takeSound(_ isWanted: Bool) {
        guard source.readsSound != isWanted else { return }
        source.readsSound = isWanted
        if !isWanted {
            nextSound = nil
            hasSkippedSound = true
            progress.soundPosition = nil
        }
    }

    /// Decodes up to the next audio buffer, unless it is already available. Returns whether the audio has ended.
    func fetchSound() throws(ObscuraError) -> Bool {
        while nextSound == nil {
            guard source.readsSound, source.wish.sound != .only, let track = source.sound else { return true }
            switch try track.next(from: source) {
            case .element(let sound):
                guard let first = track.firstTime, !isBacklog(.sound, at: sound.presentationTime) else { continue }
                // In a movie with video, the video determines the seek position.
                if source.pictures == nil {
                    guard try hasArrived(at: first) else { continue }
                    if soundStart == nil, firstTime == nil { firstTime = first }
                }
                // After reopening, a frame may come first.
                guard try hasArrived(withSoundAt: first) else { return false }
                nextSound = sound
            case .waits: return false
            case .ended:
                guard source.pictures == nil, case .start(let attempt) = seek, attempt < Self.seekAttempts
                else { return true }
                try goToStart(attempt: attempt + 1)
            }
        }
        return false
    }

    func deliver(_ sound: AudioBuffer) -> AudioBuffer {
        var sound = sound
        let own = sound.presentationTime
        let captureTime = captureTime(.sound, at: own)
        sound.hostTime = captureTime ?? .now
        sound.attachments.isTimeEstimated = isLive && captureTime == nil
        sound.presentationTime = place(own, until: own + sound.duration)
        if times.takeSoundJoint() || hasSkippedSound { sound.attachments.isDiscontinuity = true }
        hasSkippedSound = false
        position &+= sound.attachments.gap
        sound.position = position
        position &+= UInt64(sound.frameCount)
        progress.soundLost += source.sound?.takeLostCount() ?? 0
        progress.soundPosition = own + sound.duration
        return sound
    }
}
