// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The streams of one camera of the kernel.
struct V4L2Streams: DeviceStreams {
    private let camera: FoundCamera
    private let finder: CameraFinder
    private let wanted: VideoFormat?
    private var numbers = V4L2Numbers()
    private var stamps = V4L2Stamps()
    /// The mode of the first stream, which all others have as well.
    private var mode: V4L2Mode?

    /// A camera that has given frames, and then nothing for so long and for five frames, has stalled.
    private static let stallTime = Duration.seconds(3)

    /// - Parameters:
    ///   - camera: what it runs.
    ///   - wanted: one of its modes; nil leaves it to the camera.
    ///   - finder: finds the camera again when it was unplugged.
    init(camera: FoundCamera, wanted: VideoFormat?, finder: CameraFinder) {
        self.camera = camera
        self.wanted = wanted
        self.finder = finder
    }

    var name: String { camera.name }
    var format: SourceFormat? { (mode?.format ?? wanted).map { SourceFormat(video: $0) } }

    func path() -> String? { finder.path(of: camera) }

    mutating func run(_ life: RunLife) throws(ObscuraError) {
        // Another camera may have its node by now.
        guard let path = path() else { throw .system(ENODEV, camera.path, "") }
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
        let patience = stallPatience(stream.agreement.format)
        var deadline = HostTime.now + max(patience, life.recovery.patience)
        while !life.isOver {
            // Waited for first: a dequeue that finds nothing is a call in vain for each frame, made while the reader
            // gives its buffer back.
            let wait = life.eventFD.wait(with: device.descriptor, noticesEvents: stream.hasEvents, until: deadline)
            if wait == .signaled || wait == .timedOut { return }
            if wait == .event { try stream.checkEvents() }
            if let delivery = try stream.dequeue() {
                try stream.checkPicture()
                deliver(delivery, of: stream, life)
                deadline = .now + patience
            } else if wait == .failed {
                throw ObscuraError(.capture, .deviceFailed, subject: path, reason: "its driver gave the stream up")
            }
        }
    }

    private func stallPatience(_ format: VideoFormat) -> Duration {
        let interval = format.frameRate?.frameDuration.duration ?? .zero
        return max(Self.stallTime, interval * 5)
    }

    private mutating func deliver(_ delivery: V4L2Delivery, of stream: V4L2Stream, _ life: RunLife) {
        let now = HostTime.now
        let (sequence, gap) = numbers.number(of: delivery.sequence)
        guard !delivery.isBroken, delivery.isWhole(stream.agreement.shape) else {
            return life.sink.loseFrame(sequence: sequence, gap: gap)
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
                buffer: delivery.makePicture(), presentationTime: time.mediaTime, hostTime: time,
                duration: duration, sequence: sequence, attachments: attachments)
            return life.sink.receive(frame, buffersLeft: stream.isExclusive ? delivery.buffersLeft : 0)
        }
        let data = delivery.copyBytes()
        life.sink.receive(
            EncodedFrame(
                format: format.pixelFormat, data: data, width: format.width, height: format.height,
                isKeyFrame: format.pixelFormat == .mjpeg || H264AccessUnit.isKeyFrame(data),
                presentationTime: time.mediaTime, hostTime: time, duration: duration, sequence: sequence,
                attachments: attachments))
    }

    /// The mode that was asked for, or the camera's own choice.
    private func chosenMode(of device: V4L2Device) throws(ObscuraError) -> V4L2Mode {
        let modes = V4L2Modes(of: device)
        if let wanted {
            guard let mode = modes.mode(for: wanted) else {
                throw ObscuraError(
                    .capture, .unsupportedFormat, subject: camera.name,
                    reason: "it has no mode \(wanted.size) \(wanted.pixelFormat.rawValue)",
                    remedy: .listFormats)
            }
            return mode
        }
        guard let mode = modes.all.first else {
            let offered = device.fourCCs
            guard !offered.isEmpty else {
                throw ObscuraError(
                    .capture, .unsupportedFormat, subject: camera.name, reason: "it gives no pictures at this moment",
                    advice: "If it is a loopback device, start the program that feeds it.")
            }
            throw ObscuraError(
                .capture, .unsupportedFormat, subject: camera.name,
                reason: "none of its pixel formats (\(offered.map(\.description).joined(separator: ", "))) "
                    + "is known")
        }
        return mode
    }
}
