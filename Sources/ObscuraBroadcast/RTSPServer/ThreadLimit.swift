// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import FoundationEssentials
internal import Glibc
internal import ObscuraBase
internal import ObscuraMedia

/// The limits on the number of threads: of the user, the control groups (containers, services), the address space and
/// the system.
///
/// The limits are read instead of tested, because a test would briefly take all threads from the rest of the process.
struct ThreadLimit {
    /// The folder that contains `proc` and `sys`.
    var root = ""
    var user = getuid()
    /// The limit for the user; nil for unlimited.
    var userLimit = ThreadLimit.resource(__RLIMIT_NPROC)
    /// The limit of the address space in bytes; nil for unlimited.
    var addressSpace = ThreadLimit.resource(RLIMIT_AS)
    var stackSize = ThreadLimit.resource(RLIMIT_STACK) ?? 8 << 20

    /// Number of additional threads that this process can start now.
    var available: Int {
        [userRoom, controlGroupRoom, addressRoom, systemRoom].compactMap(\.self).min() ?? .max / 2
    }

    /// The remaining threads of the user. The kernel counts all threads of a user, and does not limit root.
    private var userRoom: Int? {
        guard user != 0, let userLimit else { return nil }
        var used = 0
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/proc")) ?? []
        for name in names where name.allSatisfy(\.isNumber) {
            guard let status = Self.text("\(root)/proc/\(name)/status"),
                Self.number(of: "Uid:", in: status) == Int(user)
            else { continue }
            used += Self.number(of: "Threads:", in: status) ?? 0
        }
        return userLimit - used
    }

    /// The smallest number of remaining threads in the group of this process and its parents (cgroups(7), version 2 and
    /// 1).
    private var controlGroupRoom: Int? {
        guard let lines = Self.text("\(root)/proc/self/cgroup")?.split(separator: "\n") else { return nil }
        var rooms: [Int] = []
        for line in lines {
            // The hierarchy number, its controllers, and the group.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3, fields[1].isEmpty || fields[1].split(separator: ",").contains("pids") else {
                continue
            }
            let base = "\(root)/sys/fs/cgroup" + (fields[1].isEmpty ? "" : "/pids")
            var group = fields[2].split(separator: "/")
            while true {
                let folder = ([base] + group.map(String.init)).joined(separator: "/")
                if let most = Self.number(in: "\(folder)/pids.max") {
                    rooms.append(most - (Self.number(in: "\(folder)/pids.current") ?? 0))
                }
                if group.popLast() == nil { break }
            }
        }
        return rooms.min()
    }

    /// Number of threads whose stacks fit in the remaining address space.
    private var addressRoom: Int? {
        guard let addressSpace, let status = Self.text("\(root)/proc/self/status") else { return nil }
        let used = (Self.number(of: "VmSize:", in: status) ?? 0) << 10
        return (addressSpace - used) / max(1 << 20, stackSize)
    }

    private var systemRoom: Int? {
        guard let most = Self.number(in: "\(root)/proc/sys/kernel/threads-max") else { return nil }
        // Three averages, and the runnable and total threads: 0.20 0.18 0.12 1/80 11206
        let threads = Self.text("\(root)/proc/loadavg")?.split(separator: " ").dropFirst(3).first?.split(separator: "/")
            .last
        return most - (threads.flatMap { Self.number($0) } ?? 0)
    }

    // MARK: Reading

    private static func resource(_ kind: __rlimit_resource) -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(kind.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
            return nil
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Returns the contents of a file; nil if it cannot be read.
    private static func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8)
    }

    /// Returns the first number after a key at the beginning of a line.
    private static func number(of key: String, in text: String) -> Int? {
        text.split(separator: "\n").first { $0.hasPrefix(key) }.flatMap { number($0.dropFirst(key.count)) }
    }

    /// Returns the first number in a file; nil if there is none.
    private static func number(in path: String) -> Int? {
        text(path).flatMap { number($0[...]) }
    }

    private static func number(_ text: Substring) -> Int? {
        Int(text.drop { !$0.isNumber }.prefix { $0.isNumber })
    }
}

extension ResourceBudget {
    static let threads = ResourceBudget(available: { ThreadLimit().available - threadReserve })

    /// Threads reserved for the decoders, encoders and connections of a later recording.
    private static let threadReserve = 32
}
