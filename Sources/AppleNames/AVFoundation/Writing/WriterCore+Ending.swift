// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Obscura

/// The end of a movie.
extension WriterCore {
    /// Finishes the movie in the background, and then calls `completion`.
    func finish(_ completion: @escaping @Sendable () -> Void) {
        let writer = withState { state -> AssetWriter? in
            if state.status == .unknown { state.fail(invalidState("finishWriting was called before startWriting()")) }
            state.completions.append(completion)
            // That of a writer that has failed keeps what was written.
            guard !state.isFinishing, let writer = state.writer, state.status != .cancelled else { return nil }
            state.isFinishing = true
            return writer
        }
        DispatchQueue.global().async {
            if let writer { self.close(writer) }
            self.complete()
        }
    }

    private func close(_ writer: AssetWriter) {
        var failure: ObscuraError?
        var usableFile: String?
        do throws(ObscuraError) {
            usableFile = try writer.finish(until: nil)?.path
        } catch {
            failure = error
            usableFile = error.usableFile
        }
        withState { state in
            state.isFinishing = false
            state.writer = nil
            if state.status == .writing {
                state.error = failure
                state.end(failure == nil ? .completed : .failed)
            }
            // An earlier error remains, with the file that has what was written before.
            state.error?.setUsableFile(usableFile)
        }
    }

    /// Calls the completions, unless another call still finishes the movie.
    private func complete() {
        let completions = withState { state -> [@Sendable () -> Void] in
            guard !state.isFinishing else { return [] }
            defer { state.completions = [] }
            return state.completions
        }
        for completion in completions { completion() }
    }

    /// Deletes the movie. Blocks until it is deleted.
    func cancel() {
        let writer = withState { state -> AssetWriter? in
            guard state.status == .unknown || state.status == .writing, !state.isFinishing else { return nil }
            state.end(.cancelled)
            defer { state.writer = nil }
            return state.writer
        }
        guard let writer else { return }
        BlockingCall.run { await writer.cancel() }
    }
}
