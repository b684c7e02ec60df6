// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A budget of descriptors or threads of this process, divided among its servers. Thread-safe.
///
/// Some libraries abort the process when no descriptor or thread is left, such as GLib, which the RTSP server uses.
/// Therefore a server reserves places for its connections before it listens, and rejects further connections. A reserve
/// remains for cameras and files: viewers must not cause a recording to fail.
package final class ResourceBudget: Sendable {
    /// The places of a server, reserved while this object exists.
    package final class Places: Sendable {
        package let count: Int
        private let budget: ResourceBudget
        private let amount: Int

        fileprivate init(_ count: Int, each: Int, of budget: ResourceBudget) {
            self.count = count
            self.budget = budget
            amount = count * each
        }

        deinit {
            budget.promised.withLock { $0 -= amount }
        }
    }

    package static let descriptors = ResourceBudget(limit: raiseLimit, used: openCount)

    private let available: @Sendable () -> Int
    private let promised = Lock(0)

    /// - Parameter available: returns the number that is currently available in addition to the reserve.
    package init(available: @escaping @Sendable () -> Int) {
        self.available = available
    }

    /// - Parameters:
    ///   - limit: returns the maximum number.
    ///   - used: returns the number in use.
    convenience init(limit: @escaping @Sendable () -> Int, used: @escaping @Sendable () -> Int) {
        self.init {
            let limit = limit()
            return limit - Self.reserve(of: limit) - used()
        }
    }

    /// Reserves the requested number of places, or as many as are available; each needs `each` descriptors or threads.
    package func take(_ wanted: Int, each: Int) -> Places {
        let available = available()
        return promised.withLock { promised in
            let count = max(0, min(wanted, (available - promised) / each))
            promised += count * each
            return Places(count, each: each, of: self)
        }
    }

    private static func reserve(of limit: Int) -> Int { min(256, limit / 4) }

    /// Raises the soft limit to the hard limit and returns the new value: the usual 1024 may be too few for
    /// connections, files and cameras.
    private static func raiseLimit() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    private static func openCount() -> Int {
        guard let folder = opendir("/proc/self/fd") else {
            // /proc is not available, or no descriptor is left to read it.
            return (0..<Int32(clamping: min(raiseLimit(), 65_536))).count { fcntl($0, F_GETFD) >= 0 }
        }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without the descriptor of the folder itself, and the entries `.` and `..`.
        return count - 3
    }
}
