// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import Foundation
import Glibc
import ObscuraBase
import ObscuraMedia

/// A program that runs beside a test, such as an `ffmpeg` that feeds a camera, until the test ends it or lets go
/// of it.
package final class BackgroundTool: Sendable {
    private enum State {
        case running
        case ended(status: Int32?)
    }

    /// Its process.
    package let identifier: pid_t
    private let errors: URL
    private let state = Lock<State>(.running)

    /// Starts the program `name`, which is looked for in the `PATH`.
    package init(_ name: String, _ arguments: [String]) throws {
        errors = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        identifier = try Tool.start([name] + arguments, output: "/dev/null", errors: errors.path)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: errors)
    }

    /// What it has said on its standard error so far.
    package var words: String {
        SmallFile.text(errors.path) ?? ""
    }

    /// Whether it has not ended by itself and was not ended.
    package var isRunning: Bool {
        state.withLock { state in
            guard case .running = state else { return false }
            var status: Int32 = 0
            let found = waitpid(identifier, &status, WNOHANG)
            if found == 0 || (found < 0 && errno == EINTR) { return true }
            state = .ended(status: found > 0 ? status : nil)
            return false
        }
    }

    /// Ends it with `signal`, if it still runs, and waits until it has ended.
    ///
    /// - Returns: Its wait status; nil if others have taken it.
    @discardableResult
    package func stop(signal: Int32 = SIGKILL) -> Int32? {
        state.withLock { state in
            if case .ended(let status) = state { return status }
            // It is our child until it is waited for, so the number cannot be another process's.
            kill(identifier, signal)
            let status = Tool.wait(for: identifier)
            state = .ended(status: status)
            return status
        }
    }
}
