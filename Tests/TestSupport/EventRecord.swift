// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture
import ObscuraMedia

/// What a session announced, in words.
package final class EventRecord: Sendable {
    private let words = Lock<[String]>([])
    private let task: Task<Void, Never>

    package init(_ session: CaptureSession) {
        let events = session.events
        task = Task { [words] in
            for await event in events {
                words.withLockSignalling { $0.append(Self.word(event)) }
            }
        }
    }

    deinit {
        task.cancel()
    }

    package var all: [String] { words.withLock { $0 } }

    /// Waits until so many events have come; returns whether it came to that in time.
    package func reaches(_ count: Int, within limit: Duration = .seconds(30)) async -> Bool {
        await withCheckedContinuation { continuation in
            let wait = { @Sendable [words] in
                words.wait(until: .now + limit) { $0.count >= count ? true : nil } ?? false
            }
            // A thread of its own: the executor has two on a small machine.
            let isStarted = WorkerThread.detach(name: "events") { continuation.resume(returning: wait()) }
            if !isStarted { continuation.resume(returning: wait()) }
        }
    }

    private static func word(_ event: SessionEvent) -> String {
        switch event {
        case .started: "started"
        case .stopped: "stopped"
        case .paused: "paused"
        case .resumed: "resumed"
        case .interrupted(_, let reason): "interrupted: \(reason.rawValue)"
        case .interruptionEnded: "interruption ended"
        case .runtimeError(_, let error): "error: \(error.code)"
        case .refused(let error): "refused: \(error.code)"
        case .stillBusy(let names): "busy: \(names.joined(separator: ", "))"
        }
    }
}
