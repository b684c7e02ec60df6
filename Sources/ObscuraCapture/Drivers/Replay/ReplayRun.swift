// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A run that plays a script on a thread of its own.
final class ReplayRun: ThreadedRun {
    private let name: String
    private let format: VideoFormat?
    private let script: [ReplayEvent]
    private let buffers: ReplayBuffers?
    private let refusal: @Sendable (VideoFormat?) -> ObscuraError?
    private let sink: any CaptureSink
    private let clock: any CaptureClock
    let thread = RunThread()

    init(
        name: String, format: VideoFormat?, script: [ReplayEvent], bufferCount: Int?,
        refusal: @escaping @Sendable (VideoFormat?) -> ObscuraError?, sink: any CaptureSink,
        clock: any CaptureClock
    ) {
        self.name = name
        self.format = format
        self.script = script
        buffers = bufferCount.map(ReplayBuffers.init(count:))
        self.refusal = refusal
        self.sink = sink
        self.clock = clock
    }

    func start() throws -> SourceFormat {
        if let error = refusal(format) { throw error }
        guard let format else {
            throw ObscuraError(
                .capture, .unsupportedFormat, subject: name, reason: "the replay camera has no video format")
        }
        try thread.start(name: "replay", subject: name) { [self] in play() }
        return SourceFormat(video: format)
    }

    private func play() {
        let begin = clock.now
        var sequence: UInt64 = 0
        var offset = Duration.zero
        var isInterrupted = false
        for event in script {
            guard clock.wait(until: begin + event.time, unless: thread.cancellation),
                !thread.cancellation.isCancelled
            else { return }
            let stamp = begin + event.time + offset
            switch event.kind {
            case .frame(let picture):
                endInterruption(&isInterrupted)
                give(picture, stamp, sequence)
                sequence += 1
            case .encoded(let frame):
                endInterruption(&isInterrupted)
                sink.receive(frame.taken(at: stamp, sequence))
                sequence += 1
            case .brokenFrame:
                sink.loseFrame(sequence: sequence)
                sequence += 1
            case .gap(let count): sequence &+= count
            case .clockJump(let jump): offset += jump
            case .stall: interrupt(.stalled, &isInterrupted)
            case .unplug: interrupt(.deviceDisconnected, &isInterrupted)
            case .error(let error): return sink.finish(throwing: error)
            case .end: return sink.finish(throwing: nil)
            }
        }
        // After a script without an end, the camera stays connected and silent.
    }

    private func interrupt(_ reason: InterruptionReason, _ isInterrupted: inout Bool) {
        if !isInterrupted { sink.interrupted(reason) }
        isInterrupted = true
    }

    private func endInterruption(_ isInterrupted: inout Bool) {
        if isInterrupted { sink.resumed() }
        isInterrupted = false
    }

    private func give(_ picture: PixelBuffer, _ stamp: HostTime, _ sequence: UInt64) {
        var picture = picture
        var buffersLeft: Int?
        if let buffers {
            guard let (storage, left) = buffers.lend(picture) else { return }
            picture = storage
            buffersLeft = left
        }
        sink.receive(
            VideoFrame(buffer: picture, presentationTime: stamp.mediaTime, hostTime: stamp, sequence: sequence),
            buffersLeft: buffersLeft)
    }
}

extension EncodedFrame {
    /// Returns the same data as a new frame: anything cached with it belongs to that frame, not to the
    /// script.
    fileprivate func taken(at stamp: HostTime, _ sequence: UInt64) -> EncodedFrame {
        EncodedFrame(
            format: format, data: data, width: width, height: height, isKeyFrame: isKeyFrame,
            presentationTime: stamp.mediaTime, hostTime: stamp, duration: duration, sequence: sequence,
            attachments: attachments)
    }
}

/// The buffers of a kernel driver: a limited number can be in use at once.
private final class ReplayBuffers: Sendable {
    private let free: Lock<Int>

    init(count: Int) {
        free = Lock(count)
    }

    /// Returns the frame in one of the buffers, and the number of free ones; nil if all are in use.
    func lend(_ picture: PixelBuffer) -> (PixelBuffer, Int)? {
        let left = free.withLock { free -> Int? in
            guard free > 0 else { return nil }
            free -= 1
            return free
        }
        guard let left else { return nil }
        return (picture.lent { [free] in free.withLock { $0 += 1 } }, left)
    }
}
