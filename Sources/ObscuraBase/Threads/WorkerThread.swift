// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A thread with a name that `top -H` and `perf` show.
package final class WorkerThread: Sendable {
    private let isDone = Lock(false)

    /// Starts a thread that runs `body`. Keep the value to wait for its end.
    ///
    /// Returns nil if the system cannot start more threads.
    package init?(name: String, _ body: @escaping @Sendable () -> Void) {
        let isDone = isDone
        let isStarted = Self.detach(name: name) {
            body()
            isDone.withLockSignalling { $0 = true }
        }
        guard isStarted else { return nil }
    }

    /// Blocks until `body` has ended.
    ///
    /// - Parameter deadline: in nanoseconds on CLOCK_MONOTONIC; nil for no time limit.
    /// - Returns: False if the deadline passed first.
    @discardableResult
    package func join(untilNanoseconds deadline: Int64? = nil) -> Bool {
        isDone.wait(untilNanoseconds: deadline) { $0 ? true : nil } ?? false
    }

    /// Lowers the priority of the calling thread, so that it runs mainly on cores that are otherwise idle.
    ///
    /// - Parameter niceness: from 0 (normal priority) to 19 (lowest), set by setpriority(2), which on Linux applies to
    ///   a thread, and for 0 to the calling one.
    package static func setNiceness(_ niceness: Int32) {
        let process = __priority_which_t(UInt32(PRIO_PROCESS.rawValue))
        _ = setpriority(process, 0, niceness)
    }

    /// Starts a detached thread. Returns false if the system cannot start more threads.
    package static func detach(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        final class Box: Sendable {
            let name: String
            let body: @Sendable () -> Void
            init(name: String, body: @escaping @Sendable () -> Void) {
                self.name = name
                self.body = body
            }
        }
        let box = Unmanaged.passRetained(Box(name: name, body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { pointer in
                guard let pointer else { return nil }
                let box = Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue()
                setName("obs-\(box.name)")
                box.body()
                return nil
            }, box.toOpaque())
        if status != 0 { box.release() }
        return status == 0
    }
}

/// Sets the name of the calling thread, of which the kernel keeps 15 characters. (`pthread_setname_np` and `prctl` are
/// not available in Swift: one is a GNU extension, the other variadic.)
private func setName(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    let bytes = Array(name.utf8.prefix(15))
    _ = write(file, bytes, bytes.count)
    close(file)
}
