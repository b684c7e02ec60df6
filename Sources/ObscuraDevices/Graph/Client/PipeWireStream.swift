// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CPipeWire
internal import Glibc
internal import ObscuraCapture
internal import ObscuraMedia

/// A stream of frames or sound from one node. For the thread of its client, which must outlive it.
final class PipeWireStream {
    /// The state of a stream.
    enum State: Sendable, Hashable {
        /// The node and the stream have not agreed on a format yet, or the node is paused.
        case preparing
        case streaming
        /// The node has disappeared, or the daemon has cut the link.
        case unlinked
        case failed(String)
    }

    /// The result of a wait.
    enum Wait: Sendable, Hashable {
        /// Buffers were released.
        case buffers
        /// The client's events were handled: buffers may have arrived, and the link or the agreement may have changed.
        case messages
        /// The run ends, or the deadline has passed.
        case ended
    }

    /// One of the stream's buffers.
    private struct Place {
        var memory: PipeWireMemory?
        /// The number of its leases outside the producer.
        var held = 0
    }

    /// The buffers that readers have released.
    private let returns: PipeWireReturns
    /// Whether the producer writes to buffers that readers hold; their frames must be copied at once. SPA's
    /// `videotestsrc` does.
    // For one thread, so that the runtime's exclusivity checks, at each frame, would be redundant. The same holds below.
    @exclusivity(unchecked) private var overwritesHeldBuffers = false
    private let client: PipeWireClient
    private let stop: EventFD
    private let poll: EventPoll
    private let stream: OpaquePointer
    private let node: PipeWireObject
    /// The client's number of removed objects when the node was last known to exist.
    private var removals: UInt32
    private var wasLinked = false
    @exclusivity(unchecked) private var places = Array(repeating: Place(), count: Int(OPWMostBuffers))
    /// The number of buffers with leases.
    @exclusivity(unchecked) private var heldCount = 0
    /// The buffers that are being returned; empty otherwise.
    @exclusivity(unchecked) private var returned: [PipeWireReturns.Returned] = []
    /// The last frame that lay in its memory in another way than the one before, and that way.
    @exclusivity(unchecked) private var shaped = OPWFrame()
    @exclusivity(unchecked) private var areas = PipeWireAreas(OPWFrame())
    /// The first buffer, which is kept for a while: a producer that respects readers does not fill it. Nil afterwards.
    @exclusivity(unchecked) private var bait: PipeWireReturns.Returned?
    /// The number of frames so far, until the producer is known.
    @exclusivity(unchecked) private var examined = 0

    private var functions: OPWFunctions { client.functions }

    /// - Parameter make: creates the stream. Returns nil and a negative errno if that fails.
    private init(
        _ client: PipeWireClient, node: PipeWireObject, stop: EventFD, make: (inout Int32) -> OpaquePointer?
    ) throws(ObscuraError) {
        self.client = client
        self.node = node
        self.stop = stop
        returns = try PipeWireReturns()
        poll = try EventPoll(node.name)
        try poll.add(signalsOf: returns.wake)
        try poll.add(client.descriptor)
        try poll.add(stop.descriptor)
        removals = client.removalCount
        var status: Int32 = 0
        guard let stream = make(&status) else {
            throw .system(-status, node.name, "no stream can be created")
        }
        self.stream = stream
    }

    /// Requests frames of a node in one mode.
    ///
    /// - Parameter stop: ends all waits.
    convenience init(
        _ client: PipeWireClient, node: PipeWireObject, mode: PipeWireMode, bufferCount: Int = 10, stop: EventFD
    ) throws(ObscuraError) {
        let rate = mode.format.frameRate
        var request = OPWVideoRequest(
            subtype: mode.layout.subtype, format: mode.layout.format, width: UInt32(clamping: mode.format.width),
            height: UInt32(clamping: mode.format.height),
            rate: OPWFraction(
                numerator: UInt32(clamping: rate?.frames ?? 0), denominator: UInt32(clamping: rate?.seconds ?? 1)),
            hasModifier: mode.needsModifier, bufferCount: UInt32(clamping: bufferCount))
        try self.init(client, node: node, stop: stop) { status in
            client.functions.makeVideoStream(client.client, node.serial, &request, &status)
        }
    }

    /// Requests sound of a node, or the sound that it plays, as 32-bit floating-point samples.
    ///
    /// - Parameters:
    ///   - period: the number of sample frames that arrive together.
    ///   - stop: ends all waits.
    convenience init(
        _ client: PipeWireClient, node: PipeWireObject, format: AudioFormat, period: Int, stop: EventFD
    ) throws(ObscuraError) {
        var request = OPWSoundRequest(
            sampleRate: UInt32(clamping: format.sampleRate), channelCount: UInt32(clamping: format.channelCount),
            period: UInt32(clamping: period), capturesSink: node.isSink)
        try self.init(client, node: node, stop: stop) { status in
            client.functions.makeSoundStream(client.client, node.serial, &request, &status)
        }
    }

    deinit {
        functions.freeStream(stream)
        returns.close()
    }

