// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import CV4L2
internal import Glibc
internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A running stream with the buffers that the driver fills in turn.
///
/// A buffer is either queued in the kernel or held by a ``Lease``. When the lease is released, on any thread, the
/// buffer is queued again; after ``close()`` its memory is unmapped instead.
final class V4L2Stream: Sendable {
    private struct State {
        /// Nil once the stream is closed.
        var device: V4L2Device?
        /// Empty once the stream is closed: a lease then holds only the memory.
        var memories: [V4L2Memory] = []
        var queuedCount = 0
        /// Buffers that the driver did not accept; queueing them is tried again.
        var unclaimed: [UInt32] = []
    }

    let agreement: V4L2Agreement
    let path: String
    let bufferCount: Int
    /// Whether the buffers and frame numbers belong to this stream only. v4l2loopback shares both with its writer,
    /// which may write into a leased buffer.
    let isExclusive: Bool
    /// Whether the driver reports changes of its source by events.
    let hasEvents: Bool
    /// The number of buffers that the driver needs (V4L2_CID_MIN_BUFFERS_FOR_CAPTURE, which few drivers have).
    private let neededCount: Int
    private let state: Lock<State>

    /// Sets the mode and allocates the buffers; nothing is queued yet.
    ///
    /// - Throws: ``ObscuraError``: `unsupportedFormat`, `deviceInUse`, `deviceDisconnected` and others.
    init(device: V4L2Device, mode: V4L2Mode, bufferCount wanted: Int = 10) throws(ObscuraError) {
        guard device.capabilities.isCapture, device.capabilities.canStream else {
            throw ObscuraError(
                .capture, .noSuchDevice, subject: device.path, reason: "it is not a camera with streaming support",
                remedy: .listDevices)
        }
        agreement = try device.agree(on: mode)
        var request = v4l2_requestbuffers()
        request.type = device.bufferType
        request.memory = V4L2_MEMORY_MMAP.rawValue
        let needed = device.integerControl(UInt32(V4L2_CID_MIN_BUFFERS_FOR_CAPTURE)) ?? 1
        neededCount = Int(min(max(1, needed), Int64(VIDEO_MAX_FRAME)))
        request.count = UInt32(min(max(wanted, neededCount + 4), Int(VIDEO_MAX_FRAME)))
        let status = obscuraRequestBuffers(device.descriptor, &request)
        guard status == 0 else { throw device.failure(status, "its buffers cannot be allocated") }
        guard request.count > 0 else { throw device.failure(ENOMEM, "its buffers cannot be allocated") }
        var memories: [V4L2Memory] = []
        for index in 0..<min(request.count, UInt32(VIDEO_MAX_FRAME)) {
            memories.append(try V4L2Memory(device: device, index: index, shape: agreement.shape))
        }
        hasEvents = device.subscribeToSourceChanges()
        bufferCount = memories.count
        path = device.path
        isExclusive = !device.capabilities.isFed
        state = Lock(State(device: device, memories: memories))
    }

    /// Queues all buffers and starts the stream.
    ///
    /// - Throws: ``ObscuraError``.
    func start() throws(ObscuraError) {
        try state.withLock { state throws(ObscuraError) in
            guard let device = state.device else { throw .cancelled(.capture, path) }
            for index in state.memories.indices {
                var query = V4L2BufferQuery(device: device, index: UInt32(index))
                let status = query.run(obscuraQueueBuffer)
                guard status == 0 else { throw device.failure(status, "its buffers cannot be queued") }
                state.queuedCount += 1
            }
            var type = Int32(bitPattern: device.bufferType)
            let status = obscuraStreamOn(device.descriptor, &type)
            guard status == 0 else { throw device.failure(status, "it cannot be started") }
        }
    }

