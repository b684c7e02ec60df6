// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// What a stream knows of the run it belongs to, and tells it. On the run's thread alone.
final class RunLife {
    /// Rung by the end of the run; what waits for the device listens to it.
    let eventFD: EventFD
    let sink: any CaptureSink
    private(set) var recovery = DeviceRecovery()
    /// Why nothing comes; nil while it does.
    private var interruption: InterruptionReason?
    /// Whether the session has been told that the device runs.
    private(set) var hasStarted = false
    private let report: (Result<SourceFormat, ObscuraError>) -> Void
    private let cancellation: CancellationToken

    init(
        eventFD: EventFD, cancellation: CancellationToken, sink: any CaptureSink,
        report: @escaping (Result<SourceFormat, ObscuraError>) -> Void
    ) {
        self.eventFD = eventFD
        self.cancellation = cancellation
        self.sink = sink
        self.report = report
    }

    /// Whether the run is to end.
    var isOver: Bool { cancellation.isCancelled }

    /// The stream runs, in this format.
    func started(_ format: SourceFormat) {
        report(.success(format))
        hasStarted = true
    }

    /// The device refuses, and nobody waits for it.
    func refused(_ error: ObscuraError) {
        report(.failure(error))
    }

    /// Something good has come: what was interrupted goes on.
    func delivered(at now: HostTime) {
        if interruption != nil { sink.resumed() }
        interruption = nil
        recovery.delivered(at: now)
    }

    /// What to do after a stream has ended.
    func step(after error: ObscuraError?) -> DeviceRecovery.Step {
        recovery.step(after: error, now: .now)
    }

    /// Nothing comes; told once.
    func interrupted(_ reason: InterruptionReason) {
        if interruption != reason { sink.interrupted(reason) }
        interruption = reason
    }
}
