// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraBase
internal import ObscuraMedia

/// An input whose device runs.
struct RunningSource: Sendable {
    let source: CaptureSource
    let run: any CaptureRun
    /// What was asked for.
    let request: RunRequest
    /// How it really runs.
    let format: SourceFormat

    /// Ends it without waiting.
    func abandon() {
        source.close()
        run.cancel()
    }

    /// As ``abandon()``, while its readers live on: what they have not taken of it yet was left, and a driver
    /// that waits for one of them waits no longer.
    func withdraw() {
        source.withdraw()
        run.cancel()
    }

    /// Ends all of them, and waits for the devices.
    static func close(_ sources: [RunningSource]) {
        for source in sources { source.abandon() }
        stop(sources)
    }

    /// How long a device may take to end.
    static let patience = Duration.seconds(2)

    /// Waits for the devices, and for the decoders at their sides, but not past the deadline. They end at the
    /// same time, each on a thread of its own: one that hangs takes nothing of the others' time.
    static func stop(_ sources: [RunningSource], until deadline: HostTime = .now + patience) {
        let threads = sources.map { source in
            let thread = WorkerThread(name: "stop") { [run = source.run] in run.stop() }
            // The system has no threads left: then one after the other.
            if thread == nil { source.run.stop() }
            return thread
        }
        for thread in threads { _ = thread?.join(until: deadline) }
        for source in sources { _ = source.source.join(until: deadline) }
    }
}