    /// Ends the stream and closes the device, which is then free for others. Leased buffers remain valid. Idempotent,
    /// on any thread.
    func close() {
        let device = state.withLock { state in
            defer {
                state.device = nil
                state.memories = []
                state.unclaimed = []
                state.queuedCount = 0
            }
            return state.device
        }
        guard let device else { return }
        // Without the lock: a driver may block, and the release of a frame must not wait for it.
        var type = Int32(bitPattern: device.bufferType)
        _ = obscuraStreamOff(device.descriptor, &type)
        // A mapped buffer keeps the file open and so the device in use, even for this process. Releasing the buffers
        // frees the device at once; leased ones remain mapped (Linux 5.0).
        var request = v4l2_requestbuffers()
        request.type = device.bufferType
        request.memory = V4L2_MEMORY_MMAP.rawValue
        _ = obscuraRequestBuffers(device.descriptor, &request)
    }

    /// The device; nil once the stream is closed.
    var device: V4L2Device? { state.withLock { $0.device } }

    /// Returns the next filled buffer; nil if there is none yet.
    ///
    /// - Throws: ``ObscuraError``: `deviceDisconnected` if it was disconnected, `deviceFailed` if the driver
    ///   ended the stream.
    func dequeue() throws(ObscuraError) -> V4L2Delivery? {
        guard let device else { return nil }
        var query = V4L2BufferQuery(device: device)
        let status = query.run(obscuraDequeueBuffer)
        if status == EAGAIN { return nil }
        guard status == 0 else { throw device.failure(status, "the stream has failed") }
        let index = query.buffer.index
        let delivered = state.withLock { state -> (V4L2Memory, Int)? in
            guard state.memories.indices.contains(Int(index)) else { return nil }
            state.queuedCount = max(0, state.queuedCount - 1)
            if !state.unclaimed.isEmpty { Self.queueUnclaimed(&state) }
            return (state.memories[Int(index)], state.queuedCount)
        }
        guard let (memory, queued) = delivered else {
            throw ObscuraError(
                .capture, .deviceFailed, subject: path, reason: "its driver returned an unknown buffer")
        }
        // Buffers that the driver needs itself do not count.
        let left = max(0, queued - max(0, neededCount - 2))
        return V4L2Delivery(query, lease: Lease(self, index: index, memory: memory), buffersLeft: left)
    }

    /// Reads pending events.
    ///
    /// - Throws: ``ObscuraError/Code/deviceFailed`` if the source has changed: its frames may have another format.
    func checkEvents() throws(ObscuraError) {
        guard let device else { return }
        var event = v4l2_event()
        while obscuraDequeueEvent(device.descriptor, &event) == 0 {
            guard event.type != UInt32(V4L2_EVENT_SOURCE_CHANGE) else { throw .sourceChanged(path) }
        }
    }

    /// Compares the device's format with the agreed one, for loopback devices: their writer can change it, and
    /// v4l2loopback sends no event.
    func checkPicture() throws(ObscuraError) {
        guard !isExclusive, let picture = device?.currentPicture, picture != agreement.picture else { return }
        throw .sourceChanged(path)
    }

    private func release(_ index: UInt32) {
        state.withLock { state in
            state.unclaimed.append(index)
            Self.queueUnclaimed(&state)
        }
    }

    /// Queues the unclaimed buffers again. A driver that does not accept a buffer may accept it with the next frame; if
    /// it never does, the stream runs out of buffers and stalls.
    private static func queueUnclaimed(_ state: inout State) {
        guard let device = state.device else { return }
        state.unclaimed.removeAll { index in
            var query = V4L2BufferQuery(device: device, index: index)
            let isQueued = query.run(obscuraQueueBuffer) == 0
            if isQueued { state.queuedCount += 1 }
            return isQueued
        }
    }

    /// A buffer outside the kernel; queued again on release.
    final class Lease: PixelMemoryOwner {
        fileprivate let memory: V4L2Memory
        private let stream: V4L2Stream
        private let index: UInt32

        fileprivate init(_ stream: V4L2Stream, index: UInt32, memory: V4L2Memory) {
            self.stream = stream
            self.index = index
            self.memory = memory
        }

        deinit {
            stream.release(index)
        }

