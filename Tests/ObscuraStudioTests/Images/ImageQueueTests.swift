// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import TestSupport
import Testing

@testable import ObscuraStudio

/// Jobs that end when the test says so.
private final class HandDriven: Sendable {
    private let waiting = Lock<[String: CheckedContinuation<Void, Never>]>([:])
    /// The jobs in the order in which they began.
    let begun = Lock<[String]>([])
    let cancelled = Lock<[String]>([])
    let fails = Lock(false)

    func work(_ name: String) -> ImageQueue<String, String>.Work {
        { [self] progress throws(ObscuraError) in
            begun.withLock { $0.append(name) }
            progress(0.5)
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in waiting.withLock { $0[name] = continuation } }
            } onCancel: {
                cancelled.withLock { $0.append(name) }
            }
            if fails.withLock({ $0 }) { throw .cancelled(.studio, name) }
            return name
        }
    }

    func end(_ name: String) async {
        #expect(await becomes { self.waiting.withLock { $0[name] != nil } })
        waiting.withLock { $0.removeValue(forKey: name) }?.resume()
    }
}

@Suite(.hangLimit) struct ImageQueueTests {
    private let jobs = HandDriven()
    private let queue = ImageQueue<String, String>(limit: 1)

    private func request(_ name: String, _ priority: ImagePriority = .visible) -> Task<String, any Error> {
        Task { [queue, jobs] in
            try await queue.value(for: name, subject: name, priority: priority, progress: nil, jobs.work(name))
        }
    }

    /// Requests a job, and waits until it is in the queue.
    private func add(_ name: String, _ priority: ImagePriority = .visible) async -> Task<String, any Error> {
        let count = queue.count
        let task = request(name, priority)
        #expect(await becomes { queue.count == count + 1 })
        return task
    }

    @Test func `The highest priority is first, then the earliest request`() async throws {
        let first = await add("first")
        var tasks = [first]
        for (name, priority) in [("low", ImagePriority.background), ("a", .nearby), ("b", .nearby), ("high", .visible)]
        {
            tasks.append(await add(name, priority))
        }
        queue.setPriority(.visible) { $0 == "low" }
        for name in ["first", "low", "high", "a", "b"] { await jobs.end(name) }
        for task in tasks { _ = try await task.value }
        // "low" was requested before "high".
        #expect(jobs.begun.withLock { $0 } == ["first", "low", "high", "a", "b"])
        #expect(queue.count == 0)
    }

    @Test func `Equal requests share a job, and its progress`() async throws {
        let blocker = await add("blocker")
        let fractions = Lock<[Double]>([])
        let shared = await add("shared")
        let other = Task { [queue, jobs] in
            try await queue.value(
                for: "shared", subject: "shared", priority: .visible,
                progress: { fraction in fractions.withLock { $0.append(fraction) } },
                jobs.work("shared"))
        }
        await jobs.end("blocker")
        await jobs.end("shared")
        #expect(try await [blocker.value, shared.value, other.value] == ["blocker", "shared", "shared"])
        #expect(jobs.begun.withLock { $0 } == ["blocker", "shared"] && fractions.withLock { $0 } == [0.5])
    }

    @Test func `A cancelled request leaves the others alone`() async throws {
        let blocker = await add("blocker")
        let waiting = await add("waiting")
        waiting.cancel()
        let error = await #expect(throws: ObscuraError.self) { try await waiting.value }
        #expect(error?.code == .cancelled && queue.count == 1)
        let next = await add("next")
        await jobs.end("blocker")
        #expect(await becomes { self.jobs.begun.withLock { $0 } == ["blocker", "next"] })
        // Of two requests for a running job, the first cancellation does not cancel it; the second one does.
        let same = Task { [queue, jobs] in
            try await queue.value(for: "next", subject: "next", priority: .visible, progress: nil, jobs.work("next"))
        }
        next.cancel()
        await #expect(throws: ObscuraError.self) { try await next.value }
        same.cancel()
        await #expect(throws: ObscuraError.self) { try await same.value }
        #expect(await becomes { self.jobs.cancelled.withLock { $0 } == ["next"] })
        await jobs.end("next")
        #expect(await becomes { queue.count == 0 })
        #expect(try await blocker.value == "blocker")
    }

    @Test func `A request for a job that is being cancelled runs it again`() async throws {
        let first = await add("job")
        #expect(await becomes { jobs.begun.withLock { $0 } == ["job"] })
        first.cancel()
        await #expect(throws: ObscuraError.self) { try await first.value }
        let second = request("job")
        #expect(await becomes { jobs.cancelled.withLock { $0 } == ["job"] })
        #expect(await becomes { queue.requestCount(for: "job") == 1 })
        jobs.fails.withLock { $0 = true }
        await jobs.end("job")
        #expect(await becomes { jobs.begun.withLock { $0 } == ["job", "job"] })
        jobs.fails.withLock { $0 = false }
        await jobs.end("job")
        #expect(try await second.value == "job")
    }
}
