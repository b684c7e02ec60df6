// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// Lets a thread wait until the nodes of the machine may have changed. From a ``DeviceMonitor``, which
/// runs for as long as the watch is kept.
///
/// A thread that waits for a camera looks and waits in turn; what happens between a look and the wait after
/// it is not missed:
///
/// ```swift
/// let watch = monitor.watch()
/// repeat {
///     if let path = finder.path(of: camera), let device = try? V4L2Device(path: path) { … }
/// } while watch.waitForChange(until: deadline, unless: cancellation) && …
/// ```
final class ChangeWatch: Sendable {
    private struct State {
        var hasChanged = false
        var cancellation: CancellationToken?
    }

    private let state = Lock(State())
    private let leave = Lock<(@Sendable () -> Void)?>(nil)

    deinit {
        leave.withLock { $0 }?()
    }

    /// Blocks until the nodes may have changed since the last time (true), or the deadline has passed
    /// or the wait is cancelled (false). For one thread at a time.
    func waitForChange(until deadline: HostTime, unless cancellation: CancellationToken) -> Bool {
        state.withLock { $0.cancellation = cancellation }
        defer { state.withLock { $0.cancellation = nil } }
        return cancellation.wait(until: deadline) {
            state.withLock { state in
                defer { state.hasChanged = false }
                return state.hasChanged
            }
        }
    }

    func onLeave(_ body: @escaping @Sendable () -> Void) {
        leave.withLock { $0 = body }
    }

    func noteChange() {
        let cancellation = state.withLock { state in
            state.hasChanged = true
            return state.cancellation
        }
        cancellation?.poke()
    }
}
