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

    /// The buffers that readers have released.
    let returns: PipeWireReturns
    /// Whether the producer writes to buffers that readers hold; their frames must be copied at once. SPA's
    /// `videotestsrc` does.
    private var overwritesHeldBuffers = false
    private let client: PipeWireClient
    private let stream: OpaquePointer
    private let node: PipeWireObject
    /// The client's number of removed objects when the node was last known to exist.
    private var removals: UInt32
    private var wasLinked = false
    /// The number of leases of each buffer outside the producer.
    private var held: [UInt: Int] = [:]
    private var memories: [OpaquePointer: PipeWireMemory] = [:]
    /// The first buffer, which is kept for a while: a producer that respects readers does not fill it. Nil afterwards.
    private var bait: (address: UInt, memory: PipeWireMemory)?
    /// The number of frames so far, until the producer is known.
    private var examined = 0

    private var functions: OPWFunctions { client.functions }

    private init(
        _ client: PipeWireClient, node: PipeWireObject, stream: OpaquePointer
    ) throws(ObscuraError) {
        self.client = client
        self.node = node
        self.stream = stream
        removals = client.removalCount
        returns = try PipeWireReturns()
    }

    /// Requests frames of a node in one mode.
    convenience init(
        _ client: PipeWireClient, node: PipeWireObject, mode: PipeWireMode, bufferCount: Int = 10
    ) throws(ObscuraError) {
        let rate = mode.format.frameRate
        var request = OPWVideoRequest(
            subtype: mode.layout.subtype, format: mode.layout.format, width: UInt32(clamping: mode.format.width),
            height: UInt32(clamping: mode.format.height),
            rate: OPWFraction(
                numerator: UInt32(clamping: rate?.frames ?? 0), denominator: UInt32(clamping: rate?.seconds ?? 1)),
            hasModifier: mode.needsModifier, bufferCount: UInt32(clamping: bufferCount))
        var status: Int32 = 0
        guard let stream = client.functions.makeVideoStream(client.client, node.serial, &request, &status) else {
            throw .system(-status, node.name, "no stream can be created")
        }
        try self.init(client, node: node, stream: stream)
    }

    /// Requests sound of a node, or the sound that it plays, as 32-bit floating-point samples.
    ///
    /// - Parameter period: the number of sample frames that arrive together.
    convenience init(
        _ client: PipeWireClient, node: PipeWireObject, format: AudioFormat, period: Int
    ) throws(ObscuraError) {
        var request = OPWSoundRequest(
            sampleRate: UInt32(clamping: format.sampleRate), channelCount: UInt32(clamping: format.channelCount),
            period: UInt32(clamping: period), capturesSink: node.isSink)
        var status: Int32 = 0
        guard let stream = client.functions.makeSoundStream(client.client, node.serial, &request, &status) else {
            throw .system(-status, node.name, "no stream can be created")
        }
        try self.init(client, node: node, stream: stream)
    }

    deinit {
        functions.freeStream(stream)
        returns.close()
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
        for returned in returns.take() {
            let count = (held[returned.address] ?? 1) - 1
            held[returned.address] = count > 0 ? count : nil
            // A buffer that the producer has filled again in the meantime has another lease.
            guard count <= 0, let buffer = UnsafeMutableRawPointer(bitPattern: returned.address) else { continue }
            returned.memory.queue(buffer, in: stream)
        }
        returns.note(left: buffersLeft)
    }

    /// Returns the next filled buffer; nil if there is none yet.
    func dequeue() -> PipeWireDelivery? {
        var frame = OPWFrame()
        guard functions.dequeue(stream, &frame), let pointer = frame.memory else { return nil }
        let address = UInt(bitPattern: frame.buffer)
        let memory = memory(pointer)
        let others = held[address] ?? 0
        if others > 0 { overwritesHeldBuffers = true }
        held[address] = others + 1
        let isKnown = examine(address, memory)
        returns.note(left: buffersLeft)
        let lease = PipeWireLease(memory, address: address, returns: returns)
        return PipeWireDelivery(frame, lease: lease, buffersLeft: isKnown ? buffersLeft : 0)
    }

    /// Whether the producer is known not to write to held buffers, so that frames need not be copied. It is examined with
    /// the first frames: until it has gone round its buffers twice without the one that is kept.
    private func examine(_ address: UInt, _ memory: PipeWireMemory) -> Bool {
        let count = Int(functions.bufferCount(stream))
        // A producer with fewer buffers could not go on without that one.
        guard count >= 4 else { return false }
        guard !overwritesHeldBuffers, examined < 2 * count else {
            if let bait {
                self.bait = nil
                returns.add(PipeWireReturns.Returned(address: bait.address, memory: bait.memory))
            }
            return !overwritesHeldBuffers
        }
        if examined == 0 {
            bait = (address, memory)
            held[address, default: 0] += 1
        }
        examined += 1
        return false
    }

    private var buffersLeft: Int { max(0, Int(functions.bufferCount(stream)) - held.count) }

    /// Returns the same object for the same memory, as long as the stream has it.
    private func memory(_ pointer: OpaquePointer) -> PipeWireMemory {
        if let known = memories[pointer] { return known }
        // Those of a former format would stay mapped.
        if memories.count >= Int(functions.bufferCount(stream)) { memories.removeAll() }
        let memory = PipeWireMemory(pointer, functions)
        memories[pointer] = memory
        return memory
    }
}
