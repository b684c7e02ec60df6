// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import ObscuraBase
internal import ObscuraMedia

/// The sink of a driver: passes everything on to the source, and notes it in the trace of the session, if there is one.
final class TracedSink: CaptureSink {
    /// A reference that does not keep the device open.
    struct Weak {
        private(set) weak var sink: TracedSink?

        init(_ sink: TracedSink) { self.sink = sink }
    }

    private struct Trace {
        let writer: TraceWriter
        let device: Int
    }

    private struct State {
        var trace: Trace?
        /// The formats of the device; nil before its start.
        var format: SourceFormat?
        var isClosed = false
    }

    private let source: any CaptureSink
    private let device: CaptureDevice
    /// The pool for copies of pictures.
    private let copies: PixelBufferPool
    private let state = Lock(State())

    /// - Parameters:
    ///   - source: what receives everything.
    ///   - copies: the pool for copies of pictures.
    init(_ source: any CaptureSink, of device: CaptureDevice, copies: PixelBufferPool) {
        self.source = source
        self.device = device
        self.copies = copies
    }

    /// Begins to note what comes.
    func begin(_ writer: TraceWriter) {
        state.withLock { state in
            guard state.trace == nil, !state.isClosed else { return }
            let trace = Trace(writer: writer, device: writer.open(device))
            if let format = state.format { writer.noteStart(of: trace.device, format) }
            state.trace = trace
        }
    }

    /// Notes the formats of the device, which has started.
    func started(_ format: SourceFormat) {
        state.withLock { state in
            state.format = format
            if let trace = state.trace { trace.writer.noteStart(of: trace.device, format) }
        }
    }

    /// Notes that the session closes the device.
    func closed() {
        // Without waiting, for a stop of the session must not wait for the disk.
        note(.close, waits: false) { _, _ in }
        state.withLock { ($0.isClosed, $0.trace) = (true, nil) }
    }

    func endTrace() {
        state.withLock { $0.trace = nil }
    }

    // MARK: CaptureSink

    func receive(_ frame: consuming VideoFrame, buffersLeft: Int?) {
        let frame = consume frame
        // A copy: the driver must get its buffer back, however slow the disk is.
        note(.frame, picture: { [copies] in try? frame.buffer.copy(in: copies) }) { record, writer in
            record.frame = TraceRecord.Frame(frame, writer)
            record.frame?.buffersLeft = buffersLeft
        }
        source.receive(frame, buffersLeft: buffersLeft)
    }

    func receive(_ frame: EncodedFrame) {
        note(.frame) { $0.frame = TraceRecord.Frame(frame, $1, includesData: $1.includesPictures) }
        source.receive(frame)
    }

    func receive(_ sound: AudioBuffer) {
        note(.sound) { $0.sound = TraceRecord.Sound(sound, $1) }
        source.receive(sound)
    }

    func receiveEncoded(_ frame: EncodedFrame) {
        note(.encodedBeside) { $0.frame = TraceRecord.Frame(frame, $1, includesData: false) }
        source.receiveEncoded(frame)
    }

    func receiveEncoded(_ packet: EncodedAudio) {
        note(.encodedBeside) { $0.sound = TraceRecord.Sound(packet, $1) }
        source.receiveEncoded(packet)
    }

    func loseFrame(sequence: UInt64?, gap: UInt64) {
        note(.lostFrame) { record, _ in (record.sequence, record.gap) = (sequence, gap) }
        source.loseFrame(sequence: sequence, gap: gap)
    }

    func interrupted(_ reason: InterruptionReason) {
        note(.interrupted) { record, _ in record.reason = reason }
        source.interrupted(reason)
    }

    func resumed() {
        note(.resumed) { _, _ in }
        source.resumed()
    }

    func finish(throwing error: ObscuraError?) {
        note(.end) { record, _ in record.error = error.map(TraceRecord.Failure.init) }
        source.finish(throwing: error)
    }

    var demand: MediaDemand { source.demand }
    var wantsAudio: Bool { source.wantsAudio }
    var pool: PixelBufferPool { source.pool }

