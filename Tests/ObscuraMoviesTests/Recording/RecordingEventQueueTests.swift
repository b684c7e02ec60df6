// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraBase
import Testing

@testable import ObscuraMovies

@Suite struct RecordingEventQueueTests {
    @Test func `An event that is added while another is delivered follows it, whoever adds it`() {
        let received = Lock<[RecordingEvent]>([])
        let inner = Lock<RecordingEventQueue?>(nil)
        let queue = RecordingEventQueue { event in
            if event == .paused {
                inner.withLock { $0 }?.send(.resumed)
                // The call has returned, since its event waits for this one.
                #expect(received.withLock { $0 } == [.framesStopped])
            }
            received.withLock { $0.append(event) }
        }
        inner.withLock { $0 = queue }
        queue.add(.framesStopped)
        #expect(received.withLock { $0 }.isEmpty)
        queue.send(.paused)
        #expect(received.withLock { $0 } == [.framesStopped, .paused, .resumed])
        queue.send(.framesStopped)
        #expect(received.withLock { $0 }.last == .framesStopped)
        inner.withLock { $0 = nil }
    }
}
