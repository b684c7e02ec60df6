// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The resources that a process needs at its start.
///
/// libdispatch, which runs Swift's tasks, retries forever if the system refuses a thread, and crashes if it refuses a
/// descriptor. So the tool checks before it starts.
package enum ProcessNeeds {
    /// The number of threads, measured with a recording of video and audio, which hangs with fewer.
    private static let threads = 16
    private static let descriptors = 16
    /// The threads, and about as many descriptors, that a server or a broadcast needs in addition: SwiftNIO starts two
    /// threads for each processor, and ends the process if it cannot; libsrt and each destination start some as well.
    /// Measured with two processors: with fewer than 23 in all, a server crashed or did not end.
    private static var additionForServer: Int { 4 * WorkerPool.coreCount }
    /// The address space in bytes, for stacks and malloc arenas.
    private static let addressSpace: UInt64 = 1 << 30

    /// A resource of which the process has too little.
    package enum Lack: Sendable, Hashable {
        case addressSpace(megabytes: Int)
        case openFiles(Int)
        case threads(Int)
    }

    /// Returns the first insufficient resource; nil if there is enough of each.
    ///
    /// - Parameter isServer: whether the process is a server, or broadcasts.
    package static func lack(isServer: Bool = false) -> Lack? {
        if addressSpaceLimit < addressSpace { return .addressSpace(megabytes: Int(addressSpace >> 20)) }
        let addition = isServer ? additionForServer : 0
        // A server raises the usual soft limit of 1024 only later.
        let files = descriptors + min(addition, 256)
        if !canOpen(files) { return .openFiles(files) }
        if !WorkerThread.canStart(threads + addition) { return .threads(threads + addition) }
        return nil
    }

    static var addressSpaceLimit: UInt64 {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : .max
    }

    private static func canOpen(_ count: Int) -> Bool {
        var opened: [Int32] = []
        defer { opened.forEach { close($0) } }
        for _ in 0..<count {
            let descriptor = open("/", O_RDONLY | O_CLOEXEC)
            // Other failures do not concern the limit.
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            opened.append(descriptor)
        }
        return true
    }
}

extension WorkerThread {
    /// Whether this process can currently start this number of additional threads.
    fileprivate static func canStart(_ count: Int) -> Bool {
        let isOver = Lock(false)
        var threads: [WorkerThread] = []
        while threads.count < count, let thread = WorkerThread(name: "trial", { _ = isOver.wait { $0 ? true : nil } }) {
            threads.append(thread)
        }
        isOver.withLockSignalling { $0 = true }
        // Wait for the threads to end, because the program may need all available threads.
        for thread in threads { thread.join() }
        return threads.count == count
    }
}
