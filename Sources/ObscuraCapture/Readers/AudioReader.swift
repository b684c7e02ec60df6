// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A reader of a connection's audio: its queue, and the conversion to the requested format.
///
/// Audio is converted on the source's thread before it is queued: 10 ms of audio take a few microseconds, and a
/// converter must process all audio, including buffers that are later dropped as late.
final class AudioReader: QueuedReader {
    typealias Item = RoutedSound
    typealias Element = AudioBuffer

    private struct Conversion {
        var converter: (any AudioConverter)?
        var source: AudioFormat?
        var target: AudioFormat?
        var epoch: UInt64 = 0
    }

    let line: ReaderQueue<RoutedSound>
    private let settings: @Sendable () -> AudioFormat?
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
        self.settings = settings
        line = ReaderQueue(name: name, policy: policy, onDrop: onDrop)
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
            fail(error)
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
        // The remaining audio of the converter precedes the end. Without waiting for the consumer: the session ends a
        // disconnected microphone on its control thread.
        let (converter, epoch) = conversion.withLock { conversion in
            defer { conversion = Conversion() }
            return (conversion.converter, conversion.epoch)
        }
        if let rest = try? converter?.finish() {
            enqueue(RoutedSound(buffer: rest, arrival: .now, epoch: epoch), waits: false)
        }
        queue.finish(throwing: error)
    }

    func content(of item: RoutedSound) -> (element: AudioBuffer, hostTime: HostTime, dequeueTime: HostTime?)? {
        (item.buffer, item.buffer.hostTime, item.buffer.attachments.dequeueTime)
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
