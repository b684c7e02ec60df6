// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// The streams of one microphone of PipeWire, or of the sound that a sink plays.
struct PipeWireSoundStreams: DeviceStreams {
    private let microphone: FoundDevice
    private let node: String
    private let remote: PipeWireRemote
    private let agreed: AudioFormat
    private var timeline: SoundTimeline

    private static let listingTime = Duration.seconds(3)
    /// Limit for the first sound. A graph starts its devices only when a program captures.
    private static let startTime = Duration.seconds(5)
    /// Deliveries per second: levels change 20 times a second.
    private static let deliveriesPerSecond = 50

    /// Creates the streams.
    ///
    /// - Parameters:
    ///   - microphone: the microphone.
    ///   - node: the name of its node.
    ///   - requested: the requested format, to which PipeWire converts; its samples are always floating point.
    ///   - remote: the way to the daemon.
    init(microphone: FoundDevice, node: String, requested: AudioFormat, remote: PipeWireRemote) {
        self.microphone = microphone
        self.node = node
        self.remote = remote
        agreed = AudioFormat(sampleRate: requested.sampleRate, channelCount: requested.channelCount)
        timeline = SoundTimeline(sampleRate: agreed.sampleRate)
    }

    var name: String { microphone.name }
    var format: SourceFormat? { SourceFormat(audio: agreed) }

    func path() -> String? { PipeWireGraph(remote).path(ofNode: node) }

    mutating func run(_ life: RunLife) throws(ObscuraError) {
        let client = try PipeWireClient(remote)
        let objects = try client.objects(until: .now + Self.listingTime, unless: life.eventFD)
        guard let node = objects.nodes.first(where: { $0.hasSound && $0.name == node }) else {
            throw .system(ENODEV, microphone.name, "")
        }
        let period = max(1, agreed.sampleRate / Self.deliveriesPerSecond)
        let stream = try PipeWireStream(client, node: node, format: agreed, period: period, stop: life.eventFD)
        timeline.beginStream(.anew)
        var losses = GraphLosses(sampleRate: agreed.sampleRate)
        var deadline = StallDeadline(first: max(Self.startTime, life.recovery.patience))
        while !life.isOver {
            switch try stream.wait(until: deadline.time) {
            case .ended: return
            case .messages: try stream.checkLink(of: microphone.name)
            case .buffers: break
            }
            while !life.isOver, let delivery = stream.dequeue() {
                // Reported with the first sound: a node may never start.
                if !life.hasStarted { life.started(SourceFormat(audio: agreed)) }
                deliver(delivery, &losses, life)
                deadline.restart()
            }
            // The samples were copied.
            stream.returnBuffers()
        }
    }

    private mutating func deliver(_ delivery: PipeWireDelivery, _ losses: inout GraphLosses, _ life: RunLife) {
        let now = HostTime.now
        let samples = delivery.lease.copySamples(delivery.areas.contents.first ?? 0..<0)
        let count = samples.count / agreed.channelCount
        guard count > 0 else { return }
        var waiting = count
        var lost: UInt64 = 0
        if let clock = delivery.clock {
            lost = losses.losses(before: count, pending: clock.pending, ticks: clock.ticks, rate: clock.rate)
            if lost > 0 { timeline.beginStream(.afterLoss) }
            // Buffers of a stream have the same size, except for the conversion to another rate.
            waiting += clock.pending * count + clock.delay(at: agreed.sampleRate)
        }
        let place = timeline.place(
            count, waiting: waiting, stamp: delivery.clock?.time, now: now, lost: lost > 0 ? lost : nil)
        life.delivered(at: now)
        life.sink.receive(
            AudioBuffer(
                format: agreed, samples: .float32(Array(samples.prefix(count * agreed.channelCount))),
                presentationTime: place.time.mediaTime, hostTime: place.time, position: place.position,
                attachments: timeline.attachments(of: place, dequeued: now)))
    }
}
