// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The thread that writes to the playback device.
extension AudioPlayer {
    /// Interval of queries of a device that wakes up without room, or resumes from the machine's sleep.
    private static var shortPause: Duration { .milliseconds(5) }

    /// Plays until `end` is signaled, or no audio arrives.
    func run(until end: EventFD) {
        while let format = nextFormat(end) {
            do throws(ObscuraError) {
                try play(format, until: end)
            } catch {
                report(error, from: end)
                state.withLock { state in
                    if state.end === end { state.queue.clear() }
                }
                if end.wait(with: nil, until: .now + limits.retry) == .signaled { return }
            }
        }
    }

    /// Waits for audio that can be played. Nil if the thread must end.
    private func nextFormat(_ end: EventFD) -> AudioFormat? {
        let format = state.wait(until: .now + limits.idle) { state -> AudioFormat?? in
            guard state.end === end else { return .some(nil) }
            if state.queue.isReady { return state.queue.format }
            return state.queue.hasEnded ? .some(nil) : nil
        }
        if let format = format ?? nil { return format }
        state.withLock { state in
            guard state.end === end else { return }
            // In the same step, so that audio that arrives now starts another thread.
            state.end = nil
            state.queue.clear()
        }
        return nil
    }

    /// Opens the device, and plays until the audio has another format, no more arrives, or `end` is signaled.
    private func play(_ format: AudioFormat, until end: EventFD) throws(ObscuraError) {
        let pcm = try open(device)
        let agreement = try pcm.agree(on: format, latency: latency)
        if !agreement.format.isShaped(like: format) {
            onFormat(agreement.format)
            state.withLock { $0.queue.require(agreement.format) }
        }
        let isNew = state.withLock { state in
            defer { state.failure = nil }
            return state.end === end
        }
        if isNew { onEvent(.started(agreement.format)) }
        var stream = Stream(pcm: pcm, agreement: agreement, end: end, gain: volume, deadline: .now + limits.stall)
        defer {
            pcm.drop()
            state.withLock { $0.inDevice = .zero }
        }
        while try advance(&stream) {}
    }

    /// The state of an open device.
    private struct Stream {
        let pcm: any PlaybackPCM
        let agreement: ALSAAgreement
        let end: EventFD
        /// The volume of the last sample.
        var gain: Float
        /// The time at which the device counts as stalled.
        var deadline: HostTime

        func duration(ofFrames count: Int) -> Duration { agreement.format.duration(ofFrames: count).duration }
    }

    /// The next action of the thread.
    private enum Step {
        case write([PlaybackQueue.Part])
        case waitForRoom
        case waitForAudio
        /// Plays the remaining audio in the device.
        case drain
        case end
    }

    /// Writes what can be written, or waits. Returns false at the end.
    private func advance(_ stream: inout Stream) throws(ObscuraError) -> Bool {
        switch try stream.pcm.state() {
        case .underrun:
            state.withLock { state in
                state.queue.underrun()
                state.inDevice = .zero
            }
            try stream.pcm.prepare()
            return true
        case .suspended:
            while try !stream.pcm.wake() {
                guard try pause(stream) else { return false }
            }
            return true
        case .ready(let room):
            switch step(stream, room: room) {
            case .write(let parts): return try write(parts, &stream)
            case .waitForRoom: return try waitForRoom(stream)
            case .waitForAudio: return waitForAudio(&stream)
            case .drain:
                _ = stream.end.wait(with: nil, until: .now + stream.duration(ofFrames: stream.pcm.delay))
                return false
            case .end: return false
            }
        }
    }

    /// Returns the next action.
    private func step(_ stream: Stream, room: Int) -> Step {
        state.withLock { state in
            guard state.end === stream.end else { return .end }
            guard state.queue.isReady else { return state.queue.hasEnded ? .drain : .waitForAudio }
            guard state.queue.format?.isShaped(like: stream.agreement.format) == true else { return .end }
            return room > 0 ? .write(state.queue.take(upTo: room)) : .waitForRoom
        }
    }

    /// Waits until there is audio, or no more follows. Returns false if none arrives.
    private func waitForAudio(_ stream: inout Stream) -> Bool {
        let end = stream.end
        let hasChanged = state.wait(until: .now + limits.idle) { state in
            state.end !== end || state.queue.isReady || state.queue.hasEnded ? true : nil
        }
        stream.deadline = .now + limits.stall
        return hasChanged == true
    }

    /// Waits until there is room in the device. Returns false if `end` was signaled.
    private func waitForRoom(_ stream: Stream) throws(ObscuraError) -> Bool {
        switch stream.pcm.wait(with: stream.end, until: stream.deadline) {
        case .ready, .event:
            // Prevents a busy loop with a plug-in that wakes without room.
            guard case .ready(room: 0) = try stream.pcm.state() else { return true }
            return try pause(stream)
        case .signaled: return false
        // An underrun is reported in this way, too; other failures are found by the query of the state.
        case .failed: return try pause(stream)
        case .timedOut: throw .stalled(device, limits.stall)
        }
    }

    /// Waits a little. Returns false if `end` was signaled.
    private func pause(_ stream: Stream) throws(ObscuraError) -> Bool {
        if HostTime.now >= stream.deadline { throw .stalled(device, limits.stall) }
        return stream.end.wait(with: nil, until: .now + Self.shortPause) != .signaled
    }

    /// Writes audio. Returns false if `end` was signaled.
    private func write(_ parts: [PlaybackQueue.Part], _ stream: inout Stream) throws(ObscuraError) -> Bool {
        let volume = volume
        var left = parts.reduce(0) { $0 + $1.frames.count }
        // Whatever cannot be written is lost: the device has stopped, or the session.
        defer { state.withLock { $0.queue.lose(left) } }
        for part in parts {
            let bytes = PlaybackSamples.bytes(
                of: part, as: stream.agreement.layout, gains: (from: stream.gain, to: volume))
            stream.gain = volume
            var rest = bytes[...]
            while !rest.isEmpty {
                guard let count = try stream.pcm.write(rest) else { return true }
                if count == 0 {
                    guard try waitForRoom(stream) else { return false }
                    continue
                }
                rest = rest.dropFirst(count * (bytes.count / part.frames.count))
                left -= count
                stream.deadline = .now + limits.stall
                let inDevice = stream.duration(ofFrames: stream.pcm.delay)
                state.withLock { state in
                    state.playedFrames += UInt64(count)
                    state.inDevice = inDevice
                }
            }
        }
        return true
    }
}

extension ObscuraError {
    fileprivate static func stalled(_ device: String, _ time: Duration) -> ObscuraError {
        ObscuraError(
            .capture, .deviceFailed, subject: device, reason: "it has played no audio for \(time)",
            advice: "Connect the device again, or choose another device.")
    }
}
