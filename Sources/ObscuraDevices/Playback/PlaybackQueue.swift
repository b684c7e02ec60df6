// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// The audio that waits for a playback device, as a pure value.
///
/// Playback begins when audio of the requested latency waits, and begins again in this way after the device ran out of
/// audio. The queue is bounded: when audio arrives faster than the device plays it, the oldest audio is dropped.
struct PlaybackQueue: Sendable {
    /// A part of a buffer.
    struct Part: Sendable {
        let buffer: AudioBuffer
        /// The sample frames of the buffer.
        let frames: Range<Int>
    }

    /// The requested latency.
    let latency: Duration
    /// The sample rate and the number of channels of the waiting audio; nil before the first buffer.
    private(set) var format: AudioFormat?
    /// The format of the device, if the source must convert to it; audio in other formats is dropped.
    private(set) var requiredFormat: AudioFormat?
    /// The number of waiting sample frames.
    private(set) var frameCount = 0
    /// Whether the source has ended: no more audio follows.
    private(set) var hasEnded = false
    /// The number of sample frames dropped since the queue was created.
    private(set) var droppedFrames: UInt64 = 0
    /// The number of times that the device ran out of audio.
    private(set) var underruns = 0
    private var isPlaying = false
    private var buffers: [AudioBuffer] = []
    /// The number of sample frames of the first buffer that were taken.
    private var taken = 0

    /// Creates an empty queue.
    init(latency: Duration) {
        self.latency = latency
    }

    /// Whether ``take(upTo:)`` returns audio for a device with room.
    var isReady: Bool {
        frameCount > 0 && (isPlaying || hasEnded || frameCount >= latencyFrames)
    }

    /// The duration of the waiting audio.
    var duration: Duration {
        format.map { $0.duration(ofFrames: frameCount).duration } ?? .zero
    }

    /// The latency in sample frames of the waiting audio.
    private var latencyFrames: Int {
        Int(Double(latency.wholeNanoseconds) / 1_000_000_000 * Double(format?.sampleRate ?? 0))
    }

    // MARK: The source's side

    /// Adds audio.
    mutating func append(_ sound: AudioBuffer) {
        guard sound.frameCount > 0 else { return }
        hasEnded = false
        if let requiredFormat, !sound.format.isShaped(like: requiredFormat) {
            droppedFrames += UInt64(sound.frameCount)
            return
        }
        if !sound.format.isShaped(like: format) {
            drop(keeping: 0)
            isPlaying = false
        }
        format = sound.format
        buffers.append(sound)
        frameCount += sound.frameCount
        // The device holds as much again as the latency. A single buffer may be longer, as those of some files.
        guard frameCount > latencyFrames + max(latencyFrames, sound.frameCount) else { return }
        drop(keeping: isPlaying ? sound.frameCount : latencyFrames)
    }

    /// Notes that no more audio follows: the remaining audio is played even if it is shorter than the latency.
    mutating func end() {
        hasEnded = true
    }

    // MARK: The device's side

    /// Accepts only audio of this sample rate and number of channels from now on; nil accepts every format.
    mutating func require(_ format: AudioFormat?) {
        requiredFormat = format
        guard let format, !format.isShaped(like: self.format) else { return }
        drop(keeping: 0)
        self.format = format
        isPlaying = false
    }

    /// Removes and returns the oldest audio, at most `room` sample frames. Empty while too little audio waits.
    mutating func take(upTo room: Int) -> [Part] {
        guard isReady, room > 0 else { return [] }
        isPlaying = true
        var parts: [Part] = []
        var left = room
        while left > 0, let first = buffers.first {
            let end = min(first.frameCount, taken + left)
            parts.append(Part(buffer: first, frames: taken..<end))
            left -= end - taken
            frameCount -= end - taken
            taken = end
            if taken == first.frameCount {
                buffers.removeFirst()
                taken = 0
            }
        }
        return parts
    }

    /// Notes that the device ran out of audio.
    mutating func underrun() {
        isPlaying = false
        // The end of the source is no underrun.
        if !hasEnded { underruns += 1 }
    }

    /// Counts audio that was taken but not played.
    mutating func lose(_ frames: Int) {
        droppedFrames += UInt64(max(0, frames))
    }

    /// Drops all audio, and begins anew.
    mutating func clear() {
        drop(keeping: 0)
        isPlaying = false
        hasEnded = false
        format = nil
        requiredFormat = nil
    }

    /// Drops the oldest audio, as long as at least `least` sample frames remain.
    private mutating func drop(keeping least: Int) {
        while let first = buffers.first, frameCount - (first.frameCount - taken) >= least {
            let dropped = first.frameCount - taken
            frameCount -= dropped
            droppedFrames += UInt64(dropped)
            taken = 0
            buffers.removeFirst()
        }
    }
}

extension AudioFormat {
    /// Whether sample rate and number of channels are the same.
    func isShaped(like other: AudioFormat?) -> Bool {
        sampleRate == other?.sampleRate && channelCount == other?.channelCount
    }
}
