// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A run that plays a camera of a trace on a thread of its own: what its driver delivered and reported, in the same order.
final class TraceRun: ThreadedRun {
    private let device: TracedDevice
    private let isLive: Bool
    private let sink: any CaptureSink
    private let clock: any CaptureClock
    let thread = RunThread()

    /// - Parameter isLive: whether records come at their times. If false, they come as fast as readers take them.
    init(_ device: TracedDevice, isLive: Bool, sink: any CaptureSink, clock: any CaptureClock) {
        self.device = device
        self.isLive = isLive
        self.sink = sink
        self.clock = clock
    }

    func start() throws -> SourceFormat {
        try thread.start(name: "replay", subject: device.path) { [self] in
            do throws(ObscuraError) {
                try play(TraceReader(device.path))
            } catch {
                sink.finish(throwing: error)
            }
        }
        return SourceFormat(video: device.video, audio: device.audio)
    }

    /// The state of the playback.
    private struct Place {
        /// The start of the playback, and of the camera in the trace.
        let begin: HostTime
        var first: Int64?
        /// The ids of the devices of the trace, by number.
        var devices: [Int: String] = [:]
        var scene: PatternScene?
        var size: PixelSize?
    }

    private func play(_ reader: TraceReader) throws(ObscuraError) {
        var place = Place(begin: clock.now)
        while let record = try reader.next() {
            guard !thread.cancellation.isCancelled else { return }
            guard let number = record.device else { continue }
            if record.kind == .open { place.devices[number] = record.info?.uniqueID }
            let id = place.devices[number]
            let isCamera = id != nil && id == device.camera ?? device.microphone
            guard isCamera || id != nil && id == device.microphone else { continue }
            if place.first == nil { place.first = record.at }
            guard isDue(record.at, place) else { return }
            switch record.kind {
            case .frame where isCamera: if let frame = record.frame { try give(frame, &place) }
            case .sound where id == device.microphone: if let sound = record.sound { give(sound, place) }
            case .lostFrame where isCamera: sink.loseFrame(sequence: record.sequence, gap: record.gap ?? 0)
            case .interrupted where isCamera: if let reason = record.reason { sink.interrupted(reason) }
            case .resumed where isCamera: sink.resumed()
            case .end where isCamera: return sink.finish(throwing: record.error?.error)
            default: break
            }
        }
        sink.finish(throwing: nil)
    }

    /// Waits until the time of a record. Returns false if the run is cancelled.
    private func isDue(_ time: Int64, _ place: Place) -> Bool {
        !isLive || clock.wait(until: host(time, place), unless: thread.cancellation)
    }

    /// The time of the playback for a time of the trace.
    private func host(_ time: Int64, _ place: Place) -> HostTime {
        isLive ? place.begin + .nanoseconds(time - (place.first ?? 0)) : clock.now
    }

    /// The presentation time: that of the driver or, if it was the time of capture, that of the playback. If it is not
    /// live, this is the time of the trace, the same in each playback.
    private func time(_ own: TraceRecord.Time?, captured: Int64, _ place: Place) -> MediaTime {
        if let own { return own.mediaTime }
        if isLive { return host(captured, place).mediaTime }
        return MediaTime(value: captured, timescale: 1_000_000_000)
    }

    // MARK: Frames and sound

    private func give(_ frame: TraceRecord.Frame, _ place: inout Place) throws(ObscuraError) {
        let stamp = host(frame.captured, place)
        let shown = time(frame.time, captured: frame.captured, place)
        var notes = VideoFrame.Attachments()
        notes.gap = frame.gap ?? 0
        notes.isDiscontinuity = frame.isDiscontinuity ?? false
        notes.isHostTimeEstimated = frame.isHostTimeEstimated ?? false
        notes.uprightTurn = frame.uprightTurn ?? .up
        notes.isMirrored = frame.isMirrored ?? false
        let duration = frame.duration?.mediaTime
        if device.hasPictures {
            // One that could not be compressed in time.
            guard let data = frame.data else { return sink.loseFrame(sequence: frame.sequence) }
            sink.receive(
                EncodedFrame(
                    format: frame.format.isCompressed ? frame.format : .mjpeg, data: Array(data), width: frame.width,
                    height: frame.height, isKeyFrame: frame.isKeyFrame ?? true, presentationTime: shown,
                    decodeTime: frame.decodeTime?.mediaTime, hostTime: stamp, duration: duration,
                    sequence: frame.sequence, attachments: notes))
        } else if let picture = try draw(frame, at: shown, &place) {
            sink.receive(
                VideoFrame(
                    buffer: picture, presentationTime: shown, hostTime: stamp, duration: duration,
                    sequence: frame.sequence, attachments: notes),
                buffersLeft: frame.buffersLeft)
        }
    }

    /// Draws the test pattern with the number of the frame; nil if readers hold all buffers, or the run is cancelled.
    private func draw(
        _ frame: TraceRecord.Frame, at time: MediaTime, _ place: inout Place
    ) throws(ObscuraError) -> PixelBuffer? {
        let size = PixelSize(width: frame.width, height: frame.height)
        if place.size != size {
            try TracedDevice.check(size, device.path)
            (place.scene, place.size) = (try PatternScene(size: size), size)
        }
        while true {
            if let picture = try? place.scene?.draw(sequence: frame.sequence, time: time, in: sink.pool) {
                return picture
            }
            // A live camera goes on, which leaves a gap.
            guard !isLive, clock.wait(until: clock.now + .milliseconds(1), unless: thread.cancellation) else {
                return nil
            }
        }
    }

    private func give(_ sound: TraceRecord.Sound, _ place: Place) {
        guard let format = device.audio, (1...format.sampleRate * 10).contains(sound.frameCount) else { return }
        var notes = AudioBuffer.Attachments()
        notes.gap = sound.gap ?? 0
        notes.isDiscontinuity = sound.isDiscontinuity ?? false
        notes.isTimeEstimated = sound.isTimeEstimated ?? false
        sink.receive(
            AudioBuffer(
                format: format, samples: .silence(sound.frameCount * format.channelCount, format.sampleType),
                presentationTime: time(sound.time, captured: sound.captured, place),
                hostTime: host(sound.captured, place), position: sound.position, attachments: notes))
    }
}

extension AudioBuffer.Samples {
    fileprivate static func silence(_ count: Int, _ type: AudioFormat.SampleType) -> Self {
        switch type {
        case .int16: .int16([Int16](repeating: 0, count: count))
        case .int32: .int32([Int32](repeating: 0, count: count))
        case .float32: .float32([Float](repeating: 0, count: count))
        }
    }
}
