// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// The buffers that readers have released, on any thread, until the thread of the stream returns them to the producer.
final class PipeWireReturns: Sendable {
    /// A released buffer. Two buffers of a stream never have the same address.
    struct Returned: Sendable {
        let address: UInt
        let memory: PipeWireMemory
    }

    private struct State {
        var released: [Returned] = []
        /// The number of buffers that the producer can fill, as of the last frame.
        var left = 0
        /// Whether the stream has ended.
        var isClosed = false
    }

    /// Signaled when the producer is about to run out of buffers: otherwise they are returned with the next frame,
    /// without a wake-up of its own.
    let wake: EventFD
    private let state = Lock(State())

    init() throws(ObscuraError) {
        wake = try EventFD("PipeWire")
    }

    /// Sets the number of buffers that the producer can fill.
    func note(left: Int) {
        state.withLock { $0.left = left }
    }

    func add(_ returned: Returned) {
        let isUrgent = state.withLock { state in
            guard !state.isClosed else { return false }
            state.released.append(returned)
            return state.left < 2
        }
        if isUrgent { wake.signal() }
    }

    /// Ends the returns: from now on a buffer is free when its memory is released.
    func close() {
        state.withLock {
            $0.isClosed = true
            $0.released = []
        }
    }

    /// Takes all released buffers.
    func take() -> [Returned] {
        state.withLock { state in
            defer { state.released.removeAll(keepingCapacity: true) }
            return state.released
        }
    }
}
