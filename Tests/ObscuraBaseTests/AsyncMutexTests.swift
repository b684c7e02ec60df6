// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import TestSupport
import Testing

@Suite(.hangLimit) struct AsyncMutexTests {
    @Test func `One task at a time holds it, and every task gets it`() async {
        let mutex = AsyncMutex()
        let inside = Lock((now: 0, most: 0, all: 0))
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    guard await mutex.lock() == .locked else { return }
                    defer { mutex.unlock() }
                    inside.withLock { inside in
                        inside.now += 1
                        inside.most = max(inside.most, inside.now)
                    }
                    for _ in 0..<5 { await Task.yield() }
                    inside.withLock { inside in
                        inside.now -= 1
                        inside.all += 1
                    }
                }
            }
        }
        #expect(inside.withLock { $0 } == (0, 1, 50))
        #expect(!mutex.isLocked)
    }

    @Test func `Beyond the limit of waiting tasks it is full`() async {
        let mutex = AsyncMutex(waiterLimit: 4)
        #expect(await mutex.lock() == .locked)
        let full = Count()
        let tasks = (0..<10).map { _ in
            Task {
                switch await mutex.lock() {
                case .locked: mutex.unlock()
                case .full: full.add()
                case .cancelled: Issue.record("it was not cancelled")
                }
            }
        }
        #expect(await full.reaches(6))
        mutex.unlock()
        for task in tasks { await task.value }
        #expect(full.now == 6 && !mutex.isLocked)
    }

    @Test func `A cancelled task does not get it, before and while it waits`() async {
        let mutex = AsyncMutex()
        #expect(await mutex.lock() == .locked)
        let waiting = Task { await mutex.lock() }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
        mutex.unlock()
        let (gate, open) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let late = Task {
            for await _ in gate { break }
            return await mutex.lock()
        }
        late.cancel()
        open.yield()
        #expect(await late.value == .cancelled)
        #expect(!mutex.isLocked)
    }

    @Test func `A wait that is not cancellable goes on`() async {
        let mutex = AsyncMutex()
        #expect(await mutex.lock() == .locked)
        let waiting = Task { await mutex.lock(isCancellable: false) }
        waiting.cancel()
        mutex.unlock()
        #expect(await waiting.value == .locked)
        #expect(mutex.isLocked)
        mutex.unlock()
        #expect(!mutex.isLocked)
    }
}
