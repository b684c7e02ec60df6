// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import TestSupport
import Testing

@Suite(.hangLimit) struct MemoryBudgetTests {
    private struct Broken: Error {}

    /// Jobs that stay in the budget until they are let go.
    private final class Jobs: Sendable {
        let budget: MemoryBudget
        private let running = Lock<[Int: CheckedContinuation<Void, Never>]>([:])
        let begun = Lock<[Int]>([])

        init(_ byteCount: Int) { budget = MemoryBudget(byteCount: byteCount) }

        func run(_ number: Int, _ byteCount: Int) async {
            await budget.withBytes(byteCount) {
                await withCheckedContinuation { continuation in
                    running.withLock { $0[number] = continuation }
                    begun.withLock { $0.append(number) }
                }
            }
        }

        func end(_ number: Int) { running.withLock { $0.removeValue(forKey: number) }?.resume() }
    }

    @Test func `Jobs share the budget, and those beyond it wait in their order`() async {
        let jobs = Jobs(100)
        await withTaskGroup(of: Void.self) { group in
            // The last would have room at once: it does not overtake the one before it.
            for (number, byteCount) in [60, 40, 70, 10].enumerated() {
                group.addTask { await jobs.run(number, byteCount) }
                let isThere = await becomes { jobs.begun.withLock(\.count) + jobs.budget.waitingCount == number + 1 }
                #expect(isThere)
            }
            #expect(jobs.budget.used == 100 && jobs.begun.withLock { $0 } == [0, 1])
            jobs.end(1)
            #expect(await becomes { jobs.budget.used == 60 })
            #expect(jobs.budget.waitingCount == 2)
            jobs.end(0)
            #expect(await becomes { jobs.begun.withLock(\.count) == 4 })
            #expect(jobs.budget.used == 80 && Set(jobs.begun.withLock { $0 }.suffix(2)) == [2, 3])
            jobs.end(2)
            jobs.end(3)
        }
        #expect(jobs.budget.used == 0 && jobs.budget.waitingCount == 0)
    }

    @Test func `A job that is larger than the budget runs alone`() async {
        let jobs = Jobs(100)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await jobs.run(0, 1) }
            #expect(await becomes { jobs.begun.withLock(\.count) == 1 })
            group.addTask { await jobs.run(1, .max) }
            #expect(await becomes { jobs.budget.waitingCount == 1 })
            jobs.end(0)
            #expect(await becomes { jobs.begun.withLock(\.count) == 2 })
            #expect(jobs.budget.used == 100)
            jobs.end(1)
        }
        #expect(jobs.budget.used == 0)
    }

    @Test func `A failure gives back its room`() async throws {
        let budget = MemoryBudget(byteCount: 10)
        await #expect(throws: Broken.self) { try await budget.withBytes(10) { throw Broken() } }
        #expect(budget.used == 0)
        #expect(await budget.withBytes(-5) { budget.used } == 0)
    }
}
