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
        run.stop()
    }

    /// Ends it without waiting.
    func abandon() {
        source.close()
        run.cancel()
    }
}
