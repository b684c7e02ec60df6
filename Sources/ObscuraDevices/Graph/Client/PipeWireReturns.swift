// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia
internal import Synchronization

/// The buffers that readers have released, on any thread, until the thread of the stream returns them to the producer.
final class PipeWireReturns: Sendable {
    /// A released buffer: its address and its place in the stream, which a later buffer with other memory may have.
    struct Returned: Sendable {
        let address: UInt
        let place: Int
        let memory: PipeWireMemory
    }

    private struct State {
        var released: [Returned] = []
        /// Whether the stream has ended.
        var isClosed = false
    }

    /// Signaled when the producer is about to run out of buffers: otherwise they are returned with the next frame, without
    /// a wake-up of its own.
    let wake: EventFD
    private let state = Lock(State())
    /// The number of buffers that the producer can fill, as of the last frame.
    private let left = Atomic(0)

    init() throws(ObscuraError) {
        wake = try EventFD("PipeWire")
    }

    /// Sets the number of buffers that the producer can fill.
    func note(left: Int) {
        self.left.store(left, ordering: .relaxed)
    }

    func add(_ returned: Returned) {
        let isAwaited = state.withLock { state in
            if !state.isClosed { state.released.append(returned) }
            return !state.isClosed
        }
        if isAwaited, left.load(ordering: .relaxed) < 2 { wake.signal() }
    }

    /// Ends the returns: from now on a buffer is free when its memory is released.
    func close() {
        state.withLock {
            $0.isClosed = true
            $0.released = []
        }
    }

    /// Takes all released buffers.
    ///
    /// - Parameter taken: an empty array, whose memory is used for the next ones.
    func take(_ taken: inout [Returned]) {
        state.withLock { swap(&$0.released, &taken) }
    }
}
