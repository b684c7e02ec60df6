// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The descriptors or threads that this process can have, divided among its servers. Any thread.
///
/// Some libraries end the process when there is none left; GLib does, which the RTSP server uses. So a server takes places
/// for its connections before it listens, and rejects connections beyond them. A reserve stays for cameras and files:
/// viewers must not cause a recording to fail.
package final class ResourceBudget: Sendable {
    /// Places of a server, as long as this lives.
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

    /// - Parameter available: how many could be used now in addition to the reserve.
    package init(available: @escaping @Sendable () -> Int) {
        self.available = available
    }

    /// - Parameters:
    ///   - limit: how many there can be.
    ///   - used: how many there are.
    convenience init(limit: @escaping @Sendable () -> Int, used: @escaping @Sendable () -> Int) {
        self.init {
            let limit = limit()
            return limit - Self.reserve(of: limit) - used()
        }
    }

    /// As many places as are wanted, or as there are; each needs so many descriptors or threads.
    package func take(_ wanted: Int, each: Int) -> Places {
        let available = available()
        return promised.withLock { promised in
            let count = max(0, min(wanted, (available - promised) / each))
            promised += count * each
            return Places(count, each: each, of: self)
        }
    }

    private static func reserve(of limit: Int) -> Int { min(256, limit / 4) }

    /// Raises the soft limit to the hard one, and returns what it is then: the usual 1024 are fewer than the
    /// connections, files and cameras may be.
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
            // No /proc, or none left to look with.
            return (0..<Int32(clamping: min(raiseLimit(), 65_536))).count { fcntl($0, F_GETFD) >= 0 }
        }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without the folder itself, and the two names that each folder has.
        return count - 3
    }
}
