// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The descriptors that this process may have open, shared out among its servers. Any thread.
///
/// Some libraries end the process when there is none left; GLib does, beneath the RTSP server. So a server takes places
/// for its connections before it listens, and refuses connections beyond them. A reserve stays for cameras and files:
/// a recording is not to fail because of those who watch.
package final class DescriptorBudget: Sendable {
    /// Places of a server, as long as this lives.
    package final class Places: Sendable {
        package let count: Int
        private let budget: DescriptorBudget
        private let descriptors: Int

        fileprivate init(_ count: Int, each: Int, of budget: DescriptorBudget) {
            self.count = count
            self.budget = budget
            descriptors = count * each
        }

        deinit {
            budget.promised.withLock { $0 -= descriptors }
        }
    }

    package static let shared = DescriptorBudget(limit: raiseLimit, used: openCount)

    private let limit: @Sendable () -> Int
    private let used: @Sendable () -> Int
    private let promised = Lock(0)

    /// - Parameters:
    ///   - limit: how many there may be.
    ///   - used: how many there are.
    init(limit: @escaping @Sendable () -> Int, used: @escaping @Sendable () -> Int) {
        self.limit = limit
        self.used = used
    }

    /// As many places as are wanted, or as there are; each needs so many descriptors.
    package func take(_ wanted: Int, each: Int) -> Places {
        let limit = limit()
        let free = limit - Self.reserve(of: limit) - used()
        return promised.withLock { promised in
            let count = max(0, min(wanted, (free - promised) / each))
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
