// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
public import ObscuraMedia

/// A writer of the timestamps of frames to a text file.
///
/// The file has one line per frame, with three values separated by tabs: the number of the frame, the presentation time
/// in seconds as a fraction, and the same time with nine decimals.
///
/// ```
/// 0	0/12800	0.000000000
/// 1	512/12800	0.040000000
/// ```
///
/// Thread-safe. Errors are reported by ``finish()``.
public final class TimestampWriter: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var failure: ObscuraError?
    }

    // The lock of the state also protects the file.
    private let state = Lock(State())
    private let file: Lock<OutputFile>
    private static let blockSize = 16 * 1024

    /// Creates the text file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - overwrites: Whether an existing file may be replaced.
    /// - Throws: ``ObscuraError``.
    public init(path: String, overwrites: Bool = false) throws(ObscuraError) {
        file = Lock(try OutputFile.create(path, overwrites: overwrites))
    }

    /// Appends a line with the number and the presentation time of a frame. Rarely blocks, since lines are written in
    /// batches.
    public func write(_ number: Int, _ time: MediaTime) {
        let line = "\(number)\t\(time.value)/\(time.timescale)\t\(Self.seconds(time))\n"
        state.withLock { state in
            state.pending += Array(line.utf8)
            if state.pending.count >= Self.blockSize { flush(&state) }
        }
    }

    /// Writes the remaining lines.
    ///
    /// - Returns: The first error that occurred while writing; nil if no error occurred.
    public func finish() -> ObscuraError? {
        state.withLock { state in
            flush(&state)
            return state.failure
        }
    }

    private func flush(_ state: inout State) {
        defer { state.pending.removeAll(keepingCapacity: true) }
        guard state.failure == nil else { return }
        do throws(ObscuraError) {
            try file.withLock { file throws(ObscuraError) in try file.write(state.pending) }
        } catch {
            state.failure = error
        }
    }

    private static func seconds(_ time: MediaTime) -> String {
        let nanoseconds = time.nanoseconds
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        return "\(nanoseconds < 0 ? "-" : "")\(whole).\(rest.zeroPadded(to: 9))"
    }
}
