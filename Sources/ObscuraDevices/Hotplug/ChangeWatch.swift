// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraCapture
internal import ObscuraMedia

/// A watch that blocks a thread until the nodes of the machine may have changed. Created by a ``DeviceMonitor``, which
/// runs for the lifetime of the watch.
///
/// A thread that waits for a camera alternates lookups and waits; a change between a lookup and the next wait is not
/// missed:
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
    private let end = Lock<(@Sendable () -> Void)?>(nil)

    deinit {
        end.withLock { $0 }?()
    }

    /// Blocks until the nodes may have changed since the last call (returns true), or until the deadline or the
    /// cancellation (returns false). For one thread at a time.
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

    func onEnd(_ body: @escaping @Sendable () -> Void) {
        end.withLock { $0 = body }
    }

    func noteChange() {
        let cancellation = state.withLock { state in
            state.hasChanged = true
            return state.cancellation
        }
        cancellation?.poke()
    }
}
