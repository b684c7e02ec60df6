// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraBase
import TestSupport
import Testing

@testable import ObscuraStudio

@Suite(.hangLimit) struct TurnsTests {
    @Test func `Only one is in at a time, and everybody comes in`() async throws {
        let turns = Turns()
        let inside = Lock((now: 0, most: 0, all: 0))
        await withTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    try? await turns.take {
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
        }
        #expect(inside.withLock { $0 } == (0, 1, 50))
    }

    @Test func `What fails makes room, and too many are refused`() async throws {
        struct Failure: Error {}
        let turns = Turns()
        await #expect(throws: Failure.self) { try await turns.take { throw Failure() } }
        let (gate, open) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let refused = Count()
        let holder = Task { try await turns.take { for await _ in gate { break } } }
        let others = (0..<100).map { _ in
            Task {
                do { try await turns.take {} } catch { refused.add() }
            }
        }
        // All but those that may wait, and perhaps the one that was in before the holder.
        #expect(await refused.reaches(100 - 64 - 1))
        open.yield()
        open.finish()
        try await holder.value
        for other in others { await other.value }
        #expect(try await turns.take { 7 } == 7)
    }
}