    /// Waits for filled and released buffers and for the daemon's messages. Returns the released buffers to the producer,
    /// and handles the events of the client.
    ///
    /// - Throws: ``ObscuraError/Code/deviceDisconnected`` once the daemon has ended.
    func wait(until deadline: HostTime) throws(ObscuraError) -> Wait {
        guard poll.wait(until: deadline), !poll.isReady(stop.descriptor) else { return .ended }
        returnBuffers()
        guard poll.isReady(client.descriptor) else { return .buffers }
        try client.iterate()
        return .messages
    }

    /// The current state.
    var state: State {
        switch functions.streamState(stream) {
        case .failed:
            return .failed(functions.streamMessage(stream).map { String(cString: $0) } ?? "unknown error")
        case .streaming:
            wasLinked = true
            return .streaming
        case .paused:
            wasLinked = true
            return .preparing
        // With the flag not to reconnect, a stream whose node disappears becomes unconnected, without an error.
        case .unconnected, .connecting: return wasLinked ? .unlinked : .preparing
        }
    }

    /// Checks that the node has not disappeared, and that the stream has not failed.
    ///
    /// - Parameter name: the display name of the device.
    func checkLink(of name: String) throws(ObscuraError) {
        switch state {
        case .failed(let message):
            throw ObscuraError(
                .capture, .deviceFailed, subject: name, reason: "PipeWire reports: \(message)", remedy: .diagnose)
        case .unlinked: throw .system(ENODEV, name, "")
        case .preparing, .streaming: break
        }
        // PipeWire 1.6 only pauses a stream whose node is gone.
        guard client.removalCount != removals else { return }
        guard client.has(node) else { throw .system(ENODEV, name, "") }
        removals = client.removalCount
    }

    /// The number of the current agreement, 0 before the first, and the agreement; nil for a format that is not
    /// supported.
    var agreement: (number: UInt32, value: PipeWireAgreement?) {
        var format = OPWFormat()
        let number = functions.streamFormat(stream, &format)
        return (number, number == 0 ? nil : PipeWireAgreement(format))
    }

    /// The number of ``agreement``.
    var agreementNumber: UInt32 {
        var format = OPWFormat()
        return functions.streamFormat(stream, &format)
    }

    /// Whether the stream has its buffers.
    var hasBuffers: Bool { functions.bufferCount(stream) > 0 }

    /// Returns the released buffers to the producer.
    func returnBuffers() {
        returns.take(&returned)
        for one in returned {
            // The place may have another buffer by now.
            guard places[one.place].memory === one.memory, places[one.place].held > 0 else { continue }
            places[one.place].held -= 1
            // A buffer that the producer has filled again in the meantime has another lease.
            guard places[one.place].held == 0 else { continue }
            heldCount -= 1
            if let buffer = UnsafeMutableRawPointer(bitPattern: one.address) { one.memory.queue(buffer, in: stream) }
        }
        returned.removeAll(keepingCapacity: true)
        returns.note(left: buffersLeft)
    }

    /// Returns the next filled buffer; nil if there is none yet.
    func dequeue() -> PipeWireDelivery? {
        var frame = OPWFrame()
        guard functions.dequeue(stream, &frame), let pointer = frame.memory else { return nil }
        let address = UInt(bitPattern: frame.buffer), place = Int(frame.place)
        let memory = memory(pointer, at: place)
        if places[place].held > 0 { overwritesHeldBuffers = true } else { heldCount += 1 }
        places[place].held += 1
        let isKnown = examine(PipeWireReturns.Returned(address: address, place: place, memory: memory))
        returns.note(left: buffersLeft)
        if !OPWHaveSamePlanes(&frame, &shaped) { (shaped, areas) = (frame, PipeWireAreas(frame)) }
        return PipeWireDelivery(
            frame, areas: areas, lease: PipeWireLease(memory, address: address, place: place, returns: returns),
            buffersLeft: isKnown ? buffersLeft : 0)
    }

    /// Whether the producer is known not to write to held buffers, so that frames need not be copied. It is examined with
    /// the first frames: until it has gone round its buffers twice without the one that is kept.
    private func examine(_ buffer: PipeWireReturns.Returned) -> Bool {
        let count = Int(functions.bufferCount(stream))
        // A producer with fewer buffers could not go on without that one.
        guard count >= 4 else { return false }
        guard !overwritesHeldBuffers, examined < 2 * count else {
            if let bait {
                self.bait = nil
                returns.add(bait)
            }
            return !overwritesHeldBuffers
        }
        if examined == 0 {
            bait = buffer
            places[buffer.place].held += 1
        }
        examined += 1
        return false
    }

    private var buffersLeft: Int { max(0, Int(functions.bufferCount(stream)) - heldCount) }

    /// Returns the same object for the same memory, as long as the stream has it.
    private func memory(_ pointer: OpaquePointer, at place: Int) -> PipeWireMemory {
        if let known = places[place].memory {
            if known.isMemory(pointer) { return known }
            // The stream has new buffers. The memory of former ones would stay mapped.
            if places[place].held > 0 { heldCount -= 1 }
            places[place].held = 0
            // The producer is examined anew, with a buffer that it has.
            if bait?.place == place { (bait, examined) = (nil, 0) }
            for other in places.indices where places[other].held == 0 { places[other].memory = nil }
        }
        let memory = PipeWireMemory(pointer, functions)
        places[place].memory = memory
        return memory
    }
}
