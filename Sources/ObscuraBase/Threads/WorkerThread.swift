// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import Glibc

/// A thread of our own, with a name that `top -H` and `perf` show.
package final class WorkerThread: Sendable {
    private let isDone = Lock(false)

    /// Starts a thread that runs `body`. Keep the value to wait for its end.
    ///
    /// Returns nil when the system has no threads left.
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
    /// - Parameter deadline: in nanoseconds on CLOCK_MONOTONIC; nil never passes.
    /// - Returns: False if the deadline passed first.
    @discardableResult
    package func join(untilNanoseconds deadline: Int64? = nil) -> Bool {
        isDone.wait(untilNanoseconds: deadline) { $0 ? true : nil } ?? false
    }

    /// Has the calling thread give way to others: it runs where they leave a core idle.
    ///
    /// - Parameter niceness: 0 gives way to nobody, 19 to everybody (setpriority(2), which on Linux takes a
    ///   thread where 0 names the caller).
    package static func setNiceness(_ niceness: Int32) {
        let process = __priority_which_t(UInt32(PRIO_PROCESS.rawValue))
        _ = setpriority(process, 0, niceness)
    }

    /// Starts a thread that nobody waits for. Returns false when the system has no threads left.
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

/// Names the calling thread; the kernel keeps 15 characters. (`pthread_setname_np` and `prctl` are not
/// visible from Swift: a GNU extension, a variadic.)
private func setName(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    let bytes = Array(name.utf8.prefix(15))
    _ = write(file, bytes, bytes.count)
    close(file)
}
