// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// The consecutive streams of one device. Used on the thread of a ``DeviceRun``.
protocol DeviceStreams: Sendable {
    /// The device's display name.
    var name: String { get }
    /// The format of the first stream, or the requested one; nil while neither is known.
    var format: SourceFormat? { get }

    /// Runs one stream, from the opening of the device to its end. Returns when the run is cancelled or the stream
    /// stalls; throws when it cannot start or fails.
    mutating func run(_ life: RunLife) throws(ObscuraError)
    /// Returns the device's current node; nil while it is disconnected. Reads sysfs only.
    func path() -> String?
}
