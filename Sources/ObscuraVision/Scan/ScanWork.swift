// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Vision

internal import ObscuraBase
internal import ObscuraMedia

/// Bands that several threads take one after the other.
final class ScanWork: Sendable {
    private struct State {
        /// Nil once nobody needs it: a helper that comes late must not hold a frame.
        var picture: GrayPicture?
        var next = 0
        var underWay = 0
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

    /// A band that nobody has taken, and its number; nil when there is none left.
    func next() -> (Int, ScanBand)? {
        state.withLock { state in
            guard state.picture != nil, state.next < bands.count, state.error == nil else { return nil }
            let index = state.next
            state.next += 1
            state.underWay += 1
            return (index, bands[index])
        }
    }

    func finish(_ index: Int, _ found: [PixelRect]) {
        state.withLockSignalling { state in
            state.underWay -= 1
            state.found[index] = found
        }
    }

    func fail(_ index: Int, _ error: ObscuraError) {
        state.withLockSignalling { state in
            state.underWay -= 1
            state.error = error
        }
    }

    /// Waits for those who have taken a band, and lets the picture go. What was found is in the order of the bands.
    func results() throws(ObscuraError) -> [PixelRect] {
        let result: Result<[PixelRect], ObscuraError>? = state.wait { state in
            guard state.underWay == 0 else { return nil }
            state.picture = nil
            if let error = state.error { return .failure(error) }
            return .success(state.found.flatMap { $0 })
        }
        return try result?.get() ?? []
    }
}

#endif
