// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import ObscuraCapture
import ObscuraMedia
import Testing

extension CaptureSession {
    /// A session of one camera and some outputs.
    static func of(
        _ driver: any CaptureDriver, _ outputs: [VideoDataOutput], clock: any CaptureClock = SystemClock()
    ) async throws -> CaptureSession {
        let session = CaptureSession(clock: clock)
        try await session.configure { configuration in
            try configuration.addInput(CaptureDeviceInput(device: CaptureDevice(driver: driver)))
            for output in outputs { try configuration.addOutput(output) }
        }
        return session
    }

    /// The books of a reader.
    func reader(_ name: String) throws -> SessionLedger.Reader {
        try #require(ledger.readers.last { $0.name.hasPrefix(name) })
    }

    /// Expects the books of all readers to be right.
    func expectBalance(sourceLocation: SourceLocation = #_sourceLocation) {
        for reader in ledger.readers {
            #expect(reader.frames.isBalanced, "\(reader.name): \(reader.frames)", sourceLocation: sourceLocation)
        }
    }
}

/// What a session announced, in words.
final class EventRecord: Sendable {
    private let words = Lock<[String]>([])
    private let count = Count()
    private let task: Task<Void, Never>

    init(_ session: CaptureSession) {
        let events = session.events
        task = Task { [words, count] in
            for await event in events {
                words.withLock { $0.append(Self.word(event)) }
                count.add()
            }
        }
    }

    deinit {
        task.cancel()
    }

    var all: [String] { words.withLock { $0 } }

    func reaches(_ target: Int) async -> Bool { await count.reaches(target) }

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
