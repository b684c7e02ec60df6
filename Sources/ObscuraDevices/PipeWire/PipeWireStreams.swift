// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The streams of one camera of PipeWire.
struct PipeWireStreams: DeviceStreams {
    private let camera: FoundDevice
    private let node: String
    private let remote: PipeWireRemote
    private let requested: VideoFormat?
    private var numbers = FrameNumbers()
    private var stamps = FrameStamps()
    /// The mode of the first stream, and of all later ones.
    private var mode: PipeWireMode?
    /// The layout of the last frame, which is computed only once for equal frames.
    private var picture: Picture?

    /// Limit for the daemon's list of objects.
    private static let listingTime = Duration.seconds(3)
    /// Limit for the agreement on a format: a node stays paused, without an error, if it rejects a format.
    private static let agreementTime = Duration.seconds(5)

    /// A layout, and what it was computed from.
    private final class Picture: Sendable {
        let areas: PipeWireAreas
        let crop: PixelRect?
        let shape: FrameShape
        let size: PixelSize

        init(areas: PipeWireAreas, crop: PixelRect?, shape: FrameShape, size: PixelSize) {
            self.areas = areas
            self.crop = crop
            self.shape = shape
            self.size = size
        }
    }

    /// Creates the streams.
    ///
    /// - Parameters:
    ///   - camera: the camera.
    ///   - node: the name of its node.
    ///   - requested: one of its modes; nil for its own choice.
    ///   - remote: the way to the daemon.
    init(camera: FoundDevice, node: String, requested: VideoFormat?, remote: PipeWireRemote) {
        self.camera = camera
        self.node = node
        self.requested = requested
        self.remote = remote
    }

    var name: String { camera.name }
    var format: SourceFormat? { (mode?.format ?? requested).map { SourceFormat(video: $0) } }

    func path() -> String? { PipeWireGraph(remote).path(ofNode: node) }

    mutating func run(_ life: RunLife) throws(ObscuraError) {
        let client = try PipeWireClient(remote)
        let objects = try client.objects(until: .now + Self.listingTime, unless: life.eventFD)
        guard let node = objects.nodes.first(where: { $0.isCamera && $0.name == node }) else {
            throw .system(ENODEV, camera.name, "")
        }
        let mode = try chosenMode(PipeWireModes(objects.offers(of: node)))
        self.mode = mode
        let stream = try PipeWireStream(client, node: node, mode: mode, stop: life.eventFD)
        guard let agreement = try agree(client, stream, life) else { return }
        life.started(SourceFormat(video: agreement.value.format))
        // Other clients may use the camera already, and its numbers then begin above 0.
        numbers.beginStream(countsFromStart: false)
        stamps.beginStream()
        picture = nil
        var deadline = StallDeadline(frameRate: agreement.value.format.frameRate, first: life.recovery.patience)
        while !life.isOver {
            // Frames may have arrived with the agreement.
            while !life.isOver, let delivery = stream.dequeue() {
                guard delivery.lease.memory.isMapped else { throw .noMapping(camera.name) }
                if deliver(delivery, agreement.value, life) {
                    deadline.restart()
                } else if .now >= deadline.time {
                    return
                }
            }
            switch try stream.wait(until: deadline.time) {
            case .ended: return
            case .messages: try check(stream, agreement.number)
            case .buffers: break
            }
        }
    }

    /// Waits until the stream runs. Returns nil when the run ends.
    ///
    /// - Throws: ``ObscuraError/Code/unsupportedFormat`` if there is no agreement.
    private func agree(
        _ client: PipeWireClient, _ stream: PipeWireStream, _ life: RunLife
    ) throws(ObscuraError) -> (number: UInt32, value: PipeWireAgreement)? {
        let deadline = HostTime.now + Self.agreementTime
        while !life.isOver {
            let (number, value) = stream.agreement
            // A format that the node rejects ends the link as well.
            if number == 0, stream.state == .unlinked, try hasNode(client, life) { throw .noAgreement(camera.name) }
            try check(stream, nil)
            if number > 0, stream.state == .streaming, stream.hasBuffers {
                guard let value else { throw .noAgreement(camera.name) }
                return (number, value)
            }
            guard try stream.wait(until: deadline) != .ended else {
                guard !life.isOver else { return nil }
                throw number == 0 ? .noAgreement(camera.name) : .system(ETIMEDOUT, camera.name, "it cannot be started")
            }
        }
        return nil
    }

    /// Whether the daemon still has the camera's node.
    private func hasNode(_ client: PipeWireClient, _ life: RunLife) throws(ObscuraError) -> Bool {
        let objects = try client.objects(until: .now + Self.listingTime, unless: life.eventFD)
        return objects.nodes.contains { $0.isCamera && $0.name == node }
    }

    /// Checks that the stream is linked, and has the format of this number; nil for any.
    private func check(_ stream: PipeWireStream, _ number: UInt32?) throws(ObscuraError) {
        try stream.checkLink(of: camera.name)
        if let number, stream.agreementNumber != number { throw .sourceChanged(camera.name) }
    }

