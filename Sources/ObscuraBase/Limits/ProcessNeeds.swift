// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// The resources that a process needs at its start.
///
/// libdispatch, which runs Swift's tasks, retries forever if the system refuses a thread, and crashes if it refuses a
/// descriptor. So the tool checks before it starts.
package enum ProcessNeeds {
    /// Measured with a recording of video and sound, which hangs with fewer.
    private static let threads = 16
    private static let descriptors = 16
    /// In bytes, for stacks and malloc arenas.
    private static let addressSpace: UInt64 = 1 << 30

    /// What there is less of than the process needs.
    package enum Lack: Sendable, Hashable {
        case addressSpace(megabytes: Int)
        case openFiles(Int)
        case threads(Int)
    }

    /// The first resource that is missing; nil if there is enough of each.
    package static func lack() -> Lack? {
        if addressSpaceLimit < addressSpace { return .addressSpace(megabytes: Int(addressSpace >> 20)) }
        if !canOpen(descriptors) { return .openFiles(descriptors) }
        if !WorkerThread.canStart(threads) { return .threads(threads) }
        return nil
    }

    private static var addressSpaceLimit: UInt64 {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : .max
    }

    private static func canOpen(_ count: Int) -> Bool {
        var opened: [Int32] = []
        defer { opened.forEach { close($0) } }
        for _ in 0..<count {
            let descriptor = open("/", O_RDONLY | O_CLOEXEC)
            // Another failure says nothing about the number.
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            opened.append(descriptor)
        }
        return true
    }
}

extension WorkerThread {
    /// Whether the system lets this process start so many more threads at this moment.
    fileprivate static func canStart(_ count: Int) -> Bool {
        let isOver = Lock(false)
        var threads: [WorkerThread] = []
        while threads.count < count, let thread = WorkerThread(name: "trial", { _ = isOver.wait { $0 ? true : nil } }) {
            threads.append(thread)
        }
        isOver.withLockSignalling { $0 = true }
        // The program may need all available threads.
        for thread in threads { thread.join() }
        return threads.count == count
    }
}
