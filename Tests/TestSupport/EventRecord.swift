// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

package import ObscuraCapture

/// What a session announced, in words.
package final class EventRecord: Sendable {
    private let words = Watched<[String]>([])
    private let task: Task<Void, Never>

    package init(_ session: CaptureSession) {
        let events = session.events
        task = Task { [words] in
            for await event in events {
                words.change { $0.append(Self.word(event)) }
            }
        }
    }

    deinit {
        task.cancel()
    }

    package var all: [String] { words.value }

    /// Waits until there are `count` events; returns false when they did not come.
    package func reaches(_ count: Int) async -> Bool {
        await words.reaches { $0.count >= count }
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
