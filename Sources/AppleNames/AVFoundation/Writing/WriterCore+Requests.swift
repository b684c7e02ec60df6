// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// Blocks that supply the samples of inputs.
extension WriterCore {
    /// The time until a block that has appended nothing, although its input is ready, is called again.
    private static let pause = DispatchTimeInterval.milliseconds(10)

    func request(_ request: MediaRequest, of index: Int) {
        withState { state in
            guard state.status == .unknown || state.status == .writing,
                !state.readiness.tracks[index].isFinished
            else { return }
            state.setRequest(request, of: index)
            // The block waits for room in the queue.
            state.readiness.tracks[index].isRealTime = false
        }
        runRequests()
    }

    /// Calls the blocks of the inputs that are ready.
    func runRequests() {
        let due = withState { state -> [(Int, MediaRequest)] in
            guard state.readiness.start != nil else { return [] }
            return state.tracks.indices.compactMap { index in
                guard let request = state.tracks[index].request, !state.tracks[index].isRequested,
                    state.isReady(index)
                else { return nil }
                state.tracks[index].isRequested = true
                return (index, request)
            }
        }
        for (index, request) in due { request.queue.async { self.run(request, index) } }
    }

    /// Called on the queue of the block.
    private func run(_ request: MediaRequest, _ index: Int) {
        let before = withState { $0.isReady(index) ? $0.readiness.tracks[index].count : nil }
        if before != nil { request.block() }
        let isIdle = withState { state in
            let isIdle = state.readiness.tracks[index].count == before && state.isReady(index)
            state.tracks[index].isRequested = isIdle
            return isIdle
        }
        if isIdle {
            request.queue.asyncAfter(deadline: .now() + Self.pause) { self.resume(index) }
        } else {
            runRequests()
        }
    }

    private func resume(_ index: Int) {
        withState { $0.tracks[index].isRequested = false }
        runRequests()
    }
}
