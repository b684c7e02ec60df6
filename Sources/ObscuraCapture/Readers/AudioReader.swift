// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A reader of a connection's audio: its queue, and the conversion to the requested format.
///
/// Audio is converted on the source's thread before it is queued: 10 ms of audio take a few microseconds, and a
/// converter must process all audio, including buffers that are later dropped as late.
final class AudioReader: ConnectionReader {
    private struct State {
        var epoch: UInt64 = 0
        var waiter: (@Sendable () -> Void)?
        var failure: ObscuraError?
    }

    private struct Conversion {
        var converter: (any AudioConverter)?
        var source: AudioFormat?
        var target: AudioFormat?
        var epoch: UInt64 = 0
    }

    let name: String
    let queue: FrameQueue<RoutedSound>
    let stages = StageRecorder()
    /// Zero, since audio does not use the source's pool.
    let bufferCount = 0
    private let settings: @Sendable () -> AudioFormat?
    let onDrop: @Sendable (DroppedFrame) -> Void
    private let state = Lock(State())
    /// Used by the source's thread; during a switch, by the threads of two sources.
    private let conversion = Lock(Conversion())

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - name: The name in statistics and messages.
    ///   - settings: Returns the requested audio format, nil to keep the original; called for each buffer.
    ///   - onDrop: Called for each dropped buffer, on any thread; must not block.
    init(
        name: String, policy: LateFramePolicy, settings: @escaping @Sendable () -> AudioFormat?,
        onDrop: @escaping @Sendable (DroppedFrame) -> Void = { _ in }
    ) {
        self.name = name
        self.settings = settings
        self.onDrop = onDrop
        let owner = Lock(WeakReader())
        // Unlimited, since buffers of audio have their own memory and do not use the source's pool.
        queue = FrameQueue(policy: policy, leaseLimit: .max) {
            owner.withLock { $0.reader }?.wake()
        }
        owner.withLock { [weak self] in $0.reader = self }
    }

    private struct WeakReader {
        weak var reader: AudioReader?
    }

    // MARK: The source's side

    /// Converts and queues audio; blocks with a lossless policy while the queue is full.
    func receive(_ sound: AudioBuffer, epoch: UInt64, from driver: any CaptureDriver) {
        let arrival = HostTime.now
        do throws(ObscuraError) {
            for converted in try convert(sound, epoch, driver) {
                enqueue(RoutedSound(buffer: converted, arrival: arrival, epoch: epoch))
            }
        } catch  where error.code == .unsupportedFormat {
            state.withLock { $0.failure = error }
            close()
        } catch {
            lose(
                DroppedFrame(
                    sequence: sound.position, presentationTime: sound.presentationTime, reason: .transformFailed,
                    count: 1))
        }
    }

    private func convert(
        _ sound: AudioBuffer, _ epoch: UInt64, _ driver: any CaptureDriver
    ) throws(ObscuraError) -> [AudioBuffer] {
        let target = settings()
        guard let target, target != sound.format else {
            conversion.withLock { $0 = Conversion() }
            return [sound]
        }
        return try conversion.withLock { conversion -> Result<[AudioBuffer], ObscuraError> in
            Result { () throws(ObscuraError) in
                let isSame =
                    conversion.source == sound.format && conversion.target == target && conversion.epoch == epoch
                let converter =
                    isSame ? conversion.converter : try driver.makeAudioConverter(from: sound.format, to: target)
                guard let converter else { throw .noConverter(name, sound.format, target) }
                conversion = Conversion(
                    converter: converter, source: sound.format, target: target, epoch: epoch)
                return try converter.convert(sound)
            }
        }.get()
    }

    func finish(throwing error: ObscuraError?) {
        // The remaining audio of the converter precedes the end.
        let (converter, epoch) = conversion.withLock { conversion in
            defer { conversion = Conversion() }
            return (conversion.converter, conversion.epoch)
        }
        if let rest = try? converter?.finish() {
            enqueue(RoutedSound(buffer: rest, arrival: .now, epoch: epoch))
        }
        queue.finish(throwing: error)
    }

    func enter(epoch: UInt64) {
        state.withLock { $0.epoch = epoch }
        _ = queue.begin(epoch: epoch)
    }

    func begin(epoch: UInt64) {
        state.withLock { $0.epoch = epoch }
        for sound in queue.begin(epoch: epoch) { report(sound, .discontinuity) }
        wake()
    }

    func isCurrent(_ epoch: UInt64) -> Bool {
        state.withLock { $0.epoch == epoch }
    }

    func close() {
        queue.close()
        wake()
    }

    // MARK: The reader's side

    func whenReady(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiter = body }
        wake()
    }

    func takeReady() -> Ready<AudioBuffer> {
        if let failure = state.withLock({ $0.failure }) { return .ended(failure) }
        switch queue.take() {
        case .element(let sound):
            stages.record(.queue, from: sound.arrival, to: .now)
            if let dequeueTime = sound.buffer.attachments.dequeueTime {
                stages.record(.capture, from: sound.buffer.hostTime, to: dequeueTime)
            }
            return .element(sound.buffer, epoch: sound.epoch)
        case .nothing: return .nothing
        case .ended(let error):
            return .ended(error.map { ObscuraError(wrapping: $0, as: .capture, .deviceFailed, subject: name) })
        }
    }

    /// Calls the waiter if there is something to take.
    private func wake() {
        let waiter = state.withLock { state -> (@Sendable () -> Void)? in
            if state.failure == nil, case .nothing = queue.peek() { return nil }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?()
    }
}

/// A buffer of audio routed to a reader.
struct RoutedSound: RoutedItem {
    let buffer: AudioBuffer
    /// The time when the buffer entered the session.
    let arrival: HostTime
    let epoch: UInt64

    var sequence: UInt64 { buffer.position }
    var presentationTime: MediaTime { buffer.presentationTime }
}

extension ObscuraError {
    fileprivate static func noConverter(_ reader: String, _ format: AudioFormat, _ other: AudioFormat) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedFormat, subject: reader,
            reason: "the driver has no converter from \(format) to \(other)",
            advice: "Request the original audio format.")
    }
}
