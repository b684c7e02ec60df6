// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Glibc

/// The lock of this project: a `pthread_mutex_t`, the state that it protects, and a condition variable.
///
/// `Synchronization.Mutex` is a futex in a library that ThreadSanitizer does not instrument, which causes false reports
/// of races; pthread calls are intercepted.
///
/// Everything is `@inlinable`: each frame passes a dozen locks, and a generic function that is not visible to its
/// caller accesses the state through type metadata. The type also needs `@usableFromInline`: without it, Swift does not
/// export the function bodies of a package type (6.3, seen in the symbols; `scripts/check-specialised`).
///
/// `Sendable` is safe because `state` is accessed only while the mutex is held, and values that leave the closure are
/// `Sendable`.
@usableFromInline package final class Lock<State>: @unchecked Sendable {
    // The mutex provides exclusive access; the runtime's exclusivity checks would be redundant.
    @exclusivity(unchecked) @usableFromInline var state: State
    // In one allocation, at the address of the mutex: some locks are made for each frame.
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>

    @inlinable package init(_ state: sending State) {
        self.state = state
        // The size of a mutex is a multiple of the alignment of both.
        let place = MemoryLayout<pthread_mutex_t>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: place + MemoryLayout<pthread_cond_t>.stride,
            alignment: max(MemoryLayout<pthread_mutex_t>.alignment, MemoryLayout<pthread_cond_t>.alignment))
        mutex = memory.initializeMemory(as: pthread_mutex_t.self, to: pthread_mutex_t())
        condition = (memory + place).initializeMemory(as: pthread_cond_t.self, to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    @inlinable deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        UnsafeMutableRawPointer(mutex).deallocate()
    }

    /// Calls `body` with exclusive access to the state. It must not use the same lock again.
    @inlinable package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// Calls `body` like ``withLock(_:)``, and wakes all threads that wait for a change of the state.
    @inlinable package func withLockSignalling<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        // After the mutex is released: a thread that wakes earlier would block on it.
        defer { pthread_cond_broadcast(condition) }
        return try withLock(body)
    }

    /// Calls `body` like ``withLockSignalling(_:)``, but wakes only one thread: for interchangeable waiters.
    @inlinable package func withLockSignallingOne<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        defer { pthread_cond_signal(condition) }
        return try withLock(body)
    }

    /// Blocks the thread until `body` returns a value; calls `body` again after each signal.
    ///
    /// - Parameter deadline: in nanoseconds on CLOCK_MONOTONIC; nil for no time limit.
    /// - Returns: The value, or nil if the deadline passed first.
    @inlinable package func wait<R>(
        untilNanoseconds deadline: Int64? = nil, for body: (inout State) -> R?
    ) -> R? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&state) { return result }
            guard let deadline else {
                pthread_cond_wait(condition, mutex)
                continue
            }
            let nanoseconds = Int(clamping: max(0, deadline))
            var time = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
            if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return body(&state) }
        }
    }
}
