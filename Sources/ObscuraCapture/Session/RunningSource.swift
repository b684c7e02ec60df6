// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraMedia

/// An input whose device runs.
struct RunningSource: Sendable {
    let source: CaptureSource
    let run: any CaptureRun
    /// The mode that was asked for; nil left it to the device.
    let requested: VideoFormat?
    /// The mode in which it really runs.
    let format: VideoFormat

    /// Ends it and waits for the device.
    func close() {
        source.close()
        stop()
    }

    /// Ends it while its readers live on: what they have not taken of it yet was left, and a driver that
    /// waits for one of them waits no longer.
    func withdraw() {
        source.withdraw()
        stop()
    }

    /// Waits for the device, and for the decoder at its side.
    private func stop() {
        let deadline = HostTime.now + .seconds(2)
        run.stop()
        _ = source.join(until: deadline)
    }

    /// Ends it without waiting.
    func abandon() {
        source.close()
        run.cancel()
    }
}