        var dmaDescriptors: [Int32] { memory.dmaDescriptors(of: stream.device) }
        var mayWrite: Bool { false }

        /// Returns the frame in the buffer, which is queued again with the release of the last reference.
        ///
        /// - Parameter contents: the frame's bytes; must be complete, see ``V4L2Delivery/isComplete(_:)``.
        fileprivate func makeBuffer(_ contents: FilledAreas) -> PixelBuffer {
            let agreement = stream.agreement
            let storage = PixelStorage(planes: memory.planes(of: contents), owner: self)
            return PixelBuffer(
                storage: storage, format: agreement.format.pixelFormat, width: agreement.format.width,
                height: agreement.format.height, colorSpace: agreement.colorSpace)
        }

        /// Returns a copy of the compressed bytes, after which the buffer can be queued again.
        fileprivate func copyBytes(_ range: Range<Int>) -> [UInt8] {
            let part = memory.parts[0]
            let bytes = UnsafeRawBufferPointer(start: part.base, count: part.byteCount)
            return Array(bytes[range.clamped(to: 0..<part.byteCount)])
        }
    }
}

/// A filled buffer with its metadata.
struct V4L2Delivery {
    /// The lease; its release queues the buffer again.
    let lease: V4L2Stream.Lease
    /// The number of buffers that the driver can still fill.
    let buffersLeft: Int
    /// The driver's frame number; it wraps.
    let sequence: UInt32
    /// The capture time on CLOCK_MONOTONIC; nil if the driver uses another clock.
    let stamp: HostTime?
    /// Whether the driver reports the frame as damaged.
    let isBroken: Bool
    /// The frame's bytes.
    let contents: FilledAreas

    fileprivate init(_ query: borrowing V4L2BufferQuery, lease: V4L2Stream.Lease, buffersLeft: Int) {
        let buffer = query.buffer
        self.lease = lease
        self.buffersLeft = buffersLeft
        sequence = buffer.sequence
        let clock = buffer.flags & UInt32(V4L2_BUF_FLAG_TIMESTAMP_MASK)
        let seconds = Int64(buffer.timestamp.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        if clock == UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC), !seconds.overflow, seconds.partialValue >= 0 {
            stamp = HostTime(nanoseconds: seconds.partialValue &+ Int64(buffer.timestamp.tv_usec) &* 1000)
        } else {
            stamp = nil
        }
        isBroken = buffer.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
        contents = query.contents(in: lease.memory)
    }

    /// Whether the driver has returned the buffer unfilled, as it does with all of them when it ends a stream or its
    /// device is being removed. Such a buffer has no number and no time.
    var isUnfilled: Bool { isBroken && contents.areEmpty }

    /// Whether the buffer has a complete frame of this shape.
    func isComplete(_ shape: FrameShape) -> Bool {
        guard !shape.planes.isEmpty else { return !contents.first.isEmpty }
        return shape.byteCounts.indices.allSatisfy { part in
            part < contents.count && contents[part].count >= shape.byteCounts[part]
        }
    }

    /// Returns the frame in the buffer, which is queued again with the release of the last reference. It must be
    /// complete.
    func makeBuffer() -> PixelBuffer { lease.makeBuffer(contents) }

    /// Returns a copy of the compressed bytes.
    func copyBytes() -> [UInt8] { lease.copyBytes(contents.first) }
}

extension V4L2Device {
    /// Subscribes to changes of the source. Returns false if the driver has no such events, like most webcams.
    fileprivate func subscribeToSourceChanges() -> Bool {
        var input: Int32 = 0
        if obscuraGetInput(descriptor, &input) != 0 { input = 0 }
        var subscription = v4l2_event_subscription()
        subscription.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
        subscription.id = UInt32(max(0, input))
        return obscuraSubscribeEvent(descriptor, &subscription) == 0
    }
}

extension ObscuraError {
    static func sourceChanged(_ path: String) -> ObscuraError {
        ObscuraError(.capture, .deviceFailed, subject: path, reason: "its input signal has changed")
    }
}
