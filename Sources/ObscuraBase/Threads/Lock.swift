// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

public import Glibc

/// The one lock of the project: a `pthread_mutex_t`, the state that it guards, and a condition.
///
/// `Synchronization.Mutex` is a futex inside a library that ThreadSanitizer does not see, and is
/// reported as races that are none; pthread calls are seen.
///
/// Everything is `@inlinable`: a frame passes a dozen of these on its way, and a generic body that its caller cannot
/// see goes through the tables of the types for each access. It needs `@usableFromInline` on the type as well: without
/// it, Swift keeps the bodies of a package's type to itself (6.3, seen in the symbols; `scripts/check-specialised`).
///
/// `Sendable` is proved by the mutex: `state` is touched only while it is held, and what leaves is
/// `Sendable` or stays inside the closure.
@usableFromInline package final class Lock<State>: @unchecked Sendable {
    // The mutex is what keeps two from it; the checks of the runtime would only say so again.
    @exclusivity(unchecked) @usableFromInline var state: State
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
    @usableFromInline let condition: UnsafeMutablePointer<pthread_cond_t>

    @inlinable package init(_ state: sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        condition = .allocate(capacity: 1)
        condition.initialize(to: pthread_cond_t())
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    @inlinable deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the state, alone. It must not call back into the same lock.
    @inlinable package func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&state)
    }

    /// As ``withLock(_:)``, and wakes all threads that wait for a change of the state.
    @inlinable package func withLockSignalling<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        // After the release: a thread that wakes earlier would block on the mutex.
        defer { pthread_cond_broadcast(condition) }
        return try withLock(body)
    }

    /// As ``withLockSignalling(_:)``, but wakes only one thread: for interchangeable waiters.
    @inlinable package func withLockSignallingOne<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
        defer { pthread_cond_signal(condition) }
        return try withLock(body)
    }

    /// Blocks the thread until `body` returns a value, and calls it again after each signal.
    ///
    /// - Parameter deadline: in nanoseconds on CLOCK_MONOTONIC; nil never passes.
    /// - Returns: Nil if the deadline passed first.
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