    /// Delivers a frame. Returns false if it is damaged, and counts it as lost.
    private mutating func deliver(
        _ delivery: PipeWireDelivery, _ agreement: PipeWireAgreement, _ life: RunLife
    ) -> Bool {
        let now = HostTime.now
        let (sequence, gap) = numbers.number(of: delivery.sequence.map { UInt32(truncatingIfNeeded: $0) })
        guard !delivery.isBroken, let picture = picture(of: delivery, agreement) else {
            life.sink.loseFrame(sequence: sequence, gap: gap)
            return false
        }
        life.delivered(at: now)
        let (time, isEstimated) = stamps.time(of: delivery.stamp, now: now)
        var attachments = VideoFrame.Attachments()
        attachments.dequeueTime = now
        attachments.isHostTimeEstimated = isEstimated
        attachments.uprightTurn = delivery.transform.uprightTurn
        attachments.isMirrored = delivery.transform.isMirrored
        attachments.gap = gap
        let format = agreement.format
        let duration = format.frameRate?.frameDuration
        guard format.pixelFormat.isCompressed else {
            let buffer = delivery.lease.makeBuffer(
                agreement, shape: picture.shape, size: picture.size, contents: picture.areas.contents)
            let frame = VideoFrame(
                buffer: buffer, presentationTime: time.mediaTime, hostTime: time, duration: duration,
                sequence: sequence, attachments: attachments)
            life.sink.receive(frame, buffersLeft: delivery.buffersLeft)
            return true
        }
        let data = delivery.lease.copyBytes(delivery.areas.contents[0])
        life.sink.receive(
            EncodedFrame(
                format: format.pixelFormat, data: data, width: format.width, height: format.height,
                isKeyFrame: format.pixelFormat == .mjpeg || H264AccessUnit.isKeyFrame(data),
                presentationTime: time.mediaTime, hostTime: time, duration: duration, sequence: sequence,
                attachments: attachments))
        return true
    }

    /// Returns the layout of a frame; nil if the frame is not complete. An area that is not mapped is empty.
    private mutating func picture(of delivery: PipeWireDelivery, _ agreement: PipeWireAgreement) -> Picture? {
        let format = agreement.format
        guard !format.pixelFormat.isCompressed else {
            guard let bytes = delivery.areas.contents.first, !bytes.isEmpty else { return nil }
            return Picture(
                areas: delivery.areas, crop: nil, shape: FrameShape(planes: [], byteCounts: []), size: format.size)
        }
        if let picture, picture.areas === delivery.areas, picture.crop == delivery.crop { return picture }
        let (strides, contents) = (delivery.areas.strides, delivery.areas.contents)
        let planeCount = format.pixelFormat.planes(width: format.width, height: format.height).count
        let whole = FrameShape(
            format.pixelFormat, size: format.size, strides: strides,
            hasSeparatePlanes: planeCount > 1 && contents.count >= planeCount,
            swapsChroma: agreement.layout.swapsChroma)
        guard whole.byteCounts.count <= contents.count,
            zip(whole.byteCounts, contents).allSatisfy({ $0 <= $1.count })
        else { return nil }
        let part = delivery.crop.flatMap { $0.isAll(of: format.size) ? nil : $0 }
            .flatMap { whole.cropped(to: $0, format: format.pixelFormat, size: format.size) }
        picture = Picture(
            areas: delivery.areas, crop: delivery.crop, shape: part?.shape ?? whole, size: part?.size ?? format.size)
        return picture
    }

    /// Returns the requested mode, or the node's own choice; after an interruption the former mode, or the most similar
    /// one if the node no longer offers it: another program may have changed the format.
    private func chosenMode(_ modes: PipeWireModes) throws(ObscuraError) -> PipeWireMode {
        if let former = self.mode?.format, let mode = modes.mode(for: former) ?? modes.nearest(to: former) {
            return mode
        }
        if let requested {
            guard let mode = modes.mode(for: requested) else {
                throw ObscuraError.notOffered(requested, by: camera.name)
            }
            return mode
        }
        guard let mode = modes.all.first else {
            throw ObscuraError(
                .capture, .unsupportedFormat, subject: camera.name,
                reason: "PipeWire offers no supported format of this camera at present",
                remedy: .diagnose)
        }
        return mode
    }
}

extension PixelRect {
    /// Whether the rectangle contains a whole image of this size.
    fileprivate func isAll(of size: PixelSize) -> Bool {
        clipped(to: size) == PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    }
}

extension ObscuraError {
    fileprivate static func noMapping(_ camera: String) -> ObscuraError {
        ObscuraError(
            .capture, .deviceFailed, subject: camera,
            reason:
                "PipeWire delivers frames in memory that cannot be mapped, is smaller than stated, or is not sealed "
                + "against shrinking",
            remedy: .diagnose)
    }

    fileprivate static func noAgreement(_ camera: String) -> ObscuraError {
        ObscuraError(
            .capture, .unsupportedFormat, subject: camera,
            reason: "PipeWire cannot deliver the requested format; another program may be using the camera in another "
                + "format",
            remedy: .listFormats)
    }
}
