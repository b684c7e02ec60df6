// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

#if Library

internal import ArgumentParser
internal import Obscura
internal import ObscuraBase
internal import ObscuraLibrary

/// The progress of an operation on a library, in one line.
struct LibraryProgressLine: Hashable {
    let progress: LibraryProgress
    /// The counted objects, such as `files read`.
    let unit: String
    let elapsed: Duration

    /// Returns the line for a terminal of `width` columns, with a bar if the total is known; truncated if necessary.
    func text(width: Int?) -> String {
        guard let width else { return words }
        return ProgressBar.text(fraction: fraction, words: words, width: width)
    }

    private var fraction: Double? {
        progress.total.flatMap { $0 > 0 ? min(1, Double(progress.completed) / Double($0)) : nil }
    }

    private var words: String {
        let seconds = Double(elapsed.wholeNanoseconds) / 1e9
        let count = progress.total.map { "\(progress.completed) of \($0)" } ?? "\(progress.completed)"
        var parts = ["\(count) \(unit)"]
        if progress.byteCount > 0 { parts.append(NumberText.bytes(progress.byteCount)) }
        if let fraction, fraction > 0.005, fraction < 1 {
            let left = seconds * (1 - fraction) / fraction
            parts.append("\(ClockText.text(seconds: Int(min(left, 1e9).rounded(.up)))) left")
        }
        return parts.joined(separator: "  ")
    }

    /// Runs an operation, and shows its progress on standard error. A first Ctrl-C cancels the operation.
    ///
    /// - Parameter unit: the counted objects.
    /// - Throws: the error of the operation; an `ExitCode` after an interruption.
    @discardableResult
    static func showing<Success: Sendable>(
        _ unit: String, isQuiet: Bool = false,
        _ operation: @escaping @Sendable (@escaping @Sendable (LibraryProgress) -> Void) async throws -> Success
    ) async throws -> Success {
        let state = Lock<LibraryProgress?>(nil)
        let start = HostTime.now
        let reporter =
            isQuiet
            ? nil
            : ProgressReporter { width in
                guard let progress = state.withLock(\.self) else { return "" }
                return LibraryProgressLine(progress: progress, unit: unit, elapsed: .now - start).text(width: width)
            }
        let (result, code) = await Interruption.cancelling {
            try await operation { progress in state.withLock { $0 = progress } }
        }
        reporter?.finish()
        if let code { throw ExitCode(code) }
        return try result.get()
    }
}

#endif
