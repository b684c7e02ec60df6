// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The streams of one V4L2 camera.
struct V4L2Streams: DeviceStreams {
    private let camera: FoundDevice
    private let finder: any DeviceFinder
    private let requested: VideoFormat?
    private var numbers = FrameNumbers()
    private var stamps = FrameStamps()
    /// The mode of the first stream, and of all later ones.
    private var mode: V4L2Mode?

    /// The pause after a buffer without a frame.
    private static let unfilledPause = Duration.milliseconds(5)

    /// Creates the streams.
    ///
    /// - Parameters:
    ///   - camera: the camera.
    ///   - requested: one of its modes; nil for its own choice.
    ///   - finder: locates the camera when it is connected again.
    init(camera: FoundDevice, requested: VideoFormat?, finder: any DeviceFinder) {
        self.camera = camera
        self.requested = requested
        self.finder = finder
    }

    var name: String { camera.name }
    var format: SourceFormat? { (mode?.format ?? requested).map { SourceFormat(video: $0) } }

    func path() -> String? { finder.path(of: camera) }

    mutating func run(_ life: RunLife) throws(ObscuraError) {
        let path = try finder.currentPath(of: camera)
        let device = try V4L2Device(path: path, namesHolders: !life.hasStarted)
        let mode: V4L2Mode
        if let known = self.mode { mode = known } else { mode = try chosenMode(of: device) }
        self.mode = mode
        let stream = try V4L2Stream(device: device, mode: mode)
        defer { stream.close() }
        try stream.start()
        life.started(SourceFormat(video: stream.agreement.format))
        numbers.beginStream(countsFromStart: stream.isExclusive)
        stamps.beginStream()
        var deadline = StallDeadline(frameRate: stream.agreement.format.frameRate, first: life.recovery.patience)
        while !life.isOver {
            // The wait comes first: a failed dequeue before it would cost one call per frame, while the reader
            // releases its buffer.
            let wait = life.eventFD.wait(with: device.descriptor, noticesEvents: stream.hasEvents, until: deadline.time)
            if wait == .signaled || wait == .timedOut { return }
            if wait == .event { try stream.checkEvents() }
            if let delivery = try stream.dequeue() {
                guard !delivery.isUnfilled else {
                    // A driver whose device is being removed may return each queued buffer at once.
                    let pause = life.eventFD.wait(with: nil, until: .now + Self.unfilledPause)
                    if pause == .signaled || .now >= deadline.time { return }
                    continue
                }
                try stream.checkPicture()
                if deliver(delivery, of: stream, life) {
                    deadline.restart()
                } else if .now >= deadline.time {
                    return
                }
            } else if wait == .failed {
                throw ObscuraError(.capture, .deviceFailed, subject: path, reason: "its driver ended the stream")
            }
        }
    }

    /// Delivers a frame. Returns false if it is damaged, and counts it as lost.
    private mutating func deliver(_ delivery: V4L2Delivery, of stream: V4L2Stream, _ life: RunLife) -> Bool {
        let now = HostTime.now
        let (sequence, gap) = numbers.number(of: delivery.sequence)
        guard !delivery.isBroken, delivery.isComplete(stream.agreement.shape) else {
            life.sink.loseFrame(sequence: sequence, gap: gap)
            return false
        }
        life.delivered(at: now)
        let (time, isEstimated) = stamps.time(of: delivery.stamp, now: now)
        var attachments = VideoFrame.Attachments()
        attachments.dequeueTime = now
        attachments.isHostTimeEstimated = isEstimated
        attachments.uprightTurn = Orientation(degrees: camera.rotation)
        attachments.gap = gap
        let format = stream.agreement.format
        let duration = format.frameRate?.frameDuration
        guard format.pixelFormat.isCompressed else {
            let frame = VideoFrame(
                buffer: delivery.makeBuffer(), presentationTime: time.mediaTime, hostTime: time,
                duration: duration, sequence: sequence, attachments: attachments)
            life.sink.receive(frame, buffersLeft: stream.isExclusive ? delivery.buffersLeft : 0)
            return true
        }
        let data = delivery.copyBytes()
        life.sink.receive(
            EncodedFrame(
                format: format.pixelFormat, data: data, width: format.width, height: format.height,
                isKeyFrame: format.pixelFormat == .mjpeg || H264AccessUnit.isKeyFrame(data),
                presentationTime: time.mediaTime, hostTime: time, duration: duration, sequence: sequence,
                attachments: attachments))
        return true
    }

    /// Returns the requested mode, or the camera's own choice.
    private func chosenMode(of device: V4L2Device) throws(ObscuraError) -> V4L2Mode {
        let modes = V4L2Modes(of: device)
        if let requested, let mode = modes.mode(for: requested) { return mode }
        guard let mode = modes.all.first else {
            let offered = device.fourCCs
            guard !offered.isEmpty else {
                throw ObscuraError(
                    .capture, .unsupportedFormat, subject: camera.name, reason: "it delivers no frames at present",
                    advice: "If it is a loopback device, start the program that writes to it.")
            }
            throw ObscuraError(
                .capture, .unsupportedFormat, subject: camera.name,
                reason: "none of its pixel formats (\(offered.map(\.description).joined(separator: ", "))) "
                    + "is supported")
        }
        if let requested { throw .notOffered(requested, by: camera.name) }
        return mode
    }
}
