// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// A queue of bands for several threads, with their results.
final class ScanWork: Sendable {
    private struct State {
        /// Nil after the end: a thread that starts late must not retain a frame.
        var picture: GrayPicture?
        var next = 0
        var pending = 0
        var found: [[PixelRect]]
        var error: ObscuraError?
    }

    private let bands: [ScanBand]
    private let state: Lock<State>

    init(bands: [ScanBand], picture: GrayPicture) {
        self.bands = bands
        state = Lock(State(picture: picture, found: Array(repeating: [], count: bands.count)))
    }

    var picture: GrayPicture? { state.withLock { $0.picture } }

    /// Returns the next band and its index; nil if none is left.
    func next() -> (Int, ScanBand)? {
        state.withLock { state in
            guard state.picture != nil, state.next < bands.count, state.error == nil else { return nil }
            let index = state.next
            state.next += 1
            state.pending += 1
            return (index, bands[index])
        }
    }

    func finish(_ index: Int, _ found: [PixelRect]) {
        state.withLockSignalling { state in
            state.pending -= 1
            state.found[index] = found
        }
    }

    func fail(_ index: Int, _ error: ObscuraError) {
        state.withLockSignalling { state in
            state.pending -= 1
            state.error = error
        }
    }

    /// Waits for the pending bands and releases the picture. Returns the windows in the order of the bands.
    func results() throws(ObscuraError) -> [PixelRect] {
        let result: Result<[PixelRect], ObscuraError>? = state.wait { state in
            guard state.pending == 0 else { return nil }
            state.picture = nil
            if let error = state.error { return .failure(error) }
            return .success(state.found.flatMap { $0 })
        }
        return try result?.get() ?? []
    }
}
