// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Obscura authors

internal import ObscuraCapture
internal import ObscuraMedia

/// What a ``DeviceRun`` runs: the streams of one device, one after the other. It lives on the run's thread.
protocol DeviceStreams: Sendable {
    /// The name of the device for people.
    var name: String { get }
    /// What the first stream runs in, or is to run in; nil where nobody has said and nothing is known yet.
    var format: SourceFormat? { get }

    /// One stream, from the opening of the device to its end: returns when the run is cancelled or nothing comes any more,
    /// and throws when it cannot begin or fails.
    mutating func run(_ life: RunLife) throws(ObscuraError)
    /// Where the device is now; nil while it is away. Asks sysfs alone.
    func path() -> String?
}
