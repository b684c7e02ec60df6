// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The connection of a stream with its run. For the run's thread only.
final class RunLife {
    /// The descriptor that ends waits for the device when the run ends.
    let eventFD: EventFD
    let sink: any CaptureSink
    // For one thread, so that the runtime's exclusivity checks, at each frame, would be redundant. The same holds below.
    @exclusivity(unchecked) private(set) var recovery = DeviceRecovery()
    /// The current interruption; nil while frames or sound arrive.
    @exclusivity(unchecked) private var interruption: InterruptionReason?
    /// Whether the start was reported to the session.
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

    /// Whether the run was cancelled.
    var isOver: Bool { cancellation.isCancelled }

    /// Reports that the stream runs, in this format.
    func started(_ format: SourceFormat) {
        report(.success(format))
        hasStarted = true
    }

    /// Reports a start that failed.
    func rejected(_ error: ObscuraError) {
        report(.failure(error))
    }

    /// Notes a frame or sound; ends an interruption.
    func delivered(at now: HostTime) {
        if interruption != nil { sink.resumed() }
        interruption = nil
        recovery.delivered(at: now)
    }

    /// Returns the next step after the end of a stream.
    func step(after error: ObscuraError?) -> DeviceRecovery.Step {
        recovery.step(after: error, now: .now)
    }

    /// Notes that the machine has woken up.
    func woke() {
        recovery.woke(at: .now)
    }

    /// Reports an interruption; the same one only once.
    func interrupted(_ reason: InterruptionReason) {
        if interruption != reason { sink.interrupted(reason) }
        interruption = reason
    }
}