    // MARK: Records

    /// Notes something, if there is a trace.
    ///
    /// - Parameters:
    ///   - waits: whether to wait for the disk if the device is not live.
    ///   - picture: makes the picture to store; called only if the trace has pictures.
    private func note(
        _ kind: TraceRecord.Kind, waits: Bool = true, picture: () -> PixelBuffer? = { nil },
        _ fill: (inout TraceRecord, TraceWriter) -> Void
    ) {
        guard let trace = state.withLock({ $0.trace }) else { return }
        var record = TraceRecord(kind, at: trace.writer.nanoseconds(.now), device: trace.device)
        fill(&record, trace.writer)
        trace.writer.note(
            record, picture: trace.writer.includesPictures ? picture() : nil,
            waits: waits && !device.driver.isLive)
    }
}

extension TraceWriter {
    fileprivate func noteStart(of device: Int, _ format: SourceFormat) {
        var record = TraceRecord(.start, at: nanoseconds(.now), device: device)
        (record.video, record.audio) = (format.video, format.audio)
        note(record)
    }
}

extension TraceRecord.Time {
    /// Nil if the time is the usual one.
    fileprivate init?(_ time: MediaTime, unless usual: MediaTime) {
        guard time != usual else { return nil }
        self.init(time)
    }
}

extension TraceRecord.Frame {
    fileprivate init(_ frame: VideoFrame, _ writer: TraceWriter) {
        let buffer = frame.buffer
        self.init(
            format: buffer.format, width: buffer.width, height: buffer.height, sequence: frame.sequence,
            captured: writer.nanoseconds(frame.hostTime))
        time = TraceRecord.Time(frame.presentationTime, unless: frame.hostTime.mediaTime)
        duration = frame.duration.map(TraceRecord.Time.init)
        take(frame.attachments)
    }

    fileprivate init(_ frame: EncodedFrame, _ writer: TraceWriter, includesData: Bool) {
        self.init(
            format: frame.format, width: frame.width, height: frame.height, sequence: frame.sequence,
            captured: writer.nanoseconds(frame.hostTime))
        time = TraceRecord.Time(frame.presentationTime, unless: frame.hostTime.mediaTime)
        decodeTime = TraceRecord.Time(frame.decodeTime, unless: frame.presentationTime)
        duration = frame.duration.map(TraceRecord.Time.init)
        isKeyFrame = frame.isKeyFrame
        byteCount = frame.data.count
        // Parameter sets beside the frames become part of the frame, which decoders accept as well.
        if includesData { data = Data((frame.isKeyFrame ? frame.parameterSets : []) + frame.data) }
        take(frame.attachments)
    }

    private mutating func take(_ notes: VideoFrame.Attachments) {
        gap = notes.gap == 0 ? nil : notes.gap
        isDiscontinuity = notes.isDiscontinuity ? true : nil
        isHostTimeEstimated = notes.isHostTimeEstimated ? true : nil
        uprightTurn = notes.uprightTurn == .up ? nil : notes.uprightTurn
        isMirrored = notes.isMirrored ? true : nil
    }
}

extension TraceRecord.Sound {
    fileprivate init(_ sound: AudioBuffer, _ writer: TraceWriter) {
        self.init(
            frameCount: sound.frameCount, position: sound.position, captured: writer.nanoseconds(sound.hostTime))
        time = TraceRecord.Time(sound.presentationTime, unless: sound.hostTime.mediaTime)
        gap = sound.attachments.gap == 0 ? nil : sound.attachments.gap
        isDiscontinuity = sound.attachments.isDiscontinuity ? true : nil
        isTimeEstimated = sound.attachments.isTimeEstimated ? true : nil
    }

    fileprivate init(_ packet: EncodedAudio, _ writer: TraceWriter) {
        self.init(frameCount: 0, position: packet.sequence, captured: writer.nanoseconds(packet.hostTime))
        time = TraceRecord.Time(packet.presentationTime)
    }
}
