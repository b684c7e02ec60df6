// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// An input whose device runs.
struct RunningSource: Sendable {
    let source: CaptureSource
    /// What the device delivers to.
    let sink: TracedSink
    let run: any CaptureRun
    /// The requested mode.
    let request: RunRequest
    /// The actual format.
    let format: SourceFormat

    /// Ends it without waiting.
    func abandon() {
        sink.closed()
        source.close()
        run.cancel()
    }

    /// Does the same as ``abandon()`` and keeps the readers: frames that they have not taken are discarded, and a
    /// driver blocked by one of them is unblocked.
    func withdraw() {
        sink.closed()
        source.withdraw()
        run.cancel()
    }

    /// Ends all sources, and waits for the devices.
    static func close(_ sources: [RunningSource]) {
        for source in sources { source.abandon() }
        stop(sources)
    }

    /// The time that a device may take to end.
    static let patience = Duration.seconds(2)

    /// Waits until the devices and their decoders have ended, but not past the deadline. The sources must have been
    /// closed or have ended; otherwise their decoders go on.
    static func stop(_ sources: [RunningSource], until deadline: HostTime = .now + patience) {
        stopDevices(of: sources, until: deadline)
        for source in sources { _ = source.source.join(until: deadline) }
    }

    /// Waits until the devices have ended, but not past the deadline; their decoders go on. Each ends on its own
    /// thread, all at the same time, so that one that hangs does not delay the others.
    static func stopDevices(of sources: [RunningSource], until deadline: HostTime = .now + patience) {
        let threads = sources.map { source in
            let thread = WorkerThread(name: "stop") { [run = source.run] in run.stop() }
            // If no thread can be created, sources are stopped one after the other.
            if thread == nil { source.run.stop() }
            return thread
        }
        for thread in threads { _ = thread?.join(until: deadline) }
    }
}
