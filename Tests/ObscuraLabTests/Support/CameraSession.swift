// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

import Obscura
import ObscuraMedia
import TestSupport
import Testing

/// A session on one camera of the kernel, and what the tests look at.
struct CameraSession {
    /// The mode of most tests: arithmetic in the guest is slow.
    static let small = PixelSize(width: 320, height: 180)

    let session = CaptureSession()
    let input: CaptureDeviceInput
    let events: EventRecord

    /// - Parameter format: the mode; nil takes the smallest in which the camera gives 30 frames a second.
    init(
        _ path: String, format: VideoFormat? = nil, outputs: [VideoDataOutput], startsWhenAvailable: Bool = false,
        whenDisconnected: CaptureDeviceInput.DisconnectionPolicy = .wait
    ) async throws {
        let device = try CaptureDevice.named("camera:\(path)")
        let input = try CaptureDeviceInput(
            device: device, startsWhenAvailable: startsWhenAvailable, whenDisconnected: whenDisconnected)
        self.input = input
        events = EventRecord(session)
        try await session.configure {
            $0.preset = .low
            try $0.addInput(input)
            if let format { try $0.setFormat(format, for: input) }
            for output in outputs { try $0.addOutput(output) }
        }
    }

    /// Expects that every reader's books are right.
    func expectBalance(sourceLocation: SourceLocation = #_sourceLocation) {
        for reader in session.ledger.readers {
            #expect(reader.frames.isBalanced, "\(reader)", sourceLocation: sourceLocation)
        }
    }
}

/// What a session announced, in words.
final class EventRecord: Sendable {
    private let words = Lock<[String]>([])
    private let task: Task<Void, Never>

    init(_ session: CaptureSession) {
        let events = session.events
        task = Task { [words] in
            for await event in events {
                words.withLock { $0.append(Self.word(event)) }
            }
        }
    }

    deinit {
        task.cancel()
    }

    var all: [String] { words.withLock { $0 } }

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
